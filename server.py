"""`python server.py` starts the stdio server: the same as `memory-mcp serve`."""

import sys

from memory_mcp.cli.main import main

if __name__ == "__main__":
    sys.argv.insert(1, "serve")
    main()
