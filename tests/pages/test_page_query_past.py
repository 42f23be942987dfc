"""Asking what was known at a moment, and for the versions that pages no longer are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memory_mcp.model.clock import format_time
from memory_mcp.pages.page_write import PageDraft
from tests.memory import CODEX, Memory


@pytest.fixture
def times(memory: Memory) -> list[str]:
    """A page written three times, a walrus a version; the moments right after each."""
    found = []
    for state in ("sleeps", "wakes", "swims"):
        memory.write("notes/walrus.md", f"# Walrus\n\nThe walrus {state}.\n")
        found.append(format_time(memory.now))
        memory.now = memory.now.replace(hour=memory.now.hour + 1)
    return found


def snippets(memory: Memory, text: str, **how: object) -> list[tuple[str, str]]:
    return [(hit.path, hit.snippet) for hit in memory.app.query.query(text, **how).hits]


def test_a_page_changed_three_times_answers_in_the_words_of_each_time(
    memory: Memory, times: list[str]
) -> None:
    for time, state in zip(times, ("sleeps", "wakes", "swims"), strict=True):
        assert snippets(memory, "walrus", as_of=time) == [("notes/walrus.md", f"The walrus {state}.")]
    assert snippets(memory, "walrus", as_of="2026-11-29") == []
    assert snippets(memory, "walrus", as_of=f"{memory.now:%Y-%m-%d}")[0][1] == "The walrus swims."
    assert snippets(memory, "wakes", as_of=times[0]) == []


def test_an_answer_about_the_past_tells_when_its_pages_were_valid(memory: Memory, times: list[str]) -> None:
    result = memory.app.query.query("walrus", as_of=times[1])
    [hit] = result.hits
    assert hit.window is not None
    window = hit.window.facts()
    assert times[0] < window["valid_from"] <= times[1] < window["valid_to"] <= times[2]
    assert (hit.superseded, hit.file_missing, format_time(result.as_of)) == (False, False, times[1])
    [last] = memory.app.query.query("walrus", as_of=times[2]).hits
    assert list(last.window.facts()) == ["valid_from"]


def test_a_moment_without_pages_says_when_the_first_one_came(memory: Memory, times: list[str]) -> None:
    [note] = memory.app.query.query("walrus", as_of="2001-01-01").notes
    assert note.startswith(
        "At that moment git held no page of acme/importer; the first one was at 2026-11-30T"
    )
    assert memory.app.query.query("nothing of the kind", as_of=times[0]).notes == ()
    (memory.data / "wiki" / "acme" / "empty").mkdir()
    [note] = memory.app.query.query("walrus", as_of=times[0], workspace="acme", project="empty").notes
    assert note == "At that moment git held no page of acme/empty; none ever was."


def test_pages_deleted_before_are_hidden_and_those_deleted_after_are_shown(
    memory: Memory, times: list[str]
) -> None:
    memory.app.deleter.delete("notes/walrus.md", CODEX)
    gone = format_time(memory.now)
    assert snippets(memory, "walrus", as_of=gone) == []
    assert snippets(memory, "walrus", as_of=times[2]) == [("notes/walrus.md", "The walrus swims.")]
    assert memory.found("walrus") == []
    assert [hit.superseded for hit in memory.app.query.query("walrus", include_superseded=True).hits] == [
        True,
        True,
        True,
    ]


def test_the_past_knows_neither_standing_preferences_nor_other_projects(memory: Memory) -> None:
    memory.write("a.md", "# A\n\nA walrus.\n")
    memory.write("b.md", "# B\n\nA walrus.\n", workspace="acme", project="other")
    memory.write("_rules/c.md", "# C\n\nA walrus.\n", workspace="default", project="_global")
    now = format_time(memory.now)
    result = memory.app.query.query("walrus", as_of=now, pin_first=True, include_superseded=True)
    assert ([hit.path for hit in result.hits], result.joined) == (["a.md"], ())
    assert memory.found("walrus", as_of=now, workspace="acme", project="other") == ["b.md"]


def test_a_page_counts_as_expired_if_it_was_so_then(memory: Memory) -> None:
    draft = PageDraft("a.md", "# A\n\nA walrus.\n", expires_at="2026-11-30T15:00:00Z")
    memory.app.writer.write(draft, CODEX)
    memory.now = memory.now.replace(hour=18)
    assert memory.found("walrus") == []
    assert memory.found("walrus", as_of="2026-11-30T14:59:59Z") == ["a.md"]
    assert memory.found("walrus", as_of="2026-11-30T15:00:00Z") == []
    [hit] = memory.app.query.query("walrus", as_of="2026-11-30T16:00:00Z", include_expired=True).hits
    assert hit.expired


def test_links_are_followed_from_current_pages_when_old_versions_are_asked_for_too(memory: Memory) -> None:
    memory.write("a.md", "# A\n\nA walrus on [[b]].\n")
    memory.write("a.md", "# A\n\nA walrus sits on [[b]].\n")
    memory.write("b.md", "# B\n\nThe ice.\n")
    result = memory.app.query.query("walrus", include_superseded=True)
    assert sorted((hit.path, hit.superseded) for hit in result.hits) == [
        ("a.md", False),
        ("a.md", True),
        ("b.md", False),
    ]


def test_an_edit_that_is_not_committed_is_found_now_but_was_never_known(memory: Memory) -> None:
    memory.write("a.md", "# A\n\nA walrus.\n")
    memory.put("a.md", "# A\n\nA pangolin.\n")
    now = format_time(memory.now)
    assert memory.found("pangolin", as_of=now) == []
    hits = memory.app.query.query("pangolin walrus", include_superseded=True).hits
    assert sorted((hit.superseded, hit.snippet) for hit in hits) == [
        (False, "A pangolin."),
        (True, "A walrus."),
    ]


def test_phrases_are_looked_for_in_the_words_of_that_time(memory: Memory, times: list[str]) -> None:
    assert memory.found('"walrus wakes"', as_of=times[1]) == ["notes/walrus.md"]
    assert memory.found('"walrus wakes"', as_of=times[2]) == []
    [hit] = memory.app.query.query('"walrus wakes"', include_superseded=True).hits
    assert (hit.superseded, hit.snippet) == (True, "The walrus wakes.")


def test_old_versions_of_other_projects_and_callers_are_found_by_nobody_else(memory: Memory) -> None:
    memory.write("a.md", "# A\n\nA seal.\n")
    for text in ("An axolotl.", "A newt."):
        memory.write("b.md", f"# B\n\n{text}\n", workspace="acme", project="other")
        file = memory.wiki / "_callers" / "ana" / "notes" / "c.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# C\n\n{text}\n", encoding="utf-8", newline="")
        memory.git("add", "_callers")
        memory.git("commit", "-qm", "note")
    assert memory.found("axolotl", include_superseded=True) == []
    assert memory.found("axolotl", include_superseded=True, workspace="acme", project="other") == ["b.md"]
    assert memory.found("axolotl", include_superseded=True, everywhere=True) == ["b.md"]
    assert memory.found("axolotl", include_superseded=True, scopes=["acme/importer"]) == []
    assert memory.found("axolotl", as_of=format_time(memory.now)) == []


def test_old_standing_preferences_are_found_too(memory: Memory) -> None:
    memory.write("a.md", "# A\n\nA seal.\n")
    for text in ("Use tabs.", "Use spaces."):
        memory.write("_rules/b.md", f"# B\n\n{text}\n", workspace="default", project="_global")
    [standing] = memory.app.query.query("tabs", include_superseded=True).joined
    [hit] = standing.hits
    assert (hit.path, hit.superseded) == ("_rules/b.md", True)


def test_reindex_reads_old_versions_from_git_again(memory: Memory, times: list[str]) -> None:
    assert memory.found("walrus", as_of=times[0])
    pointer = memory.data / "index" / "history" / "current"
    assert pointer.exists()
    memory.app.reindex()
    assert not pointer.exists()
    assert memory.found("walrus", as_of=times[0])


def test_a_history_index_torn_under_a_running_process_changes_no_answer(
    memory: Memory, times: list[str]
) -> None:
    [before] = memory.app.query.query("walrus", as_of=times[1]).hits
    for extension in ("trm", "pst", "siz", "jsonl", "toc"):
        for file in (memory.data / "index" / "history").rglob(f"*.{extension}"):
            file.write_bytes(b"torn")
        app = memory.open()
        assert app.query.query("walrus", as_of=times[1]).hits == (before,)
        assert len(app.query.query("walrus", include_superseded=True).hits) == 3
        app.close()


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"as_of": "2026-11-01", "scopes": ["acme/importer"]}, "as_of and scopes exclude each other"),
        ({"as_of": "2026-11-01", "everywhere": True}, "as_of and global exclude each other"),
        ({"as_of": "soon"}, "as_of = 'soon' is not a time"),
        ({"as_of": "2999-01-01"}, "as_of = '2999-01-01' is in the future"),
        ({"as_of": "2026-11-01", "workspace": "acme"}, "without project"),
    ],
)
def test_questions_that_cannot_be_answered_are_refused(
    memory: Memory, times: list[str], how: dict[str, object], sentence: str
) -> None:
    assert sentence in memory.refusal(lambda: memory.app.query.query("walrus", **how))


def test_a_blank_moment_is_none(memory: Memory, times: list[str]) -> None:
    assert memory.app.query.query("walrus", as_of=" ").as_of is None


def test_a_query_about_now_loads_nothing_of_the_history(memory: Memory, times: list[str]) -> None:
    program = (
        "import sys; from pathlib import Path; from memory_mcp.app import App; "
        "from memory_mcp.config import load_settings; import os; "
        f"app = App(load_settings({str(memory.data)!r}, os.environ, Path({str(memory.project)!r}))); "
        "assert app.query.query('walrus').hits; "
        "print([name for name in sys.modules if name == 'git' or 'search.history' in name])"
    )
    memory.found("walrus")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert not (memory.data / "index" / "history").exists()


def test_what_a_page_no_longer_says_stands_behind_what_it_says(memory: Memory) -> None:
    memory.write("notes/queue.md", "# Queue\n\nThe job queue is Redis, only Redis, the Redis job queue.\n")
    memory.write("notes/queue.md", "# Queue\n\nThe job queue is RabbitMQ; it was Redis before.\n")
    hits = memory.app.query.query("redis job queue", include_superseded=True, explain=True).hits
    assert [hit.superseded for hit in hits] == [False, True]
    assert "tag superseded <= 0.65" in hits[1].details.facts()["because"]
