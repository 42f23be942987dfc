"""Everything of a caller that a session starts with."""
