"""What keeps the memory from working on this machine, and the command that mends each.

`doctor` runs the checks: `store_checks` of the data dir, `spool_checks` of what hooks recorded,
`client_checks` of the clients' files. `finding` is what they give.
"""
