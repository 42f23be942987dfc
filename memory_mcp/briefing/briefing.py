"""The briefing of a project: what holds, what waits, what changed, how much there is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.briefing.project_activity import ProjectActivity, project_activity
from memory_mcp.continuity.handoff_service import Handoffs
from memory_mcp.model.clock import Clock
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.wiki.evidence import read_evidence
from memory_mcp.wiki.scope_resolve import ScopeResolver

if TYPE_CHECKING:
    from memory_mcp.pages.page_recent import PageRecent, RecentPage
    from memory_mcp.search.index.page_terms import StoredPage
    from memory_mcp.search.page_map import PageMap

MAX_PINNED = 10
MAX_SETTLED = 8
DATED = 100
"""Of how many pages that changed last the time is looked up; older ones are listed without."""
_SETTLED_KINDS = ("rule", "decision")


@dataclass(frozen=True, slots=True)
class BriefingPage:
    """A page as a briefing lists it; `slot_kind` only of slots, `evidence` only of settled pages."""

    path: str
    title: str
    kind: str
    updated: datetime | None = None
    evidence: int = 0


@dataclass(frozen=True, slots=True)
class Briefing:
    """The state of a project. `disputes` are sentences about what two clones claimed."""

    resolved: ResolvedScope
    pages: int
    activity: ProjectActivity
    handoffs: int
    messages: int
    rules: tuple[BriefingPage, ...]
    slots: tuple[BriefingPage, ...]
    recent: tuple[BriefingPage, ...]
    pinned: tuple[BriefingPage, ...]
    settled: tuple[BriefingPage, ...] = ()
    linked_from: int = 0
    links_to: int = 0
    disputed: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def surfaced(self) -> list[str]:
        """The paths of all pages that it names."""
        listed = (*self.rules, *self.slots, *self.recent, *self.pinned, *self.settled)
        return list(dict.fromkeys(page.path for page in listed))


class BriefingReader:
    """Puts the briefing of a project together; nothing is written, no reading is noted."""

    def __init__(
        self,
        wiki: Path,
        raw: Path,
        scopes: ScopeResolver,
        page_map: PageMap,
        recent: PageRecent,
        handoffs: Handoffs,
        pending_messages: Callable[[Scope], int],
        clock: Clock,
    ) -> None:
        self._wiki = wiki
        self._raw = raw
        self._scopes = scopes
        self._map = page_map
        self._recent = recent
        self._handoffs = handoffs
        self._pending_messages = pending_messages
        self._clock = clock

    def read(
        self,
        recent_limit: int = 10,
        *,
        settled_first: bool = False,
        workspace: str = "",
        project: str = "",
        progress: Progress = no_progress,
    ) -> Briefing:
        """The briefing of the project that the arguments mean.

        Raises:
            InvalidInput, NotFound: see `ScopeResolver.resolve_pages`.
        """
        resolved = self._scopes.resolve_pages(workspace, project)
        scope = resolved.scope
        now = self._clock()
        listing = self._map.listing((scope,), progress)
        pages = [page for page in listing.pages if not page.is_expired(now.timestamp())]
        found = self._recent.newest(resolved, max(recent_limit, DATED), progress).pages
        times = {page.path: page.updated for page in found}
        handoffs = self._handoffs.look(workspace=scope.workspace, project=scope.project)
        rules = [_listed(page, times) for page in pages if page.page_path.startswith("_rules/")]
        pinned = [page for page in pages if page.pinned and not page.page_path.startswith("_slots/")]
        return Briefing(
            resolved=resolved,
            pages=len(pages),
            activity=project_activity(self._raw, scope, now),
            handoffs=len(handoffs.handoffs),
            messages=self._pending_messages(scope),
            rules=tuple(sorted(rules, key=_age)),
            slots=tuple(_listed(page, times) for page in pages if page.page_path.startswith("_slots/")),
            recent=tuple(_recent(page) for page in found[:recent_limit]),
            pinned=tuple(sorted((_listed(page, times) for page in pinned), key=_age)[:MAX_PINNED]),
            settled=self._settled(scope, pages, times) if settled_first else (),
            disputed=tuple(each.id for each in handoffs.disputed),
            notes=listing.notes,
        )

    def _settled(
        self, scope: Scope, pages: list[StoredPage], times: dict[str, datetime]
    ) -> tuple[BriefingPage, ...]:
        """Rules and decisions by how much they rest on."""
        firm = {(page.page_path, page.version): page for page in pages if page.kind in _SETTLED_KINDS}
        if not firm:
            return ()
        evidence = read_evidence(self._wiki, scope, firm.keys())
        listed = [
            BriefingPage(path, page.title, page.kind, times.get(path), evidence[path, version].sources)
            for (path, version), page in firm.items()
        ]
        return tuple(sorted(listed, key=lambda page: (-page.evidence, *_age(page)))[:MAX_SETTLED])


def _listed(page: StoredPage, times: dict[str, datetime]) -> BriefingPage:
    return BriefingPage(page.page_path, page.title, page.kind, times.get(page.page_path))


def _recent(page: RecentPage) -> BriefingPage:
    return BriefingPage(page.path, page.title, page.kind, page.updated)


def _age(page: BriefingPage) -> tuple[float, str]:
    """Newest first, then by path."""
    return -(page.updated.timestamp() if page.updated else 0.0), page.path
