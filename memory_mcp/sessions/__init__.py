"""The files of agent sessions: `session_file` reads and appends them, `session_list` finds them, and
`capture_off` says where nothing is recorded.
"""
