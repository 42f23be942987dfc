"""`completions`: what a shell needs to complete the commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completions", short_help="Print a shell's completion script.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completions_command(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in SHELL.

    bash: memory-mcp completions bash > ~/.local/share/bash-completion/completions/memory-mcp

    zsh: memory-mcp completions zsh > a file named _memory-mcp in a folder of $fpath

    fish: memory-mcp completions fish > ~/.config/fish/completions/memory-mcp.fish
    """
    completion = get_completion_class(shell)
    assert completion is not None, "click knows the shells that the argument allows"
    click.echo(completion(ctx.find_root().command, {}, "memory-mcp", "_MEMORY_MCP_COMPLETE").source())
