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
    "score = authority x (text + entity x entity / scale.entity + link x link + time x time); "
    "text = page x bm25 / scale.bm25 + passage x passage / scale.passage; "
    "with a cosine instead (1 - vector) x that "
    "+ vector x (cosine - scale.least_cosine) / (scale.most_cosine - scale.least_cosine). "
    "The first factor of each product is from weights. An absent number is 0; 0 / 0 is 0, "
    "but for passages it is bm25 / scale.bm25, and for cosines 1."
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
        weights = asdict(self.weights)
        counted = ("page", "passage", "vector", "entity", "link", "time")
        return {
            "streams_active": list(self.streams),
            "formula": FORMULA,
            "weights": {name: weights[name] for name in counted},
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
