"""Other ways to rank: what the default is compared with, by name or as changed numbers."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from math import log

from whoosh.analysis import STOP_WORDS as WHOOSH_STOP_WORDS

from bench.retrieval.changed_code import current
from bench.retrieval.evaluation_set import Question, Space
from bench.retrieval.measures import DEPTH
from bench.retrieval.product import Product, Way
from memory_mcp.errors import InvalidInput
from memory_mcp.model.page import Page
from memory_mcp.model.scope import Scope
from memory_mcp.search.answer import Hit
from memory_mcp.search.index.page_terms import PageTerms, StoredPage, page_terms
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.fusion import Scale, relevance
from memory_mcp.search.rank.weights import Weights
from memory_mcp.search.text.characters import fold
from memory_mcp.search.text.passage import Passage, best_passage, without_title
from memory_mcp.search.text.query_text import QueryTerms, parse_query, without_quotes
from memory_mcp.search.text.stop_words import STOP_WORDS, AddedStopWords
from memory_mcp.search.vectors.page_passages import page_passages

RECIPROCAL_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (SIGIR 2009)."""
SESSION_GAIN = 0.25
CANDIDATES = 100
"""How many pages reciprocal ranks are counted among."""

NO_VECTORS = "no-vectors"

_DEFAULT = Weights()
_TEXT = replace(_DEFAULT, vector=0.0, entity=0.0, link=0.0, time=0.0)


def ablation(name: str) -> Way:
    """The way to rank of that name, or one with other numbers.

    Numbers are weights, such as `link=0`, or constants below `memory_mcp.search`, such as `rank.bm25:K1=1.2`;
    a comma joins several.

    Raises:
        InvalidInput: there is none of that name, or no such number.
    """
    if name in ABLATIONS:
        return ABLATIONS[name]
    weights: dict[str, float] = {}
    changes: dict[str, object] = {}
    for part in name.split(","):
        place, _, value = part.partition("=")
        try:
            if ":" in place:
                changes[place] = _like(current(place), value)
            else:
                weights[place] = _like(getattr(_DEFAULT, place), value)
        except (AttributeError, ImportError, TypeError, ValueError):
            names = ", ".join(each.name for each in dataclasses.fields(Weights) if each.name != "relations")
            raise InvalidInput(
                f"--ab {name}: give one of {', '.join(ABLATIONS)}, or numbers as NAME=NUMBER, where NAME is "
                f"a weight ({names}) or a constant with its module (rank.bm25:K1)."
            ) from None
    return Way(f"with {name}", replace(_DEFAULT, **weights), changes)  # type: ignore[arg-type]


def _like(number: object, text: str) -> float:
    """A number of the same type."""
    if not isinstance(number, (int, float)):
        raise TypeError(number)
    return type(number)(float(text))


def _ask_by_reciprocal_ranks(product: Product, space: Space, question: Question) -> Sequence[str]:
    """Each stream counts 1 / (60 + rank), whatever its scores say; authority is a factor on top, as ever."""
    answer = product.search(space, question, CANDIDATES)
    assert answer.explanation is not None
    scale = answer.explanation.scale
    fused = {hit.path: 0.0 for hit in answer.hits}
    for stream in range(len(_stream_scores(answer.hits[0], scale)) if answer.hits else 0):
        scores = {hit.path: _stream_scores(hit, scale)[stream] for hit in answer.hits}
        found = [path for path, score in scores.items() if score > 0]
        for rank, path in enumerate(sorted(found, key=lambda each: (-scores[each], each)), 1):
            fused[path] += 1 / (RECIPROCAL_K + rank)
    for hit in answer.hits:
        assert hit.details is not None
        fused[hit.path] *= hit.details.authority.factor
    return sorted(fused, key=lambda path: (-fused[path], path))[:DEPTH]


def _ask_about_sessions(product: Product, space: Space, question: Question) -> Sequence[str]:
    """Sessions lack no authority and gain a quarter, as where a question is known to be about one."""
    answer = product.search(space, question, CANDIDATES)
    scores = {}
    for hit in answer.hits:
        assert hit.details is not None
        factor = hit.details.authority.factor
        wanted = 1 + SESSION_GAIN if hit.kind == "session" else factor
        scores[hit.path] = hit.score / factor * wanted
    return sorted(scores, key=lambda path: (-scores[path], path))[:DEPTH]


def _stream_scores(hit: Hit, scale: Scale) -> tuple[float, ...]:
    """What each stream says of a hit: text (page and passage together), vector, names, links, dates.

    Links only add pages that no other stream found: counted among equals, they would drown the rest.
    """
    assert hit.details is not None
    signals = hit.details.signals
    text = relevance(replace(signals, cosine=None), scale, _TEXT)
    link = 0.0 if signals.bm25 or signals.entity or signals.cosine else signals.link
    return text, signals.cosine or 0.0, signals.entity, link, signals.time


