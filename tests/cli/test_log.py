"""`log add` and `log show`."""


def test_an_entry_is_added_and_shown(memory, wiki):
    added = memory("log", "add", "decision made", "Use WAL | not rollback.")
    assert added.out.endswith("] decision_made | Use WAL | not rollback.\n")
    assert (wiki / "_callers/default/memory/log.md").read_text(encoding="utf-8") == f"# Log\n\n{added.out}"
    assert memory("log", "show").out == f"{added.out[4:14]}  decision_made  Use WAL | not rollback.\n"


def test_an_entry_of_today_is_not_added_twice(memory):
    memory("log", "add", "x", "y")
    again = memory("log", "add", "x", "y")
    assert again.err == "note: it was logged today already.\n"
    assert len(memory("log", "show").out.splitlines()) == 1


def test_the_last_entries_are_shown_as_json(memory):
    for number in range(3):
        added = memory("log", "add", "x", f"event {number}", "--json").json
    assert set(added) == {"path", "file", "line", "logged", "commit", "redacted"}
    entries = memory("log", "show", "-n", "2", "--json").json["entries"]
    assert [entry["detail"] for entry in entries] == ["event 1", "event 2"]
    assert set(entries[0]) == {"day", "op", "detail"}


def test_an_entry_of_two_lines_is_refused(memory, unchanged):
    memory("log", "add", "x", "y")
    unchanged()
    done = memory("log", "add", "x", "a\nb")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: detail has more than one line")


def test_a_caller_without_a_log_has_no_entries(memory, wiki):
    assert memory("log", "show").out == "Nothing was logged.\n"
    assert not (wiki / "_callers").exists()
