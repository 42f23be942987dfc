"""What each signal of a query counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Every number of the fusion; `docs/retrieval.md` says what each was measured to give.

    A page's score is

        authority x ((1 - vector) x (page x BM25 + passage x best passage)
                     + vector x cosine + entity x entities + link x links + time x dates)

    where each stream is between 0 and 1: BM25, passages and entities relative to the best of the query,
    cosines between the least and the greatest, links and dates as their streams say.
    """

    page: float = 0.4
    passage: float = 0.6
    vector: float = 0.15
    entity: float = 0.05
    link: float = 0.05
    time: float = 0.2

    rescored: int = 15
    """Pages whose best passage is looked up; more cost time and change no rank worth it."""
    seeds: int = 10
    """Of how many pages the links are followed."""
    relations: tuple[tuple[str, float], ...] = (
        ("", 0.6),
        ("causes", 0.8),
        ("fixes", 1.0),
        ("contradicts", 1.0),
    )
    """What a link of each relation hands on, "" being a plain link."""
    authority: float = 0.25
    """The share of what kind, tier, pin, folder and tags add to the authority of a page."""
