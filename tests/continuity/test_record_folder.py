"""A folder of records that holds more than ours: nothing is read or written outside, the others go on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.continuity.handoff_receiver import receiver_in
from memory_mcp.model.record_id import new_id
from memory_mcp.server.handoff_answer import listed_answer
from tests.memory import CODEX, START, Memory

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
RECEIVER = receiver_in("codex", "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11", "")


def begin(memory: Memory, summary: str = "Go on.") -> str:
    return memory.app.continuity.handoffs.begin(HandoffDraft("", summary), CODEX).handoff.id


def put(file: Path, data: bytes) -> None:
    file.write_bytes(data)


STRANGE: dict[str, Callable[[Path], None]] = {
    "no frontmatter": lambda file: put(file, b"x\n"),
    "no UTF-8": lambda file: put(file, b"---\nstate: open\nhistory:\n---\n\xff\n"),
    "a merge": lambda file: put(file, b"---\nstate: open\n---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"),
    "an event without a time": lambda file: put(
        file, b"---\nstate: open\nhistory:\n  - {event: opened}\n---\n"
    ),
    "too large": lambda file: put(file, b"---\nstate: open\n---\n" + b"x" * 1_000_001),
    "empty": lambda file: put(file, b""),
}
NO_FILES: dict[str, Callable[[Path], None]] = {
    "a folder": lambda file: file.mkdir(),
    "a link to a file": lambda file: file.symlink_to("/etc/hostname"),
    "a link to itself": lambda file: file.symlink_to(file.name),
    "a link to nothing": lambda file: file.symlink_to("nothing.md"),
    "a pipe": lambda file: os.mkfifo(file),
}


@pytest.mark.parametrize("make", STRANGE.values(), ids=STRANGE)
def test_a_file_that_is_no_record_is_told_and_the_others_go_on(
    memory: Memory, make: Callable[[Path], None]
) -> None:
    mine = begin(memory)
    strange = memory.scope / "_handoffs" / f"{new_id(START)}.md"
    make(strange)
    listed = memory.app.continuity.handoffs.look()
    assert [each.id for each in listed.handoffs] == [mine]
    [problem] = listed.problems
    assert problem.startswith(f"acme/importer/_handoffs/{strange.name} ")
    assert problem in listed_answer(listed)[0]
    refused = memory.refusal(lambda: memory.app.continuity.handoffs.accept(strange.stem, RECEIVER))
    assert "mend it by hand" in refused
    assert memory.app.continuity.handoffs.accept("", RECEIVER).status == "claimed"


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_plain_file_is_no_record(memory: Memory, make: Callable[[Path], None]) -> None:
    mine = begin(memory)
    strange = memory.scope / "_handoffs" / f"{new_id(START)}.md"
    make(strange)
    listed = memory.app.continuity.handoffs.look(closed=True)
    assert ([each.id for each in listed.handoffs], listed.problems) == ([mine], ())
    assert "there is no handoff" in memory.refusal(
        lambda: memory.app.continuity.handoffs.accept(strange.stem, RECEIVER)
    )
    assert memory.app.continuity.handoffs.accept("", RECEIVER).status == "claimed"


def test_no_record_is_read_or_written_through_a_folder_that_is_a_link(memory: Memory, tmp_path: Path) -> None:
    begin(memory)
    outside = tmp_path / "outside"
    (memory.scope / "_handoffs").rename(outside)
    (memory.scope / "_handoffs").symlink_to(outside, target_is_directory=True)
    held = {file: file.read_bytes() for file in outside.iterdir()}
    assert memory.app.continuity.handoffs.look().handoffs == ()
    assert memory.app.continuity.handoffs.accept("", RECEIVER).status == "none_pending"
    assert "symbolic link" in memory.refusal(lambda: begin(memory))
    memory.session(ONE, "Work goes on")
    assert memory.fold().remaining == 0
    assert {file: file.read_bytes() for file in outside.iterdir()} == held


def test_a_record_that_says_no_time_has_that_of_its_id(memory: Memory) -> None:
    folder = memory.scope / "_handoffs"
    begin(memory)
    for _ in range(2):
        name = new_id(memory.tick())
        text = "---\nstate: open\ntype: handoff\ntitle: By a person\nhistory: []\n---\nGo on.\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    listed = memory.app.continuity.handoffs.look()
    assert len({each.created for each in listed.handoffs}) == 3
    accepted = memory.app.continuity.handoffs.accept("", RECEIVER)
    assert accepted.handoff is not None
    assert accepted.handoff.draft.title == "By a person"
    assert accepted.handoff.state == "accepted"
