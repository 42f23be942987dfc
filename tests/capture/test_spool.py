"""The spool: one file an event."""

import errno
import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.capture import spool as module
from memory_mcp.capture.spool import BadEntry, Spool, time_text

NOW = 1_796_040_000_000
KEY = "9f" * 16


@pytest.fixture
def spool(tmp_path):
    return Spool(str(tmp_path / "data" / "spool"))


def entry(number=0, **more):
    return {"v": 1, "key": f"{number:032x}", "title": "naïve — text", **more}


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def test_an_entry_comes_back_as_it_was_put(spool):
    name = spool.put(entry(1, body="a\nb"), NOW)
    assert name == f"{NOW}-{1:032x}.json"
    assert spool.read(name) == entry(1, body="a\nb")
    with open(f"{spool.folder}/{name}", encoding="utf-8") as file:
        assert file.read() == json.dumps(entry(1, body="a\nb"), ensure_ascii=False) + "\n"


def test_only_the_user_may_read_what_waits(spool, tmp_path):
    before = os.umask(0)
    try:
        name = spool.put(entry(), NOW)
    finally:
        os.umask(before)
    assert mode(f"{spool.folder}/{name}") == 0o600
    assert mode(spool.folder) == 0o700
    assert mode(tmp_path / "data") == 0o700


def test_the_mode_of_a_folder_that_is_there_stays(spool):
    os.makedirs(spool.folder)
    os.chmod(spool.folder, 0o750)
    spool.put(entry(), NOW)
    assert mode(spool.folder) == 0o750


def test_entries_are_listed_oldest_first_and_other_files_are_left_alone(spool):
    spool.put(entry(2), NOW + 1)
    spool.put(entry(1), NOW + 2)
    spool.put(entry(3), NOW)
    foreign = [
        *("._1796040000000-9f.json", "notes.txt", f"{NOW}-{KEY}.json.tmp", f"{NOW}-{KEY.upper()}.json"),
        *(f"{NOW}-{KEY}.json~", f"x{NOW}-{KEY}.json", "dead"),
    ]
    for name in foreign:
        with open(f"{spool.folder}/{name}", "w", encoding="utf-8"):
            pass
    assert [int(name[14:-5], 16) for name in spool.names()] == [3, 2, 1]
    assert {*foreign} <= {*os.listdir(spool.folder)}


@pytest.mark.parametrize("created", [-5, 0, 10**15])
def test_a_clock_that_is_wild_makes_names_that_are_found(spool, created):
    name = spool.put(entry(), created)
    assert spool.names() == [name]
    assert 0 <= spool.created(name) < 10**13


def test_a_folder_that_is_missing_is_empty(spool):
    assert spool.names() == []
    name = spool.put(entry(), NOW)
    assert spool.names() == [name]


def test_an_entry_that_another_process_took_is_gone_without_a_word(spool):
    name = spool.put(entry(), NOW)
    spool.remove(name)
    spool.remove(name)
    spool.bury(name)
    assert spool.read(name) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"v": "1"}',
        b"\xff",
        b"[" * 100_000,
        b'{"v": 1}' + b" " * module.MAX_ENTRY_BYTES,
    ],
)
def test_what_is_no_entry_is_refused_and_can_be_put_aside(spool, data):
    name = spool.put(entry(), NOW)
    with open(f"{spool.folder}/{name}", "wb") as file:
        file.write(data)
    with pytest.raises(BadEntry):
        spool.read(name)
    spool.bury(name)
    assert spool.names() == []
    with open(f"{spool.folder}/dead/{name}", "rb") as file:
        assert file.read() == data
    assert mode(f"{spool.folder}/dead") == 0o700


def test_a_link_a_folder_and_a_pipe_of_the_right_name_are_no_entries(spool, tmp_path):
    spool.put(entry(), NOW)
    (tmp_path / "secret").write_text('{"v": 1}', encoding="utf-8")
    names = [f"{NOW}-{number:032x}.json" for number in range(1, 4)]
    os.symlink(tmp_path / "secret", f"{spool.folder}/{names[0]}")
    os.mkdir(f"{spool.folder}/{names[1]}")
    os.mkfifo(f"{spool.folder}/{names[2]}")
    for name in names:
        with pytest.raises(BadEntry):
            spool.read(name)
        spool.bury(name)
    assert len(spool.names()) == 1


def test_beyond_the_limit_the_oldest_go_and_nothing_foreign_does(spool, monkeypatch):
    monkeypatch.setattr(module, "MAX_FILES", 5)
    monkeypatch.setattr(module, "PRUNE_EVERY", 1)
    os.makedirs(spool.folder)
    with open(f"{spool.folder}/notes.txt", "w", encoding="utf-8"):
        pass
    names = [spool.put(entry(number), NOW + number) for number in range(8)]
    assert spool.names() == names[-5:]
    assert "notes.txt" in os.listdir(spool.folder)


def test_what_a_killed_writer_left_goes_after_an_hour(spool, monkeypatch):
    monkeypatch.setattr(module, "PRUNE_EVERY", 1)
    os.makedirs(spool.folder)
    old, new, foreign = f"{NOW}-{KEY}.json.tmp", f"{NOW}-{'ab' * 16}.json.tmp", "a.tmp"
    for name in (old, new, foreign):
        with open(f"{spool.folder}/{name}", "w", encoding="utf-8"):
            pass
    os.utime(f"{spool.folder}/{old}", (1, 1))
    os.utime(f"{spool.folder}/{foreign}", (1, 1))
    spool.put(entry(), NOW)
    left = os.listdir(spool.folder)
    assert old not in left
    assert {new, foreign} <= {*left}


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_disk_that_refuses_leaves_nothing_behind(spool, monkeypatch, call):
    spool.put(entry(1), NOW)

    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(OSError, match="space"):
        spool.put(entry(2), NOW)
    assert len(os.listdir(spool.folder)) == 1


def test_a_write_that_takes_a_part_at_a_time_writes_all(spool, monkeypatch):
    whole = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: whole(descriptor, data[:7]))
    assert spool.read(spool.put(entry(1), NOW)) == entry(1)


def test_the_same_event_told_twice_at_once_is_one_file(spool):
    os.makedirs(spool.folder)
    temporary = f"{spool.folder}/{NOW}-{1:032x}.json.tmp"
    with open(temporary, "w", encoding="utf-8"):
        pass  # another hook writes it at this moment
    spool.put(entry(1), NOW)
    assert os.path.getsize(temporary) == 0


@given(st.integers(0, 253_402_300_799_999))
def test_a_time_is_told_in_utc_with_milliseconds(milliseconds):
    from datetime import datetime, timedelta, timezone

    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=milliseconds)
    assert time_text(milliseconds) == moment.strftime("%Y-%m-%dT%H:%M:%S.").rjust(20, "0") + (
        f"{milliseconds % 1000:03d}Z"
    )
