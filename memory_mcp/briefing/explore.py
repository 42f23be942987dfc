"""Coming back to a project: how long ago the work stopped, how things stand, and what to ask next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from memory_mcp.briefing.briefing import Briefing, BriefingReader
from memory_mcp.briefing.project_activity import Gap, gap_since
from memory_mcp.model.clock import Clock
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.store.access_log import AccessLog

if TYPE_CHECKING:
    from memory_mcp.search.answer import Hit
    from memory_mcp.search.page_search import PageSearch

MAX_PASSAGES = 5
FOLLOW_UPS = 3
MAX_TRIED = 12
MAX_QUERY_CHARS = 100


@dataclass(frozen=True, slots=True)
class Explored:
    """The gap since the last work, the briefing, the passages for the focus, and queries that find more."""

    gap: Gap
    briefing: Briefing
    passages: tuple[Hit, ...]
    follow_ups: tuple[str, ...]


class Explorer:
    """Explores a project."""

    def __init__(
        self, briefings: BriefingReader, search: PageSearch, accesses: AccessLog, clock: Clock
    ) -> None:
        self._briefings = briefings
        self._search = search
        self._accesses = accesses
        self._clock = clock

    def explore(
        self,
        focus: str = "",
        recent_limit: int = 10,
        *,
        workspace: str = "",
        project: str = "",
        progress: Progress = no_progress,
    ) -> Explored:
        """How things stand in the project that the arguments mean; what is shown counts as read.

        Raises:
            InvalidInput, NotFound: see `ScopeResolver.resolve_pages`.
        """
        briefing = self._briefings.read(
            recent_limit, settled_first=True, workspace=workspace, project=project, progress=progress
        )
        scope = briefing.resolved.scope
        hits: tuple[Hit, ...] = ()
        if focus.strip():
            hits = self._find(focus, briefing, MAX_PASSAGES)
        self._accesses.note((scope, path) for path in [*briefing.surfaced, *(hit.path for hit in hits)])
        gap = gap_since(briefing.activity.last_at, self._clock())
        return Explored(gap, briefing, hits, self._follow_ups(focus, hits, briefing))

    def _find(self, text: str, briefing: Briefing, limit: int) -> tuple[Hit, ...]:
        return self._search.query(text, (briefing.resolved.scope,), limit=limit).hits

    def _follow_ups(self, focus: str, hits: Sequence[Hit], briefing: Briefing) -> tuple[str, ...]:
        """What else one may ask, each with an answer: an open question, titles near the focus, of late."""
        shown = {hit.path for hit in hits}
        near = [hit.title for hit in self._find(focus, briefing, 3 * MAX_PASSAGES)] if focus.strip() else []
        listed = (*briefing.settled, *briefing.pinned, *briefing.recent, *briefing.rules)
        titles = [page.title for page in listed if page.path not in shown]
        skipped = {focus.strip().casefold(), *(hit.title.casefold() for hit in hits)}
        asked = (one_line(text, MAX_QUERY_CHARS) for text in (*briefing.questions[:1], *near, *titles))
        candidates = [text for text in dict.fromkeys(asked) if text.casefold() not in skipped]
        good = (text for text in candidates[:MAX_TRIED] if text and self._find(text, briefing, 1))
        return tuple(islice(good, FOLLOW_UPS))
