"""The briefing of a project: what holds, what waits, what changed, how much there is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.briefing.project_activity import ProjectActivity, project_activity
from memory_mcp.continuity.disputes import dispute_sentence
from memory_mcp.continuity.handoff_service import Handoffs
from memory_mcp.continuity.message_service import Messages
from memory_mcp.model.clock import Clock
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.wiki.evidence import read_evidence
from memory_mcp.wiki.page_parse import UnreadablePage, parse_page
from memory_mcp.wiki.scope_resolve import ScopeResolver

if TYPE_CHECKING:
    from memory_mcp.pages.page_recent import PageRecent, RecentPage
    from memory_mcp.search.index.page_terms import StoredPage
    from memory_mcp.search.page_map import PageMap

MAX_PINNED = 10
MAX_SETTLED = 8
DATED = 500
"""Of so many pages that changed last the time is looked up; others are listed without, and not counted."""
_SETTLED_KINDS = ("rule", "decision")


@dataclass(frozen=True, slots=True)
class BriefingPage:
    """A page as a briefing lists it; `evidence` counts only for settled pages, `slot_kind` only for slots."""

    path: str
    title: str
    kind: str
    updated: datetime | None = None
    evidence: int = 0
    slot_kind: str = ""


@dataclass(frozen=True, slots=True)
class Briefing:
    """The state of a project.

    `disputed` are sentences about what two clones took. `linked_from` are the other projects whose pages link
    here, `links_to` those that pages of here link to; `questions` are those that the last handoff left open.
    """

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
    linked_from: tuple[Scope, ...] = ()
    links_to: tuple[Scope, ...] = ()
    disputed: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
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
        messages: Messages,
        clock: Clock,
    ) -> None:
        self._wiki = wiki
        self._raw = raw
        self._scopes = scopes
        self._map = page_map
        self._recent = recent
        self._handoffs = handoffs
        self._messages = messages
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
        dated = max(recent_limit, DATED)
        found = self._recent.newest(resolved, dated, progress).pages
        times = {page.path: page.updated for page in found}
        handoffs = self._handoffs.look(workspace=scope.workspace, project=scope.project)
        messages = self._messages.look(workspace=scope.workspace, project=scope.project)
        linked_from, links_to = self._map.linked_scopes(scope, progress)
        rules = [_listed(page, times) for page in pages if page.page_path.startswith("_rules/")]
        pinned = [page for page in pages if page.pinned and not _is_slot(page)]
        return Briefing(
            resolved=resolved,
            pages=len(pages),
            activity=project_activity(self._raw, scope, now, [at.timestamp() for at in times.values()]),
            handoffs=len(handoffs.handoffs),
            messages=len(messages.messages),
            rules=tuple(sorted(rules, key=_age)),
            slots=tuple(self._slot(scope, _listed(page, times)) for page in pages if _is_slot(page)),
            recent=tuple(_recent(page) for page in found[:recent_limit]),
            pinned=tuple(sorted((_listed(page, times) for page in pinned), key=_age)[:MAX_PINNED]),
            settled=self._settled(scope, pages, times) if settled_first else (),
            questions=handoffs.handoffs[-1].draft.open_questions if handoffs.handoffs else (),
            linked_from=linked_from,
            links_to=links_to,
            disputed=tuple(
                dispute_sentence(kind, each.id, each.decided_by, each.rivals)
                for kind, found in (("handoff", handoffs.disputed), ("message", messages.disputed))
                for each in found
            ),
            notes=listing.notes,
        )

    def _slot(self, scope: Scope, page: BriefingPage) -> BriefingPage:
        """The page with the kind of slot that its file gives: an invariant is not to be rewritten lightly."""
        try:
            data = (self._wiki / str(scope) / page.path).read_bytes()
            kind = parse_page(scope, page.path, data, with_links=False).meta.slot_kind
        except (OSError, UnreadablePage):
            return page
        return replace(page, slot_kind=kind or "")

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


def _is_slot(page: StoredPage) -> bool:
    return page.page_path.startswith("_slots/")


def _age(page: BriefingPage) -> tuple[float, str]:
    """Newest first, then by path."""
    return -(page.updated.timestamp() if page.updated else 0.0), page.path
