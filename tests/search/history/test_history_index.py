"""The history index follows git, whatever happens to either of them."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memory_mcp.errors import Busy, Cancelled, Unavailable
from memory_mcp.model.progress import no_progress
from memory_mcp.model.scope import Scope
from memory_mcp.search.history import history_index, history_read
from memory_mcp.search.history.history_folder import PREFIX
from memory_mcp.search.history.history_index import HistoryIndex
from memory_mcp.store import steps
from memory_mcp.store.lock import WriterLock
from memory_mcp.store.wiki_repos import WikiRepos
from tests.memory import Fault
from tests.search.history.conftest import SCOPE, Wiki

ROOT = Path(__file__).resolve().parents[3]

ASK = """
import os, sys
from pathlib import Path
from memory_mcp.model.progress import no_progress
from memory_mcp.search.history import history_read
from memory_mcp.search.history.history_index import HistoryIndex
from memory_mcp.store import steps
from memory_mcp.store.wiki_repos import WikiRepos
from tests.search.history.conftest import SCOPE, texts_of

wiki, index, step, count = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
history_read.MAX_CHANGES = 3

def listen(name):
    global count
    if name == step:
        count -= 1
        if count == 0:
            os._exit(9)

steps.listeners.append(listen)
history = HistoryIndex(index, WikiRepos(wiki).everywhere)
print(len(texts_of(history.at(float(sys.argv[5]), (SCOPE,), no_progress))))
"""


def ask(wiki: Wiki, moment: float, step: str = "", count: int = 1) -> subprocess.Popen[str]:
    """Another process that asks, and may be killed at a step."""
    arguments = [str(wiki.wiki), str(wiki.index), step, str(count), str(moment)]
    return subprocess.Popen(
        [sys.executable, "-c", ASK, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def folder_of(wiki: Wiki) -> Path:
    return wiki.index / "history" / (wiki.index / "history" / "current").read_text().strip()


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that builds reach from here on."""
    reached: list[str] = []

    def listen(step: str) -> None:
        if step.startswith("history."):
            reached.append(step)

    monkeypatch.setattr(steps, "listeners", [listen])
    return reached


def test_new_commits_are_added_to_what_is_there(wiki: Wiki, builds: list[str]) -> None:
    first = wiki.save("a.md", "one\n")
    history = wiki.open()
    assert wiki.past(first, history) == {"a.md": "one\n"}
    assert builds == ["history.started", "history.indexed", "history.noted"]
    second = wiki.save("a.md", "two\n")
    assert wiki.past(second, history) == {"a.md": "two\n"}
    assert wiki.past(first) == {"a.md": "one\n"}
    third = wiki.remove("a.md")
    assert wiki.past(third, history) == {}
    assert wiki.past(second, history) == {"a.md": "two\n"}
    assert builds == ["history.started", *["history.indexed", "history.noted"] * 3]


def test_a_version_that_comes_back_is_not_read_again(wiki: Wiki) -> None:
    for text in ("one\n", "two\n", "one\n"):
        wiki.save("a.md", text)
    wiki.save("b.md", "one\n")
    assert wiki.open().at(wiki.now, (SCOPE,), no_progress).reader.count == 3
    history = wiki.open()
    before = history.at(wiki.now, (SCOPE,), no_progress).reader
    last = wiki.save("a.md", "two\n")
    assert wiki.past(last, history) == {"a.md": "two\n", "b.md": "one\n"}
    assert history.at(last, (SCOPE,), no_progress).reader is before, "no commit of the index"


def test_rewritten_history_is_read_anew_and_what_git_lost_is_gone(wiki: Wiki, builds: list[str]) -> None:
    first = wiki.save("a.md", "one\n")
    secret = wiki.save("b.md", "the password is walrus\n")
    wiki.save("a.md", "two\n")
    history = wiki.open()
    assert "b.md" in wiki.past(secret, history)
    old = folder_of(wiki)
    wiki.git("rebase", "-q", "--onto", "HEAD~2", "HEAD~1")
    assert wiki.past(secret, history) == {"a.md": "one\n"}
    assert wiki.past(wiki.now, history) == {"a.md": "two\n"}
    assert wiki.past(first) == {"a.md": "one\n"}
    assert not old.exists()
    assert not any(b"password" in file.read_bytes() for file in wiki.index.rglob("*") if file.is_file())
    assert builds.count("history.started") == 2


