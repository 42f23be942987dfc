"""The index may be deleted, torn, replaced or half written at any time; the files are the truth."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from memory_mcp.errors import Unavailable
from memory_mcp.model.scope import Scope
from memory_mcp.search.index import live_index
from memory_mcp.search.index.current_folder import POINTER
from memory_mcp.search.index.index_format import PREFIX
from memory_mcp.search.index.page_index import current_name
from memory_mcp.store import steps

SCOPE = Scope("acme", "importer")


def index_files(store) -> list[Path]:
    return sorted(path for path in store.index.rglob("*") if path.is_file() and ".lock" not in path.name)


def folders(store) -> list[str]:
    return sorted(path.name for path in store.index.iterdir() if path.is_dir())


def filled(store):
    for number in range(20):
        store.write(f"{number}.md", f"pangolin number{number}")
    search = store.open()
    assert len(store.found(search, "pangolin")) == 20
    return search


@pytest.mark.parametrize("remove", ["all", "folder", "pointer", "manifest", "segments"])
def test_what_is_deleted_under_a_live_search_comes_back(store, remove: str) -> None:
    search = filled(store)
    folder = store.index / current_name(store.index)
    if remove == "all":
        shutil.rmtree(store.index)
    elif remove == "folder":
        shutil.rmtree(folder)
    elif remove == "pointer":
        (store.index / POINTER).unlink()
    elif remove == "manifest":
        (folder / "manifest.jsonl").unlink()
    else:
        for path in folder.glob("MAIN*"):
            path.unlink()
    store.write("new.md", "pangolin new")
    assert len(store.found(search, "pangolin")) == 21
    assert len(folders(store)) == 1
    assert search.query("pangolin", (SCOPE,)).notes == ()
    assert len(store.found(store.open(), "pangolin")) == 21


def damages() -> list[str]:
    return ["empty", "half", "zeros", "garbage"]


@pytest.mark.parametrize("damage", damages())
def test_any_damaged_file_costs_a_rebuild_and_no_answer(store, damage: str) -> None:
    search = filled(store)
    search.close()
    with store.lock.hold("write"):
        search = store.open()
        search.update([store.write("new.md", "pangolin new")])
    names = [path.relative_to(store.index).name for path in index_files(store)]
    noise = random.Random(damage)
    for name in sorted(set(names) - {"build.json", "writer.json"}):
        matching = [path for path in index_files(store) if path.name == name]
        if not matching:
            continue  # a rebuild has given the segments other names
        data = matching[0].read_bytes()
        spoiled = {
            "empty": b"",
            "half": data[: len(data) // 2],
            "zeros": bytes(len(data)),
            "garbage": noise.randbytes(len(data)),
        }[damage]
        matching[0].write_bytes(spoiled)
        fresh = store.open()
        if name.endswith((".pst", ".trm", ".col")) and len(spoiled) == len(data):
            # Bytes of the right number are trusted. But nothing may raise.
            fresh.query("pangolin", (SCOPE,))
            fresh.rebuild()
        assert len(store.found(fresh, "pangolin")) == 21, name
        fresh.close()


def test_an_index_older_than_its_manifest_is_rebuilt(store) -> None:
    """A power cut may keep the manifest's line and lose the commit before it, for neither is synced."""
    search = filled(store)
    folder = store.index / current_name(store.index)
    old = {path: path.read_bytes() for path in folder.glob("*MAIN*")}
    with store.lock.hold("write"):
        search.update([store.write("new.md", "pangolin walrus")])
    search.close()
    for path in folder.glob("*MAIN*"):
        path.unlink()
    for path, data in old.items():
        path.write_bytes(data)
    fresh = store.open()
    assert store.found(fresh, "walrus") == ["new.md"]
    assert current_name(store.index) != folder.name


