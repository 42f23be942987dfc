from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from memory_mcp.errors import Cancelled
from memory_mcp.model.scope import Scope
from memory_mcp.search.index import live_index, page_index, pending_pages
from memory_mcp.store.lock import WriterLock

SCOPE = Scope("acme", "importer")
OTHER = Scope("acme", "other")


def other_lock(store) -> WriterLock:
    """The writer lock as another process has it."""
    return WriterLock(store.root / "locks", 5)


def test_a_page_written_edited_and_removed_by_hand_is_seen_by_the_next_query(store, no_rebuild) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    assert store.found(search, "pangolin") == ["a.md"]
    no_rebuild()
    store.write("b.md", "pangolin pangolin")
    assert store.found(search, "pangolin") == ["b.md", "a.md"]
    store.write("a.md", "walrus")
    assert store.found(search, "pangolin") == ["b.md"]
    assert store.found(search, "walrus") == ["a.md"]
    store.remove("b.md")
    assert store.found(search, "pangolin") == []


def test_an_edited_page_is_found_once_and_stays(store) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    for number in range(5):
        store.write("a.md", f"pangolin edit{number}")
        assert store.found(search, "pangolin") == ["a.md"]
        assert store.found(search, f"edit{number}") == ["a.md"]
    assert search.health((SCOPE,)).total.pages == 1


def test_an_edit_of_equal_length_right_after_the_last_look_is_seen(store) -> None:
    """What stat cannot tell is compared by content."""
    store.write("a.md", "pangolin")
    search = store.open()
    for word in ("aardvark", "pangolin", "aardvark"):
        store.write("a.md", word)
        assert store.found(search, word) == ["a.md"]


def test_indexing_one_page_keeps_the_others(store, no_rebuild) -> None:
    store.write("a.md", "pangolin")
    store.write("b.md", "pangolin")
    search = store.open()
    assert store.found(search, "pangolin") == ["a.md", "b.md"]
    no_rebuild()
    path = store.write("a.md", "pangolin again")
    with store.lock.hold("write"):
        search.update([path])
    assert sorted(store.found(search, "pangolin")) == ["a.md", "b.md"]


def test_an_update_is_visible_in_another_process_at_its_next_query(store, no_rebuild) -> None:
    store.write("a.md", "pangolin")
    one, two = store.open(), store.open()
    assert store.found(one, "pangolin") == store.found(two, "pangolin") == ["a.md"]
    no_rebuild()
    for number in range(5):
        path = store.write(f"n{number}.md", f"walrus {'abcde'[number] * 3}")
        with store.lock.hold("write"):
            one.update([path])
        assert store.found(two, "abcde"[number] * 3) == [f"n{number}.md"]
    with store.lock.hold("write"):
        one.update([store.remove("a.md")])
    assert store.found(two, "pangolin") == []


def test_files_that_are_no_pages_are_not_indexed(store) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    paths = [
        store.write("_handoffs/x.md", "pangolin"),
        store.write("notes.txt", "pangolin"),
        store.write("log-2026-11.md", "# Log 2026-11\n\n## [2026-11-30T12:00:00Z] write-page | pangolin\n"),
        ".gitignore",
        "acme/README.md",
    ]
    with store.lock.hold("write"):
        search.update(paths)
    assert store.found(search, "pangolin", None) == ["a.md"]


def test_a_ledger_is_not_searched_and_a_page_with_such_a_name_is(store) -> None:
    ledger = "# Log 2026-11\n\n## [2026-11-30T12:00:00Z] write-page | pangolin\n"
    store.write("log-2026-11.md", ledger)
    store.write("log-2026-10.md", "What a pangolin logs.\n")
    search = store.open()
    assert store.found(search, "pangolin") == ["log-2026-10.md"]
    store.write("log-2026-11.md", ledger + "## [2026-11-30T12:00:01Z] write-page | pangolin\n")
    assert store.found(search, "pangolin") == ["log-2026-10.md"]
    store.write("log-2026-10.md", ledger)
    assert store.found(search, "pangolin") == []
    assert search.paths(SCOPE) == []


def test_symbolic_links_are_not_read(store, tmp_path: Path) -> None:
    secret = tmp_path / "outside"
    secret.mkdir()
    (secret / "secret.md").write_text("pangolin", encoding="utf-8")
    store.write("a.md", "walrus")
    folder = store.wiki / "acme/importer"
    (folder / "link.md").symlink_to(secret / "secret.md")
    (folder / "folder").symlink_to(secret)
    (folder / "loop").symlink_to(folder)
    (store.wiki / "acme/linked").symlink_to(secret)
    search = store.open()
    assert store.found(search, "pangolin", None) == []
    assert store.found(search, "pangolin", (Scope("acme", "linked"),)) == []
    with store.lock.hold("write"):
        search.update(["acme/importer/link.md"])
    assert store.found(search, "pangolin") == []
    assert store.found(search, "walrus") == ["a.md"]


