"""Log lines: one line an event, whatever the detail holds."""

from __future__ import annotations

import re
from datetime import datetime, timezone

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.store.log_lines import append_line, log_line, log_name

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
