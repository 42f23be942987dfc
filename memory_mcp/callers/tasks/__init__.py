"""Open ends, and what counts as a person's own word to drop one."""
