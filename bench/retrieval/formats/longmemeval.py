"""LongMemEval (Wu et al., ICLR 2025): `longmemeval_s.json` and its like, and small sets in the same shape.

Each question has sessions of its own, its haystack; the answer sessions are the answers. Questions without
one (their ids end in `_abs`) are left out, as in the paper's retrieval results. A file whose haystacks have
several questions each, `questions`, is not LongMemEval-S and is called `lme-mini`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone

from bench.retrieval.evaluation_set import EvaluationSet, Page, Question, Space
from bench.retrieval.read_files import DataFile, Record
from bench.retrieval.session_page import session_page

SUBJECT = "Conversation"
ROLES = {"user": "User", "assistant": "Assistant"}
ADDED = "added"
"""The type of the questions of a haystack but its first."""


def load(files: Sequence[DataFile]) -> Iterator[EvaluationSet]:
    """One set a file."""
    for file in files:
        if file.has("haystack_sessions", "haystack_session_ids", "answer_session_ids"):
            name = "lme-mini" if file.has("questions") else file.stem.replace("_", "-")
            spaces = [_space(number, record) for number, record in enumerate(file.records)]
            yield EvaluationSet(name, tuple(space for space in spaces if space.questions))


def _space(number: int, record: Record) -> Space:
    pages: list[Page] = []
    paths: dict[str, list[str]] = {}
    sessions = zip(
        record["haystack_session_ids"], record["haystack_dates"], record["haystack_sessions"], strict=True
    )
    for count, (name, date, turns) in enumerate(sessions):
        said = [(ROLES.get(turn["role"], turn["role"]), turn["content"]) for turn in turns]
        path = f"sessions/h{number:03d}-{count:03d}.md"
        paths.setdefault(name, []).append(path)
        pages.append(session_page(path, SUBJECT, _moment(date), said))
    asked_at = _moment(record["question_date"])
    questions = []
    for text, kind, answers in _asked(record):
        found = frozenset(path for name in answers for path in paths.get(name, ()))
        if found:
            questions.append(Question(text, found, kind, asked_at))
    return Space(f"haystack-{number}", tuple(pages), tuple(questions))


def _asked(record: Record) -> Iterator[tuple[str, str, list[str]]]:
    """Question, type and the ids of the answer sessions."""
    if "questions" in record:
        for count, (text, answers) in enumerate(
            zip(record["questions"], record["answer_session_ids"], strict=True)
        ):
            yield text, ADDED if count else record["question_type"], answers
    elif not record["question_id"].endswith("_abs"):
        yield record["question"], record["question_type"], record["answer_session_ids"]


def _moment(text: str) -> datetime:
    """The time that `2023/12/18 (Mon) 04:17` says; the name of the day follows from the date."""
    day, _, clock = text.split()
    return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=timezone.utc)
