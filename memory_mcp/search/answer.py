"""What a search answers."""

from __future__ import annotations

from dataclasses import dataclass

from memory_mcp.model.scope import Scope


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that matches. A higher score is better; scores of different queries do not compare.

    `pinned` marks a page that is there because it is pinned. `file_missing` says that the page's file
    is not there at the moment, so that `snippet` is what the index remembers.
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


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """Hits, best first. `behind` are scopes whose newest edits were not searched."""

    hits: tuple[Hit, ...]
    behind: tuple[Scope, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """A page found by walking links: in how many steps, and which way the last one went.

    `direction` is `link` when the page nearer to the start links to this one, else `backlink`.
    """

    scope: Scope
    path: str
    title: str
    kind: str
    depth: int
    direction: str


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
    """How many pages and links there are; `unresolved` links have no page yet.

    `notes` say what is not counted.
    """

    pages: int
    links: int
    unresolved: int
    unreadable: int
    notes: tuple[str, ...]
