"""What keeps the memory from working on this machine, and the command that mends it."""