def test_a_branch_moved_back_is_read_anew(wiki: Wiki) -> None:
    wiki.save("a.md", "one\n")
    second = wiki.save("a.md", "two\n")
    history = wiki.open()
    assert wiki.past(second, history) == {"a.md": "two\n"}
    wiki.git("reset", "-q", "--hard", "HEAD~1")
    assert wiki.past(second, history) == {"a.md": "one\n"}


def test_a_merge_that_makes_ours_the_second_parent_is_read_anew(wiki: Wiki) -> None:
    wiki.save("a.md", "base\n")
    wiki.git("checkout", "-qb", "theirs")
    wiki.save("b.md", "theirs\n")
    wiki.git("checkout", "-q", "main")
    wiki.save("a.md", "ours\n")
    history = wiki.open()
    assert wiki.past(wiki.now, history) == {"a.md": "ours\n"}
    wiki.git("checkout", "-q", "theirs")
    wiki.now += 60
    wiki.git("merge", "-q", "-s", "ours", "-m", "drop main's change", "main")
    wiki.git("checkout", "-q", "main")
    wiki.git("merge", "-q", "--ff-only", "theirs")
    assert wiki.past(wiki.now, history) == {"a.md": "base\n", "b.md": "theirs\n"}


def test_each_nested_repository_tells_of_its_own_pages(wiki: Wiki) -> None:
    wiki.save("a.md", "root's\n")
    (wiki.wiki / "team" / "app").mkdir(parents=True)
    wiki.git("init", "-q", "-b", "main", inside="team")
    (wiki.wiki / ".git" / "info" / "exclude").write_text("/team/\n")
    wiki.put("/team/app/b.md", "team's old\n")
    old = wiki.commit(inside="team")
    wiki.put("/team/app/b.md", "team's new\n")
    new = wiki.commit(inside="team")
    both = (SCOPE, Scope("team", "app"))
    history = wiki.open()
    assert wiki.past(old, history, both) == {"a.md": "root's\n", "b.md": "team's old\n"}
    assert wiki.past(new, history, both) == {"a.md": "root's\n", "b.md": "team's new\n"}
    wiki.put("/team/app/b.md", "team's newest\n")
    newest = wiki.commit(inside="team")
    assert wiki.past(newest, history, both)["b.md"] == "team's newest\n"


def test_a_folder_that_becomes_a_repository_of_its_own_tells_for_itself(wiki: Wiki) -> None:
    wiki.put("/team/app/b.md", "root's\n")
    first = wiki.commit()
    team = (Scope("team", "app"),)
    history = wiki.open()
    assert wiki.past(first, history, team) == {"b.md": "root's\n"}
    wiki.git("init", "-q", "-b", "main", inside="team")
    assert wiki.past(first, history, team) == {}
    second = wiki.commit(inside="team")
    assert wiki.past(second, history, team) == {"b.md": "root's\n"}
    assert wiki.past(first, history, team) == {}
    shutil.rmtree(wiki.wiki / "team" / ".git")
    assert wiki.past(first, history, team) == {"b.md": "root's\n"}


def test_a_large_history_is_taken_in_by_parts_that_a_cancelled_build_keeps(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, builds: list[str]
) -> None:
    monkeypatch.setattr(history_read, "MAX_CHANGES", 3)
    times = [wiki.save(f"{number}.md", f"text {number}\n") for number in range(8)]
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int, what: str) -> None:
        told.append((done, total))
        if done == 6:
            raise Cancelled

    history = wiki.open()
    with pytest.raises(Cancelled):
        history.at(times[-1], (SCOPE,), progress)
    assert told[-1] == (6, 8)
    builds.clear()
    assert len(wiki.past(times[-1])) == 8
    assert builds == ["history.indexed", "history.noted"], "only the last part was left"
    assert wiki.past(times[2]) == {f"{number}.md": f"text {number}\n" for number in range(3)}