def test_a_page_replaced_by_a_symbolic_link_is_gone(store, tmp_path: Path) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    assert store.found(search, "pangolin") == ["a.md"]
    outside = tmp_path / "outside.md"
    (store.wiki / "acme/importer/a.md").rename(outside)
    (store.wiki / "acme/importer/a.md").symlink_to(outside)
    assert store.found(search, "pangolin") == []


def test_while_another_process_holds_the_lock_edits_are_answered_from_memory(store) -> None:
    for name in ("edited", "removed", "kept", "unreadable"):
        store.write(f"{name}.md", f"pangolin {name}")
    search = store.open()
    assert len(store.found(search, "pangolin")) == 4
    with other_lock(store).hold("import"):
        index = sorted(path.name for path in store.index.rglob("*"))
        store.write("edited.md", "walrus [[kept]]")
        store.write("new.md", "pangolin walrus")
        store.remove("removed.md")
        (store.wiki / "acme/importer/unreadable.md").write_bytes(b"\xff pangolin")
        start = time.monotonic()
        assert store.found(search, "pangolin") == ["kept.md", "new.md", "edited.md"], "the last by its link"
        assert store.found(search, "walrus") == ["edited.md", "new.md", "kept.md"]
        assert time.monotonic() - start < 4, "the lock is waited for 5 s"
        assert "walrus [[kept]]" in {page.descriptor for page in search.listing((SCOPE,)).pages}
        assert "removed.md" not in search.paths(SCOPE)
        assert search.paths(SCOPE) == ["edited.md", "kept.md", "new.md"]
        assert search.links(SCOPE, "kept.md", ()).backlinks == ((SCOPE, "edited.md", ""),)
        counts = search.health((SCOPE,)).total
        assert (counts.pages, counts.links, counts.unresolved, counts.unreadable) == (3, 1, 0, 1)
        assert search.query("walrus", (SCOPE,)).behind == ()
        store.remove("new.md")
        assert store.found(search, "walrus") == ["edited.md", "kept.md"]
        assert sorted(path.name for path in store.index.rglob("*")) == index, "nothing was written"
    assert store.found(search, "walrus") == ["edited.md", "kept.md"]
    assert sorted(path.name for path in store.index.rglob("*")) != index, "now it is indexed"


def test_more_edits_than_memory_may_hold_are_reported_as_behind(store, monkeypatch) -> None:
    monkeypatch.setattr(pending_pages, "MAX_PAGES", 5)
    store.write("a.md", "pangolin")
    store.write("b.md", "pangolin", OTHER)
    search = store.open()
    search.query("pangolin", None)
    with other_lock(store).hold("import"):
        for number in range(8):
            store.write(f"{number}.md", "walrus")
        answer = search.query("walrus", (SCOPE, OTHER))
        assert len(answer.hits) == 5
        assert answer.behind == (SCOPE,)
    answer = search.query("walrus", (SCOPE, OTHER))
    assert len(answer.hits) == 8
    assert answer.behind == ()


def test_a_read_takes_no_lock_when_nothing_changed(store, monkeypatch) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    with other_lock(store).hold("import"):
        time.sleep(0.03)
        search.query("pangolin", (SCOPE,))

        def refuse(*_: object) -> bool:
            raise AssertionError("took the lock")

        monkeypatch.setattr(WriterLock, "_take", refuse)
        assert store.found(search, "pangolin") == ["a.md"]


def test_a_file_that_was_only_touched_is_not_indexed_again(store, monkeypatch) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    from memory_mcp.search.index import index_write

    def refuse(*_: object) -> int:
        raise AssertionError("wrote to the index")

    monkeypatch.setattr(index_write, "write_pages", refuse)
    os.utime(store.wiki / "acme/importer/a.md")
    assert store.found(search, "pangolin") == ["a.md"]


def test_pages_that_vanish_in_bulk_are_kept_and_reported_until_git_knows(store) -> None:
    for number in range(10):
        store.write(f"{number}.md", f"pangolin {number}")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    away = store.root / "away"
    (store.wiki / "acme").rename(away)
    hits = search.query("pangolin", (SCOPE,), limit=100).hits
    assert len(hits) == 10
    assert all(hit.file_missing for hit in hits)
    assert hits[0].snippet == "pangolin 0"
    [(where, sentence)] = search.health(None).problems
    assert where == "acme/importer"
    assert sentence.startswith("10 files vanished at once")
    away.rename(store.wiki / "acme")
    assert not any(hit.file_missing for hit in search.query("pangolin", (SCOPE,), limit=100).hits)
    assert search.health(None).problems == ()
    (store.wiki / "acme").rename(away)
    store.gone_from_head = True
    assert store.found(search, "pangolin") == []
    assert search.health(None).problems == ()


