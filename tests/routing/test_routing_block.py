"""The block in a repository's instructions: put there, renewed and removed without touching the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.routing.routing_block import END, START, remove_block, routing_block, set_block

BLOCK = routing_block()
LINES = st.lists(st.sampled_from(["", "# Title", "text", f"see {START} here", "<!-- x -->"]), max_size=6)


def test_a_file_that_is_missing_holds_the_block_alone():
    assert set_block("", BLOCK) == BLOCK + "\n"


def test_the_block_is_appended_after_one_empty_line():
    assert set_block("# Mine\n\n\n", BLOCK) == f"# Mine\n\n{BLOCK}\n"


def test_an_old_block_is_replaced_where_it_stands():
    text = f"# Mine\n\n{START}\nold\n{END}\n\n## After\n"
    assert set_block(text, BLOCK) == f"# Mine\n\n{BLOCK}\n\n## After\n"


def test_line_endings_are_continued():
    assert set_block("# Mine\r\n", BLOCK).count("\n") == set_block("# Mine\r\n", BLOCK).count("\r\n")


def test_a_second_time_changes_nothing_in_a_file_of_windows_line_endings():
    text = set_block("# Rules\r\n", routing_block())
    assert set_block(text, routing_block()) == text
    assert remove_block(text) == "# Rules\r\n"


@pytest.mark.parametrize(
    "text", [f"{START}\n", f"{END}\n", f"{END}\n{START}\n", f"{START}\na\n{END}\n{START}\nb\n{END}\n"]
)
def test_markers_that_are_no_pair_are_refused(text):
    with pytest.raises(ValueError, match="are not one pair"):
        set_block(text, BLOCK)


@given(before=LINES, after=LINES)
def test_what_people_wrote_stays_and_a_second_time_changes_nothing(before, after):
    text = "".join(f"{line}\n" for line in [*before, START, "old", END, *after])
    once = set_block(text, BLOCK)
    assert set_block(once, BLOCK) == once
    kept = [line for line in remove_block(once).splitlines() if line]
    assert kept == [line for line in [*before, *after] if line]


def test_the_compact_block_is_short():
    assert len(routing_block(compact=True)) < 450
