"""Reading pages: by path or query, whatever state the file is in, and never outside the scope."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_mcp.errors import NotFound, UserError
from tests.memory import Memory


def test_a_page_comes_with_its_file_version_metadata_and_links_both_ways(memory: Memory) -> None:
    memory.put(
        "notes/hub.md", "---\nowner: ana\ntags: [x]\n---\n# Hub\n\nSee [[notes/leaf]] and [[notes/none]].\n"
    )
    memory.write("notes/leaf.md", "# Leaf\n\nText.\n")
    hub = memory.app.reader.read(path="notes/hub.md")
    assert (hub.title, hub.kind, hub.file) == ("Hub", "note", memory.scope / "notes" / "hub.md")
    assert hub.front == {"owner": "ana", "tags": ["x"]}
    assert [(link.path, link.exists) for link in hub.links] == [
        ("notes/leaf.md", True),
        ("notes/none.md", False),
    ]
    leaf = memory.app.reader.read(path="notes/leaf.md", related_depth=1)
    assert [link.path for link in leaf.backlinks] == ["notes/hub.md"]
    assert [(page.path, page.direction) for page in leaf.related] == [("notes/hub.md", "backlink")]
    memory.write("notes/none.md")
    assert all(link.exists for link in memory.app.reader.read(path="notes/hub.md").links)


def test_the_best_match_of_a_query_is_read_and_a_path_excludes_it(memory: Memory) -> None:
    memory.write("notes/walrus.md", "# Walrus\n\nIt sleeps.\n")
    memory.write("notes/okapi.md", "# Okapi\n\nIt digs.\n")
    assert memory.app.reader.read(query="where does the walrus sleep?").path == "notes/walrus.md"
    both = memory.refusal(lambda: memory.app.reader.read(path="notes/okapi.md", query="walrus"))
    assert "exclude each other" in both


def test_what_is_not_there_is_named_with_its_scope_and_the_nearest(memory: Memory) -> None:
    memory.write("notes/walrus.md")
    assert "acme/importer" in memory.refusal(lambda: memory.app.reader.read(path="notes/zebra.md"))
    assert "'notes/walrus.md'" in memory.refusal(lambda: memory.app.reader.read(path="notes/walrs.md"))
    assert "matches" in memory.refusal(lambda: memory.app.reader.read(query="zzzyyy"))
    for blank in ("", "  "):
        assert "give path or query" in memory.refusal(lambda b=blank: memory.app.reader.read(path=b, query=b))


def test_a_read_creates_nothing(memory: Memory) -> None:
    before = memory.state()
    with pytest.raises(NotFound):
        memory.app.reader.read(path="notes/a.md")
    memory.app.query.query("anything")
    memory.app.recent.recent()
    memory.app.status.report()
    memory.app.history.checkpoints()
    assert memory.state() == before == {}


def test_an_expired_page_is_readable_by_its_path(memory: Memory) -> None:
    memory.put("notes/old.md", "---\nexpires_at: 2020-01-01\n---\n# Old\n\nA walrus.\n")
    assert memory.app.reader.read(path="notes/old.md").title == "Old"
    assert memory.found("walrus") == []


def test_a_page_in_a_bad_state_is_read_as_far_as_it_can_be(memory: Memory) -> None:
    memory.put("notes/conflict.md", "# A\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> b\n")
    memory.put("notes/letter.md", "---\n**ACME LEGAL**\n---\nbody\n")
    memory.put("notes/colon.md", "---\ntitle: Governance: split core\n---\nbody\n")
    memory.put("notes/latin.md", b"# caf\xe9\n")
    conflict = memory.app.reader.read(path="notes/conflict.md")
    assert "mine" in conflict.body
    assert "theirs" in conflict.body
    assert "conflict markers" in conflict.problems[0]
    assert "ACME LEGAL" in memory.app.reader.read(path="notes/letter.md").body
    assert memory.app.reader.read(path="notes/colon.md").title == "Governance: split core"
    assert "UTF-8" in memory.refusal(lambda: memory.app.reader.read(path="notes/latin.md"))


@pytest.mark.parametrize(
    "path",
    [
        "../other/x.md",
        "/etc/x.md",
        "a/../../x.md",
        "..\\x.md",
        "C:\\x.md",
        "a\0.md",
        "_meta/x.md",
        ".hidden.md",
        "notes",
        "x" * 300 + ".md",
        "/".join(["deep"] * 1500) + ".md",
        "\udc80.md",
    ],
)
def test_a_path_that_names_no_page_is_refused(memory: Memory, path: str) -> None:
    memory.write("notes/a.md")
    assert "path = " in memory.refusal(lambda: memory.app.reader.read(path=path))
    assert "path = " in memory.refusal(lambda: memory.app.history.checkpoints(path=path))


def test_a_percent_sign_is_part_of_a_name_and_never_decoded(memory: Memory) -> None:
    memory.write("notes/a.md")
    memory.put("../outside.md", "# Outside\n")
    for path in ("%2e%2e/outside.md", "notes/..%2foutside.md"):
        with pytest.raises(UserError):
            memory.app.reader.read(path=path)


def test_links_out_of_the_wiki_are_not_followed_and_a_loop_hangs_nobody(
    memory: Memory, tmp_path: Path
) -> None:
    memory.write("notes/a.md", "# A\n\nA walrus.\n")
    secret = tmp_path / "secret.md"
    secret.write_text("# Secret\n\nA walrus.\n", encoding="utf-8")
    (memory.scope / "notes" / "link.md").symlink_to(secret)
    (memory.scope / "out").symlink_to(tmp_path)
    (memory.scope / "notes" / "loop").symlink_to(memory.scope)
    for path in ("notes/link.md", "out/secret.md", "notes/loop/notes/a.md"):
        assert "symbolic link" in memory.refusal(lambda path=path: memory.app.reader.read(path=path))
    assert memory.found("walrus") == ["notes/a.md"]


def test_callers_are_out_of_reach_of_generic_reads(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nA walrus.\n")
    caller = memory.wiki / "_callers" / "ana" / "memory" / "notes"
    caller.mkdir(parents=True)
    (caller / "x.md").write_text("# X\n\nA walrus.\n", encoding="utf-8")
    where = {"workspace": "_callers", "project": "ana"}
    app = memory.app
    for call in (
        lambda: app.reader.read(path="memory/notes/x.md", **where),
        lambda: app.query.query("walrus", **where),
        lambda: app.query.query("walrus", scopes=["_callers/ana"]),
        lambda: app.recent.recent(**where),
        lambda: app.status.report(**where),
        lambda: app.history.checkpoints(**where),
    ):
        assert "_callers' is reserved" in memory.refusal(call)
    assert [str(hit.scope) for hit in app.query.query("walrus", everywhere=True).hits] == ["acme/importer"]
    assert "_callers" not in [scope.workspace for scope in app.status.report().scopes]
    memory.mark('workspace = "acme"\n[recall]\ndefault_global = true\n')
    assert [str(page.scope) for page in app.recent.recent().pages] == ["acme/importer"]
    assert [str(hit.scope) for hit in app.query.query("walrus").hits] == ["acme/importer"]


def test_an_unknown_scope_is_refused_with_the_nearest(memory: Memory) -> None:
    memory.write("notes/a.md")
    sentence = memory.refusal(
        lambda: memory.app.reader.read(path="x.md", workspace="acme", project="imprter")
    )
    assert "nearest: acme/importer" in sentence
    assert not (memory.wiki / "acme" / "imprter").exists()


def test_a_pipe_or_a_huge_file_is_no_page_and_blocks_nobody(memory: Memory) -> None:
    memory.write("notes/a.md")
    os.mkfifo(memory.scope / "notes" / "pipe.md")
    with open(memory.scope / "notes" / "huge.md", "wb") as file:
        file.truncate(33 * 1024 * 1024)
    for path, words in (("notes/pipe.md", "no regular file"), ("notes/huge.md", "larger than 32 MB")):
        assert words in memory.refusal(lambda path=path: memory.app.reader.read(path=path))
        assert words in memory.refusal(lambda path=path: memory.write(path))


def test_a_page_and_its_related_ones_are_noted_as_read_and_a_failed_read_is_not(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nSee [[notes/b]].\n")
    memory.write("notes/b.md")
    memory.app.reader.read(path="notes/a.md")
    assert memory.accessed() == ["acme/importer/notes/a.md"]
    memory.app.reader.read(query="see", related_depth=1)
    assert memory.accessed() == ["acme/importer/notes/a.md", "acme/importer/notes/b.md"]
    memory.refusal(lambda: memory.app.reader.read(path="notes/none.md"))
    assert memory.accessed() == []


def test_reading_works_where_nothing_can_be_noted(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nA walrus.\n")
    (memory.data / "state" / "access.jsonl").mkdir()
    assert memory.app.reader.read(path="notes/a.md").title == "A"
    assert memory.found("walrus") == ["notes/a.md"]
    assert len(memory.app.recent.recent().pages) == 1
