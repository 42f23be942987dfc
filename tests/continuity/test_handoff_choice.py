"""Which handoff a session should take, and which are out of date: the rules alone."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.continuity.handoff import AUTOMATIC, MANUAL, Handoff, HandoffDraft
from memory_mcp.continuity.handoff_choice import (
    QUIET,
    Candidate,
    choose,
    fits,
    is_older_work,
    is_same_place,
)
from memory_mcp.continuity.handoff_receiver import Receiver
from memory_mcp.model.scope import Scope

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
SECOND = timedelta(seconds=1)
HERE = Receiver("codex", "s-2", "/home/ana/importer/src", "src", "main")


def candidate(
    number: int = 0,
    *,
    by_hand: bool = False,
    state: str = "open",
    session: str = "s-1",
    updated: datetime = NOON,
    began: datetime = NOON - timedelta(hours=1),
    folder: str = "/home/ana/importer",
    where: str = ".",
    branch: str = "main",
    last_at: datetime | None = None,
    has_ended: bool = True,
) -> Candidate:
    handoff = Handoff(
        id=f"019ad4b2-6c1e-7a30-9f11-{number:012x}",
        scope=Scope("acme", "importer"),
        wiki_path="",
        state=state,
        origin=MANUAL if by_hand else AUTOMATIC,
        created=updated,
        updated=updated,
        agent="claude-code",
        session="" if by_hand else session,
        opened_by=session,
        opened_on="",
        draft=HandoffDraft("", "", dir=where, branch=branch),
    )
    return Candidate(handoff, began, folder, last_at, has_ended)


def chosen(*candidates: Candidate, receiver: Receiver = HERE, at_start: bool = True) -> int | None:
    found = choose(candidates, receiver, NOON, at_start=at_start).handoff
    return None if found is None else int(found.id[-12:], 16)


def test_one_by_hand_comes_before_a_newer_automatic_one() -> None:
    assert chosen(candidate(1, by_hand=True, updated=NOON - SECOND), candidate(2)) == 1
    assert chosen(candidate(1, by_hand=True, updated=NOON - SECOND), candidate(2, by_hand=True)) == 2


def test_on_this_machine_the_newest_counts_whatever_its_branch() -> None:
    assert chosen(candidate(1, updated=NOON - SECOND), candidate(2, branch="retry")) == 2


def test_from_another_machine_the_same_branch_comes_first() -> None:
    older = candidate(1, updated=NOON - SECOND, folder="")
    assert chosen(older, candidate(2, branch="retry", folder="")) == 1
    assert chosen(candidate(2, branch="retry", folder="")) == 2


@pytest.mark.parametrize(
    ("folder", "does"),
    [
        ("/home/ana/importer/src", True),
        ("/home/ana/importer", True),
        ("/home/ana", True),
        ("/home/ana/importer/src/deep", False),
        ("/home/ana/importer/s", False),
        ("/home/ana/importer-two", False),
    ],
)
def test_a_folder_fits_itself_and_those_below_it(folder: str, does: bool) -> None:
    assert fits(candidate(folder=folder), HERE) is does


@pytest.mark.parametrize(
    ("where", "does"), [(".", True), ("", True), ("src", True), ("sr", False), ("docs", False)]
)
def test_elsewhere_the_folder_within_the_repository_counts(where: str, does: bool) -> None:
    assert fits(candidate(folder="", where=where), HERE) is does


def test_a_session_in_no_known_folder_may_take_everything() -> None:
    assert fits(candidate(folder="/somewhere/else"), Receiver("codex", "s-2"))


def test_one_by_hand_fits_everywhere() -> None:
    assert fits(candidate(by_hand=True, folder="/somewhere/else"), HERE)


def test_a_session_may_go_on_until_it_ends_or_ten_minutes_are_over() -> None:
    def alive(ago: timedelta, *, has_ended: bool = False) -> bool:
        return candidate(last_at=NOON - ago, has_ended=has_ended).may_go_on(NOON)

    assert alive(QUIET - SECOND)
    assert not alive(QUIET)
    assert not alive(SECOND, has_ended=True)
    assert not candidate(last_at=None, has_ended=False).may_go_on(NOON)


def test_a_session_from_the_future_does_not_keep_its_handoff_until_then() -> None:
    assert candidate(last_at=NOON + SECOND, has_ended=False).may_go_on(NOON)
    assert not candidate(last_at=NOON + timedelta(days=365), has_ended=False).may_go_on(NOON)


def test_what_one_session_left_twice_is_named_once() -> None:
    by_hand, automatic = candidate(1, by_hand=True), candidate(2)
    assert choose([by_hand, automatic], HERE, NOON, at_start=True).others == ()
    other = candidate(3, session="s-3")
    assert choose([by_hand, other], HERE, NOON, at_start=True).others == (other.handoff,)


def test_what_was_left_before_a_session_began_is_older_work_and_what_went_on_beside_it_is_not() -> None:
    mine = candidate(9, session="s-9", began=NOON)
    assert is_older_work(candidate(1, updated=NOON), mine)
    assert not is_older_work(candidate(1, updated=NOON + SECOND), mine)
    assert not is_older_work(candidate(1, updated=NOON, state="accepted"), mine)
    assert not is_older_work(candidate(1, updated=NOON, by_hand=True), mine)
    assert not is_older_work(mine, mine)
    own = candidate(1, session="s-9", updated=NOON)
    assert is_older_work(own, candidate(9, session="s-9", updated=NOON + SECOND, began=NOON - SECOND))


def test_two_worktrees_are_two_places_though_they_lie_alike_in_their_repositories() -> None:
    one, two = candidate(folder="/home/ana/importer"), candidate(folder="/home/ana/importer-two")
    assert not is_same_place(one, two)
    assert is_same_place(one, candidate(folder="/home/ana/importer", branch="retry"))
    assert is_same_place(one, candidate(folder=""))
    assert not is_same_place(one, candidate(folder="", branch="retry"))


CANDIDATES = st.builds(
    candidate,
    st.integers(0, 99),
    by_hand=st.booleans(),
    state=st.sampled_from(["open", "accepted"]),
    session=st.sampled_from(["s-1", "s-3"]),
    updated=st.integers(0, 9).map(lambda n: NOON + n * SECOND),
    folder=st.sampled_from(["", "/home/ana/importer", "/home/ana/other"]),
    where=st.sampled_from([".", "src", "docs"]),
    branch=st.sampled_from(["main", "retry"]),
    last_at=st.sampled_from([None, NOON, NOON - timedelta(hours=1)]),
    has_ended=st.booleans(),
)


@given(st.lists(CANDIDATES, unique_by=lambda each: each.handoff.id), st.booleans())
def test_what_is_chosen_is_open_fits_and_no_session_loses_it_that_may_go_on(
    candidates: list[Candidate], at_start: bool
) -> None:
    found = choose(candidates, HERE, NOON, at_start=at_start)
    by_id = {each.handoff.id: each for each in candidates}
    free = {
        each.handoff.id
        for each in candidates
        if each.handoff.is_open and fits(each, HERE) and not (at_start and each.may_go_on(NOON))
    }
    assert (found.handoff is None) == (not free)
    if found.handoff:
        assert found.handoff.id in free
        by_hand = [by_id[each].handoff for each in free if by_id[each].handoff.origin == MANUAL]
        if by_hand:
            assert found.handoff.updated == max(each.updated for each in by_hand)
    for offer in found.offers:
        assert at_start
        assert by_id[offer.id].may_go_on(NOON)
    assert {each.id for each in found.others} <= free - {found.handoff.id if found.handoff else ""}
