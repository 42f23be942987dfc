"""Log lines: one line an event, whatever the detail holds."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.store.log_lines import append_line, log_line, log_name, read_entries

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=timezone.utc)


def test_a_log_is_named_by_its_month() -> None:
    assert log_name(NOW) == "log-2026-11.md"


@given(st.text())
def test_a_line_is_one_line_of_the_documented_form(detail: str) -> None:
    line = log_line(NOW, "write-page", detail)
    assert re.fullmatch(r"## \[2026-11-30T12:00:00Z\] write-page \| [^\x00-\x1f]{0,200}", line)


def test_appending_twice_appends_once_and_keeps_what_is_there() -> None:
    line = log_line(NOW, "write-page", "a.md")
    once = append_line(None, line, NOW)
    assert once == f"# Log 2026-11\n\n{line}\n".encode()
    assert append_line(once, line, NOW) == once


def test_a_file_without_a_final_newline_gets_one_first() -> None:
    line = log_line(NOW, "write-page", "a.md")
    assert append_line(b"# Log 2026-11\n\ntorn", line, NOW) == f"# Log 2026-11\n\ntorn\n{line}\n".encode()


def test_entries_are_read_back_by_their_time(tmp_path: Path) -> None:
    folder = tmp_path / "acme" / "app"
    folder.mkdir(parents=True)
    moments = [
        datetime(2026, month, day, tzinfo=timezone.utc) for month, day in ((10, 31), (11, 1), (11, 30))
    ]
    for moment in moments:
        file = folder / log_name(moment)
        old = file.read_bytes() if file.exists() else None
        file.write_bytes(append_line(old, log_line(moment, "write-page", f"notes/{moment.day}.md"), moment))
    with file.open("ab") as log:
        log.write(b"no entry\n## [2026-11-30T00:00:00Z] torn\n\xff\n## [soon] write-page | a.md\n")

    def read(first: datetime, until: datetime) -> list[tuple[str, str]]:
        return list(read_entries(tmp_path, "acme/app", first, until))

    assert read(moments[0], moments[2]) == [("write-page", "notes/31.md"), ("write-page", "notes/1.md")]
    assert read(moments[2], datetime(2027, 2, 1, tzinfo=timezone.utc)) == [("write-page", "notes/30.md")]
    assert read(datetime(2020, 1, 1, tzinfo=timezone.utc), moments[0]) == []
