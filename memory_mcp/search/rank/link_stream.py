"""Pages that are linked with those that other streams found, both ways.

A page hands on what it was found with, times the weight of the relation, over the root of how many links it
has that way: one of three links says more than one of thirty. So pages that link to each other lift each
other.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from memory_mcp.model.scope import Scope
from memory_mcp.search.index.link_graph import linking_pages, resolve
from memory_mcp.search.index.page_terms import StoredPage
from memory_mcp.search.index.snapshot import Snapshot

MAX_LINKS = 32
"""A page with more links one way is a list of pages; those say nothing about each other."""

OUTGOING, INCOMING = "outgoing", "incoming"


@dataclass(frozen=True, slots=True)
class LinkStep:
    """Over which link a page was reached: from which page (a wiki path), which way, and what it hands on."""

    seed: str
    direction: str
    relation: str
    weight: float


@dataclass(slots=True)
class LinkMatch:
    """What the links of one page give it, at most 1."""

    steps: list[LinkStep] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """The sum of the steps, at most 1."""
        return round(min(1.0, sum(step.weight for step in self.steps)), 6)


def link_stream(
    pages: Snapshot, seeds: Iterable[tuple[float, StoredPage]], relations: Mapping[str, float]
) -> dict[str, LinkMatch]:
    """What the links of `seeds`, each with its strength from 0 to 1, give to which wiki paths.

    Only pages of the asked scopes are reached.
    """
    asked = set(pages.scopes)
    matches: dict[str, LinkMatch] = {}
    for strength, seed in seeds:
        for direction, links in (
            (OUTGOING, _outgoing(pages, seed)),
            (INCOMING, _incoming(pages, seed, asked)),
        ):
            share = strength / math.sqrt(len(links) or 1)
            for path, relation in sorted(links.items()):
                scope = Scope(*path.split("/", 2)[:2])
                if scope in asked:
                    weight = round(share * relations.get(relation, 0.0), 6)
                    step = LinkStep(seed.path, direction, relation, weight)
                    matches.setdefault(path, LinkMatch()).steps.append(step)
    return matches


def _outgoing(pages: Snapshot, seed: StoredPage) -> dict[str, str]:
    """The wiki paths that a page links to, each with its relation; of two links the typed one."""
    links = seed.targets()
    if len(links) > 2 * MAX_LINKS:
        return {}
    found: dict[str, str] = {}
    for link in links:
        target = resolve(pages, seed.scope, link)
        if target is not None:
            _keep(found, f"{target[0]}/{target[1]}", link.relation)
    found.pop(seed.path, None)
    return found if len(found) <= MAX_LINKS else {}


def _incoming(pages: Snapshot, seed: StoredPage, asked: Container[Scope]) -> dict[str, str]:
    """The wiki paths in the asked scopes that link to a page, each with its relation."""
    here = (seed.scope, seed.page_path)
    found: dict[str, str] = {}
    linking = (page for page in linking_pages(pages, *here) if page.scope in asked)
    sources = list(islice(linking, 2 * MAX_LINKS + 1))
    if len(sources) > 2 * MAX_LINKS:
        return {}
    for source in sources:
        for link in source.targets():
            if source.path != seed.path and resolve(pages, source.scope, link) == here:
                _keep(found, source.path, link.relation)
    return found if len(found) <= MAX_LINKS else {}


def _keep(found: dict[str, str], path: str, relation: str) -> None:
    found[path] = found.get(path) or relation
