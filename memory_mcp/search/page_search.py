"""Finding the pages that answer a question. What is found is as fresh as the files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.model.clock import Clock
from memory_mcp.model.page_path import is_page_path
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import Scope
from memory_mcp.search.answer import Hit, QueryAnswer, ZeroHits
from memory_mcp.search.page_vectors import PageVectors
from memory_mcp.search.rank.weights import Weights
from memory_mcp.search.search_index import SearchIndex
from memory_mcp.store.log_lines import read_entries

if TYPE_CHECKING:
    from memory_mcp.search.history.history_index import HistoryIndex
    from memory_mcp.search.index.snapshot import Snapshot
    from memory_mcp.search.rank.collection import Collection
    from memory_mcp.search.text.stop_words import AddedStopWords

# ruff: noqa: PLC0415 - what is imported below loads Whoosh or YAML; a server answers before that


MAX_LOGS = 25
"""Of how many scopes the logs are read when a question names days."""


class PageSearch:
    """Queries of the pages as they are, or as git remembers them.

    `wiki` is where the evidence of pages lies, `history` gives what git remembers, which most processes never
    need, and `stop_words` are more words that queries ignore.
    """

    def __init__(
        self,
        wiki: Path,
        index: SearchIndex,
        history: Callable[[], HistoryIndex],
        vectors: PageVectors,
        clock: Clock,
        *,
        stop_words: Sequence[str] = (),
    ) -> None:
        self._wiki = wiki
        self._index = index
        self._history = history
        self._vectors = vectors
        self._clock = clock
        self._more_stop_words = stop_words
        self.weights = Weights()

    def query(
        self,
        text: str,
        scopes: Sequence[Scope] | None,
        *,
        limit: int = 10,
        include_expired: bool = False,
        pin_first: bool = False,
        explain: bool = False,
        include_superseded: bool = False,
        progress: Progress = no_progress,
    ) -> QueryAnswer:
        """The pages that answer `text`, best first; `scopes` None means all but those of callers.

        With `include_superseded` the versions that the pages no longer are answer too.
        """

        def rank(pages: Snapshot, asked: Collection) -> QueryAnswer:
            from memory_mcp.search.query_answer import answer_query
            from memory_mcp.search.rank.page_ranking import PageRanking

            vectors = self._vectors.search
            notes = vectors.prepare(pages) if vectors else ()
            ranking = PageRanking(
                asked,
                text,
                self._clock(),
                self.weights,
                include_expired,
                linked=pages,
                stop_words=self._stop_words,
                vectors=vectors,
                written=partial(self._written, pages.scopes),
            )
            wiki = self._wiki if explain else None
            answer = answer_query(ranking, pages, limit, pin_first=pin_first, explain_from=wiki)
            return replace(answer, notes=(*answer.notes, *notes))

        def find(pages: Snapshot) -> QueryAnswer:
            if not include_superseded:
                return rank(pages, pages)
            return self._history().ask(lambda old: rank(pages, old.with_superseded(pages, progress)))

        return self._index.ask(find, scopes, progress)

    def zero_hits(
        self,
        text: str,
        asked: Sequence[Scope] | None,
        known: Sequence[Scope],
        *,
        include_expired: bool = False,
        progress: Progress = no_progress,
    ) -> ZeroHits:
        """What to try when nothing answers `text` in the scopes `asked`, nor in those `known`."""

        def suggest(pages: Snapshot) -> ZeroHits:
            from memory_mcp.search.zero_hits import ZeroHitsSearch

            search = ZeroHitsSearch(pages, text, self._clock().timestamp(), self._stop_words)
            return search.suggest(asked or pages.scopes, known, include_expired=include_expired)

        return self._index.ask(suggest, None, progress)

    def query_past(
        self,
        text: str,
        scopes: Sequence[Scope],
        moment: datetime,
        *,
        limit: int = 10,
        include_expired: bool = False,
        explain: bool = False,
        progress: Progress = no_progress,
    ) -> QueryAnswer:
        """What `query` would have answered at a moment, as far as git was told of the pages by then.

        Pages count as expired that were so at that moment. Links are not followed.
        """

        def find(history: HistoryIndex) -> QueryAnswer:
            from memory_mcp.search.query_answer import answer_query
            from memory_mcp.search.rank.page_ranking import PageRanking

            pages = history.at(moment.timestamp(), scopes, progress)
            ranking = PageRanking(
                pages, text, moment, self.weights, include_expired, stop_words=self._stop_words
            )
            wiki = self._wiki if explain else None
            return answer_query(ranking, pages, limit, pin_first=False, explain_from=wiki)

        return self._history().ask(find)

    def best(self, text: str, scope: Scope, progress: Progress = no_progress) -> Hit | None:
        """The page of a scope that answers `text` best."""
        hits = self.query(text, (scope,), limit=1, progress=progress).hits
        return hits[0] if hits else None

    def _written(self, scopes: Sequence[Scope], first: datetime, until: datetime) -> Iterator[str]:
        """The wiki paths that the logs of these scopes name; nothing where there are too many to read."""
        for scope in scopes if len(scopes) <= MAX_LOGS else ():
            for _, detail in read_entries(self._wiki, str(scope), first, until):
                if is_page_path(detail):
                    yield f"{scope}/{detail}"

    @cached_property
    def _stop_words(self) -> AddedStopWords:
        from memory_mcp.search.text.stop_words import AddedStopWords

        return AddedStopWords(self._more_stop_words)