@pytest.mark.parametrize(
    ("step", "count"),
    [
        ("history.started", 1),
        ("index.segment", 1),
        ("index.segment", 3),
        ("history.indexed", 1),
        ("history.indexed", 2),
        ("history.noted", 1),
        ("history.noted", 2),
    ],
)
def test_a_build_killed_at_a_step_goes_on(wiki: Wiki, step: str, count: int) -> None:
    times = [wiki.save("a.md", f"text {number}\n") for number in range(8)]
    wiki.put("b.md", "b\n")
    last = wiki.commit()
    with ask(wiki, last, step, count) as killed:
        assert killed.wait(60) == 9
    history = wiki.open()
    assert wiki.past(last, history) == {"a.md": "text 7\n", "b.md": "b\n"}
    assert [wiki.past(time, history)["a.md"] for time in times] == [f"text {n}\n" for n in range(8)]
    assert history.at(last, (SCOPE,), no_progress).reader.count == 9
    assert [file.name for file in folder_of(wiki).parent.glob("v*")] == [folder_of(wiki).name]


def test_what_a_killed_build_read_is_not_answered_once_git_has_lost_it(wiki: Wiki) -> None:
    wiki.save("a.md", "one\n")
    wiki.save("a.md", "the password is walrus\n")
    with ask(wiki, wiki.now, "history.indexed") as killed:
        assert killed.wait(60) == 9
    wiki.put("a.md", "two\n")
    wiki.git("commit", "-qam", "amended", "--amend")
    assert wiki.superseded() == [("a.md", "one\n")]
    assert wiki.past(wiki.now) == {"a.md": "two\n"}


def test_an_index_older_than_its_timeline_is_built_anew(wiki: Wiki, tmp_path: Path) -> None:
    wiki.save("a.md", "one\n")
    wiki.past(wiki.now)
    shutil.copytree(folder_of(wiki), tmp_path / "old")
    last = wiki.save("a.md", "two\n")
    wiki.past(last)
    for file in folder_of(wiki).iterdir():
        if file.name != "timeline.jsonl":
            file.unlink()
    for file in (tmp_path / "old").iterdir():
        if file.name != "timeline.jsonl":
            shutil.copy(file, folder_of(wiki))
    assert wiki.past(last) == {"a.md": "two\n"}


def test_processes_that_build_at_once_answer_alike(wiki: Wiki) -> None:
    for number in range(30):
        wiki.save(f"{number}.md", f"text {number}\n")
    running = [ask(wiki, wiki.now) for _ in range(3)]
    assert [process.communicate(timeout=60)[0] for process in running] == ["30\n"] * 3
    history = wiki.open()
    assert len(wiki.past(wiki.now, history)) == 30
    assert history.at(wiki.now, (SCOPE,), no_progress).reader.count == 30


