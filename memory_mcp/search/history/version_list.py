"""The versions that the history index holds, scope by scope."""

from __future__ import annotations

from typing import NamedTuple

from memory_mcp.model.scope import CALLERS, Scope, scope_of
from memory_mcp.search.history.page_version import split_id
from memory_mcp.search.history.timeline import Timeline
from memory_mcp.search.index.index_read import IndexReader
from memory_mcp.search.index.page_terms import SCOPE


class Version(NamedTuple):
    """A document of the history index; `version` is that of the page's bytes, as pages carry it."""

    number: int
    id: str
    path: str
    blob: str
    version: str


class VersionList:
    """One generation of the history index, with the timeline that belongs to it."""

    def __init__(self, reader: IndexReader, timeline: Timeline) -> None:
        self.reader = reader
        self.timeline = timeline
        self._in_scope: dict[Scope, list[Version]] = {}

    def in_scope(self, scope: Scope) -> list[Version]:
        """All versions of the pages of a scope, in no order; remembered."""
        found = self._in_scope.get(scope)
        if found is None:
            found = self._in_scope[scope] = []
            for number in self.reader.documents(SCOPE, str(scope)):
                page = self.reader.stored(number)
                path, blob = split_id(page.path)
                if self.timeline.knows(path, blob):  # else its line was lost: it is read again
                    found.append(Version(number, page.path, path, blob, page.version))
        return found

    def scopes(self) -> tuple[Scope, ...]:
        """The scopes that ever held a page, but for those of callers."""
        found = {scope_of(path) for path in self.timeline.paths()}
        return tuple(sorted(scope for scope in found if scope.workspace != CALLERS))