def _whoosh_idf(documents: int, containing: int) -> float:
    """That of `whoosh.scoring`."""
    return log(documents / (containing + 1)) + 1


def _unstemmed(word: str) -> str:
    return word


def _add_whole(word: str, found: list[str]) -> None:
    """The term of an identifier or compound, and nothing of its parts."""
    if (whole := fold(word)) not in STOP_WORDS:
        found.append(whole)


def _untitled_passage(
    title: str, text: str, weights: Mapping[str, float], pairs: Mapping[tuple[str, str], float]
) -> Passage:
    return best_passage("", without_title(title, text), weights, pairs)


def _terms_without_abstract(page: Page) -> PageTerms:
    return page_terms(_without_abstract(page))


def _passages_without_abstract(page: Page) -> list[str]:
    return page_passages(_without_abstract(page))


def _without_abstract(page: Page) -> Page:
    return replace(page, meta=replace(page.meta, abstract=None))


def _parse_strictly(text: str, added: AddedStopWords) -> QueryTerms:
    """Pages without the quoted words are no answers, whatever else a question says."""
    query = parse_query(text, added)
    return replace(query, only_phrases=bool(query.phrases))


def _parse_as_words(text: str, added: AddedStopWords) -> QueryTerms:
    return parse_query(without_quotes(text), added)


def _no_links(pages: Snapshot, seed: StoredPage, asked: Container[Scope]) -> dict[str, str]:
    return {}


ABLATIONS = {
    # the words of a page
    "whoosh-stop-words": Way(
        "with the 35 stop words of Whoosh", changes={"text.stop_words:STOP_WORDS": WHOOSH_STOP_WORDS}
    ),
    "no-stop-words": Way("without stop words", changes={"text.stop_words:STOP_WORDS": frozenset()}),
    "no-stemming": Way(
        "without stemming", changes={"text.tokenizer:_stem": _unstemmed, "text.irregular:IRREGULAR": {}}
    ),
    "no-irregular-forms": Way("with Porter 2 alone", changes={"text.irregular:IRREGULAR": {}}),
    "whole-identifiers": Way(
        "identifiers and compounds are one word", changes={"text.tokenizer:_add_identifier": _add_whole}
    ),
    "no-camel-case": Way(
        "identifiers fall apart at `_` and the like alone",
        changes={"text.tokenizer:_HUMP": re.compile(r"(?!)")},
    ),
    "no-abstracts": Way(
        "abstracts are not searched",
        changes={
            "index.page_terms:page_terms": _terms_without_abstract,
            "vectors.page_passages:page_passages": _passages_without_abstract,
        },
    ),
    # the full text
    "whoosh-idf": Way("with Whoosh's inverse document frequency", changes={"rank.bm25:idf": _whoosh_idf}),
    "strict-quotes": Way(
        "quoted words that no page holds find nothing",
        changes={"text.query_text:parse_query": _parse_strictly},
    ),
    "quotes-as-words": Way(
        "quoted words are words like others", changes={"text.query_text:parse_query": _parse_as_words}
    ),
    "no-passages": Way("whole pages only", replace(_DEFAULT, rescored=0)),
    "passages-only": Way("of the text, the best passage only", replace(_DEFAULT, page=0.0, passage=1.0)),
    "passages-of-80": Way("passages of 80 words only", changes={"text.passage:SECTION_WORDS": 80}),
    "passages-of-160": Way("passages of 160 words only", changes={"text.passage:PASSAGE_WORDS": 160}),
    "untitled-passages": Way(
        "passages without the title", changes={"text.passage:best_passage": _untitled_passage}
    ),
    "no-bigrams": Way("words side by side count nothing more", changes={"text.passage:BIGRAM_WEIGHT": 0.0}),
    # the other streams
    "no-entities": Way("without the names stream", replace(_DEFAULT, entity=0.0)),
    "no-links": Way("without the links stream", replace(_DEFAULT, link=0.0)),
    "outgoing-links": Way(
        "links are followed forwards only", changes={"rank.link_stream:_incoming": _no_links}
    ),
    NO_VECTORS: Way("without the vectors stream", replace(_DEFAULT, vector=0.0)),
    "no-time": Way("without the dates stream", replace(_DEFAULT, time=0.0)),
    # authority
    "no-authority": Way("kind, tier and tags add nothing", replace(_DEFAULT, authority=0.0)),
    "whole-authority": Way("kind, tier and tags add all they may", replace(_DEFAULT, authority=1.0)),
    "no-caps": Way("a tag such as superseded is no cap", changes={"rank.authority:CAPS": ()}),
    "session-recall": Way("every question is about an earlier session", ask=_ask_about_sessions),
    # all of it
    "text-only": Way("full text and passages only", replace(_TEXT, authority=0.0)),
    "reciprocal-ranks": Way(
        "the same streams, fused by reciprocal ranks (k 60)", ask=_ask_by_reciprocal_ranks
    ),
}
