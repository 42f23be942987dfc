"""`serve`: the MCP server on standard input and output."""

from __future__ import annotations

import click

from memory_mcp.cli.open_app import read_settings


@click.command("serve", short_help="Run the MCP server on stdio; clients start it.")
def serve_command() -> None:
    """Run the MCP server on standard input and output until the input ends.

    MCP clients start it; `memory-mcp install-mcp` tells them how.
    """
    settings = read_settings()
    from memory_mcp.server.run import serve  # noqa: PLC0415 - only this command needs the SDK

    serve(settings)