def test_a_rebuild_believes_what_is_on_disk(store) -> None:
    for number in range(10):
        store.write(f"{number}.md", "pangolin")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    for number in range(9):
        store.remove(f"{number}.md")
    assert len(store.found(search, "pangolin")) == 10
    assert search.rebuild() == 1
    assert store.found(search, "pangolin") == ["9.md"]


def test_a_page_that_is_not_utf8_is_reported_and_hides_no_other(store) -> None:
    store.write("good.md", "pangolin")
    bad = store.wiki / "acme/importer/bad.md"
    bad.write_bytes("pangolin caf\xe9".encode("latin-1"))
    search = store.open()
    assert store.found(search, "pangolin") == ["good.md"]
    [(where, sentence)] = search.health((SCOPE,)).problems
    assert where == "acme/importer/bad.md"
    assert "not UTF-8" in sentence
    assert search.health((SCOPE,)).total.unreadable == 1
    assert search.health((OTHER,)).problems == ()
    bad.write_bytes("pangolin café".encode())
    assert store.found(search, "pangolin") == ["good.md", "bad.md"]
    assert search.health((SCOPE,)).problems == ()


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux alone")
def test_a_file_name_that_is_not_utf8_is_reported(store) -> None:
    store.write("good.md", "pangolin")
    with open(os.fsencode(store.wiki / "acme/importer") + b"/caf\xe9.md", "wb") as file:
        file.write(b"pangolin")
    for search in (store.open(), store.open()):
        assert store.found(search, "pangolin") == ["good.md"]
        assert ["not UTF-8" in sentence for _, sentence in search.health((SCOPE,)).problems] == [True]


def test_ledgers_and_unreadable_files_stay_what_they_are_when_their_stat_settles(store) -> None:
    store.write("log-2026-11.md", "## [2026-11-30T12:00:00Z] write-page | pangolin\n")
    (store.wiki / "acme/importer/bad.md").write_bytes(b"\xff pangolin")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    time.sleep(0.05)
    for each in (search, store.open()):
        assert store.found(each, "pangolin") == []
        assert each.paths(SCOPE) == []
        assert each.health((SCOPE,)).total.unreadable == 1
        with store.lock.hold("write"):
            each.update([store.write("x.md", "text"), store.remove("x.md")])


def test_problems_of_pages_come_from_the_index(store) -> None:
    store.write("a.md", "---\ntier: golden\n---\npangolin\n")
    store.write("b.md", "text\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n")
    search = store.open()
    found = search.health((SCOPE,)).problems
    assert [path for path, _ in found] == ["acme/importer/a.md", "acme/importer/b.md"]
    assert "conflict" in found[1][1]


def test_a_large_change_is_indexed_in_the_background_and_is_behind_meanwhile(store, monkeypatch) -> None:
    monkeypatch.setattr(live_index, "MAX_INLINE", 10)
    monkeypatch.setattr(live_index, "_BACKGROUND_BATCH", 7)
    monkeypatch.setattr(pending_pages, "MAX_PAGES", 3)
    store.write("a.md", "pangolin")
    search = store.open(background=True)
    search.query("pangolin", (SCOPE,))
    for number in range(40):
        store.write(f"{number}.md", "walrus")
    answer = search.query("walrus", (SCOPE,), limit=100)
    assert answer.behind == (SCOPE,)
    assert len(answer.hits) >= 3
    deadline = time.monotonic() + 20
    while search.query("walrus", (SCOPE,)).behind and time.monotonic() < deadline:
        time.sleep(0.02)
    answer = search.query("walrus", (SCOPE,), limit=100)
    assert (len(answer.hits), answer.behind) == (40, ())


def test_a_command_indexes_a_large_change_itself_and_shows_progress(store, monkeypatch) -> None:
    monkeypatch.setattr(page_index, "_BATCH", 10)
    store.write("a.md", "pangolin")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    for number in range(40):
        store.write(f"{number}.md", "walrus")
    steps: list[tuple[int, int, str]] = []
    answer = search.query("walrus", (SCOPE,), limit=100, progress=lambda *step: steps.append(step))
    assert (len(answer.hits), answer.behind) == (40, ())
    assert steps == [(done, 40, "pages") for done in (0, 10, 20, 30)]


