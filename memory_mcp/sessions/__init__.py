"""The files of agent sessions.

- `session` says what a session is; `session_lines` reads and writes the lines of its file.
- `session_file` reads and appends the files, `session_list` finds the newest of them, `session_glance` tells
  whose one is and whether it goes on without reading it whole.
- `capture_off` says where nothing is recorded.
"""