def test_who_waits_for_another_build_is_told_and_refused_in_the_end(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.save("a.md", "one\n")
    monkeypatch.setattr(history_index, "_WAIT_SECONDS", 0.1)
    monkeypatch.setattr(history_index, "_POLL_SECONDS", 0.05)
    told: list[str] = []
    history = wiki.open()
    with WriterLock(wiki.index / "history", 1, "build").hold("test"):
        refused = []

        def wait() -> None:
            try:
                history.at(wiki.now, (SCOPE,), lambda done, total, what: told.append(what))
            except Busy as error:
                refused.append(str(error))

        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
    assert len(refused) == 1
    assert "ask again later" in refused[0]
    assert set(told) == {"waiting for another process that reads the history"}
    assert wiki.past(wiki.now, history) == {"a.md": "one\n"}


def test_an_index_that_is_up_to_date_needs_no_lock_and_writes_nothing(wiki: Wiki) -> None:
    wiki.save("a.md", "one\n")
    wiki.past(wiki.now)
    before = {file: file.stat().st_mtime_ns for file in wiki.index.rglob("*")}
    with WriterLock(wiki.index / "history", 1, "build").hold("test"):
        texts: list[dict[str, str]] = []
        thread = threading.Thread(target=lambda: texts.append(wiki.past(wiki.now)))
        thread.start()
        thread.join(10)
        assert texts == [{"a.md": "one\n"}]
    after = {file: file.stat().st_mtime_ns for file in wiki.index.rglob("*")}
    assert {f: t for f, t in after.items() if f.suffix != ".json"} == {
        f: t for f, t in before.items() if f.suffix != ".json"
    }


def test_a_damaged_index_is_built_anew(wiki: Wiki) -> None:
    first = wiki.save("a.md", "one\n")
    last = wiki.save("a.md", "two\n")
    wiki.past(last)
    for name in sorted(file.name for file in folder_of(wiki).iterdir()):
        folder = folder_of(wiki)
        for damage in (b"", b"\x80garbage", None):
            file = folder / name
            if not file.exists():
                continue
            if damage is None:
                file.unlink()
            else:
                file.write_bytes(damage)
            history = wiki.open()
            assert wiki.past(first, history) == {"a.md": "one\n"}, (name, damage)
            assert wiki.past(last, history) == {"a.md": "two\n"}, (name, damage)
            history.close()


def test_removing_the_index_while_a_process_uses_it_changes_no_answer(wiki: Wiki) -> None:
    first = wiki.save("a.md", "one\n")
    history = wiki.open()
    wiki.past(first, history)
    shutil.rmtree(wiki.index)
    assert wiki.past(first, history) == {"a.md": "one\n"}
    shutil.rmtree(folder_of(wiki))
    assert wiki.past(first, history) == {"a.md": "one\n"}
    (wiki.index / "history" / "current").write_text("v999-deadbeef\n")
    assert wiki.past(first, history) == {"a.md": "one\n"}
    assert folder_of(wiki).name.startswith(PREFIX)


def test_an_index_that_was_removed_on_purpose_is_read_from_git_again(wiki: Wiki, builds: list[str]) -> None:
    time = wiki.save("a.md", "one\n")
    one, two = wiki.open(), wiki.open()
    assert wiki.past(time, one) == wiki.past(time, two) == {"a.md": "one\n"}
    two.remove()
    assert wiki.past(time, one) == wiki.past(time, two) == {"a.md": "one\n"}
    assert builds.count("history.started") == 2


@pytest.mark.parametrize("step", ["history.started", "history.indexed"])
def test_a_full_disk_is_told_in_a_sentence_and_leaves_nothing_wrong(wiki: Wiki, step: str) -> None:
    wiki.save("a.md", "one\n")
    history = wiki.open()
    with Fault(errno.ENOSPC, step, lasting=False), pytest.raises(Unavailable, match="the disk is full"):
        wiki.past(wiki.now, history)
    assert wiki.past(wiki.now, history) == {"a.md": "one\n"}


def test_two_processes_that_take_turns_see_what_the_other_read(wiki: Wiki) -> None:
    one, two = wiki.open(), wiki.open()
    for number in range(6):
        time = wiki.save("a.md", f"text {number}\n")
        for history in (one, two) if number % 2 else (two, one):
            assert wiki.past(time, history) == {"a.md": f"text {number}\n"}
    assert [wiki.past(wiki.now - 60 * back, one)["a.md"] for back in range(6)] == [
        f"text {5 - back}\n" for back in range(6)
    ]


def test_a_shallow_clone_knows_what_it_has(wiki: Wiki, tmp_path: Path) -> None:
    for number in range(3):
        wiki.save("a.md", f"text {number}\n")
    clone = tmp_path / "clone"
    wiki.git("clone", "-q", "--depth=1", f"file://{wiki.wiki}", str(clone))
    history = HistoryIndex(tmp_path / "other", WikiRepos(clone).everywhere)
    assert wiki.past(wiki.now, history) == {"a.md": "text 2\n"}
    assert wiki.past(wiki.now - 1, history) == {}
    history.close()


def test_a_large_blob_is_passed_over(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_read, "MAX_FILE_BYTES", 100)
    monkeypatch.setattr(history_read, "_BATCH_BYTES", 150)
    wiki.put("big.md", "walrus " * 30)
    for number in range(4):
        wiki.put(f"{number}.md", "walrus " * 10)
    assert sorted(wiki.past(wiki.commit())) == [f"{number}.md" for number in range(4)]