def test_an_index_of_another_version_is_ignored_and_removed_by_the_next_build(store) -> None:
    search = filled(store)
    search.close()
    name = current_name(store.index)
    (store.index / name).rename(store.index / "v999-deadbeef")
    (store.index / POINTER).write_text("v999-deadbeef\n", encoding="utf-8")
    assert len(store.found(store.open(), "pangolin")) == 20
    [only] = folders(store)
    assert only.startswith(PREFIX)


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_the_index_is_private_to_its_user(store) -> None:
    filled(store)
    for folder in (store.index, store.index / current_name(store.index)):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_an_index_that_breaks_again_at_once_is_not_rebuilt_for_ever(store, monkeypatch) -> None:
    search = filled(store)
    from memory_mcp.search.index import index_build
    from memory_mcp.search.rank import page_ranking, scorer

    builds = []
    rebuild = index_build.rebuild_index
    monkeypatch.setattr(
        index_build, "rebuild_index", lambda *arguments: builds.append(1) or rebuild(*arguments)
    )

    def broken(reader, *arguments):
        if reader.leaves:
            raise OSError(5, "Input/output error")
        return scorer.search(reader, *arguments)

    monkeypatch.setattr(page_ranking, "search", broken)
    for _ in range(3):
        answer = search.query("pangolin", (SCOPE,), limit=100)
        assert len(answer.hits) == 20
        assert answer.notes[0].startswith("The index breaks again and again; this answer")
    assert len(builds) == 1


def test_a_build_that_fails_is_not_tried_at_every_query(store, monkeypatch) -> None:
    from memory_mcp.search.index import index_build

    store.write("a.md", "pangolin")
    tries = []

    def fail(*_: object) -> int:
        tries.append(1)
        raise OSError(28, "No space left on device")

    rebuild = index_build.rebuild_index
    monkeypatch.setattr(index_build, "rebuild_index", fail)
    search = store.open()
    for _ in range(3):
        answer = search.query("pangolin", (SCOPE,))
        assert [hit.path for hit in answer.hits] == ["a.md"]
        assert answer.notes[0].startswith("The index cannot be built (No space left on device); this answer")
    assert len(tries) == 1
    monkeypatch.setattr(index_build, "rebuild_index", rebuild)
    monkeypatch.setattr(live_index, "_REBUILD_PAUSE_SECONDS", 0)
    search.index._live._no_build_before = 0
    assert search.query("pangolin", (SCOPE,)).notes == ()


def test_a_disk_that_refuses_a_rebuild_is_a_sentence_and_the_old_index_stays(store, monkeypatch) -> None:
    from memory_mcp.search.index import index_build

    search = filled(store)
    before = current_name(store.index)

    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(index_build, "build", fail)
    with pytest.raises(Unavailable, match=r"cannot build the index in .*: the disk is full"):
        search.rebuild()
    assert current_name(store.index) == before


def test_while_another_process_builds_the_files_are_read(store) -> None:
    store.write("a.md", "pangolin")
    from memory_mcp.store.lock import WriterLock

    search = store.open()
    with WriterLock(store.index, 5, "build").hold("reindex"):
        answer = search.query("pangolin", (SCOPE,))
        assert [hit.path for hit in answer.hits] == ["a.md"]
        assert answer.notes
        assert search.health((SCOPE,)).total.pages == 1
        assert search.paths(SCOPE) == ["a.md"]
    assert search.query("pangolin", (SCOPE,)).notes == ()


def test_what_is_written_during_a_rebuild_is_found_after_it(store, monkeypatch) -> None:
    search = filled(store)
    from memory_mcp.search.index import index_build

    other = store.open()
    list_files = index_build.list_files

    def list_and_write(wiki: Path) -> list[str]:
        files = list_files(wiki)
        with store.lock.hold("write"):
            other.update([store.write("during.md", "walrus")])
        assert store.found(other, "walrus") == ["during.md"]
        return files

    monkeypatch.setattr(index_build, "list_files", list_and_write)
    assert search.rebuild() == 20
    assert store.found(search, "walrus") == ["during.md"]
    assert store.found(other, "walrus") == ["during.md"]


def test_a_live_search_follows_a_rebuild_by_another_process(store) -> None:
    search = filled(store)
    before = folders(store)
    assert store.open().rebuild() == 20
    assert folders(store) != before
    assert len(store.found(search, "pangolin")) == 20
    with store.lock.hold("write"):
        search.update([store.write("new.md", "pangolin")])
    assert len(store.found(store.open(), "pangolin")) == 21


