"""The boundary that text from tools and hooks crosses, with the standard library alone.

- `hook_event` takes in one event: it asks the modules below in turn and spools what they leave.
- `hook_arguments`, `hook_settings` and `toml_file` read what a hook is told by its command line, the
  environment and `config.toml`; `folder_marker` finds the markers of a folder.
- `payload` reads the client's JSON; `agent_names` and `event_names` give clients and events one name each;
  `tool_call`, `tool_family` and `tool_paths` say what of a tool call is known.
- `capture_policy` decides what is recorded of a tool call, by the patterns of `path_glob`.
- `sanitizer` takes secrets out of texts. A `secret_pattern` is one class of them; `secret_patterns` has all,
  those of `vendor_tokens`, `named_secrets` and `kubernetes_secret` too; `secret_value` tells a value
  from a placeholder. `clean_flat` cleans JSON of any size, and `text_cap` cuts what is clean.
- `observation_text` chooses title and body of an event; `hook_entry` makes its entry and `spool` keeps it.
- `hook_answer` says what each client is told; `turn_note` whether a person's turn confirms anything.
"""
