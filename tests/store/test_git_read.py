from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.errors import InvalidInput, NotFound
from memory_mcp.store.git_object import blob_id, path_bytes, path_text, quote_path
from memory_mcp.store.git_repo import GitRepo


def test_blob_ids_are_those_of_git(person, tool):
    person.put("empty.md", "")
    person.put("odd.md", "ünï\r\n\0")
    for path in ("empty.md", "odd.md", "a.md"):
        assert blob_id((person.root / path).read_bytes()) == person.git("hash-object", "--no-filters", path)
    assert tool.repo.blobs(["a.md", "odd.md"]) == {"a.md": blob_id(b"a\n"), "odd.md": None}


@given(st.text(st.characters(exclude_characters="\0"), min_size=1))
def test_quoting_a_path_can_be_undone(path):
    if any(0xD800 <= ord(c) < 0xDC80 or 0xDCFF < ord(c) <= 0xDFFF for c in path):
        return
    quoted = quote_path(path)
    assert quoted[:1] == quoted[-1:] == b'"'
    assert not set(quoted) & {*range(0x20), 0x7F}
    plain = quoted[1:-1].replace(b"\\\\", b"\\134").replace(b'\\"', b"\\042")
    out = bytearray()
    while plain:
        if plain[:1] == b"\\":
            out.append(int(plain[1:4], 8))
            plain = plain[4:]
        else:
            out.append(plain[0])
            plain = plain[1:]
    assert bytes(out) == path_bytes(path)


@given(st.binary())
def test_any_file_name_survives_as_text(name):
    assert path_bytes(path_text(name)) == name


def test_differs_from_head_sees_edits_absence_and_presence(person, tool):
    person.put("a.md", "edited\n")
    (person.root / "b.md").unlink()
    person.put("new.md", "n\n")
    (person.root / "folder").mkdir()
    asked = ["a.md", "b.md", "new.md", "absent.md", "folder"]
    assert tool.repo.differs_from_head(asked) == ["a.md", "b.md", "new.md"]


def test_a_symbolic_link_is_compared_by_its_target(person, tool):
    os.symlink("a.md", person.root / "link.md")
    assert tool.repo.differs_from_head(["link.md"]) == ["link.md"]
    person.git("add", "link.md")
    person.git("commit", "-qm", "link")
    assert tool.repo.differs_from_head(["link.md"]) == []
    (person.root / "a.md").unlink()
    os.symlink("b.md", person.root / "a.md")
    assert tool.repo.differs_from_head(["a.md"]) == ["a.md"]


def test_show_gives_the_exact_bytes_of_any_version(person, tool):
    texts = ["one\n", "two", "three\n\n\r\n", "", "\ufeffbom\n"]
    commits = [tool.write({"x.md": text}) for text in texts]
    assert [tool.repo.show(commit, "x.md") for commit in commits] == [text.encode() for text in texts]
    assert tool.repo.show(commits[0][:7], "x.md") == b"one\n"


@pytest.mark.parametrize(
    "commit", ["HEAD", "main", "--all", "abc", "", "a.md:b", "zzzz", "HEAD~1", "dead beef"]
)
def test_what_is_no_commit_id_is_refused(tool, commit):
    with pytest.raises(InvalidInput, match="commit"):
        tool.repo.show(commit, "a.md")


@pytest.mark.parametrize("path", ["never.md", "a\nb.md", ".", ""])
def test_a_path_that_the_commit_does_not_hold_is_not_found(person, tool, path):
    with pytest.raises(NotFound):
        tool.repo.show(person.git("rev-parse", "HEAD"), path)
    with pytest.raises(NotFound):
        tool.repo.show("dead" * 10, "a.md")


def test_log_is_newest_first_with_trailers_and_paths(person, tool):
    commit = tool.write({"a.md": "2\n", "b.md": "2\n"})
    by_hand = person.save("a.md", "3\n")
    newest, older, oldest = tool.repo.log(["a.md"], 10)
    assert (newest.commit, newest.author, newest.subject) == (by_hand, "Ana Pérez", "save a.md")
    assert (newest.operation, newest.actor, newest.session, newest.paths) == ("", "", "", ("a.md",))
    assert (older.commit, older.operation, older.actor) == (commit, "write-page", "codex")
    assert older.session == "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
    assert older.time == datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
    assert oldest.subject == "first"
    assert [len(info.paths) for info in tool.repo.log([], 2)] == [1, 2]


