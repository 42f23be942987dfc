"""Domain types and rules, with no input or output and no import of ours but `errors`."""
