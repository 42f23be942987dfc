"""Finding pages: by text, by link, by path. What is found is as fresh as the files."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memory_mcp.errors import Cancelled, Unavailable, UserError
from memory_mcp.model.clock import Clock
from memory_mcp.model.link import Link
from memory_mcp.model.page_path import collision_key, is_page_path
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import Scope
from memory_mcp.search.answer import (
    Hit,
    PageCounts,
    PageHealth,
    PageLinks,
    PageListing,
    QueryAnswer,
    ZeroHits,
)
from memory_mcp.search.index.freshness import GoneFromHead
from memory_mcp.search.index.live_index import LiveIndex
from memory_mcp.search.index.page_index import MissingIndex
from memory_mcp.search.rank.weights import Weights
from memory_mcp.store.lock import WriterLock

if TYPE_CHECKING:
    from memory_mcp.search.history.history_index import HistoryIndex
    from memory_mcp.search.history.history_read import Repositories
    from memory_mcp.search.index.snapshot import Snapshot
    from memory_mcp.search.rank.collection import Collection
    from memory_mcp.search.text.stop_words import AddedStopWords
    from memory_mcp.search.vectors.vector_search import EmbeddedPages, VectorSearch

# ruff: noqa: PLC0415 - what is imported below loads Whoosh or YAML; a server answers before that

log = logging.getLogger(__name__)

T = TypeVar("T")

Committed = Callable[[Iterable[Scope], datetime, datetime], Iterable[str]]

_ATTEMPTS = 4
"""Use the index, discard it, build another, use that; a fifth would not go better."""


class PageSearch:
    """The index as services use it. Safe to call from several threads; they take turns.

    `repair` is called before every look: it finishes what a killed process left in the files.
    `stop_words` are more words that queries ignore. `repositories` are those of the wiki by their wiki
    folders; their commits hold the old versions, and `committed` tells which wiki paths of some scopes were
    committed from one moment to before another. Without `vectors_root`, or a model that is installed, pages
    are found by their words and links alone.
    """

    def __init__(
        self,
        wiki: Path,
        index_root: Path,
        lock: WriterLock,
        clock: Clock,
        *,
        background: bool,
        is_gone_from_head: GoneFromHead,
        repair: Callable[[], None] = lambda: None,
        stop_words: Sequence[str] = (),
        repositories: Callable[[], Repositories] = dict,
        committed: Committed = lambda scopes, first, until: (),
        vectors_root: Path | None = None,
    ) -> None:
        self._wiki = wiki
        self._lock = lock
        self._background = background
        self._vectors_root = vectors_root
        self._clock = clock
        self._repair = repair
        self._stop_words = stop_words
        self._guard = threading.RLock()
        self._index_root = index_root
        self._repositories = repositories
        self._committed = committed
        self._history: HistoryIndex | None = None
        self.weights = Weights()
        self._live = LiveIndex(
            wiki, index_root, lock, background=background, is_gone_from_head=is_gone_from_head
        )

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

            vectors = self._vectors
            notes = vectors.prepare(pages) if vectors else ()
            ranking = PageRanking(
                asked,
                text,
                self._clock(),
                self.weights,
                include_expired,
                linked=pages,
                stop_words=self._added_stop_words,
                vectors=vectors,
                committed=partial(self._committed, pages.scopes),
            )
            wiki = self._wiki if explain else None
            answer = answer_query(ranking, pages, limit, pin_first=pin_first, explain_from=wiki)
            return replace(answer, notes=(*answer.notes, *notes))

        def find(pages: Snapshot) -> QueryAnswer:
            if not include_superseded:
                return rank(pages, pages)
            return self._ask_history(lambda old: rank(pages, old.with_superseded(pages, progress)))

        return self._ask(find, scopes, progress)

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

            search = ZeroHitsSearch(pages, text, self._clock().timestamp(), self._added_stop_words)
            return search.suggest(asked or pages.scopes, known, include_expired=include_expired)

        return self._ask(suggest, None, progress)

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
                pages, text, moment, self.weights, include_expired, stop_words=self._added_stop_words
            )
            wiki = self._wiki if explain else None
            return answer_query(ranking, pages, limit, pin_first=False, explain_from=wiki)

        with self._guard:
            self._repair()
            return self._ask_history(find)

    def best(self, text: str, scope: Scope, progress: Progress = no_progress) -> Hit | None:
        """The page of a scope that answers `text` best."""
        hits = self.query(text, (scope,), limit=1, progress=progress).hits
        return hits[0] if hits else None

    def listing(self, scopes: Sequence[Scope] | None, progress: Progress = no_progress) -> PageListing:
        """All pages, by path, and how they are."""

        def list_pages(pages: Snapshot) -> PageListing:
            from memory_mcp.search.page_health import count_pages

            listed = tuple(sorted(pages.pages()))
            counts = sum(count_pages(pages, listed).values(), PageCounts())
            return PageListing(listed, counts, pages.caveats())

        return self._ask(list_pages, scopes, progress)

    def paths(self, scope: Scope, progress: Progress = no_progress) -> list[str]:
        """The paths of a scope's pages, in order."""
        prefix = len(f"{scope}/")
        return self._ask(
            lambda pages: sorted(path[prefix:] for path in pages.paths(scope)), (scope,), progress
        )

    def complete_paths(self, scope: Scope, prefix: str, limit: int = 100) -> list[str]:
        """The first paths of a scope that begin with `prefix`, whatever its case."""
        key = collision_key(prefix)
        return [path for path in self.paths(scope) if collision_key(path).startswith(key)][:limit]

    def links(
        self, scope: Scope, path: str, links: Sequence[Link], depth: int = 0, progress: Progress = no_progress
    ) -> PageLinks:
        """What a page that has these links is linked with; `depth` above 0 walks on, see `related`."""

        def follow(pages: Snapshot) -> PageLinks:
            from memory_mcp.search.index.link_graph import backlinks, related, resolve

            return PageLinks(
                tuple(resolve(pages, scope, link) for link in links),
                tuple(backlinks(pages, scope, path)),
                tuple(related(pages, scope, path, depth, self._clock().timestamp())),
                pages.caveats(),
            )

        return self._ask(follow, (scope,), progress)

    def health(self, scopes: Sequence[Scope] | None, progress: Progress = no_progress) -> PageHealth:
        """How much there is, and what a person should mend."""

        def examine(pages: Snapshot) -> PageHealth:
            from memory_mcp.search.page_health import count_pages, problems

            counts = count_pages(pages, list(pages.pages()))
            found = sorted(problems(pages)) + (self._vectors.problems() if self._vectors else [])
            return PageHealth(counts, tuple(found), pages.caveats())

        return self._ask(examine, scopes, progress)

    def missing_vectors(self, scopes: Sequence[Scope] | None, progress: Progress = no_progress) -> int | None:
        """How many pages are not found by meaning yet; None when none is, see `vectors_off`."""
        vectors = self._vectors
        return self._ask(vectors.missing, scopes, progress) if vectors else None

    def vectors_off(self) -> str:
        """Why pages are not found by meaning though they should be, in one sentence; "" otherwise."""
        return "" if self._vectors else self._no_embedder

    def embed(
        self, *, force: bool = False, dry_run: bool = False, progress: Progress = no_progress
    ) -> EmbeddedPages:
        """Compute the vectors that are missing of all pages, or with `force` all; `dry_run` only counts.

        Raises:
            Unavailable: no model is installed, or the vectors cannot be written.
        """
        vectors = self._vectors
        if not vectors:
            raise Unavailable(
                self.vectors_off() or "the vectors are turned off: set [vectors] enabled = true."
            )
        return self._ask(
            lambda pages: vectors.embed(pages, force=force, dry_run=dry_run, progress=progress),
            None,
            progress,
        )

    def embed_missing(self) -> None:
        """Compute what is missing as far as it takes a moment; a thread goes on if there is much."""
        if vectors := self._vectors:
            self._ask(vectors.prepare, None, no_progress)

    def update(self, wiki_paths: Sequence[str]) -> None:
        """Bring the index up to date with files just written or removed; the writer lock must be held.

        Never raises: the files are the truth, and what the index misses is found at the next look.
        """
        paths = [path for path in wiki_paths if _is_indexed(path)]
        with self._guard:
            try:
                self._live.update(paths)
            except MissingIndex:
                pass
            except Exception:
                log.exception("the index cannot be updated")
                self._live.forget()
            if vectors := self.__dict__.get("_vectors"):
                vectors.update(paths)

    def rebuild(self, progress: Progress = no_progress) -> int:
        """Build the index anew from the files; returns how many pages it holds.

        That of old versions is read from git again when it is next needed.
        """
        with self._guard:
            count = self._live.rebuild(progress)
            self._old_versions().remove()
            return count

    def close(self) -> None:
        """Close all files."""
        with self._guard:
            if vectors := self.__dict__.get("_vectors"):
                vectors.close()
            self._live.close()
            if self._history is not None:
                self._history.close()

    def _ask_history(self, question: Callable[[HistoryIndex], T]) -> T:
        """Put a question to the history; if its index is broken read it from git again."""
        history = self._old_versions()
        try:
            return question(history)
        except (UserError, Cancelled):
            raise
        except Exception:
            log.exception("the history index cannot be used and is built anew")
            history.discard()
        return question(history)

    def _old_versions(self) -> HistoryIndex:
        from memory_mcp.search.history.history_index import HistoryIndex

        if self._history is None:
            self._history = HistoryIndex(self._index_root, self._repositories)
        return self._history

    @cached_property
    def _added_stop_words(self) -> AddedStopWords:
        from memory_mcp.search.text.stop_words import AddedStopWords

        return AddedStopWords(self._stop_words)

    @cached_property
    def _vectors(self) -> VectorSearch | None:
        """The vectors, if they are wanted and there is a model; `_no_embedder` says why there is none."""
        from memory_mcp.search.vectors.embedder import find_embedder

        self._no_embedder = ""
        if self._vectors_root is None:
            return None
        embedder = find_embedder()
        if isinstance(embedder, str):
            self._no_embedder = embedder
            return None
        from memory_mcp.search.vectors.vector_search import VectorSearch

        return VectorSearch(self._wiki, self._vectors_root, self._lock, embedder, background=self._background)

    def _ask(
        self, question: Callable[[Snapshot], T], scopes: Sequence[Scope] | None, progress: Progress
    ) -> T:
        """Put a question to the index; if it is broken rebuild it; at worst read the files."""
        with self._guard:
            self._repair()
            why = ""
            for _ in range(_ATTEMPTS):
                try:
                    return question(self._live.snapshot(scopes, progress))
                except (UserError, Cancelled):
                    raise
                except MissingIndex:
                    if why := self._live.build(progress):
                        break
                except Exception:
                    log.exception("the index cannot be used and is built anew")
                    self._live.discard()
            from memory_mcp.search.index.file_scan import scan_files

            return question(scan_files(self._wiki, scopes, why, progress))


def _is_indexed(wiki_path: str) -> bool:
    """Whether a file of the wiki lies where a page can: below the folder of a scope."""
    parts = wiki_path.split("/", 2)
    return len(parts) == 3 and is_page_path(parts[2])
