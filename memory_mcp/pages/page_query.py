"""Asking the memory: which scopes a query reaches, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import Clock, parse_moment
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import GLOBAL, ResolvedScope, Scope
from memory_mcp.search.answer import Hit, QueryAnswer, RawHit, ZeroHits
from memory_mcp.search.page_search import PageSearch
from memory_mcp.search.raw_search import RawSearch
from memory_mcp.store.access_log import AccessLog
from memory_mcp.wiki.scope_resolve import ScopeResolver

if TYPE_CHECKING:
    from memory_mcp.search.explain import Explanation


@dataclass(frozen=True, slots=True)
class JoinedHits:
    """What a scope answers that is joined to a query without one: `name` is `global` or `caller`."""

    name: str
    scope: Scope
    answer: QueryAnswer

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Its hits, best first."""
        return self.answer.hits


@dataclass(frozen=True, slots=True)
class QueryResult:
    """Hits best first. `resolved` is None when several scopes were asked for by name, or all of them.

    `joined` holds what the standing preferences and what is known about the caller answer, only when no scope
    was named. `behind` names scopes whose newest edits are not searched yet, and `notes` says what else the
    reader should know. `as_of` is the moment that was asked about, None for now. The explanation is what the
    details of the hits have in common, if they were asked for. `streams` are those that were asked. Without
    any hit `zero_hits` says what else to try, and `raw_hits` are what was captured in agent sessions of the
    same scopes. `include_superseded` says whether old versions were asked too.
    """

    resolved: ResolvedScope | None
    scopes: tuple[Scope, ...] | None
    hits: tuple[Hit, ...]
    joined: tuple[JoinedHits, ...]
    behind: tuple[Scope, ...]
    notes: tuple[str, ...]
    explanation: Explanation | None = None
    as_of: datetime | None = None
    streams: tuple[str, ...] = ()
    zero_hits: ZeroHits | None = None
    raw_hits: tuple[RawHit, ...] = ()
    include_superseded: bool = False

    @property
    def all_hits(self) -> tuple[Hit, ...]:
        """Its own hits, then the joined ones."""
        return self.hits + tuple(hit for each in self.joined for hit in each.hits)


class PageQuery:
    """Text search over one scope, several, or all."""

    def __init__(
        self, scopes: ScopeResolver, search: PageSearch, raw: RawSearch, accesses: AccessLog, clock: Clock
    ) -> None:
        self._scopes = scopes
        self._search = search
        self._raw = raw
        self._accesses = accesses
        self._clock = clock

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
        include_superseded: bool = False,
        as_of: str = "",
        explain: bool = False,
        progress: Progress = no_progress,
    ) -> QueryResult:
        """Find the pages that answer `text`, at most `limit` (1 to 100).

        `as_of` asks what was known at a moment (RFC 3339, or a date for its end in UTC), in one scope and
        without the standing preferences; then `pin_first` and `include_superseded` do not count.

        Raises:
            InvalidInput: the text is blank, arguments exclude each other, or `as_of` is no past moment.
            NotFound: a named scope does not exist.
        """
        if not text.strip():
            raise InvalidInput("query is blank: give words or a question.")
        named = [name for name, given in (("workspace", workspace), ("project", project)) if given]
        named += ["scopes"] if scopes else []
        named += ["global"] if everywhere else []
        if len(named) > 1 and named != ["workspace", "project"]:
            raise InvalidInput(f"{' and '.join(named)} exclude each other: give one way to choose the scope.")
        moment = self._moment(as_of, named)
        if moment is not None:
            resolved = self._scopes.resolve_read(workspace, project)
            past = self._search.query_past(
                text,
                (resolved.scope,),
                moment,
                limit=limit,
                include_expired=include_expired,
                explain=explain,
                progress=progress,
            )
            return _result(resolved, (resolved.scope,), past, as_of=moment)
        own: ResolvedScope | None = None
        chosen: tuple[Scope, ...] | None = None
        if scopes:
            chosen = self._scopes.parse_scopes(scopes)
        elif not everywhere and (named or not self._scopes.default_global()):
            own = self._scopes.resolve_read(workspace, project)
            chosen = (own.scope,)

        def ask(asked: tuple[Scope, ...] | None, *, pins: bool) -> QueryAnswer:
            return self._search.query(
                text,
                asked,
                limit=limit,
                include_expired=include_expired,
                pin_first=pins,
                include_superseded=include_superseded,
                explain=explain,
                progress=progress,
            )

        answer = ask(chosen, pins=pin_first and own is not None)
        others = {} if named else self._joined_scopes(own)
        joined = tuple(JoinedHits(name, scope, ask((scope,), pins=False)) for name, scope in others.items())
        result = _result(own, chosen, answer, joined, include_superseded=include_superseded)
        if chosen is not None:
            self._accesses.note(_accessed(result.all_hits))
        if answer.hits:
            return result
        known = (GLOBAL,) if "global" in others else ()
        zero_hits = self._search.zero_hits(
            text, chosen, known, include_expired=include_expired, progress=progress
        )
        raw_hits = self._raw.search(text, chosen, limit) if chosen else ()
        return replace(result, zero_hits=zero_hits, raw_hits=raw_hits)

    def _joined_scopes(self, own: ResolvedScope | None) -> dict[str, Scope]:
        """What a query that names no scope is also answered from."""
        others = {}
        if own is not None and own.scope != GLOBAL:
            others["global"] = GLOBAL
        if (caller := self._scopes.caller()) is not None:
            others["caller"] = caller
        return others

    def _moment(self, as_of: str, named: Sequence[str]) -> datetime | None:
        """The moment that is asked about; None for now."""
        if not as_of.strip():
            return None
        for name in ("scopes", "global"):
            if name in named:
                raise InvalidInput(f"as_of and {name} exclude each other: ask about the past of one project.")
        return parse_moment(as_of, "as_of", self._clock())


def _result(
    resolved: ResolvedScope | None,
    scopes: tuple[Scope, ...] | None,
    answer: QueryAnswer,
    joined: tuple[JoinedHits, ...] = (),
    *,
    as_of: datetime | None = None,
    include_superseded: bool = False,
) -> QueryResult:
    return QueryResult(
        resolved=resolved,
        scopes=scopes,
        hits=answer.hits,
        joined=joined,
        behind=answer.behind + tuple(scope for each in joined for scope in each.answer.behind),
        notes=answer.notes or next((each.answer.notes for each in joined if each.answer.notes), ()),
        explanation=answer.explanation,
        as_of=as_of,
        streams=answer.streams,
        include_superseded=include_superseded,
    )


def _accessed(hits: Sequence[Hit]) -> list[tuple[Scope, str]]:
    """The pages that answered; one that is there only because it is pinned did not."""
    return [(hit.scope, hit.path) for hit in hits if (hit.score > 0 or not hit.pinned) and not hit.superseded]
