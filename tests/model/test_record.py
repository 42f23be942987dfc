"""What has become of a record, told from its history alone."""

from datetime import datetime, timedelta, timezone
from itertools import permutations

import pytest

from memory_mcp.model.record import HANDOFF, MESSAGE, RECORD_TYPES, TASK, Event, RecordType, fold

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def at(minute: int, event: str, session: str = "", machine: str = "a") -> Event:
    return Event(NOON + timedelta(minutes=minute), event, session=session, machine=machine)


@pytest.mark.parametrize("kind", RECORD_TYPES.values())
def test_a_record_without_history_is_in_its_first_state(kind: RecordType) -> None:
    assert fold(kind, []).state == kind.initial == fold(kind, [at(0, kind.events[0])]).state


def test_the_earliest_end_of_a_task_holds_in_whatever_order_the_lines_stand() -> None:
    history = [at(0, "added"), at(2, "dismissed", "s"), at(5, "completed", "t")]
    for order in permutations(history):
        found = fold(TASK, order)
        assert (found.state, found.decided_by, found.rivals) == ("dismissed", history[1], (history[2],))


def test_of_two_ends_at_one_time_the_first_line_holds() -> None:
    assert fold(TASK, [at(1, "completed"), at(1, "dismissed")]).state == "completed"


def test_a_handoff_is_open_again_after_its_claim_is_released_by_the_same_session() -> None:
    claimed = [at(0, "opened"), at(1, "accepted", "s")]
    assert fold(HANDOFF, claimed).state == "accepted"
    assert fold(HANDOFF, [*claimed, at(2, "released", "t")]).state == "accepted"
    assert fold(HANDOFF, [*claimed, at(2, "released", "s")]).state == "open"
    again = [*claimed, at(2, "released", "s"), at(3, "accepted", "s")]
    assert fold(HANDOFF, again).decided_by == again[3]


def test_the_last_of_cancelled_and_expired_holds_without_a_claim() -> None:
    assert fold(HANDOFF, [at(0, "opened"), at(1, "cancelled"), at(2, "expired")]).state == "expired"
    assert fold(HANDOFF, [at(0, "opened"), at(2, "cancelled"), at(1, "expired")]).state == "cancelled"


def test_two_claims_are_a_double_claim_that_the_earlier_keeps_then_the_smaller_machine() -> None:
    first, second = at(1, "accepted", "s", "b"), at(1, "accepted", "t", "a")
    found = fold(HANDOFF, [at(0, "opened"), first, second])
    assert (found.state, found.decided_by, found.rivals) == ("accepted", second, (first,))
    message = fold(MESSAGE, [at(0, "sent"), at(3, "claimed", "s"), at(2, "claimed", "t")])
    assert message.decided_by == at(2, "claimed", "t")
    assert len(message.rivals) == 1


def test_a_claim_holds_against_a_cancellation_and_names_it() -> None:
    cancelled = at(1, "cancelled")
    for kind, claim in ((HANDOFF, "accepted"), (MESSAGE, "claimed")):
        found = fold(kind, [cancelled, at(2, claim)])
        assert (found.state, found.rivals) == (kind.state_of[claim], (cancelled,))
    assert fold(MESSAGE, [at(0, "sent"), cancelled]).state == "cancelled"


def test_events_that_nobody_knows_change_nothing() -> None:
    for kind in RECORD_TYPES.values():
        assert fold(kind, [at(0, kind.events[0]), at(1, "archived")]).state == kind.initial
