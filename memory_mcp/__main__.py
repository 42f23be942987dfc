"""The command `memory-mcp`, also as `python -m memory_mcp`.

A hook runs at every step of every agent, so it is told apart here, before the command line is imported.
"""

import sys


def main() -> None:
    """Run the command that the arguments name."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from memory_mcp.cli.hook import run_hook  # noqa: PLC0415 - see above

        run_hook(sys.argv[2:])
    else:
        from memory_mcp.cli.main import main as run_command  # noqa: PLC0415 - see above

        run_command()


if __name__ == "__main__":
    main()
