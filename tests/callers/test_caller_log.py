"""The log of a caller: one line an entry, whatever comes."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.caller_log import LogEntry, append_entry, log_line
from memory_mcp.callers.profile.preference_change import PreferenceChange
from memory_mcp.errors import Conflict
from tests.memory import CODEX

DAY = date(2026, 1, 2)
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture
def append(memory):
    return lambda op="decision_made", detail="Use WAL.": memory.app.caller.log.append(op, detail, CODEX)


@pytest.fixture
def file(memory):
    return memory.wiki / "_callers" / "default" / "memory" / "log.md"


@pytest.mark.parametrize(
    ("op", "detail", "line"),
    [
        ("preference_learned", "likes tea", "## [2026-01-02] preference_learned | likes tea"),
        (
            " thread closed\tx ",
            "- a\n- b\r\n- c  d | e",
            "## [2026-01-02] thread_closed_x | - a - b - c d | e",
        ),
        ("x", "x\n\n y", "## [2026-01-02] x | x y"),
        (" ", "\n", "## [2026-01-02]  | "),
        ("a|b", "c", "## [2026-01-02] a_b | c"),
        ("a | b", "\x1b[31mred\u2028now", "## [2026-01-02] a_b | [31mred now"),
    ],
)
def test_an_entry_is_one_line(op, detail, line):
    assert log_line(DAY, op, detail) == line


@given(st.text(), st.text())
def test_no_text_makes_a_second_line_or_another_op(op, detail):
    line = log_line(DAY, op, detail)
    assert len(line.splitlines()) == 1
    head, _, rest = line.partition("] ")
    assert head == "## [2026-01-02"
    assert not set(rest.partition(" | ")[0]) & set(" |\t\n")


def test_a_log_grows_at_its_end():
    log = append_entry("", DAY, "a", "first")
    assert log == "# Log\n\n## [2026-01-02] a | first\n"
    assert append_entry("# Log\n", DAY, "a", "first") == log
    assert append_entry(log, DAY, "b", "second") == f"{log}## [2026-01-02] b | second\n"
    assert append_entry(log.rstrip("\n"), DAY, "b", "second") == f"{log}## [2026-01-02] b | second\n"


def test_an_entry_that_is_there_is_not_appended_again():
    log = append_entry(append_entry("", DAY, "a", "first"), DAY, "b", "second")
    assert append_entry(log, DAY, "a", "first") == log
    assert append_entry(log, DAY, "a", "firs") == f"{log}## [2026-01-02] a | firs\n"


def test_an_entry_of_today_is_appended_and_committed(append, file, memory):
    logged = append()
    assert (logged.line, logged.is_new) == ("## [2026-11-30] decision_made | Use WAL.", True)
    assert (logged.path, logged.file) == ("memory/log.md", file)
    assert file.read_text(encoding="utf-8") == f"# Log\n\n{logged.line}\n"
    assert memory.git("log", "--format=%H %s", "-1") == (
        f"{logged.commit} memory-append-log: _callers/default/memory/log.md"
    )
    again = append()
    assert (again.is_new, again.commit) == (False, None)


def test_the_day_is_that_of_the_profile(append, memory):
    memory.app.caller.profile.set_preferences(PreferenceChange(timezone="Pacific/Kiritimati"), CODEX)
    assert append().line.startswith("## [2026-12-01] ")


def test_the_last_entries_are_read_in_their_order(append, file, memory):
    assert memory.app.caller.log.read(5) == []
    for number in range(3):
        append("op", f"event {number} | more")
    file.write_bytes(file.read_bytes() + b"by hand\n## [today] x | y\n\xff\n## [2026-12-01] x | y\r\n")
    assert memory.app.caller.log.read(2) == [
        LogEntry("2026-11-30", "op", "event 2 | more"),
        LogEntry("2026-12-01", "x", "y"),
    ]


def test_the_log_of_another_caller_is_not_read(append, file, memory):
    append()
    identity = file.parents[1] / "_meta" / "caller.json"
    identity.write_text('{"v": 1, "caller": "somebody else"}\n', encoding="utf-8")
    with pytest.raises(Conflict, match="somebody else"):
        memory.app.caller.log.read(5)


def test_a_secret_does_not_get_into_the_log(append, file):
    for texts in ({"detail": f"got {SECRET}"}, {"op": SECRET}):
        assert append(**texts).redacted
    assert SECRET not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("how", "begins"),
    [
        ({"op": " \n"}, "op is blank"),
        ({"op": "|"}, "op is blank"),
        ({"detail": "\t"}, "detail is blank"),
        ({"op": "a\nb"}, "op has more than one line"),
        ({"detail": "first\n## [2026-01-01] forged | entry"}, "detail has more than one line"),
        ({"detail": "a\rb"}, "detail has more than one line"),
        ({"detail": "a\u2028b"}, "detail has more than one line"),
        ({"detail": "a\0b"}, "detail contains a NUL"),
        ({"detail": "x" * 2_001}, "detail has 2,001 characters; the limit is 2,000"),
        ({"op": "x" * 65}, "op has 65 characters"),
    ],
)
def test_what_is_no_entry_is_refused(append, memory, how, begins):
    append()
    assert memory.refusal(lambda: append(**how)).startswith(begins)


def test_a_log_with_merge_markers_is_left_alone(append, file, memory):
    append()
    file.write_bytes(file.read_bytes() + b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n")
    assert "memory/log.md has merge conflict markers" in memory.refusal(lambda: append(detail="more"))
