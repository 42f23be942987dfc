"""What keeps the memory from working on this machine, and the command that mends each.

`doctor` runs the checks: `store_checks` of the data dir, `git_checks` of the wiki's repositories,
`spool_checks` of what hooks recorded, `client_checks` of the clients' files (`program_version` asks another
installation which it is), `codex_checks` whether Codex runs our hooks, `caller_checks` whether two people
share a caller, `session_checks` whether the clients' own sessions are here. `finding` is what they give.
What they start but git, they start as a `bounded_process`.
"""
