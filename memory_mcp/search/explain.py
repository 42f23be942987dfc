"""Why a page stands where it stands: every number, so that its score can be computed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from memory_mcp.model.scope import Scope
from memory_mcp.search.rank.authority import Authority
from memory_mcp.search.rank.collection import Collection
from memory_mcp.search.rank.fusion import Scale, Signals
from memory_mcp.search.rank.link_stream import LinkStep
from memory_mcp.search.rank.page_ranking import Candidate, RankedPages
from memory_mcp.search.rank.weights import Weights
from memory_mcp.wiki.evidence import Evidence, read_evidence

FORMULA = (
    "score = authority x (text + w.entity x entity / scale.entity + w.link x link + w.time x time); "
    "text = w.page x bm25 / scale.bm25 + w.passage x passage / scale.passage, "
    "for a page with a cosine (1 - w.vector) x that "
    "+ w.vector x (cosine - scale.least_cosine) / (scale.most_cosine - scale.least_cosine); "
    "w are the weights; an absent number is 0, and so is 0 / 0, "
    "but that of passages is bm25 / scale.bm25, and that of cosines 1"
)


@dataclass(frozen=True, slots=True)
class HitDetails:
    """What the streams said of one hit. `rank` counts from 1; the score is `fusion.score` of the rest.

    `evidence` is what the version rests on; it does not count for the rank.
    """

    rank: int
    score: float
    signals: Signals
    authority: Authority
    names: tuple[str, ...]
    links: tuple[LinkStep, ...]
    evidence: Evidence

    def facts(self) -> dict[str, object]:
        """The details as plain values, without what is nothing."""
        facts: dict[str, object] = {"rank": self.rank, "score": self.score}
        facts |= {name: value for name, value in asdict(self.signals).items() if value}
        facts |= {"names": list(self.names)} if self.names else {}
        facts |= {"links": [asdict(step) for step in self.links]} if self.links else {}
        facts |= {"authority": self.authority.factor, "because": list(self.authority.reasons)}
        return facts | ({"evidence": asdict(self.evidence)} if self.evidence.sources else {})


@dataclass(frozen=True, slots=True)
class Explanation:
    """What all hits of a query were measured by: the active streams, the idf of each word, scale, weights."""

    streams: tuple[str, ...]
    terms: dict[str, float]
    scale: Scale
    weights: Weights

    def facts(self) -> dict[str, object]:
        """The explanation as plain values."""
        return {
            "streams_active": list(self.streams),
            "formula": FORMULA,
            "weights": self.counted(),
            **self.own_facts(),
        }

    def counted(self) -> dict[str, float]:
        """The weights that stand in the formula."""
        counted = ("page", "passage", "vector", "entity", "link", "time")
        return {name: getattr(self.weights, name) for name in counted}

    def own_facts(self) -> dict[str, object]:
        """What differs between two queries with the same words in different scopes."""
        return {
            "scale": asdict(self.scale),
            "words": {term: round(idf, 3) for term, idf in self.terms.items()},
        }


def explain_query(ranked: RankedPages, weights: Weights) -> Explanation:
    """What holds for all hits."""
    return Explanation(ranked.streams, ranked.terms, ranked.scale, weights)


def explain_hits(wiki: Path, pages: Collection, hits: Sequence[Candidate]) -> list[HitDetails]:
    """What holds for each hit; `wiki` is where the evidence of the pages lies."""
    keys = [(*pages.place(hit.page), hit.page.version) for hit in hits]
    by_scope: dict[Scope, dict[tuple[str, str], Evidence]] = {
        scope: read_evidence(wiki, scope, {(path, version) for at, path, version in keys if at == scope})
        for scope in dict.fromkeys(scope for scope, _, _ in keys)
    }
    return [
        _explain_hit(hit, rank, by_scope[scope][path, version])
        for rank, (hit, (scope, path, version)) in enumerate(zip(hits, keys, strict=True), 1)
    ]


def _explain_hit(candidate: Candidate, rank: int, evidence: Evidence) -> HitDetails:
    names = tuple(candidate.entity.names) if candidate.entity else ()
    links = tuple(candidate.link.steps) if candidate.link else ()
    return HitDetails(rank, candidate.score, candidate.signals, candidate.authority, names, links, evidence)
