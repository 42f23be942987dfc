"""Which pages were read: who appends what, and what happens to the file."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.scope import Scope
from memory_mcp.store import access_log
from memory_mcp.store.access_log import ACCESS_NAME, OLD_NAME, Access, AccessLog, parse_access, reader_id

SCOPE = Scope("acme", "importer")
OTHER = Scope("acme", "other")
PAGE = (SCOPE, "notes/a.md")
START = datetime(2026, 11, 30, 12, 0, 0, 120_900, tzinfo=timezone.utc)


class Watch:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def watch() -> Watch:
    return Watch()


def open_log(state: Path, watch: Watch, caller: str = "default") -> AccessLog:
    return AccessLog(state, caller, watch)


def noted(state: Path) -> list[Access]:
    lines = (state / ACCESS_NAME).read_bytes().splitlines()
    return [access for line in lines if (access := parse_access(line)) is not None]


def test_a_line_has_the_agreed_keys_in_their_order(tmp_path, watch) -> None:
    open_log(tmp_path, watch, "telegram:123").note([(SCOPE, "notes/é.md")])
    assert (tmp_path / ACCESS_NAME).read_text(encoding="utf-8") == (
        '{"at": "2026-11-30T12:00:00.120Z", "path": "notes/é.md", "scope": "acme/importer", '
        f'"reader": "{reader_id("telegram:123")}"}}\n'
    )
    assert reader_id("default") == "37a8eec1"
    assert os.stat(tmp_path / ACCESS_NAME).st_mode & 0o777 == 0o600


def test_a_page_counts_once_a_minute_for_each_reader(tmp_path, watch) -> None:
    log = open_log(tmp_path, watch)
    log.note([PAGE, PAGE])
    watch.forward(59)
    log.note([PAGE, (OTHER, "notes/a.md")])
    open_log(tmp_path, watch, "ana").note([PAGE])
    assert [(each.scope, each.reader) for each in noted(tmp_path)] == [
        ("acme/importer", reader_id("default")),
        ("acme/other", reader_id("default")),
        ("acme/importer", reader_id("ana")),
    ]


def test_a_suppressed_read_does_not_put_the_next_one_off(tmp_path, watch) -> None:
    log = open_log(tmp_path, watch)
    for _ in range(5):
        log.note([PAGE])
        watch.forward(30)
    assert len(noted(tmp_path)) == 3


def test_processes_see_what_the_others_noted(tmp_path, watch) -> None:
    one, two = open_log(tmp_path, watch), open_log(tmp_path, watch)
    one.note([PAGE])
    two.note([PAGE])
    two.note([(SCOPE, "notes/b.md")])
    one.note([(SCOPE, "notes/b.md"), (SCOPE, "notes/c.md")])
    two.note([(SCOPE, "notes/c.md")])
    assert [each.path for each in noted(tmp_path)] == ["notes/a.md", "notes/b.md", "notes/c.md"]
    watch.forward(61)
    two.note([PAGE])
    open_log(tmp_path, watch).note([PAGE])
    assert len(noted(tmp_path)) == 4


def test_a_new_process_reads_as_much_as_the_last_minute_takes(tmp_path, watch) -> None:
    first = open_log(tmp_path, watch)
    first.note([PAGE])
    first.note((SCOPE, f"notes/{number}.md") for number in range(3000))
    assert os.stat(tmp_path / ACCESS_NAME).st_size > 4 * access_log._CHUNK
    open_log(tmp_path, watch).note([PAGE])
    assert len(noted(tmp_path)) == 3001


def test_a_clock_that_was_put_back_stops_no_counting(tmp_path, watch) -> None:
    log = open_log(tmp_path, watch)
    log.note([PAGE])
    watch.forward(-3600)
    log.note([PAGE])
    assert len(noted(tmp_path)) == 2


def test_a_torn_line_is_skipped_and_takes_no_other_with_it(tmp_path, watch) -> None:
    open_log(tmp_path, watch).note([PAGE])
    with open(tmp_path / ACCESS_NAME, "ab") as file:
        file.write(b'{"at": "2026-11-30T12:00')
    log = open_log(tmp_path, watch)
    log.note([(SCOPE, "notes/b.md")])
    log.note([(SCOPE, "notes/c.md")])
    assert [each.path for each in noted(tmp_path)] == ["notes/a.md", "notes/b.md", "notes/c.md"]


def test_the_file_is_replaced_when_it_is_full_and_nothing_new_is_lost(tmp_path, watch, monkeypatch) -> None:
    monkeypatch.setattr(access_log, "MAX_BYTES", 1000)
    one, two = open_log(tmp_path, watch), open_log(tmp_path, watch)
    for number in range(45):
        (one, two)[number % 2].note([(SCOPE, f"notes/{number}.md")])
    sizes = [os.stat(tmp_path / name).st_size for name in (OLD_NAME, ACCESS_NAME)]
    assert sizes[0] > 1000 >= sizes[1]
    assert sum(sizes) < 2500
    assert noted(tmp_path)[-1].path == "notes/44.md"
    assert sorted(os.listdir(tmp_path)) == [ACCESS_NAME, OLD_NAME]


def test_a_file_that_another_process_began_anew_is_read_from_its_start(tmp_path, watch) -> None:
    one, two = open_log(tmp_path, watch), open_log(tmp_path, watch)
    one.note([PAGE])
    one.note([(SCOPE, "notes/b.md")])
    (tmp_path / ACCESS_NAME).rename(tmp_path / OLD_NAME)
    two.note([(SCOPE, f"notes/new{number}.md") for number in range(3)])
    one.note([(SCOPE, "notes/new0.md")])
    assert len(noted(tmp_path)) == 3


def test_a_file_or_folder_that_vanished_is_made_again(tmp_path, watch) -> None:
    log = open_log(tmp_path / "state", watch)
    log.note([PAGE])
    (tmp_path / "state" / ACCESS_NAME).unlink()
    (tmp_path / "state").rmdir()
    log.note([(SCOPE, "notes/b.md")])
    assert [each.path for each in noted(tmp_path / "state")] == ["notes/b.md"]


@pytest.mark.parametrize(
    ("number", "told"), [(errno.EROFS, 0), (errno.EACCES, 0), (errno.ENOSPC, 1), (errno.EIO, 1)]
)
def test_what_the_disk_refuses_fails_no_read_and_is_logged_once(
    tmp_path, watch, monkeypatch, caplog, number, told
) -> None:
    log = open_log(tmp_path, watch)

    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        for _ in range(3):
            log.note([PAGE])
    assert len(caplog.records) == told
    log.note([PAGE])
    assert len(noted(tmp_path)) == 1


def test_a_symbolic_link_in_its_place_is_not_followed(tmp_path, watch) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"")
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / ACCESS_NAME).symlink_to(target)
    open_log(tmp_path / "state", watch).note([PAGE])
    assert target.read_bytes() == b""


CODE = """
import sys
from pathlib import Path
from memory_mcp.model.clock import utc_now
from memory_mcp.model.scope import Scope
from memory_mcp.store.access_log import AccessLog
log = AccessLog(Path(sys.argv[1]), sys.argv[2], utc_now)
for number in range(200):
    log.note([(Scope("a", "b"), f"notes/{number}-{'x' * 200}.md")])
"""


def test_lines_of_processes_that_append_at_once_stay_whole(tmp_path) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", CODE, str(tmp_path), caller])
        for caller in ("ana", "ben", "cleo")
    ]
    assert [each.wait() for each in started] == [0, 0, 0]
    lines = [line for line in (tmp_path / ACCESS_NAME).read_bytes().splitlines() if line]
    assert all(parse_access(line) is not None for line in lines)
    assert len(lines) == 600


@given(
    st.one_of(
        st.binary(),
        st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.lists(inner), max_leaves=5).map(
            lambda value: json.dumps({"at": value, "scope": "a/b", "path": "x", "reader": "y"}).encode()
        ),
        st.just(b"[" * 100_000),
    )
)
def test_no_line_is_an_error(line: bytes) -> None:
    parse_access(line)
