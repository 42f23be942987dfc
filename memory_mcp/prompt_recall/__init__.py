"""The few passages that matter for what the user just wrote, or none."""
