"""What `search --explain` prints: the numbers of each hit, and what they are measured by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from memory_mcp.model.plain_text import one_line

if TYPE_CHECKING:
    from memory_mcp.search.explain import Explanation, HitDetails


def hit_lines(details: HitDetails) -> Iterator[str]:
    """Why a page stands where it stands. The names of the numbers are those of the formula."""
    signals = {name: value for name, value in asdict(details.signals).items() if value}
    signals["authority"] = details.authority.factor
    yield f"{details.rank}. score {details.score:.10g}: {_numbers(signals)}"
    if details.authority.reasons:
        yield f"   authority: {one_line(', '.join(details.authority.reasons))}"
    if details.names:
        yield f"   entity: named {one_line(', '.join(details.names), 200)}"
    for step in details.links:
        way = "linked from" if step.direction == "outgoing" else "links to"
        relation = f" ({one_line(step.relation, 64)})" if step.relation else ""
        yield f"   link: {way} {one_line(step.seed)}{relation} {step.weight:g}"
    if details.evidence.sources:
        yield f"   evidence (not in the score): {_numbers(asdict(details.evidence))}"


def query_lines(explanation: Explanation) -> Iterator[str]:
    """How the scores of a query are computed."""
    yield f"streams: {', '.join(explanation.streams)}"
    yield from scale_lines(explanation)
    yield f"weights w: {_numbers(explanation.counted())}"
    yield from str(explanation.facts()["formula"]).split("; ")


def scale_lines(explanation: Explanation) -> Iterator[str]:
    """What differs from scope to scope: how rare each word is there, and the greatest numbers."""
    if explanation.terms:
        idf = {one_line(term, 64): round(idf, 3) for term, idf in explanation.terms.items()}
        yield f"words (idf): {_numbers(idf)}"
    yield f"scale: {_numbers(asdict(explanation.scale))}"


def _numbers(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.10g}" for name, value in values.items()) or "nothing"