def test_log_reads_what_people_put_into_messages(person, tool):
    message = "subject: ünï\n\nbody\n\nwith: a line\nMemory-Operation: forged?\n"
    person.git("commit", "-q", "--allow-empty", "-F", "-", data=message)
    person.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    person.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-m", "plain")
    person.git("merge", "-q", "--no-ff", "-m", "m", "HEAD~1", check=False)
    infos = tool.repo.log([], 10)
    assert [info.subject for info in infos] == ["plain", "", "subject: ünï", "first"]
    assert infos[-1].paths == ("a.md", "b.md")


def test_last_holder_is_the_commit_before_a_deletion(person, tool):
    first = person.git("rev-parse", "HEAD")
    tool.write({"b.md": None})
    assert tool.repo.last_holder("b.md") == first
    assert tool.repo.last_holder("a.md") == first
    assert tool.repo.last_holder("never.md") is None


def test_recent_changes_are_by_the_last_commit_and_leave_out_what_is_gone(person, tool):
    when = datetime(2026, 1, 1, tzinfo=timezone.utc)
    from memory_mcp.model.actor import Actor
    from memory_mcp.store.commit_message import actor_signature

    for number in range(30):
        signature = actor_signature(Actor("x"), when + timedelta(days=number))
        tool.repo.commit({"busy.md": b"%d" % number, f"p/{number % 7}.md": b"%d" % number}, "m\n", signature)
    tool.repo.commit({"p/1.md": None}, "m\n", actor_signature(Actor("x"), when + timedelta(days=40)))
    changes = tool.repo.recent_changes("p", 3)
    assert (
        list(changes) == ["p/0.md", "p/6.md", "p/5.md"] or list(changes)[:1] == [f"p/{29 % 7}.md"] or changes
    )
    expected = sorted(((n, f"p/{n % 7}.md") for n in range(23, 30) if n % 7 != 1), reverse=True)
    assert list(changes.items()) == [(path, when + timedelta(days=n)) for n, path in expected[:3]]
    assert set(tool.repo.recent_changes("", 100)) == tool.repo.at_head("")
    assert list(tool.repo.recent_changes("", 2, {"a.md", "p/1.md", "p/3.md"})) == ["p/3.md", "a.md"]


def test_uncommitted_lists_edits_and_new_files_but_not_what_people_ignore(person, tool):
    person.config.write_text(f"[core]\n\texcludesFile = {person.root.parent}/ignore\n", encoding="utf-8")
    (person.root.parent / "ignore").write_text("*.bak\n", encoding="utf-8")
    person.put("a.md", "edited\n")
    person.put("p/new.md", "n\n")
    person.put("p/old.bak", "n\n")
    (person.root / "b.md").unlink()
    assert tool.repo.uncommitted("") == ["a.md", "b.md", "p/new.md"]
    assert tool.repo.uncommitted("p") == ["p/new.md"]


def test_at_head_is_what_head_holds_below_a_folder(person, tool):
    tool.write({"p/a.md": "1\n", "pq/b.md": "2\n", "p/sub/c.md": "3\n"})
    assert tool.repo.at_head("p") == {"p/a.md", "p/sub/c.md"}
    assert tool.repo.at_head("nowhere") == set()
    assert tool.repo.at_head("") == {"a.md", "b.md", "p/a.md", "p/sub/c.md", "pq/b.md"}


def test_conflicted_lists_unresolved_files(person, tool):
    person.git("checkout", "-qb", "side")
    person.save("a.md", "side\n")
    person.git("checkout", "-q", "main")
    person.save("a.md", "main\n")
    person.fails("merge", "side")
    assert tool.repo.conflicted("") == ["a.md"]
    assert tool.repo.conflicted("p") == []


def test_reading_takes_no_lock_and_changes_no_file(person, tool):
    person.put("a.md", "edited\n")
    os.utime(person.root / "b.md", (1, 1))  # a plain `git status` would refresh the index now
    before = {p: p.stat().st_mtime_ns for p in (person.root / ".git").rglob("*")}
    repo = GitRepo(person.root)
    repo.uncommitted("")
    repo.log([], 3)
    repo.differs_from_head(["a.md"])
    repo.conflicted("")
    assert {p: p.stat().st_mtime_ns for p in (person.root / ".git").rglob("*")} == before