CHILD = """
import os, signal, sys
from pathlib import Path
from memory_mcp.model.clock import utc_now
from tests.search.opened import OpenedSearch
from memory_mcp.store import steps
from memory_mcp.store.lock import WriterLock

root, step, work = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
lock = WriterLock(root / "locks", 10)
search = OpenedSearch(root / "wiki", root / "index", lock, utc_now, background=False,
                    is_gone_from_head=lambda paths: False)
steps.listeners.append(lambda at: os.kill(os.getpid(), signal.SIGKILL) if at == step else None)
if work == "rebuild":
    search.rebuild()
elif work == "remove":
    (root / "wiki/acme/importer/0.md").unlink()
    with lock.hold("delete"):
        search.update(["acme/importer/0.md"])
else:
    (root / "wiki/acme/importer/new.md").write_text("pangolin walrus", encoding="utf-8")
    with lock.hold("write"):
        search.update(["acme/importer/new.md"])
"""


def killed_at(store, step: str, work: str) -> None:
    done = subprocess.run([sys.executable, "-c", CHILD, str(store.root), step, work], check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("step", ["index.built", "index.complete", "index.current"])
def test_a_rebuild_killed_at_any_step_leaves_an_index_that_works(store, step: str) -> None:
    search = filled(store)
    killed_at(store, step, "rebuild")
    store.write("new.md", "pangolin")
    assert len(store.found(search, "pangolin")) == 21
    assert len(store.found(store.open(), "pangolin")) == 21
    store.open().rebuild()
    assert len(folders(store)) == 1, "what the killed process left is gone"


def test_an_update_killed_after_its_commit_is_read_again(store, no_rebuild) -> None:
    search = filled(store)
    no_rebuild()
    killed_at(store, "index.committed", "write")
    assert store.found(search, "walrus") == ["new.md"]
    assert store.found(store.open(), "walrus") == ["new.md"]
    assert len(store.found(store.open(), "pangolin")) == 21


def test_a_page_whose_indexing_was_killed_and_whose_file_is_gone_is_never_found(store, no_rebuild) -> None:
    search = filled(store)
    no_rebuild()
    killed_at(store, "index.committed", "write")
    store.remove("new.md")
    for each in (search, store.open()):
        assert store.found(each, "walrus") == []
        assert len(each.paths(SCOPE)) == len(each.listing((SCOPE,)).pages) == 20
    with store.lock.hold("write"):
        search.update([store.write("other.md", "text")])
    reader = search.index._live.snapshot((SCOPE,), lambda *step: None).reader
    assert reader.document_of("acme/importer/new.md") is None, "the stray document was removed"


def test_a_removal_killed_after_its_commit_stays_removed(store, no_rebuild) -> None:
    search = filled(store)
    no_rebuild()
    killed_at(store, "index.committed", "remove")
    assert "0.md" not in store.found(search, "pangolin")
    assert "0.md" not in store.found(store.open(), "pangolin")
    assert len(search.paths(SCOPE)) == 19


WRITER = """
import sys
from pathlib import Path
from memory_mcp.model.clock import utc_now
from memory_mcp.model.scope import Scope
from tests.search.opened import OpenedSearch
from memory_mcp.store.lock import WriterLock

root, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
scope = Scope("acme", "importer")
lock = WriterLock(root / "locks", 30)
search = OpenedSearch(root / "wiki", root / "index", lock, utc_now, background=True,
                    is_gone_from_head=lambda paths: False)
for number in range(rounds):
    path = f"{name}{number}.md"
    with lock.hold("write"):
        (root / "wiki" / str(scope) / path).write_text(f"walrus {name * 5} entry", encoding="utf-8")
        search.update([f"{scope}/{path}"])
    hits = search.query(name * 5, (scope,), limit=100).hits
    assert {hit.path for hit in hits} == {f"{name}{n}.md" for n in range(number + 1)}, (number, hits)
    print(path, flush=True)
search.close()
"""


def test_two_processes_write_and_search_in_turn_and_each_sees_its_own_and_the_others(store) -> None:
    search = filled(store)
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(store.root), name, "15"], stdout=subprocess.PIPE)
        for name in "ab"
    ]
    for process in running:
        for line in process.stdout:
            assert line.decode().strip() in store.found(search, "walrus"), "acknowledged, so found"
    assert [process.wait() for process in running] == [0, 0]
    assert len(store.found(search, "walrus")) == 30
    assert len(store.found(store.open(), "walrus")) == 30
    for process in running:
        process.stdout.close()


