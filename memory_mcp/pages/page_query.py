"""Asking the memory: which scopes a query reaches, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_mcp.errors import InvalidInput
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import GLOBAL, ResolvedScope, Scope
from memory_mcp.search.answer import Hit, RawHit, ZeroHits
from memory_mcp.search.page_search import PageSearch
from memory_mcp.search.raw_search import RawSearch
from memory_mcp.store.access_log import AccessLog
from memory_mcp.wiki.scope_resolve import ScopeResolver

if TYPE_CHECKING:
    from memory_mcp.search.explain import Explanation


@dataclass(frozen=True, slots=True)
class QueryResult:
    """Hits best first. `resolved` is None when several scopes were asked for by name, or all of them.

    `global_hits` come from the standing preferences, only when no scope was named. `behind` names scopes
    whose newest edits are not searched yet, and `notes` says what else the reader should know. The
    explanations are what the details of the hits have in common, if they were asked for. `streams` are those
    that were asked. Without any hit `zero_hits` says what else to try, and `raw_hits` are what was captured
    in agent sessions of the same scopes.
    """

    resolved: ResolvedScope | None
    scopes: tuple[Scope, ...] | None
    hits: tuple[Hit, ...]
    global_hits: tuple[Hit, ...]
    behind: tuple[Scope, ...]
    notes: tuple[str, ...]
    explanation: Explanation | None = None
    global_explanation: Explanation | None = None
    streams: tuple[str, ...] = ()
    zero_hits: ZeroHits | None = None
    raw_hits: tuple[RawHit, ...] = ()


class PageQuery:
    """Text search over one scope, several, or all."""

    def __init__(
        self, scopes: ScopeResolver, search: PageSearch, raw: RawSearch, accesses: AccessLog
    ) -> None:
        self._scopes = scopes
        self._search = search
        self._raw = raw
        self._accesses = accesses

    def query(
        self,
        text: str,
        *,
        limit: int = 10,
        workspace: str = "",
        project: str = "",
        scopes: Sequence[str] = (),
        everywhere: bool = False,
        include_expired: bool = False,
        pin_first: bool = False,
        explain: bool = False,
        progress: Progress = no_progress,
    ) -> QueryResult:
        """Find the pages that answer `text`, at most `limit` (1 to 100).

        Raises:
            InvalidInput: the text is blank, or the scope arguments exclude each other.
            NotFound: a named scope does not exist.
        """
        if not text.strip():
            raise InvalidInput("query is blank: give words or a question.")
        named = [name for name, given in (("workspace", workspace), ("project", project)) if given]
        named += ["scopes"] if scopes else []
        named += ["global"] if everywhere else []
        if len(named) > 1 and named != ["workspace", "project"]:
            raise InvalidInput(f"{' and '.join(named)} exclude each other: give one way to choose the scope.")
        resolved = None
        chosen: tuple[Scope, ...] | None = None
        if scopes:
            chosen = self._scopes.parse_scopes(scopes)
        elif not everywhere and (named or not self._scopes.default_global()):
            resolved = self._scopes.resolve_read(workspace, project)
            chosen = (resolved.scope,)
        answer = self._search.query(
            text,
            chosen,
            limit=limit,
            include_expired=include_expired,
            pin_first=pin_first and resolved is not None,
            explain=explain,
            progress=progress,
        )
        standing = None
        if resolved and not named and resolved.scope != GLOBAL:
            standing = self._search.query(
                text,
                (GLOBAL,),
                limit=limit,
                include_expired=include_expired,
                explain=explain,
                progress=progress,
            )
        global_hits = standing.hits if standing else ()
        if chosen is not None:
            self._accesses.note(_accessed(answer.hits + global_hits))
        zero_hits = None
        raw_hits: tuple[RawHit, ...] = ()
        if not answer.hits:
            known = (GLOBAL,) if standing else ()
            zero_hits = self._search.zero_hits(
                text, chosen, known, include_expired=include_expired, progress=progress
            )
            raw_hits = self._raw.search(text, chosen, limit) if chosen else ()
        return QueryResult(
            resolved,
            chosen,
            answer.hits,
            global_hits,
            answer.behind + (standing.behind if standing else ()),
            answer.notes or (standing.notes if standing else ()),
            answer.explanation,
            standing.explanation if standing else None,
            answer.streams,
            zero_hits,
            raw_hits,
        )


def _accessed(hits: Sequence[Hit]) -> list[tuple[Scope, str]]:
    """The pages that answered; one that is there only because it is pinned did not."""
    return [(hit.scope, hit.path) for hit in hits if hit.score > 0 or not hit.pinned]
