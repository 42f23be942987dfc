"""Which handoff a session should take, and which are out of date: rules alone, over what was read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import NamedTuple

from memory_mcp.continuity.handoff import AUTOMATIC, MANUAL, Handoff
from memory_mcp.continuity.handoff_receiver import Receiver

QUIET = timedelta(minutes=10)
"""A session that has not ended may still go on if something happened in it so recently."""


class Candidate(NamedTuple):
    """A handoff, and what this machine knows of the session that left it.

    `folder` is the absolute folder of that session, "" if it was on another machine; `began` is when it
    started, else when the handoff was opened.
    """

    handoff: Handoff
    began: datetime
    folder: str = ""
    last_at: datetime | None = None
    has_ended: bool = True

    def may_go_on(self, now: datetime) -> bool:
        """Whether its session may still be alive. A time in the future is that of a clock that was wrong."""
        return not self.has_ended and self.last_at is not None and abs(now - self.last_at) < QUIET


class Selection(NamedTuple):
    """The handoff that is to be claimed, and those that wait beside it.

    The sessions of `offers` may still go on. `others` could be claimed too, and are not what the session
    that left `handoff` left twice.
    """

    handoff: Handoff | None
    offers: tuple[Handoff, ...] = ()
    others: tuple[Handoff, ...] = ()


def choose(
    candidates: Sequence[Candidate], receiver: Receiver, now: datetime, *, at_start: bool
) -> Selection:
    """One begun by hand before an automatic one, the newest first; elsewhere the same branch first.

    What the session leaves itself, while it goes on, comes last.

    `at_start` passes over those whose session may still go on.
    """
    fitting = [each for each in candidates if each.handoff.is_open and fits(each, receiver)]
    fitting.sort(key=lambda each: _rank(each, receiver), reverse=True)
    busy = [each.handoff for each in fitting if at_start and each.may_go_on(now)]
    free = [each.handoff for each in fitting if each.handoff not in busy]
    if not free:
        return Selection(None, tuple(busy))
    chosen = free[0]
    others = [each for each in free[1:] if not (chosen.opened_by and each.opened_by == chosen.opened_by)]
    return Selection(chosen, tuple(busy), tuple(others))


def fits(candidate: Candidate, receiver: Receiver) -> bool:
    """Whether a handoff is for a session in this folder: those by hand, else what was left here or above."""
    if candidate.handoff.origin == MANUAL or not receiver.cwd:
        return True
    if candidate.folder:
        return is_at_or_above(candidate.folder, receiver.cwd)
    return is_at_or_above(candidate.handoff.draft.dir or ".", receiver.dir or ".")


def is_at_or_above(folder: str, other: str) -> bool:
    """Whether a folder is the other one or holds it; both absolute, or both relative to one root."""
    return PurePath(other) == PurePath(folder) or PurePath(folder) in PurePath(other).parents


def is_same_place(one: Candidate, other: Candidate) -> bool:
    """Whether two handoffs were left in one folder; elsewhere in one folder of the repository and branch."""
    if one.folder and other.folder:
        return PurePath(one.folder) == PurePath(other.folder)
    mine, theirs = one.handoff.draft, other.handoff.draft
    return (mine.dir or ".", mine.branch) == (theirs.dir or ".", theirs.branch)


def is_older_work(other: Candidate, than: Candidate) -> bool:
    """Whether an automatic handoff was left before the session of another one began, or by that session.

    What went on beside a session is not in what it hands over, so that it supersedes nothing of it.
    """
    handoff = other.handoff
    if handoff.id == than.handoff.id or not handoff.is_open or handoff.origin != AUTOMATIC:
        return False
    is_own = bool(handoff.session) and handoff.session == than.handoff.session
    return handoff.created <= than.handoff.created if is_own else handoff.updated <= than.began


def _rank(candidate: Candidate, receiver: Receiver) -> tuple[bool, bool, bool, datetime, str]:
    handoff = candidate.handoff
    is_others = not handoff.session or handoff.session != receiver.session
    is_manual = handoff.origin == MANUAL
    is_near = bool(candidate.folder) or handoff.draft.branch == receiver.branch
    return is_others, is_manual, is_manual or is_near, handoff.updated, handoff.id