def test_random_kills_lose_nothing_and_invent_nothing(store) -> None:
    filled(store)
    noise = random.Random(7)
    code = textwrap.dedent(WRITER)
    for round_ in range(6):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(store.root), "klmnop"[round_], "100"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(noise.randrange(1, 8)):
            process.stdout.readline()
        process.kill()
        process.wait()
        process.stdout.close()
        search = store.open()
        written = (store.wiki / "acme/importer").glob("[k-p]*.md")
        on_disk = sorted(path.name for path in written if path.stat().st_size)
        assert sorted(store.found(search, "walrus")) == on_disk
        search.close()


def test_files_that_vanish_during_a_rebuild_do_not_stop_it(store, monkeypatch) -> None:
    search = filled(store)
    from memory_mcp.search.index import index_build

    list_files = index_build.list_files

    def list_and_remove(wiki: Path) -> list[str]:
        files = list_files(wiki)
        store.remove("0.md")
        shutil.rmtree(store.wiki / "acme/other")
        return files

    store.write("a.md", "pangolin", Scope("acme", "other"))
    monkeypatch.setattr(index_build, "list_files", list_and_remove)
    assert search.rebuild() == 19
    assert len(store.found(search, "pangolin", None)) == 19
    assert search.health(None).problems == ()


def test_a_query_of_an_unchanged_wiki_writes_nothing(store) -> None:
    search = filled(store)

    def state() -> list[tuple[str, int, int]]:
        return sorted(
            (str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in store.root.rglob("*")
        )

    search.query("pangolin", None)
    before = state()
    for each in (search, store.open()):
        each.query("pangolin", None)
        each.health(None)
    assert state() == before


@pytest.mark.parametrize("step", ["index.segment", "index.built", "index.complete"])
def test_an_index_that_is_removed_while_it_is_built_is_built_again(store, step: str) -> None:
    store.write("a.md", "pangolin")
    removed = []

    def remove(reached: str) -> None:
        if reached == step and not removed:
            removed.append(step)
            shutil.rmtree(store.index)

    search = store.open()
    steps.listeners.append(remove)
    try:
        assert store.found(search, "pangolin") == ["a.md"]
    finally:
        steps.listeners.remove(remove)
    assert removed
    assert search.query("pangolin", (SCOPE,)).notes == ()
    assert len(folders(store)) == 1


def test_a_rebuild_whose_folder_is_removed_says_so(store) -> None:
    search = filled(store)

    def remove(reached: str) -> None:
        if reached == "index.built":
            shutil.rmtree(store.index)

    steps.listeners.append(remove)
    try:
        with pytest.raises(Unavailable, match="somebody removed the folder; try again"):
            search.rebuild()
    finally:
        steps.listeners.remove(remove)
    assert len(store.found(search, "pangolin")) == 20


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_what_is_open_answers_on_while_a_removed_index_cannot_be_built(store, monkeypatch) -> None:
    from memory_mcp.search.index import index_build

    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    search = filled(store)
    monkeypatch.setattr(index_build, "rebuild_index", refuse)
    shutil.rmtree(store.index)
    store.write("new.md", "pangolin new")
    store.remove("3.md")
    for _ in range(2):
        answer = search.query("pangolin", (SCOPE,), limit=100)
        assert len(answer.hits) == 20
        assert answer.notes == ()
    with store.lock.hold("write"):
        search.update([store.write("written.md", "pangolin written")])
    assert len(store.found(search, "pangolin")) == 21
