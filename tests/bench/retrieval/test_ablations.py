import re
from dataclasses import replace
from pathlib import Path

import pytest

from bench.retrieval.ablations import ABLATIONS, ablation
from bench.retrieval.changed_code import current
from bench.retrieval.evaluation_set import Page, Question, Space
from bench.retrieval.product import AS_IT_IS, Way, ask_product
from memory_mcp.errors import InvalidInput
from memory_mcp.pages.page_write import PageDraft
from memory_mcp.search.rank.weights import Weights

PAGE = PageDraft(
    "notes/kayak.md",
    "# Kayak\n\nAna bought a red kayak because of `getUserById` and likes paddling.\n",
    title="Kayak",
    abstract="About boats.",
)


def found(question, way):
    space = Space("space", (Page(PAGE),), (Question(question, frozenset({PAGE.path})),))
    return bool(ask_product([space], {"way": way})["way"].found[0])


@pytest.mark.parametrize(
    ("name", "question", "is_found", "is_found_otherwise"),
    [
        ("whoosh-stop-words", "because", False, True),
        ("no-stop-words", "of", False, True),
        ("no-stemming", "paddles", True, False),
        ("no-irregular-forms", "buys", True, False),
        ("whole-identifiers", "user", True, False),
        ("whole-identifiers", "getUserById", True, True),
        ("no-camel-case", "user", True, False),
        ("no-abstracts", "boats", True, False),
        ("strict-quotes", 'kayak "blue kayak"', True, False),
        ("quotes-as-words", '"kayak red"', False, True),
    ],
)
def test_an_ablation_of_the_words_finds_what_it_says(name, question, is_found, is_found_otherwise):
    assert (found(question, AS_IT_IS), found(question, ABLATIONS[name])) == (is_found, is_found_otherwise)


def test_every_ablation_differs_from_the_default():
    for name, way in ABLATIONS.items():
        assert way != AS_IT_IS, name
        for place, value in way.changes.items():
            assert value != current(place), f"{name}: {place}"


def test_weights_and_constants_are_changed_by_name_and_joined_by_commas():
    way = ablation("link=0,rescored=30,rank.bm25:K1=1.2,index.page_terms:TITLE_WEIGHT=3")
    assert way.weights == Weights(link=0.0, rescored=30)
    assert way.changes == {"rank.bm25:K1": 1.2, "index.page_terms:TITLE_WEIGHT": 3}
    assert [type(value) for value in (way.weights.rescored, *way.changes.values())] == [int, float, int]


@pytest.mark.parametrize(
    "name",
    [
        *("nothing", "link", "link=much", "relations=1", "link=1,nothing=2", ""),
        *("rank.bm25:K1", "rank.bm25:K9=1", "rank.nothing:K1=1", "rank.bm25:idf=1", ":=1", "..rank:K1=1"),
    ],
)
def test_an_unknown_way_to_rank_is_one_sentence(name):
    with pytest.raises(InvalidInput, match=rf"--ab {name}: give one of .*no-passages, .* entity, link, time"):
        ablation(name)


def test_an_ablation_of_weights_uses_the_store_of_the_default(sets, monkeypatch):
    ways = {"default": AS_IT_IS, "weights": ablation("link=0"), "constants": ablation("rank.bm25:K1=1.2")}
    runs = ask_product(sets["docs"].spaces, ways)
    assert runs["default"].index_cpu == runs["weights"].index_cpu != runs["constants"].index_cpu


def test_each_way_is_asked_with_its_own_weights(sets):
    seen = {}

    def watch(name):
        def ask(product, space, question):
            seen[name] = product.app.search.weights
            return []

        return ask

    ways = {"links": replace(ablation("link=1"), ask=watch("links")), "as-is": Way("", ask=watch("as-is"))}
    ask_product(sets["docs"].spaces, ways)
    assert seen == {"links": Weights(link=1.0), "as-is": Weights()}


def test_every_way_that_the_documentation_compares_is_one():
    text = (Path(__file__).parents[3] / "docs" / "retrieval.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| [^|]*\| `([^`]+)` \| [^|]* \| [^|]* \|", text, re.MULTILINE)
    named += re.findall(r"--ab ([a-z-]+)`", text)
    assert len(named) > 50
    for name in named:
        assert ablation(name) != AS_IT_IS
