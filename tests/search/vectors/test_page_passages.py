from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.page import PageMeta
from memory_mcp.search.vectors.page_passages import page_passages
from tests.search.example_pages import make_page


def bodies(body: str) -> list[str]:
    """The passages of a page titled T, without the title."""
    passages = page_passages(make_page(body=body, title="T"))
    assert all(each.startswith("T") for each in passages)
    return [each[2:] for each in passages]


def test_each_passage_has_the_title_in_front():
    assert page_passages(make_page(body="Some text.", title="The title")) == ["The title\nSome text."]


def test_a_page_without_text_is_its_title():
    assert page_passages(make_page(body=" \n\n", title="The title")) == ["The title"]


def test_the_abstract_is_a_passage_of_its_own():
    page = make_page(body="Text.", title="T", meta=PageMeta(abstract="In short."))
    assert page_passages(page) == ["T\nIn short.", "T\nText."]


def test_lines_stay_whole_while_they_fit():
    assert bodies("\n".join(["a " * 50, "b " * 50, "c " * 50])) == [
        " ".join(["a"] * 50 + ["b"] * 50),
        " ".join("c" * 50),
    ]


def test_a_text_without_spaces_is_cut_too():
    assert list(map(len, bodies("漢" * 2000))) == [900, 900, 200]


@given(st.text(st.characters(codec="utf-8"), max_size=3000))
def test_no_word_is_lost_and_no_passage_is_long(body):
    found = bodies(body)
    assert "".join(found).replace(" ", "") == "".join(body.split())
    assert all(len(each.split()) <= 120 and len(each) <= 900 for each in found)
