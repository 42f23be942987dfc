"""The command `memory-mcp`: runs the command that is meant and turns what happened into an exit code.

Exit codes: 0 done; 1 an error that the reader can act on, one sentence on stderr, or, without a word, an
output that nobody reads any more; 2 wrong usage, or a bug with its traceback; 130 interrupted.
"""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from memory_mcp import __version__
from memory_mcp.cli.options import COMMON_OPTIONS, with_common_options
from memory_mcp.errors import UserError
from memory_mcp.model.plain_text import one_line

COMMANDS = {
    "serve": "serve",
    "init": "store",
    "status": "store",
    "search": "find",
    "recent": "find",
    "briefing": "briefing",
    "explore": "briefing",
    "read-page": "page",
    "write-page": "page",
    "delete-page": "page",
    "prompt": "prompt",
    "lint": "lint",
    "profile": "profile",
    "note": "note",
    "skill": "skill",
    "log": "log",
    "task": "task",
    "handoffs": "handoffs",
    "message": "message",
    "doctor": "doctor",
    "capture": "capture",
    "fold": "capture",
    "finalize-session": "capture",
    "reindex": "store",
    "embed": "vectors",
    "commit": "history",
    "checkpoints": "history",
    "restore-page": "history",
    "import": "import_folder",
    "install-mcp": "install",
    "hook": "hook_command",
    "install-hooks": "install",
    "install-instructions": "install",
    "install-skills": "install",
    "uninstall": "install",
    "quickstart": "quickstart",
    "completions": "completions",
}
"""The module of each command, imported when the command is run or listed."""


class Commands(click.Group):
    """Imports a command when it is named; every command takes the common options, wherever they stand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order in which the help shows them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, None when there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"memory_mcp.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return with_common_options(command)


@click.group(
    cls=Commands,
    params=list(COMMON_OPTIONS),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Without --workspace and --project a command means the project of the folder it runs in.",
)
@click.version_option(__version__, prog_name="memory-mcp", message="%(prog)s %(version)s")
def cli() -> None:
    """One long-term memory for coding agents: markdown pages in git, served over MCP on stdio."""


def main() -> NoReturn:
    """Run the command line of this process."""
    _start_again_in_utf8()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Page text is UTF-8 whatever the locale says; a file name that is not shows as an escape.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_run())


def _start_again_in_utf8() -> None:
    """Where the locale makes arguments and file names anything but UTF-8, let Python ignore the locale."""
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def _run() -> int:
    try:
        code = cli.main(prog_name="memory-mcp", standalone_mode=False)
        sys.stdout.flush()
    except UserError as error:
        click.echo(f"error: {one_line(str(error))}", err=True)
        return 1
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        click.echo("interrupted; what is done stays, and the command can be run again.", err=True)
        return 130
    except BrokenPipeError:
        # Python flushes stdout once more at exit, and must not fail again. (Click sees to it while it runs.)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception:
        sys.excepthook(*sys.exc_info())
        return 2
    return code if isinstance(code, int) else 0
