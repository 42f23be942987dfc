"""What a search answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memory_mcp.model.scope import Scope
from memory_mcp.model.window import Window

if TYPE_CHECKING:
    from memory_mcp.search.explain import Explanation, HitDetails
    from memory_mcp.search.index.link_graph import Related
    from memory_mcp.search.index.page_terms import StoredPage


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that matches. A higher score is better; scores of different queries do not compare.

    `pinned` marks a page that is there because it is pinned. `file_missing` says that the page's file
    is not there at the moment, so that `snippet` is what the index remembers. `superseded` marks a version
    that the page no longer is; `window` tells when an old version was the page. `details` say why it stands
    where it stands, if that was asked.
    """

    scope: Scope
    path: str
    title: str
    kind: str
    snippet: str
    score: float
    pinned: bool = False
    expired: bool = False
    file_missing: bool = False
    superseded: bool = False
    window: Window | None = None
    details: HitDetails | None = None


@dataclass(frozen=True, slots=True)
class RawHit:
    """An observation of an agent session that matches; it is no page, and nobody has condensed it."""

    scope: Scope
    id: str
    session_id: str
    kind: str
    title: str
    snippet: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """Hits, best first. `behind` are scopes whose newest edits were not searched.

    `streams` are those that were asked. `explanation` is what the details of all hits have in common, if
    they were asked for.
    """

    hits: tuple[Hit, ...]
    behind: tuple[Scope, ...]
    notes: tuple[str, ...]
    streams: tuple[str, ...] = ()
    explanation: Explanation | None = None


@dataclass(frozen=True, slots=True)
class ZeroHits:
    """What to try when no page answered.

    `words` are those that were searched, as typed. So many `expired` pages match, so many others without the
    quotes (`unquoted`), and so many in the scopes of `elsewhere`.
    """

    words: tuple[str, ...]
    expired: int = 0
    unquoted: int = 0
    elsewhere: tuple[tuple[Scope, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of a page both ways.

    `targets` are the pages that its links mean, None for one that has no page yet; `backlinks` are scope,
    path and relation ("" for a plain link) of the links to it. `notes` say what may be missing.
    """

    targets: tuple[tuple[Scope, str] | None, ...]
    backlinks: tuple[tuple[Scope, str, str], ...]
    related: tuple[Related, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageCounts:
    """How many pages and links there are.

    `unresolved` links have no page yet; `unreadable` files are no pages. `missing_vectors` counts the pages
    that are not found by meaning yet; None where none is, or where it was not counted.
    """

    pages: int = 0
    links: int = 0
    unresolved: int = 0
    unreadable: int = 0
    missing_vectors: int | None = None

    def __str__(self) -> str:
        counts = ((self.pages, "page"), (self.links, "link"), (self.unreadable, "unreadable file"))
        pages, links, unreadable = (f"{count:,} {name}{'' if count == 1 else 's'}" for count, name in counts)
        text = f"{pages}, {links} ({self.unresolved:,} to pages that do not exist yet), {unreadable}"
        return text + (f", {self.missing_vectors:,} without vectors" if self.missing_vectors else "")

    def __add__(self, other: PageCounts) -> PageCounts:
        return PageCounts(
            self.pages + other.pages,
            self.links + other.links,
            self.unresolved + other.unresolved,
            self.unreadable + other.unreadable,
        )


@dataclass(frozen=True, slots=True)
class PageHealth:
    """The counts of each asked scope, and what a person should mend: a wiki path and a sentence each.

    `notes` say what is not counted.
    """

    counts: Mapping[Scope, PageCounts]
    problems: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    @property
    def total(self) -> PageCounts:
        """The counts of all asked scopes together."""
        return sum(self.counts.values(), PageCounts())


@dataclass(frozen=True, slots=True)
class PageListing:
    """All pages of the asked scopes by path, and their counts."""

    pages: tuple[StoredPage, ...]
    counts: PageCounts
    notes: tuple[str, ...]
