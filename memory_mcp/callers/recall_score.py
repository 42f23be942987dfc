"""Which of a caller's things a vague request may mean: rules and numbers, without a model.

The numbers are those by which the candidates were tried out: a matched word counts more than any age, and two
candidates that are as good as each other are never certain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from memory_mcp.search.text.tokenizer import terms

MAX_CANDIDATES = 5
WORD_SCORE = 10
NEW_SCORES = ((timedelta(days=1), 3), (timedelta(days=7), 2))
"""What a thing of that age at most adds; an older one adds one."""
DAY_SCORE = 5
HIGH_SCORE, HIGH_WORDS = 20, 2
CLOSE_SCORE = 3
"""Candidates of high confidence that are no further apart than this are of medium confidence."""

Confidence = Literal["high", "medium", "low"]

_VAGUE = re.compile(
    r"\b(?:continue|resume|carry on|keep going|go on|pick up where)\b"
    r"|\bsame (?:thing|as|again)\b|\bdo (?:that|it) again\b|\b(?:like|as) (?:before|last time)\b"
    r"|\bwe (?:discussed|talked about|spoke about|had)\b"
    r"|\b(?:from|since) (?:yesterday|earlier|last time|before)\b"
    r"|^(?:that|the)(?: [\w'-]+){1,3}[.!?]?$"
)
_VAGUE_WORDS = terms(
    "continue resume carry keep going pick left same thing again like before last time earlier yesterday "
    "discussed talked spoke please let lets work working stuff"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that a request may mean: what it is, where it is, its words, and when it last changed."""

    source: Literal["task", "note", "profile", "log"]
    name: str
    title: str
    text: str = ""
    when: datetime | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Evidence with its score, how sure it is, and the words of the request that it has."""

    evidence: Evidence
    score: int
    confidence: Confidence
    words: tuple[str, ...]


def is_vague(request: str) -> bool:
    """Whether a request points at something without naming it ("continue", "same as before")."""
    return bool(_VAGUE.search(" ".join(request.lower().split())))


def request_words(request: str) -> list[str]:
    """The words of a request that say what it is about, stemmed."""
    return [word for word in terms(request) if word not in _VAGUE_WORDS]


def rank(
    request: str, evidence: Iterable[Evidence], now: datetime, day_of: Callable[[datetime], date]
) -> list[Candidate]:
    """The best candidates, best first; `day_of` tells the caller's day of a moment.

    A request that says "yesterday" means what changed on the day before today, and nothing else.
    """
    wanted = request_words(request)
    yesterday = day_of(now) - timedelta(days=1) if "yesterday" in request.lower() else None
    found = []
    for each in evidence:
        is_of_day = yesterday is not None and each.when is not None and day_of(each.when) == yesterday
        if yesterday is not None and not is_of_day:
            continue
        held = terms(f"{each.title} {each.text}") if wanted else {}
        words = tuple(word for word in wanted if word in held)
        score = WORD_SCORE * len(words) + (DAY_SCORE if is_of_day else 0) + (0 if wanted else 1)
        if words or not wanted:
            score += _newness(each.when, now)
        if score:
            found.append(Candidate(each, score, _confidence(score, len(words)), words))
    best = sorted(found, key=lambda candidate: candidate.score, reverse=True)[:MAX_CANDIDATES]
    return _without_rivals(best)


def _newness(when: datetime | None, now: datetime) -> int:
    if when is None:
        return 0
    return next((score for age, score in NEW_SCORES if now - when <= age), 1)


def _confidence(score: int, words: int) -> Confidence:
    if score >= HIGH_SCORE and words >= HIGH_WORDS:
        return "high"
    return "medium" if score >= WORD_SCORE and words else "low"


def _without_rivals(best: Sequence[Candidate]) -> list[Candidate]:
    high = [each for each in best if each.confidence == "high"]
    if len(high) < 2 or high[0].score - high[1].score > CLOSE_SCORE:
        return list(best)
    least = high[0].score - CLOSE_SCORE
    return [
        replace(each, confidence="medium") if each.confidence == "high" and each.score >= least else each
        for each in best
    ]