def test_a_withdrawn_request_stops_the_first_build_and_the_next_one_starts_over(store) -> None:
    store.write("a.md", "pangolin")
    search = store.open()

    def withdraw(done: int, total: int, what: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        search.query("pangolin", (SCOPE,), progress=withdraw)
    assert [path.name for path in store.index.iterdir() if path.is_dir()] == []
    assert store.found(search, "pangolin") == ["a.md"]


def test_a_first_build_in_a_server_answers_from_the_files_meanwhile(store, monkeypatch) -> None:
    monkeypatch.setattr(live_index, "MAX_INLINE", 10)
    for number in range(30):
        store.write(f"{number}.md", "walrus")
    search = store.open(background=True)
    release = threading.Event()
    from memory_mcp.search.index import index_build

    rebuild = index_build.rebuild_index

    def slowly(*arguments: object) -> int:
        release.wait(10)
        return rebuild(*arguments)

    monkeypatch.setattr(index_build, "rebuild_index", slowly)
    answer = search.query("walrus", (SCOPE,), limit=100)
    assert len(answer.hits) == 30
    assert answer.notes == ("The index is being built; this answer comes from reading the files.",)
    assert search.health((SCOPE,)).notes == answer.notes
    assert search.links(SCOPE, "1.md", ()).notes == answer.notes
    release.set()
    deadline = time.monotonic() + 20
    while search.query("walrus", (SCOPE,)).notes and time.monotonic() < deadline:
        time.sleep(0.02)
    answer = search.query("walrus", (SCOPE,), limit=100)
    assert (len(answer.hits), answer.notes) == (30, ())


def test_a_file_scan_reads_for_a_bounded_time_and_says_how_far_it_came(store, monkeypatch) -> None:
    from memory_mcp.search.index.file_scan import scan_files

    for number in range(30):
        store.write(f"{number}.md", "walrus")
    pages = scan_files(store.wiki, (SCOPE,), "The index is being built", seconds=0)
    assert pages.behind == (SCOPE,)
    assert pages.notes[0].endswith("of 30, within 0 s.")
    assert pages.caveats() == (*pages.notes, "The newest edits of acme/importer are not indexed yet.")


def test_a_file_scan_tells_its_progress_and_ends_where_nobody_waits(store) -> None:
    from memory_mcp.search.index.file_scan import scan_files

    for number in range(3):
        store.write(f"{number}.md", "walrus")
    steps = []

    def withdraw(done: int, total: int, what: str) -> None:
        steps.append((done, total))
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        scan_files(store.wiki, (SCOPE,), "The index is being built", withdraw)
    assert steps == [(0, 3), (1, 3)]


def test_an_idle_search_uses_no_cpu(store) -> None:
    store.write("a.md", "pangolin")
    search = store.open(background=True)
    search.query("pangolin", (SCOPE,))
    start = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - start < 0.02
    assert [thread.name for thread in threading.enumerate() if thread.name == "memory-mcp-index"] == []


def test_a_read_only_data_dir_still_answers_with_new_edits(store, monkeypatch) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    from memory_mcp.search.index import index_write

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(index_write, "write_pages", full)
    store.write("b.md", "walrus")
    answer = search.query("walrus", (SCOPE,))
    assert [hit.path for hit in answer.hits] == ["b.md"]
    assert answer.notes == (
        "The index cannot be written (No space left on device); new edits are read each time.",
    )


def test_an_update_never_raises_and_the_edit_is_found_all_the_same(store, monkeypatch) -> None:
    store.write("a.md", "pangolin")
    search = store.open()
    search.query("pangolin", (SCOPE,))
    from memory_mcp.search.index import index_write

    write_pages = index_write.write_pages

    def broken(*_: object) -> int:
        raise RuntimeError("torn")

    path = store.write("b.md", "walrus")
    monkeypatch.setattr(index_write, "write_pages", broken)
    with store.lock.hold("write"):
        search.update([path])
    monkeypatch.setattr(index_write, "write_pages", write_pages)
    assert store.found(search, "walrus") == ["b.md"]


def test_a_search_does_not_load_what_it_does_not_need(store) -> None:
    """An unchanged wiki needs no lock, YAML, git or query parser, and no rebuild."""
    store.write("a.md", "---\ntitle: Pangolins\ntags: [x, y]\n---\npangolin [[b]]")
    store.open().query("pangolin", (SCOPE,))
    time.sleep(0.03)
    code = f"""
import sys
from pathlib import Path
from memory_mcp.model.clock import utc_now
from memory_mcp.model.scope import Scope
from tests.search.opened import OpenedSearch
from memory_mcp.store.lock import WriterLock
assert not any(name.startswith(("whoosh", "yaml", "portalocker")) for name in sys.modules)
root = Path({str(store.root)!r})
search = OpenedSearch(root / "wiki", root / "index", WriterLock(root / "locks", 5), utc_now,
                    background=True, is_gone_from_head=lambda paths: False)
assert search.query("pangolin", (Scope("acme", "importer"),)).hits
print([n for n in ("portalocker", "yaml", "git", "whoosh.qparser", "pydantic", "mcp") if n in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
