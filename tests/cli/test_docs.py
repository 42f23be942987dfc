"""What README and guide say is what the product does. `make docs` writes their generated parts anew."""

import re
import shlex
from pathlib import Path

import click
import pytest

from memory_mcp.cli.main import cli
from memory_mcp.config import describe_settings

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
GUIDE = ROOT / "docs" / "guide.md"
WIDTH = 100
ENTITY = '{"type": "entity", "name": "Rui", "entityType": "person", "observations": ["on call"]}\n'


def with_generated_parts(text: str) -> str:
    """The text with the blocks behind its marks written anew."""
    context = cli.make_context("memory-mcp", [], resilient_parsing=True, terminal_width=WIDTH)
    usage = cli.get_help(context).rstrip()
    text = re.sub(
        r"(<!-- memory-mcp --help -->\n```text\n).*?(```)",
        lambda found: f"{found[1]}{usage}\n{found[2]}",
        text,
        flags=re.DOTALL,
    )
    return re.sub(r"(<!-- settings -->\n\n)(?:\|.*\n)*", lambda found: found[1] + describe_settings(), text)


def commands(path: Path) -> list[str]:
    """Every line of a shell block that calls the product, without its comment and redirection."""
    blocks = re.findall(r"^\s*```sh\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [re.split(r"\s+(?:#|[<>]+)", line)[0] for line in lines if re.match(r"(?:\S+/)?memory-mcp ", line)]


@pytest.mark.parametrize("path", [README, GUIDE], ids=lambda path: path.name)
def test_the_generated_parts_are_up_to_date(path):
    text = path.read_text(encoding="utf-8")
    assert with_generated_parts(text) == text, "run `make docs`"


@pytest.mark.parametrize("line", [line for path in (README, GUIDE) for line in commands(path)])
def test_every_command_of_the_docs_is_accepted(line):
    words = shlex.split(line)[1:]
    context = click.Context(cli, info_name="memory-mcp")
    name, command, rest = cli.resolve_command(context, words)
    assert command is not None
    command.make_context(name, rest, parent=context)


def test_the_guide_names_the_json_keys_of_every_command(memory, place, monkeypatch):
    monkeypatch.setenv("MEMORY_MCP_VECTORS_ENABLED", "true")
    (place / "vault").mkdir()
    (place / "app" / ".memory-mcp.toml").write_text(
        'workspace = "acme"\nproject = "importer"\n', encoding="utf-8"
    )
    (place / "memory.jsonl").write_text(ENTITY, encoding="utf-8")
    calls = [
        ("write-page", "a.md"),
        ("init",),
        ("status",),
        ("search", "a"),
        ("recent",),
        ("briefing",),
        ("explore", "a"),
        ("read-page", "a.md"),
        ("delete-page", "a.md"),
        ("restore-page", "a.md"),
        ("checkpoints",),
        ("commit",),
        ("import", str(place / "vault")),
        ("reindex",),
        ("embed",),
        ("install-mcp", "--client", "codex"),
        ("install-hooks", "--client", "codex"),
        ("install-instructions", "--client", "codex"),
        ("install-skills", "--client", "codex"),
        ("uninstall", "--client", "codex"),
        ("handoffs",),
        ("message list",),
        ("message pop",),
        ("capture status",),
        ("fold",),
        ("finalize-session",),
        ("doctor",),
        ("prompt",),
        ("lint",),
        ("profile set", "Profile"),
        ("profile show",),
        ("profile nudge",),
        ("note write", "Tea"),
        ("note list",),
        ("note read", "tea"),
        ("note archive", "tea"),
        ("note import", str(place / "memory.jsonl")),
        ("log add", "tested", "all"),
        ("log show",),
        ("task add", "Ship it"),
        ("task list",),
    ]
    printed = {
        name: set(memory(*name.split(), *args, "--json", stdin=b"# A\n").json) for name, *args in calls
    }
    table = GUIDE.read_text(encoding="utf-8").split("<!-- json -->\n\n")[1].split("\n\n")[0]
    rows = [re.findall(r"`(.+?)`", row) for row in table.splitlines()[2:]]
    assert {name: set(keys) for name, *keys in rows} == printed


def test_the_docs_show_commands():
    assert len(commands(README)) > 8
    assert len(commands(GUIDE)) > 15


def test_both_commands_stand_at_the_top_of_the_readme():
    top = README.read_text(encoding="utf-8").splitlines()[:5]
    assert any("make quickstart" in line for line in top)
    assert any("make test" in line for line in top)


@pytest.mark.parametrize("path", [README, GUIDE], ids=lambda path: path.name)
def test_no_line_is_too_long_to_read(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        assert len(line) <= 120 or line.startswith("|"), line


if __name__ == "__main__":
    for path in (README, GUIDE):
        path.write_text(
            with_generated_parts(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n"
        )
