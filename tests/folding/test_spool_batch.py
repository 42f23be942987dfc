"""What of the spool is folded together, and what is put aside."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.capture.spool import Spool, time_text
from memory_mcp.folding.spool_batch import LIFETIME, MAX_BATCH, read_batch
from memory_mcp.folding.spool_entry import BadEvent, read_entry
from tests.capture.json_values import JSON
from tests.memory import START

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
NOW = int(START.timestamp() * 1000)


def entry(number: int, kind: str = "user-prompt", **other: object) -> dict[str, object]:
    found = {"v": 1, "key": f"{number:032x}", "created": time_text(NOW + number), "kind": kind}
    return {**found, "event": kind, "agent": "codex", "native_id": ONE, "attempts": 0, **other}


def spool_of(folder: Path, *entries: dict[str, object]) -> Spool:
    spool = Spool(str(folder / "spool"))
    for number, each in enumerate(entries):
        spool.put(each, NOW + number)
    return spool


def test_a_batch_is_bounded_by_number_and_by_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spool = spool_of(tmp_path, *(entry(number, body="x" * 100) for number in range(20)))
    assert len(read_batch(spool, spool.names(), 7, START).events) == 7
    assert len(read_batch(spool, spool.names(), MAX_BATCH + 1, START).events) == 20
    monkeypatch.setattr("memory_mcp.folding.spool_batch.MAX_BATCH_BYTES", 250)
    assert len(read_batch(spool, spool.names(), 20, START).events) == 2


def test_a_session_that_ends_and_goes_on_is_folded_in_two_batches(tmp_path: Path) -> None:
    kinds = ["user-prompt", "session-end", "session-end", "notification", "session-start", "user-prompt"]
    spool = spool_of(tmp_path, *(entry(number, kind) for number, kind in enumerate(kinds)))
    first = read_batch(spool, spool.names(), 20, START)
    assert [spooled.event.kind for spooled in first.events] == kinds[:4]
    others = [entry(1, "session-end"), entry(2, "user-prompt", native_id="another")]
    spool = spool_of(tmp_path / "b", *others)
    assert len(read_batch(spool, spool.names(), 20, START).events) == 2


def test_what_is_too_old_is_dropped(tmp_path: Path) -> None:
    spool = spool_of(tmp_path, entry(1))
    assert len(read_batch(spool, spool.names(), 20, START + LIFETIME).events) == 1
    assert read_batch(spool, spool.names(), 20, START + LIFETIME + timedelta(seconds=1)).events == []
    assert spool.names() == []
    assert os.listdir(spool.folder) == []


@pytest.mark.parametrize(
    "bad",
    [
        {"created": "yesterday"},
        {"created": None},
        {"created": "0001-01-01T00:00:00Z"},
        {"key": ""},
        {"key": 7},
        {"kind": "unheard-of"},
        {"kind": ["user-prompt"]},
        {"agent": ""},
        {"native_id": None},
        {"native_id": "two words"},
        {"cwd": "/home/ana\0/importer"},
    ],
)
def test_an_entry_that_can_never_become_an_event_is_put_aside(tmp_path: Path, bad: dict[str, object]) -> None:
    spool = spool_of(tmp_path, entry(1), entry(2), entry(3))
    name = spool.names()[1]
    Path(spool.folder, name).write_text(json.dumps(entry(2) | bad), encoding="utf-8")
    batch = read_batch(spool, spool.names(), 20, START)
    assert [spooled.event.key[-1] for spooled in batch.events] == ["1", "3"]
    assert (batch.buried, os.listdir(f"{spool.folder}/dead")) == (1, [name])


def test_a_date_in_the_future_counts_as_now() -> None:
    wrong = entry(1, created="2031-01-01T00:00:00.000Z")
    assert read_entry("x", wrong, START).event.at == START
    near = entry(1, created=time_text(NOW + 60_000))
    assert read_entry("x", near, START).event.at == START + timedelta(minutes=1)


@given(st.dictionaries(st.sampled_from([*entry(1), "title", "body", "tool", "reason", "cwd"]), JSON))
def test_whatever_an_entry_holds_it_is_an_event_or_a_refusal(other: dict[str, object]) -> None:
    try:
        spooled = read_entry("x", entry(1) | other, START)
    except BadEvent:
        return
    assert spooled.session
    assert all(
        isinstance(text, str) for text in (spooled.event.title, spooled.event.body, spooled.text("cwd"))
    )
