"""Changing a caller's files: what the first change makes, and what nobody may do."""

import json

import pytest

from memory_mcp.callers.caller_folder import CallerFolder
from memory_mcp.errors import InvalidInput
from tests.memory import CODEX

BOOTSTRAP = [
    "_meta/caller.json",
    "memory/MEMORY.md",
    "memory/USER.md",
    "memory/log.md",
    "skills/SKILLS.md",
]


def files_of(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def write(app, path="memory/notes/tea.md", text="# Tea\n"):
    with app.caller.changes.begin("memory-write", path, CODEX) as change:
        change.put(path, text)
    return change


def test_the_first_change_makes_the_files_that_are_missing_in_one_commit(memory):
    app = memory.open(caller="telegram:123")
    folder = app.caller.folder
    assert write(app).commit
    assert files_of(folder.root) == sorted([*BOOTSTRAP, "memory/notes/tea.md"])
    assert json.loads(folder.read("_meta/caller.json")) == {"v": 1, "caller": "telegram:123"}
    assert folder.read("memory/log.md") == b"# Log\n"
    assert folder.read_text("memory/MEMORY.md").endswith("\n## Index\n_No entries yet._\n")
    assert folder.read_text("skills/SKILLS.md").startswith("# SKILLS.md\n")
    assert memory.operations() == ["init", "memory-write"]


def test_what_is_there_is_never_touched(memory):
    folder = memory.app.caller.folder
    old = folder.root / "memory" / "USER.md"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"likes tea\r\n")
    write(memory.app)
    assert old.read_bytes() == b"likes tea\r\n"
    before = memory.state()
    assert write(memory.app).commit is None
    assert memory.state() == before


def test_a_change_of_nothing_makes_nothing(memory):
    with memory.app.caller.changes.begin("memory-write", "nothing", CODEX):
        pass
    assert not memory.app.caller.folder.root.exists()


def test_reading_makes_nothing(memory):
    folder = memory.app.caller.folder
    assert folder.read("memory/USER.md") is None
    assert folder.read_text("memory/USER.md") == ""
    assert folder.names("memory/notes") == []
    folder.check_owner()
    assert not folder.root.exists()


def test_a_folder_of_another_caller_is_refused(memory):
    write(memory.app)
    meta = memory.app.caller.folder.root / "_meta" / "caller.json"
    for text, words in ((b'{"v": 1, "caller": "ana"}', "'ana'"), (b"[]", "whose memory"), (b"{", "whose")):
        meta.write_bytes(text)
        memory.git("commit", "-qam", "by hand")
        assert words in memory.refusal(lambda: write(memory.app, text="# Other\n"))


def test_no_operation_on_pages_touches_a_caller_and_none_on_a_caller_another(memory):
    write(memory.app)
    for path in ("_callers/default/memory/notes/x.md", "_callers/x.md", "_CALLERS/default/a.md"):
        for act in (
            lambda change, path=path: change.put(path, b"x"),
            lambda change, path=path: change.remove(path),
        ):
            with (
                pytest.raises(InvalidInput, match="part of a caller's memory"),
                memory.app.changes.begin("sweep", "all", CODEX) as change,
            ):
                act(change)
    ana = memory.open(caller="ana").caller.folder
    with (
        pytest.raises(InvalidInput, match="part of a caller's memory"),
        memory.app.changes.begin("memory-write", "x", CODEX, caller=ana.scope) as change,
    ):
        change.put(f"{memory.app.caller.folder.scope}/memory/notes/tea.md", b"stolen")
    assert files_of(memory.app.caller.folder.root) == sorted([*BOOTSTRAP, "memory/notes/tea.md"])
    assert not ana.root.exists()


def test_a_symbolic_link_in_the_folder_is_not_followed(memory, tmp_path):
    write(memory.app)
    secret = tmp_path / "secret.md"
    secret.write_text("# Secret\n", encoding="utf-8")
    folder = memory.app.caller.folder
    (folder.root / "memory" / "notes" / "out.md").symlink_to(secret)
    assert folder.names("memory/notes") == ["tea.md"]
    with pytest.raises(InvalidInput, match="symbolic link"):
        folder.read("memory/notes/out.md")
    assert memory.refusal(lambda: write(memory.app, "memory/notes/out.md"))
    assert secret.read_text(encoding="utf-8") == "# Secret\n"


def test_text_with_merge_markers_or_of_other_encodings_is_not_rewritten(memory):
    write(memory.app)
    user = memory.app.caller.folder.root / "memory" / "USER.md"

    def rewrite():
        with memory.app.caller.changes.begin("memory-write", "memory/USER.md", CODEX) as change:
            change.put("memory/USER.md", change.read_text("memory/USER.md") + "more\n")

    for data, words in (
        (b"# USER.md\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", "merge conflict markers at line 2"),
        (b"# USER.md\n\xff\n", "not UTF-8 text (byte 0xff on line 2)"),
    ):
        user.write_bytes(data)
        memory.git("commit", "-qam", "by hand")
        assert words in memory.refusal(rewrite)
    user.write_bytes(b"# USER.md\n")
    rewrite()
    assert user.read_bytes() == b"# USER.md\nmore\n"


def test_two_callers_have_two_folders(memory):
    write(memory.app)
    write(memory.open(caller="ana"), text="# Ana's\n")
    assert CallerFolder(memory.wiki, "ana").read("memory/notes/tea.md") == b"# Ana's\n"
    assert CallerFolder(memory.wiki, "default").read("memory/notes/tea.md") == b"# Tea\n"


def test_a_name_that_differs_from_another_only_by_case_is_refused(memory):
    write(memory.app)
    memory.app.caller.folder.file("memory/notes/Coffee.md").write_bytes(b"# Coffee\n")
    assert "only by case" in memory.refusal(lambda: write(memory.app, "memory/notes/coffee.md"))
