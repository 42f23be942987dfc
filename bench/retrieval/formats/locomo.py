"""LoCoMo, "Evaluating Very Long-Term Conversational Memory of LLM Agents" (Maharana et al., ACL 2024).

`locomo10.json` as it is published, or a part of it. A session becomes a page, the sessions of the evidence
turns are the answers. Asked conversation by conversation, and all of them in one space (`locomo-pooled`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timezone

from bench.retrieval.evaluation_set import EvaluationSet, Page, Question, Space
from bench.retrieval.read_files import DataFile, Record, records_with
from bench.retrieval.session_page import session_page
from memory_mcp.pages.page_write import PageDraft

TYPES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""The categories, by their number in the file."""
MAX_ABSTRACT_CHARS = 1000

_SESSION = re.compile(r"session_(\d+)\Z")
_TURN = re.compile(r"D:?(\d+):\d+")
"""A turn of a session; some evidence names two turns in one string, and one has a stray colon."""


def load(files: Sequence[DataFile]) -> Iterator[EvaluationSet]:
    """`locomo`, `locomo-pooled`, `locomo+links` and, where the file has summaries, `locomo+abstract`."""
    records = records_with(files, "conversation", "qa")
    if not records:
        return
    spaces = [_space(record) for record in records]
    apart = EvaluationSet("locomo", tuple(spaces))
    yield apart
    pages = tuple(page for space in spaces for page in space.pages)
    questions = tuple(question for space in spaces for question in space.questions)
    yield EvaluationSet("locomo-pooled", (Space("pooled", pages, questions),))
    abstracts = {path: text for record in records for path, text in _abstracts(record)}
    yield apart.variant("links", _with_links)
    yield apart.variant("iso-dates", lambda pages: map(_with_iso_date, pages))
    if abstracts:
        yield apart.variant(
            "abstract",
            lambda pages: [replace(page.draft, abstract=abstracts.get(page.path, "")) for page in pages],
        )


def _space(record: Record) -> Space:
    conversation = record["conversation"]
    who = f"{conversation['speaker_a']} and {conversation['speaker_b']}"
    pages: dict[int, Page] = {}
    last = datetime.min.replace(tzinfo=timezone.utc)
    for session in _sessions(conversation):
        turns = conversation[f"session_{session}"]
        if turns:
            moment = _moment(conversation[f"session_{session}_date_time"])
            last = max(last, moment)
            said = [(turn["speaker"], _said(turn)) for turn in turns]
            pages[session] = session_page(_path(record, session), who, moment, said)
    questions = []
    for asked in record["qa"]:
        evidence = {int(each) for text in asked.get("evidence", ()) for each in _TURN.findall(text)}
        answers = frozenset(pages[session].path for session in evidence if session in pages)
        if answers:
            kind = TYPES.get(asked["category"], "")
            questions.append(Question(asked["question"], answers, kind, last))
    return Space(record["sample_id"], tuple(pages.values()), tuple(questions))


def _abstracts(record: Record) -> Iterator[tuple[str, str]]:
    """The summaries that the file has of its sessions, cut to what an abstract may hold."""
    summaries = record.get("session_summary", {})
    for session in _sessions(record["conversation"]):
        text = " ".join(str(summaries.get(f"session_{session}_summary", "")).split())
        if text:
            cut = text if len(text) <= MAX_ABSTRACT_CHARS else text[:MAX_ABSTRACT_CHARS].rpartition(" ")[0]
            yield _path(record, session), cut


def _with_links(pages: tuple[Page, ...]) -> Iterator[PageDraft]:
    """Each session with a link to the one before it."""
    for count, page in enumerate(pages):
        link = f"\nPrevious: [[{pages[count - 1].path}]]\n" if count else ""
        yield replace(page.draft, body=page.draft.body + link)


def _with_iso_date(page: Page) -> PageDraft:
    """A session that is titled `Ana and Bo, 2023-05-08`, so that no word of it names the month."""
    draft = page.draft
    title = draft.title or ""
    who, _, day = title.rpartition(", ")
    title = f"{who}, {datetime.strptime(day, '%d %B %Y').date()}"
    return replace(draft, title=title, body=f"# {title}\n{draft.body.partition(chr(10))[2]}")


def _sessions(conversation: Record) -> list[int]:
    return sorted(int(match[1]) for key in conversation if (match := _SESSION.match(key)))


def _path(record: Record, session: int) -> str:
    return f"sessions/{record['sample_id']}-session-{session}.md"


def _said(turn: Record) -> str:
    """The text of a turn and what its picture shows."""
    caption = turn.get("blip_caption")
    return f"{turn['text']} [{caption}]" if caption else str(turn["text"])


def _moment(text: str) -> datetime:
    """The time that `1:56 pm on 8 May, 2023` says."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=timezone.utc)
