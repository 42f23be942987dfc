"""What others wrote as the body of a record: cut with a mark, and always to be read again."""

from __future__ import annotations

from datetime import datetime, timezone

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.continuity.handoff import AUTOMATIC, HandoffDraft, handoff_of, handoff_text, handoff_values
from memory_mcp.continuity.handoff_caps import MAX_FILES_CHARS, MAX_ITEMS, MAX_ITEMS_CHARS, cap_draft
from memory_mcp.continuity.record_text import CUT, body_text
from memory_mcp.model.record import HANDOFF, Event
from memory_mcp.model.scope import Scope
from memory_mcp.wiki.record_file import compose_record
from memory_mcp.wiki.record_read import RecordFile, parse_file

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
ID = "019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4"
MERGE = "Look:\n<<<<<<< HEAD\nold\n=======\nnew\n>>>>>>> retry\nWhich?"


def read_again(draft: HandoffDraft) -> HandoffDraft:
    values = handoff_values(
        ID, draft, created=NOON, updated=None, origin=AUTOMATIC, agent="codex", session=ID
    )
    data = compose_record(HANDOFF, values, [Event(NOON, "opened", "codex")], f"{draft.summary}\n")
    found = parse_file(ID, "x.md", data, HANDOFF)
    assert isinstance(found, RecordFile), found
    return handoff_of(Scope("acme", "importer"), found).draft


LINES = st.sampled_from(
    ["<<<<<<< HEAD", "=======", ">>>>>>> x", "---", "...", "```", "# x", "- {", "", "\r", "é"]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(LINES, max_size=8).map("\n".join))
ITEMS = st.lists(st.text(max_size=60), max_size=25).map(tuple)
DRAFTS = st.builds(HandoffDraft, TEXTS, TEXTS, ITEMS, ITEMS, ITEMS, TEXTS, TEXTS)


@given(DRAFTS)
def test_what_a_handoff_says_is_read_as_it_was_written(draft: HandoffDraft) -> None:
    capped = cap_draft(draft)
    assert read_again(capped) == capped
    assert cap_draft(capped) == capped


def test_a_body_holds_no_nul_for_git_would_not_join_the_claims_of_two_clones_in_it() -> None:
    assert body_text("Nulls\0 in CSV", 100) == "Nulls in CSV"


def test_a_pasted_merge_conflict_leaves_a_handoff_that_can_be_read() -> None:
    draft = cap_draft(HandoffDraft("Merge", MERGE))
    assert read_again(draft) == draft
    assert " <<<<<<< HEAD\nold\n =======\nnew\n >>>>>>> retry\n" in draft.summary
    fenced = f"```\n{MERGE}\n```"
    assert body_text(fenced, 500) == fenced


@given(st.text(max_size=50), st.integers(10, 40))
def test_a_body_is_never_longer_than_it_may_be(text: str, limit: int) -> None:
    body = body_text(text, limit)
    assert len(body) <= limit
    whole = body_text(text, 1_000)
    assert body.endswith(CUT) if len(whole) > limit else body == whole


@given(st.lists(st.text("ab", max_size=1_600), max_size=30).map(tuple))
def test_lists_stay_within_their_limits_and_say_what_is_left_out(items: tuple[str, ...]) -> None:
    draft = cap_draft(HandoffDraft("", "x", items, (), items))
    given = [each for each in items if each]
    for kept, most in ((draft.open_questions, MAX_ITEMS_CHARS), (draft.files_touched, MAX_FILES_CHARS)):
        assert len(kept) <= MAX_ITEMS
        assert sum(map(len, kept)) <= most
        if len(kept) != len(given):
            *others, last = kept
            assert last == f"({len(given) - len(others)} more{CUT})"


def test_what_is_told_of_a_handoff_keeps_the_summary_and_counts_what_it_leaves_out() -> None:
    long = tuple(f"step {number} " + "x" * 1_400 for number in range(4))
    draft = cap_draft(HandoffDraft("Title", "s" * 2_990 + "\x1b[31mred", long, long, ("a.py",)))
    values = handoff_values(ID, draft, created=NOON, updated=None, origin=AUTOMATIC, agent="", session="")
    data = compose_record(HANDOFF, values, [Event(NOON, "opened")], f"{draft.summary}\n")
    found = parse_file(ID, "x.md", data, HANDOFF)
    assert isinstance(found, RecordFile)
    handoff = handoff_of(Scope("acme", "importer"), found)
    text = handoff_text(handoff, 8_000)
    assert len(text) <= 8_000
    assert "s" * 2_990 in text
    assert "\x1b" not in text
    assert "step 2" in text
    assert "- [… 1 more left out …]" in text
    whole = handoff_text(handoff)
    assert "left out" not in whole
    assert whole.count("step 3") == 2
