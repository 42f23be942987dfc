"""`python -m memory_mcp` is the command `memory-mcp`."""

from memory_mcp.cli.main import main

main()
