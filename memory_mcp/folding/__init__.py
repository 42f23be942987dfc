"""How what hooks spooled becomes sessions, their pages, handoffs and log lines.

- `spool_fold` takes batches from the spool while there is time, and puts aside what nobody can fold;
  `spool_batch` reads one, `spool_entry` checks what an entry says.
- `batch_fold` makes of a batch lines of sessions and one commit: `event_scope` tells whose an event is,
  `session_growth` what it adds to its session, `session_boundary` what follows when one pauses or ends.
- `session_page`, `session_title`, `handoff_text` and `project_log` say it in words, by rules.
- `session_close` ends sessions whose client never did; `session_interrupt` lets those hand over that are
  in the middle of a turn.
"""
