"""The command `lint`: what needs mending in the memory of a caller."""

from __future__ import annotations

import click

from memory_mcp.callers.caller_facts import read_facts
from memory_mcp.callers.caller_lint import lint, needs_mending
from memory_mcp.cli.open_app import open_app
from memory_mcp.cli.options import json_option
from memory_mcp.cli.output import print_json
from memory_mcp.model.plain_text import one_line


@click.command("lint", short_help="Tell what needs mending in profile, notes, skills and tasks.")
@json_option
def lint_command(as_json: bool) -> int:
    """Tell what needs mending in profile, notes, skills and tasks; exit with 1 if anything does."""
    app = open_app()
    app.caller.folder.check_owner()
    findings = lint(read_facts(app.caller.folder, app.clock()))
    if as_json:
        rows: list[dict[str, object]] = [
            {
                "code": each.code,
                "severity": each.severity,
                "path": each.path,
                "line": each.line,
                "message": each.message,
                "pages": [],
            }
            for each in findings
        ]
        print_json({"v": 1, "findings": rows})
    else:
        for each in findings:
            place = each.path if each.line is None else f"{each.path}:{each.line}"
            click.echo(one_line(f"{place}: {each.severity}: {each.message} [{each.code}]"))
        if not findings:
            click.echo("nothing to mend")
    return int(needs_mending(findings))
