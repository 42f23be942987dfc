"""Secrets on every road into the store, also where a text is cut: none reaches a file, commit or index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.secret_samples import samples, survives
from memory_mcp.callers.topics.topic_kind import NOTE, SKILL
from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.pages.page_write import PageDraft
from tests.memory import CODEX, Memory

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
THERE = {"workspace": "acme", "project": "other"}
EDGES = (80, 2_000, 3_000, 8_000, 8_168, 16_384, -8_168, -16_384)
"""Where titles, outputs and prompts are cut: so many characters from the beginning or, negative, the end."""
PIECE = 12
BETWEEN = "\n%%\n"


def canaries(each: int) -> list[tuple[str, str, str]]:
    """Samples that are found where they stand alone; how many are not, `bench.sanitizer` counts."""
    clean = Sanitizer().clean
    made = list(samples(each))
    found = [(rule, core, line) for rule, core, line in made if not survives(core, clean(line))]
    assert len(found) >= 0.99 * len(made)
    return found


def short(text: str, limit: int) -> str:
    """The first secret that fits on a line: a caller that cuts one in two has made it something else."""
    whole = (part for part in text.split(BETWEEN) if "\n" not in part)
    return next((line for line in whole if len(line) <= limit), "nothing")


def by_prompt(memory: Memory, text: str) -> None:
    memory.hook("UserPromptSubmit", ONE, prompt=text)


def by_output(memory: Memory, text: str) -> None:
    memory.hook("PostToolUse", ONE, tool_name="Bash", tool_response={"stdout": text, "other": [text]})


def by_notification(memory: Memory, text: str) -> None:
    memory.hook("Notification", ONE, message=text)


def by_summary(memory: Memory, text: str) -> None:
    memory.hook("PostCompact", ONE, compact_summary=text, summary=text)


def by_session_fields(memory: Memory, text: str) -> None:
    memory.hook("SessionStart", ONE, model=text, source=text, title=text)
    memory.hook("SessionEnd", ONE, reason=text)


def by_page(memory: Memory, text: str) -> None:
    line = short(text, 200)
    entities = (short(text, 60),)
    draft = PageDraft("notes/a.md", f"# {line}\n\n{text}\n", title=line, abstract=line, entities=entities)
    memory.app.writer.write(draft, CODEX)


def by_note(memory: Memory, text: str) -> None:
    memory.app.caller.topic_writer.write(NOTE, "A", text, CODEX, hook=short(text, 150))
    memory.app.caller.topic_writer.write(SKILL, "A", text, CODEX)
    memory.app.caller.log.append("tested", short(text, 250), CODEX)
    memory.app.caller.task_writer.add(short(text, 250), "today", CODEX)


def by_handoff(memory: Memory, text: str) -> None:
    parts = tuple(text.split(BETWEEN))
    draft = HandoffDraft("", text, open_questions=parts[:10], next_steps=parts[-10:], files_touched=parts[:5])
    memory.app.continuity.handoffs.begin(draft, CODEX)


def by_message(memory: Memory, text: str) -> None:
    messages = memory.app.continuity.messages
    messages.send(*THERE.values(), text, CODEX, subject=short(text, 200))
    messages.pop("", CODEX, **THERE)  # only so many may wait


ROADS: list[Callable[[Memory, str], None]] = [
    by_prompt,
    by_output,
    by_notification,
    by_summary,
    by_session_fields,
    by_page,
    by_note,
    by_handoff,
    by_message,
]


def stored(memory: Memory) -> str:
    """Everything that is on disk, and everything that git keeps."""
    files = (file for file in memory.data.rglob("*") if file.is_file() and ".git" not in file.parts)
    texts = [file.read_bytes().decode("utf-8", "replace") for file in files]
    return "\n".join([*texts, memory.git("log", "--all", "-p", "--format=fuller%n%B")]).lower()


def survivors(cores: list[str], text: str) -> list[str]:
    """The secrets of which a piece of some length is still there, in the lower case of an index."""
    return [core for core in cores if any(piece in text for piece in pieces(core.lower()))]


def pieces(core: str) -> list[str]:
    return [core[at : at + PIECE] for at in range(0, max(1, len(core) - PIECE), PIECE // 2)]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.write("notes/b.md", **THERE)
    memory.hook("UserPromptSubmit", ONE, prompt="Something to remember")
    return memory


@pytest.mark.parametrize("road", ROADS, ids=lambda road: road.__name__)
def test_no_secret_of_any_class_is_stored_by(filled: Memory, road, soak: bool) -> None:
    found = canaries(25 if soak else 3)
    for at in range(0, len(found), 30):
        road(filled, BETWEEN.join(line for _, _, line in found[at : at + 30]))
    filled.hook("Stop", ONE)
    filled.fold()
    assert "something to remember" in (text := stored(filled))
    assert survivors([core for _, core, _ in found], text) == []


@pytest.mark.parametrize(
    ("road", "step"),
    [
        (by_prompt, 12),
        (by_output, 12),
        (by_notification, 12),
        (by_summary, 12),
        (by_handoff, 60),
        (by_message, 60),
    ],
)
def test_no_secret_is_cut_into_one_that_nobody_recognises(
    filled: Memory, road, step: int, soak: bool
) -> None:
    found = canaries(2 if soak else 1)
    for edge in EDGES:
        chosen = found if soak else found[edge % step :: step]
        for number, (_, _, line) in enumerate(chosen):
            before = abs(edge) - number * 7 % len(line)
            fill = "x " * (before // 2) + " " * (before % 2)
            rest = " y" * 12_000
            road(filled, f"{fill}{line}{rest}" if edge > 0 else f"{rest} {line} {fill}")
    filled.fold()
    assert "something to remember" in (text := stored(filled))
    assert survivors([core for _, core, _ in found], text) == []


def test_a_secret_that_is_let_through_would_be_seen(filled: Memory, tmp_path: Path) -> None:
    [(_, core, line)] = list(samples(each=1))[:1]
    filled.put("notes/by-hand.md", f"# By hand\n\n{line}\n")
    assert survivors([core], stored(filled)) == [core]
