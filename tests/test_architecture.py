"""Who may import whom, what the start of the server imports, and how large a module may grow."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.conftest import HANDSHAKE

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "memory_mcp"
MAY_IMPORT = {
    "model": {"errors"},
    "capture": set(),
    "store": {"errors", "model", "capture"},
    "wiki": {"errors", "model", "store"},
    "sessions": {"errors", "model", "store"},
    "search": {"errors", "model", "store", "wiki", "sessions"},
    "pages": {"errors", "model", "store", "wiki", "search", "capture", "__version__"},
    "callers": {"errors", "model", "store", "wiki", "search", "capture"},
    "continuity": {"errors", "model", "store", "wiki", "sessions", "capture"},
    "folding": {"errors", "model", "store", "wiki", "sessions", "capture", "continuity"},
    "briefing": {
        *("errors", "model", "store", "wiki", "sessions", "search", "capture"),
        *("pages", "callers", "continuity", "folding"),
    },
    "prompt_recall": {"errors", "model", "store", "wiki", "sessions", "search"},
    "routing": set(),
    "clients": {"errors", "model", "store", "routing", "capture"},
    "doctor": {"errors", "model", "store", "wiki", "sessions", "capture", "continuity", "folding", "clients"},
}
"""The packages below the edges, and what of ours each may import besides itself."""

MAX_LINES = 400

HEAVY = (
    "numpy",
    "tokenizers",
    "whoosh",
    "git",
    "yaml",
    "portalocker",
    "rich",
    "tomlkit",
    "memory_mcp.search",
    "memory_mcp.pages",
)
"""What `initialize` and `tools/list` are answered without."""


def imports_of(path):
    """The full names that a module imports anywhere, but for type checkers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    names = set()
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def ours(path):
    return {name for name in imports_of(path) if name.split(".")[0] == "memory_mcp"}


def is_below(name, *packages):
    return any(name == package or name.startswith(package + ".") for package in packages)


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_a_module_is_small_and_imports_what_its_place_allows(path):
    place = path.relative_to(PACKAGE).parts[0]
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES
    if place in MAY_IMPORT:
        allowed = MAY_IMPORT[place] | {place}
        assert {name.split(".")[1] for name in ours(path)} <= allowed
    if place == "capture":
        allowed = {*sys.stdlib_module_names, "tomli"}
        assert {name.split(".")[0] for name in imports_of(path)} <= allowed | {"memory_mcp"}
    if place == "server":
        assert not [name for name in ours(path) if is_below(name, "memory_mcp.cli", "memory_mcp.clients")]
    if place not in ("server", "cli"):
        foreign = {name.split(".")[0] for name in imports_of(path)}
        assert not foreign & {"mcp", "pydantic", "click", "rich"}


def test_the_server_answers_before_anything_heavy_is_imported(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", str(ROOT / "server.py")],
        cwd=tmp_path,
        env=os.environ | {"MEMORY_MCP_DATA_DIR": str(tmp_path / "data")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        server.stdin.write(b"".join(json.dumps(request).encode() + b"\n" for request in HANDSHAKE))
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        assert json.loads(server.stdout.readline())["id"] == 2
        server.stdin.close()
        report = server.stderr.read().decode()
    imported = {line.split("|")[-1].strip() for line in report.splitlines() if "import time:" in line}
    assert "memory_mcp.server.surface" in imported
    imported.discard("rich.console")  # asked for by the SDK and refused, see `surface`
    assert not [name for name in imported if is_below(name, *HEAVY)]


def test_the_steps_that_tests_can_stop_at_are_those_that_the_architecture_names():
    reached = {
        name
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(r'steps\.reach\("([^"]+)"\)', path.read_text(encoding="utf-8"))
    }
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = text.partition("The named steps")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([^`]+)`", named)) == reached


SEARCH = PACKAGE / "search"


@pytest.mark.parametrize("folder", [SEARCH, *sorted(path.parent for path in SEARCH.glob("*/__init__.py"))])
def test_the_map_of_each_search_package_names_every_module(folder):
    named = re.findall(r"`(\w+)`", ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))))
    assert sorted(named) == sorted(path.stem for path in folder.glob("[!_]*.py"))


CAPTURE = PACKAGE / "capture"


def test_the_map_of_capture_names_every_module():
    named = re.findall(r"`(\w+)`", ast.get_docstring(ast.parse((CAPTURE / "__init__.py").read_text("utf-8"))))
    assert {path.stem for path in CAPTURE.glob("[!_]*.py")} <= {*named}
