"""What teaches agents to use the memory: `routing_block` for instructions, `skill_files` for skills."""
