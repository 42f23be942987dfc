"""What one does with pages: one module each. These are the services that `server` and `cli` call."""
