"""Other ways to rank the same answers: what the default is compared with, by name or as changed weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench.retrieval.evaluation_set import Question, Space
from bench.retrieval.measures import DEPTH
from bench.retrieval.product import Ask, Product, ask_plainly
from memory_mcp.errors import InvalidInput
from memory_mcp.search.answer import Hit
from memory_mcp.search.rank.fusion import Scale, relevance
from memory_mcp.search.rank.weights import Weights

RECIPROCAL_K = 60
"""Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet" (SIGIR 2009)."""
SESSION_GAIN = 0.25
CANDIDATES = 100
"""How many pages reciprocal ranks are counted among."""

NO_VECTORS = "no-vectors"

_DEFAULT = Weights()
_TEXT = replace(_DEFAULT, vector=0.0, entity=0.0, link=0.0, time=0.0)
_NO_AUTHORITY = replace(_DEFAULT, authority=0.0)


@dataclass(frozen=True, slots=True)
class Ablation:
    """What is different, in words, and how to ask so."""

    what: str
    ask: Ask


def ablation(name: str) -> Ablation:
    """The ablation of that name, or of weights such as `link=0` or `page=0.4,passage=0.6`.

    Raises:
        InvalidInput: there is none of that name, or no such weight.
    """
    if name in ABLATIONS:
        return ABLATIONS[name]
    changes: dict[str, float] = {}
    for part in name.split(","):
        weight, _, value = part.partition("=")
        try:
            changes[weight] = type(getattr(_DEFAULT, weight))(float(value))
        except (AttributeError, TypeError, ValueError):
            names = ", ".join(each.name for each in dataclasses.fields(Weights) if each.name != "relations")
            raise InvalidInput(
                f"--ab {name}: give one of {', '.join(ABLATIONS)}, or weights as WEIGHT=NUMBER with {names}."
            ) from None
    return Ablation(f"weights {name}", _weighted(replace(_DEFAULT, **changes)))  # type: ignore[arg-type]


def _weighted(weights: Weights) -> Ask:
    """Ask with these weights; the product has its own again afterwards."""

    def ask(product: Product, space: Space, question: Question) -> Sequence[str]:
        own = product.app.search.weights
        product.app.search.weights = weights
        try:
            return ask_plainly(product, space, question)
        finally:
            product.app.search.weights = own

    return ask


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


ABLATIONS = {
    "no-passages": Ablation("whole pages only", _weighted(replace(_DEFAULT, rescored=0))),
    "passages-only": Ablation(
        "of the text, the best passage only", _weighted(replace(_DEFAULT, page=0.0, passage=1.0))
    ),
    "no-entities": Ablation("without the names stream", _weighted(replace(_DEFAULT, entity=0.0))),
    "no-links": Ablation("without the links stream", _weighted(replace(_DEFAULT, link=0.0))),
    NO_VECTORS: Ablation("without the vectors stream", _weighted(replace(_DEFAULT, vector=0.0))),
    "no-time": Ablation("without the dates stream", _weighted(replace(_DEFAULT, time=0.0))),
    "no-authority": Ablation("without authority", _weighted(_NO_AUTHORITY)),
    "whole-authority": Ablation(
        "authority with the whole of what kind, tier, pin and tags add",
        _weighted(replace(_DEFAULT, authority=1.0)),
    ),
    "session-recall": Ablation("every question is about an earlier session", _ask_about_sessions),
    "text-only": Ablation("full text and passages only", _weighted(replace(_TEXT, authority=0.0))),
    "reciprocal-ranks": Ablation(
        "the same streams, fused by reciprocal ranks (k 60)", _ask_by_reciprocal_ranks
    ),
}
