"""The marker that a hook goes by is the one that all others go by."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memory_mcp.capture.folder_marker import checkout_root, find_marker
from memory_mcp.errors import InvalidInput
from memory_mcp.store.checkout import find_checkout
from memory_mcp.wiki.scope_resolve import ScopeResolver

MARKERS = (
    'workspace = "acme"\nproject = "one"\n',
    'workspace = "acme"\nproject = "two"\ndrop_subagent_captures = true\n',
    'workspace = "acme"\nproject = "three"\ndrop_subagent_captures = "on"\n[capture]\n',
    'workspace = "acme"\n',
    '[capture]\nignore_paths = ["x/**"]\n',
    "[lint]\n",
    "",
)
PLACES = (
    "home",
    "home/work",
    "home/work/repo",
    "home/work/repo/src",
    "home/.git-repo",
    "out",
    "out/repo/src",
)
REPOSITORIES = (".", "home", "home/work/repo", "out/repo", "out")


def git(*arguments: str, cwd: Path) -> None:
    identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=cwd, check=True, capture_output=True)


def told(root: Path, folder: Path) -> tuple[str, bool]:
    """What the resolver of all other processes says: the scope, where the marker names it, and the switch."""
    resolver = ScopeResolver(root / "wiki", folder, root / "home", "default")
    marker = resolver.marker()
    if marker is None:
        return "", False
    scope = f"{marker.workspace}/{marker.project}" if marker.project else ""
    return scope, marker.drop_subagent_captures


def found(root: Path, folder: Path) -> tuple[str, bool]:
    marker = find_marker(os.path.realpath(folder), os.path.realpath(root / "home"))
    return marker.scope, marker.drop_subagents


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(st.sampled_from(PLACES), st.sampled_from(MARKERS), max_size=4),
    st.sets(st.sampled_from(REPOSITORIES), max_size=2),
    st.sampled_from(PLACES),
)
@example({"out": MARKERS[0]}, {"."}, "out/repo/src")
def test_scope_and_switch_are_those_that_every_process_resolves(
    tmp_path_factory, markers, repositories, place
):
    root = tmp_path_factory.mktemp("tree")
    for each in PLACES:
        (root / each).mkdir(parents=True, exist_ok=True)
    for each in repositories:
        (root / each / ".git").mkdir()
        (root / each / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    for each, text in markers.items():
        (root / each / ".memory-mcp.toml").write_text(text, encoding="utf-8")
    assert found(root, root / place) == told(root, root / place)


@pytest.mark.parametrize("home", ["home", "elsewhere"])
def test_a_linked_worktree_goes_by_the_marker_of_the_main_one(tmp_path, home):
    main, linked = tmp_path / "home/code/main", tmp_path / "trees/linked"
    main.mkdir(parents=True)
    git("init", "-q", cwd=main)
    git("commit", "-q", "--allow-empty", "-m", "x", cwd=main)
    git("worktree", "add", "-q", str(linked), cwd=main)
    (linked / "src").mkdir()
    home = tmp_path / home
    home.mkdir(exist_ok=True)
    for place, name in ((main, "main"), (main.parent, "above"), (linked, "own")):
        (place / ".memory-mcp.toml").write_text(f'workspace = "acme"\nproject = "{name}"\n', encoding="utf-8")
        for folder in (linked, linked / "src"):
            marker = ScopeResolver(tmp_path / "wiki", folder, home, "default").marker()
            assert find_marker(str(folder), str(home)).scope == (f"acme/{marker.project}" if marker else "")
        if name != "own":
            (place / ".memory-mcp.toml").unlink()
    assert checkout_root(str(linked / "src")) == str(linked)


def test_the_root_of_a_checkout_is_the_one_that_git_sees(tmp_path):
    (tmp_path / "a/.git").mkdir(parents=True)  # without HEAD
    (tmp_path / "a/b").mkdir()
    assert checkout_root(str(tmp_path / "a/b")) == ""
    (tmp_path / "a/.git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    assert checkout_root(str(tmp_path / "a/b")) == str(tmp_path / "a")
    (tmp_path / "a/b/.git").write_text("no pointer\n", encoding="utf-8")
    assert checkout_root(str(tmp_path / "a/b")) == str(find_checkout(tmp_path / "a/b").root)


@pytest.mark.parametrize("text", ["workspace =", "workspace = 'acme'\nproject = 'x'\n" + "#" * 70_000])
def test_a_marker_that_cannot_be_read_says_no_scope_and_hides_those_above(tmp_path, text):
    folder = tmp_path / "home/project"
    folder.mkdir(parents=True)
    (tmp_path / "home/.memory-mcp.toml").write_text('workspace = "a"\nproject = "b"\n', encoding="utf-8")
    (folder / ".memory-mcp.toml").write_text(text, encoding="utf-8")
    marker = find_marker(str(folder), str(tmp_path / "home"))
    assert (marker.folder, marker.tables, marker.scope) == (str(folder), None, "")
    with pytest.raises(InvalidInput):
        ScopeResolver(tmp_path / "wiki", folder, tmp_path / "home", "default").marker()


def test_the_nearest_marker_tells_what_is_captured_and_one_further_up_the_scope(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / ".memory-mcp.toml").write_text('workspace = "a"\nproject = "b"\n', encoding="utf-8")
    (folder / ".memory-mcp.toml").write_text('[capture]\nignore_paths = ["x"]\n', encoding="utf-8")
    marker = find_marker(str(folder), str(tmp_path))
    assert marker.folder == str(folder)
    assert marker.tables == {"capture": {"ignore_paths": ["x"]}}
    assert marker.scope == "a/b"


@pytest.mark.parametrize(
    "text",
    [
        'workspace = "acme"\nproject = 7\n',
        'workspace = "acme"\nproject = "../x"\n',
        'workspace = "acme"\nproject = "_global"\n',
        'workspace = "_callers"\nproject = "ana"\n',
        'workspace = "Acme"\nproject = "x"\n',
    ],
)
def test_a_name_that_no_scope_may_have_sets_none(tmp_path, text):
    (tmp_path / ".memory-mcp.toml").write_text(text, encoding="utf-8")
    assert find_marker(str(tmp_path), str(tmp_path)).scope == ""


@pytest.mark.parametrize("name", [".memory-mcp.toml", ".git"])
def test_a_pipe_blocks_nobody(tmp_path, name):
    os.mkfifo(tmp_path / name)
    assert find_marker(str(tmp_path), str(tmp_path / "home")).scope == ""
