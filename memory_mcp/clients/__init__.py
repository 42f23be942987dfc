"""What the product knows of clients, and how it edits their files.

`client` says what a client is, `client_list` names them all; each is one module: `claude_code`, `codex`,
`cursor`, `gemini_cli`, `opencode`, `vscode`, `claude_desktop`, `zed`. `entry` is how a client starts the
server, `hook_command` what it runs at an event, `approved_tools` which tools it need not ask about. They
share `json_servers` for servers, `hook_groups` and `flat_hooks` for hooks, `user_config` for places.
`json_text` edits JSON and `config_file` files, keeping what is not ours. `installation` plans such edits,
`installed` reads them back. `codex_trust` tells which hooks Codex runs, `transcripts` which sessions there
were by the clients' own files.
"""
