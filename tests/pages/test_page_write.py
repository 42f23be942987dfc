"""Writing pages: what it becomes, what it leaves alone, and what is refused."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from memory_mcp.model.page import version_of
from memory_mcp.model.scope import Scope
from memory_mcp.pages.page_write import PageDraft, WrittenPage
from memory_mcp.wiki.page_parse import parse_page
from tests.memory import CODEX, Memory

SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


def write(
    memory: Memory, path: str = "notes/a.md", body: str = "# A\n\nText.\n", **fields: object
) -> WrittenPage:
    return memory.app.writer.write(PageDraft(path, body, **fields), CODEX)


def test_a_write_creates_then_updates_then_changes_nothing(memory: Memory) -> None:
    first = memory.write("notes/a.md", "# A\n\nOne.\n")
    second = memory.write("notes/a.md", "# A\n\nTwo.\n")
    third = memory.write("notes/a.md", "# A\n\nTwo.\n")
    assert [each.outcome for each in (first, second, third)] == ["created", "updated", "unchanged"]
    assert second.version == third.version == version_of(memory.bytes_of("notes/a.md"))
    assert first.file == memory.scope / "notes" / "a.md"
    assert str(first.resolved.scope) == "acme/importer"
    assert first.resolved.source == "marker"
    assert memory.git("show", f"{first.commit}:acme/importer/notes/a.md").endswith("One.")


def test_a_version_that_a_read_returned_guards_a_write(memory: Memory) -> None:
    memory.write("notes/a.md")
    seen = memory.app.reader.read(path="notes/a.md").version
    memory.put("notes/a.md", "# A\n\nSomebody was quicker.\n")
    sentence = memory.refusal(lambda: memory.write("notes/a.md", "# A\n\nMine.\n", if_match=seen))
    assert seen in sentence
    now = memory.app.reader.read(path="notes/a.md").version
    assert now in sentence
    assert memory.write("notes/a.md", "# A\n\nMine.\n", if_match=now).outcome == "updated"
    assert "no page" in memory.refusal(lambda: memory.write("notes/none.md", "x", if_match=now))


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_rewrite_replaces_what_it_owns_and_keeps_every_other_byte(
    memory: Memory, bom: str, eol: str
) -> None:
    old = [
        "---",
        "# made by hand",
        "aliases: [db, store]   # for Obsidian",
        "title: 'Old title'",
        "tags:",
        "- '#alpha'",
        "cssclass: wide",
        "summary: kept",
        "pinned: true",
        "---",
        "# Old",
        "",
        "Body.",
        "",
    ]
    memory.put("notes/a.md", bom + eol.join(old))
    write(memory, body="# New\n\nBody.\n", title="New title", tags=["alpha"])
    new = memory.bytes_of("notes/a.md").decode()
    for line in (*old[:3], *old[4:8]):
        assert line + eol in new
    assert new.startswith(bom + "---" + eol)
    assert "Old title" not in new
    assert "pinned" not in new
    assert new.endswith(f"---{eol}# New{eol}{eol}Body.{eol}")
    assert new.count("---") == 2
    assert ("\r" in new) == (eol == "\r\n")
    assert write(memory, body="# New\n\nBody.\n", title="New title", tags=["alpha"]).outcome == "unchanged"


def test_what_a_write_leaves_out_is_not_inherited(memory: Memory) -> None:
    full = {
        "title": "T",
        "kind": "fact",
        "tier": "episodic",
        "tags": ["x"],
        "pinned": True,
        "entities": ["E"],
    }
    write(memory, **full, abstract="Short.", expires_at="2030-01-01", relations={"fixes": ["gotchas/x.md"]})
    write(memory)
    page = parse_page(Scope("acme", "importer"), "notes/a.md", memory.bytes_of("notes/a.md"))
    assert (page.meta.title, page.meta.tags, page.meta.pinned, page.meta.entities) == (None, (), False, ())
    assert (page.meta.tier, page.meta.abstract, page.meta.expires_at) == ("semantic", None, None)
    assert page.meta.relations == {}
    assert page.kind == "note"


def test_a_slot_is_always_pinned_and_keeps_its_kind_of_slot(memory: Memory) -> None:
    write(memory, "_slots/focus.md")
    assert b"pinned: true" in memory.bytes_of("_slots/focus.md")
    memory.put("_slots/rules.md", "---\nslot_kind: invariant\n---\n# Rules\n")
    write(memory, "_slots/rules.md", "# Rules\n\nNew.\n")
    view = memory.app.reader.read(path="_slots/rules.md")
    assert (view.meta.pinned, view.meta.slot_kind) == (True, "invariant")


def test_names_that_some_systems_cannot_tell_apart_are_refused(memory: Memory) -> None:
    memory.write("notes/Café.md")
    decomposed = unicodedata.normalize("NFD", "notes/Café.md")
    for path in ("notes/café.md", decomposed, "Notes/other.md", "NOTES/Café.md"):
        assert "differs only by case or Unicode form" in memory.refusal(lambda path=path: memory.write(path))
    assert memory.write("notes/Cafe.md").outcome == "created"


def test_folders_and_files_in_the_way_are_refused(memory: Memory) -> None:
    memory.write("notes/a.md")
    (memory.scope / "notes" / "folder.md").mkdir()
    assert "is a folder" in memory.refusal(lambda: memory.write("notes/folder.md"))
    assert "is a file" in memory.refusal(lambda: memory.write("notes/a.md/b.md"))
    memory.put("file", "no folder")
    assert "is a file" in memory.refusal(lambda: memory.write("file/b.md"))


def test_symbolic_links_are_never_written_through(memory: Memory, tmp_path: Path) -> None:
    memory.write("notes/a.md")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("private\n", encoding="utf-8")
    (memory.scope / "out").symlink_to(outside)
    (memory.scope / "soon").symlink_to(tmp_path / "not-yet")
    (memory.scope / "notes" / "link.md").symlink_to(outside / "x.md")
    (memory.scope / "notes" / "dangling.md").symlink_to(outside / "new.md")
    (memory.scope / "loop").symlink_to(memory.scope / "loop")
    for path in ("out/x.md", "out/new.md", "soon/x.md", "notes/link.md", "notes/dangling.md", "loop/x.md"):
        assert "symbolic link" in memory.refusal(lambda path=path: memory.write(path))
    (memory.wiki / "linked").symlink_to(outside)
    assert "symbolic link" in memory.refusal(
        lambda: memory.write("x.md", workspace="linked", project="project")
    )
    assert sorted(file.name for file in outside.iterdir()) == ["x.md"]


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("", "empty"),
        ("/etc/x.md", "relative"),
        ("a/../../x.md", "'..'"),
        ("..\\x.md", "'/'"),
        ("C:/x.md", "relative"),
        ("%2e%2e/x.md", "percent-encoded"),
        ("a\0.md", "control"),
        ("a\u0085.md", "control"),
        ("con.md", "device"),
        ("notes/Aux.txt.md", "device"),
        ("notes/a:b.md", "':'"),
        ("x./y.md", "dot or a space"),
        ("x .md/y.md ", "'.md'"),
        (".git/x.md", "hidden"),
        ("GIT~1/x.md", "git's own"),
        ("_handoffs/x.md", "records"),
        ("_Meta/x.md", "records"),
        ("log-2026-11.md", "log"),
        ("LOG.md", "log"),
        ("notes", "'.md'"),
        ("é" * 101 + ".md", "bytes"),
        ("/".join(["deep"] * 250) + ".md", "bytes"),
    ],
)
def test_a_path_that_is_not_portable_is_refused(memory: Memory, path: str, rule: str) -> None:
    sentence = memory.refusal(lambda: memory.write(path))
    assert sentence.startswith("path = ")
    assert rule in sentence


def test_callers_are_out_of_reach_of_generic_writes(memory: Memory) -> None:
    where = {"workspace": "_callers", "project": "ana"}
    assert "_callers" in memory.refusal(lambda: memory.write("x.md", **where))
    assert "_callers" in memory.refusal(lambda: memory.app.deleter.delete("x.md", CODEX, **where))
    assert "_callers" in memory.refusal(lambda: memory.app.history.restore("x.md", "", CODEX, **where))
    assert "_callers" in memory.refusal(
        lambda: memory.app.importer.import_folder(memory.project, CODEX, **where)
    )
    memory.mark('workspace = "_callers"\nproject = "ana"\n')
    assert "_callers" in memory.refusal(lambda: memory.write("x.md"))
    assert not memory.wiki.joinpath("_callers").exists()


def test_no_secret_reaches_a_file_by_any_argument(memory: Memory) -> None:
    body = f"# Token\n\nIt was {SECRET} once.\n<private>my diary</private>\n"
    written = write(
        memory,
        body=body,
        title=f"About {SECRET}",
        kind=SECRET,
        tags=[SECRET],
        entities=[SECRET],
        abstract=f"See {SECRET}",
    )
    assert written.redacted
    text = memory.bytes_of("notes/a.md").decode()
    assert SECRET.lower() not in text.lower()
    assert "diary" not in text
    assert "once." in text
    assert SECRET.lower() not in memory.git("log", "-p", "--all").lower()
    assert not write(memory, "notes/b.md").redacted


def test_a_path_that_looks_like_a_secret_is_refused(memory: Memory) -> None:
    sentence = memory.refusal(lambda: memory.write(f"notes/{SECRET}.md"))
    assert "secret" in sentence
    assert SECRET not in sentence


def test_a_page_with_conflict_markers_or_not_utf8_is_left_to_the_person(memory: Memory) -> None:
    memory.put("notes/a.md", "# A\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> branch\n")
    memory.put("notes/latin.md", b"# caf\xe9\n")
    memory.write("notes/b.md")
    assert "conflict markers at line 2" in memory.refusal(lambda: memory.write("notes/a.md"))
    assert "UTF-8" in memory.refusal(lambda: memory.write("notes/latin.md"))


def test_frontmatter_that_is_not_yaml_is_never_doubled(memory: Memory) -> None:
    memory.write("notes/other.md")
    memory.put("notes/a.md", "---\ndescription: a: b\nmine: x\n---\nBody.\n")
    sentence = memory.refusal(lambda: write(memory, body="# New\n", tags=["x"]))
    assert "line 2" in sentence
    assert memory.app.reader.read(path="notes/a.md").problems


def test_a_refused_first_write_makes_no_scope(memory: Memory) -> None:
    memory.write("notes/a.md")
    for path, body in (("../x.md", "x"), ("x.md", " "), ("x.md", "a\0b")):
        where = {"workspace": "new", "project": "scope"}
        memory.refusal(lambda path=path, body=body, where=where: memory.write(path, body, **where))
    assert not (memory.wiki / "new").exists()


def test_standing_preferences_are_written_from_any_project(memory: Memory) -> None:
    written = memory.app.writer.write(PageDraft("_rules/tabs.md", "# Tabs\n"), CODEX, standing=True)
    assert written.file == memory.wiki / "default" / "_global" / "_rules" / "tabs.md"
    assert "excludes" in memory.refusal(
        lambda: memory.app.writer.write(
            PageDraft("_rules/x.md", "x"), CODEX, standing=True, workspace="acme", project="importer"
        )
    )


def test_a_write_without_a_project_is_refused(memory: Memory) -> None:
    (memory.project / ".memory-mcp.toml").unlink()
    from memory_mcp.app import App
    from memory_mcp.config import Settings

    app = App(
        Settings(
            data_dir=memory.data, start_folder=memory.project, home=memory.project, vectors_enabled=False
        )
    )
    memory.opened.append(app)
    assert "no project" in memory.refusal(lambda: app.writer.write(PageDraft("x.md", "x"), CODEX))


def test_a_body_that_would_lock_its_page_is_refused_but_one_about_markers_is_not(memory: Memory) -> None:
    markers = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
    sentence = memory.refusal(lambda: memory.write("notes/a.md", f"# Merge\n\n{markers}"))
    assert "merge conflict markers at line 3" in sentence
    memory.write("notes/a.md", f"# Merge\n\n```\n{markers}```\n")
    assert memory.write("notes/a.md", "# Merge\n\nDone.\n").outcome == "updated"
