"""The paths that tool calls name."""

import os

import pytest

from memory_mcp.capture.tool_call import ToolCall
from memory_mcp.capture.tool_paths import MAX_PATHS, MAX_WORDS, command_words, file_of, tool_paths

PATCH = (
    "*** Update File: a b.py\n*** Move to: c.py\n*** Delete File: d\r\n*** Add File: e\n"
    "+*** Add File: a line of the file\n"
)


def call(name, **given):
    return ToolCall({"tool_name": name, "tool_input": given})


@pytest.mark.parametrize(
    ("name", "given", "paths"),
    [
        ("Read", {"file_path": "a", "path": "b"}, ["a", "b"]),
        (
            "Read",
            {"absolute_path": "a", "AbsolutePath": "b", "notebook_path": "c", "TargetFile": "d"},
            list("abcd"),
        ),
        ("delete_file", {"paths": ["a", "b", "a", 7, " "]}, ["a", "b"]),
        ("MultiEdit", {"file_path": "a", "edits": [{"file_path": "b"}, {"path": "c"}, 7]}, ["a", "b", "c"]),
        ("multi_edit", {"replacements": [{"file_path": "a"}]}, ["a"]),
        ("fs_read", {"operations": [{"path": "a"}, {"path": "b"}]}, ["a", "b"]),
        ("Edit", {"edits": [{"file_path": "a"}]}, []),
        ("Read", {"file_path": ["a"], "path": 7, "paths": "b"}, []),
        ("Grep", {"pattern": "x", "path": "src"}, ["src"]),
        (
            "apply_patch",
            {"input": PATCH},
            ["a b.py", "c.py", "d", "e"],
        ),
        ("Read", {"paths": [str(number) for number in range(MAX_PATHS)]}, [str(n) for n in range(MAX_PATHS)]),
        ("Read", {"paths": [str(number) for number in range(MAX_PATHS + 1)]}, []),
    ],
)
def test_the_paths_of_a_call_are_those_of_its_direct_fields_and_entries(name, given, paths):
    assert tool_paths(call(name, **given)) == paths


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("cat a b/c", ["cat", "a", "b/c"]),
        ("cat 'a' \"b\"", ["cat", "a", "b"]),
        ("cat<a>b;ls|wc&&(cd c)", ["cat", "a", "b", "ls", "wc", "cd", "c"]),
        ("x --file=a -o b --long", ["x", "a", "b"]),
        ("KEY=a cmd", ["KEY=a", "a", "cmd"]),
        (["cat", "a b"], ["cat", "a", "b"]),
        ("", []),
        (7, []),
        ("x " * 60_000, []),
        (" ".join(str(number) for number in range(MAX_WORDS + 1)), []),
    ],
)
def test_the_words_of_a_command_that_may_be_paths_are_read(command, words):
    assert command_words(call("Bash", command=command)) == words


def test_the_file_is_told_from_the_root_of_the_repository(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "src")
    root = str(tmp_path)

    def file(path):
        return file_of(call("Edit", file_path=path), f"{root}/src", root)

    assert file("a.py") == "src/a.py"
    assert file(f"{root}/b/c.py") == "b/c.py"
    assert file(f"{root}/link/a.py") == "src/a.py"
    assert file("..a.py") == "src/..a.py"
    for outside in ("/etc/passwd", "../../x", root, "", "a\0b", "x" * 5_000, os.path.dirname(root)):
        assert file(outside) == ""


def test_the_first_file_of_a_patch_is_the_file(tmp_path):
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** Add File: src/b.py\n"
    for key in ("command", "input"):
        assert file_of(call("apply_patch", **{key: patch}), str(tmp_path), str(tmp_path)) == "src/a.py"
    assert file_of(call("Bash", command=patch), str(tmp_path), str(tmp_path)) == ""
