"""The best passage of a page counts, not how often a page says a word."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.text.passage import best_passage, query_pairs

WEIGHTS = {"walrus": 2.0, "ice": 1.0}
PAIRS = query_pairs(["walrus", "ice"], WEIGHTS)


def score(text: str) -> float:
    return best_passage("", text, WEIGHTS, PAIRS).score


def test_a_text_without_the_terms_scores_nothing() -> None:
    assert score("nothing here\n\nnor there") == 0


def test_terms_in_one_passage_beat_terms_that_lie_far_apart() -> None:
    filler = "\n".join(["some other words stand here in between " * 5] * 6)
    assert score(f"The walrus rests on ice.\n{filler}") > score(f"The walrus rests.\n{filler}\nThere is ice.")


def test_a_long_page_does_not_dilute_its_best_passage() -> None:
    filler = "\n".join(["some other words stand here in between " * 5] * 40)
    near = "A walrus on thin ice."
    assert score(f"{filler}\n{near} {'word ' * 75}\n{filler}") > 0.9 * score(f"{near} {'word ' * 75}")


def test_neighbours_of_the_query_count_more_where_they_are_neighbours() -> None:
    assert score("the walrus ice museum") > score("the walrus museum of ice")


def test_only_stop_words_may_stand_between_neighbours() -> None:
    assert score("walrus of the ice here") > score("walrus hut the ice here")
    assert score("a walrus/ice here") > score("ice/walrus a here")


def test_a_passage_begins_with_the_last_line_of_the_one_before() -> None:
    first, second = "word " * 60 + "walrus", "ice " + "word " * 18
    apart = "word " * 60 + "walrus\n" + "word " * 78 + "\nice"
    assert score(f"{first}\n{second}") > score(apart)


@given(st.text())
def test_no_text_raises(text: str) -> None:
    assert score(text) >= 0


def test_a_megabyte_on_one_line_is_bounded() -> None:
    start = time.process_time()
    assert score("walrus ice " * 100_000) > 0
    assert time.process_time() - start < 10


def test_every_passage_is_read_under_the_title() -> None:
    text = "\n".join(["some other words stand here in between " * 5] * 6) + "\nThe ice is thin."
    assert (
        best_passage("Walrus", text, WEIGHTS, PAIRS).score > best_passage("Seal", text, WEIGHTS, PAIRS).score
    )
    assert best_passage("Walrus", text, WEIGHTS, PAIRS).text.endswith("The ice is thin.")


def test_a_page_without_a_text_is_scored_by_its_title() -> None:
    assert best_passage("Walrus", "", WEIGHTS, PAIRS).score > 0


def test_terms_in_one_section_count_more_than_terms_further_apart() -> None:
    def apart(lines: int) -> float:
        return score("walrus\n" + "some other words stand here in between now and so on\n" * lines + "ice")

    assert apart(2) > apart(10) > apart(40)


def test_a_paragraph_without_spaces_has_passages_too() -> None:
    filler = "".join(f"第{number}段讲的是别的事情，" for number in range(100))
    weights = {"数据": 2.0, "据库": 2.0, "海象": 2.0}
    near = best_passage("题目", filler + "海象喜欢数据库。" + filler, weights, {})
    far = best_passage("题目", "海象在这里。" + filler + "那里有数据库。" + filler, weights, {})
    assert near.score > far.score
    assert "海象喜欢数据库。" in near.text
    assert len(near.text) < 200


@given(st.text(alphabet="海象喜欢a b.。数", max_size=40))
def test_the_words_of_an_unspaced_text_lose_and_repeat_no_character(text: str) -> None:
    shown = best_passage("", text, {"海象": 1.0}, {}).text
    assert shown.split() == " ".join(text.split()).split()
