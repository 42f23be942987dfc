"""Which tool calls are recorded."""

import os

import pytest

from memory_mcp.capture.capture_policy import capture_policy
from memory_mcp.capture.folder_marker import FolderMarker
from memory_mcp.capture.tool_call import ToolCall

HOME = "/home/ana"
DATA = "/home/ana/.local/share/memory-mcp"
CWD = "/home/ana/p/src"
IGNORED = {"capture": {"ignore_paths": ["secrets/**", "**/*.key", "~/private/**"]}}
INVALID = (
    None,
    {"capture": 7},
    {"capture": {"ignore_paths": "x"}},
    {"capture": {"ignore_paths": [7]}},
    {"capture": {"ignore_path": ["x"]}},
    {"capture": {"ignore_paths": ["x"], "tool_details": True}},
    {"capture": {"ignore_paths": ["[x]"]}},
    {"capture": {"ignore_paths": ["x"] * 129}},
)
INACTIVE = ({}, {"workspace": "acme"}, {"capture": {}}, {"capture": {"ignore_paths": []}})


def policy(tables):
    marker = FolderMarker()
    marker.folder, marker.tables = "/home/ana/p", tables
    return capture_policy(marker, HOME, DATA)


def decided(tables, name, **given):
    call = ToolCall({"tool_name": name, "tool_input": given})
    return policy(tables).decide(call, CWD).disposition


@pytest.mark.parametrize("tables", INVALID)
def test_a_policy_that_nobody_can_read_lets_no_content_of_files_through(tables):
    assert policy(tables).state == "invalid"
    assert decided(tables, "Read", file_path="a.py") == "metadata-only"
    assert decided(tables, "Bash", command="make") == "metadata-only"
    assert decided(tables, "Grep", path="a") == "keep"
    assert decided(tables, "Task", path="a") == "keep"


@pytest.mark.parametrize("tables", INACTIVE)
def test_without_a_policy_everything_is_kept(tables):
    assert policy(tables).state == "inactive"
    for name, given in (
        ("Read", {"file_path": "../secrets/x"}),
        ("Read", {}),
        ("Bash", {"command": "cd .. && ls"}),
        ("Grep", {"path": "."}),
    ):
        assert decided(tables, name, **given) == "keep"


@pytest.mark.parametrize(
    ("name", "given", "disposition"),
    [
        ("Read", {"file_path": "a.py"}, "keep"),
        ("Read", {"file_path": "../secrets/a"}, "drop"),
        ("Edit", {"file_path": "/home/ana/p/secrets/deep/a"}, "drop"),
        ("Write", {"file_path": "x/../a.key"}, "drop"),
        ("Read", {"file_path": "~/private/x"}, "drop"),
        ("delete_file", {"paths": ["a.py", "b.key"]}, "drop"),
        ("Read", {}, "metadata-only"),
        ("Read", {"file_path": 7}, "metadata-only"),
        ("Read", {"file_path": "a\0b"}, "metadata-only"),
        ("Read", {"file_path": "x" * 4_097}, "metadata-only"),
        ("Read", {"paths": ["a.py", "x" * 4_097]}, "metadata-only"),
        ("Read", {"paths": [f"{n}.py" for n in range(33)]}, "metadata-only"),
        ("apply_patch", {"input": "*** Update File: ../secrets/a\n"}, "drop"),
        ("apply_patch", {"input": "*** Update File: a.py\n*** Move to: b.key\n"}, "drop"),
        ("apply_patch", {"input": "*** Update File: a.py\n"}, "keep"),
        ("apply_patch", {"input": "no patch"}, "metadata-only"),
        ("Grep", {"pattern": "x", "path": "a.py"}, "drop"),
        ("Glob", {"pattern": "*"}, "drop"),
        ("Bash", {"command": "make test"}, "keep"),
        ("Bash", {"command": "cat ../secrets/a"}, "drop"),
        ("Bash", {"command": "cat '../secrets/a'"}, "drop"),
        ("Bash", {"command": "cat<b.key"}, "drop"),
        ("Bash", {"command": "x --file=b.key"}, "drop"),
        ("Bash", {"command": "FILE=../secrets/a x"}, "drop"),
        ("Bash", {"command": "cat $HOME/private/a"}, "drop"),
        ("Bash", {"command": "cat ../s*/a"}, "drop"),
        ("Bash", {"command": "cat ../sec{rets,s}/a"}, "drop"),
        ("Bash", {"command": "cat /etc/*.conf"}, "keep"),
        ("Bash", {"command": "grep -r x .."}, "metadata-only"),
        ("Bash", {"command": ["cat", "b.key"]}, "drop"),
        ("Bash", {}, "metadata-only"),
        ("Bash", {"command": "x " * 60_000}, "metadata-only"),
        ("Task", {"prompt": "read ../secrets/a"}, "keep"),
        ("mcp__x__read", {"path": "../secrets/a"}, "keep"),
    ],
)
def test_what_names_an_ignored_path_is_not_recorded(name, given, disposition):
    assert policy(IGNORED).state == "active"
    assert decided(IGNORED, name, **given) == disposition


@pytest.mark.parametrize(("name", "disposition"), [("Read", "metadata-only"), ("Bash", "drop")])
def test_a_comparison_that_costs_too_much_is_given_up_on_the_safe_side(name, disposition):
    tables = {"capture": {"ignore_paths": ["/" + "a*" * 510 + "b"] * 100}}
    path = "/" + "a" * 4_000
    assert decided(tables, name, file_path=path, command=path) == disposition


@pytest.mark.parametrize("tables", [{}, IGNORED, None])
@pytest.mark.parametrize(
    "path",
    [
        f"{HOME}/.claude/projects/-home-ana-p/memory/MEMORY.md",
        f"{HOME}/.claude/projects/-home-ana-p/x.jsonl",
        "~/.claude/CLAUDE.md",
        "~/.codex/memories/a.md",
        "../../.codex/sessions/2026/11/30/rollout.jsonl",
        f"{DATA}/wiki/default/p/page.md",
        DATA,
    ],
)
def test_what_agents_remember_of_their_own_is_never_recorded(tables, path):
    assert decided(tables, "Read", file_path=path) == "drop"
    assert decided(tables, "Bash", command=f"cat {path}") == "drop"
    assert decided(tables, "Grep", path=path) == "drop"


def test_the_rest_of_the_folder_of_an_agent_is_no_memory():
    assert decided({}, "Read", file_path="~/.claude/settings.json") == "keep"
    assert decided({}, "Grep", path="~/.claude/commands") == "keep"
    assert decided({}, "Grep", path="~/.claude") == "metadata-only"
    assert decided({}, "Read", file_path="/home/ana/.claude-projects/x") == "keep"


def test_a_symbolic_link_hides_nothing(tmp_path):
    root = str(tmp_path.resolve())
    os.makedirs(f"{root}/p/secrets")
    os.symlink(f"{root}/p/secrets", f"{root}/p/open")
    os.symlink(f"{root}/p/secrets/a", f"{root}/p/plain")
    marker = FolderMarker()
    marker.folder, marker.tables = f"{root}/p", {"capture": {"ignore_paths": ["secrets/**"]}}
    found = capture_policy(marker, root, f"{root}/data")
    for path in ("open/a", f"{root}/p/open/a", "plain"):
        for name, given in (("Read", {"file_path": path}), ("Bash", {"command": f"cat {path}"})):
            call = ToolCall({"tool_name": name, "tool_input": given})
            assert found.decide(call, f"{root}/p").disposition == "drop"


def test_an_event_that_is_no_tool_call_is_not_judged():
    assert policy(None).decide(None, CWD).disposition == "keep"
