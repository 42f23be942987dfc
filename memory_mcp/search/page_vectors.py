"""The vectors of pages, where a model is installed and they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memory_mcp.errors import Unavailable
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import Scope
from memory_mcp.search.search_index import SearchIndex
from memory_mcp.store.lock import WriterLock
from memory_mcp.wiki.scope_list import list_callers, list_scopes

if TYPE_CHECKING:
    from memory_mcp.search.index.snapshot import Snapshot
    from memory_mcp.search.vectors.vector_search import EmbeddedPages, VectorSearch


class PageVectors:
    """Without `root`, or a model that is installed, pages are found by their words and links alone."""

    def __init__(
        self, index: SearchIndex, wiki: Path, root: Path | None, lock: WriterLock, *, background: bool
    ) -> None:
        self._index = index
        self._wiki = wiki
        self._root = root
        self._lock = lock
        self._background = background

    @cached_property
    def search(self) -> VectorSearch | None:
        """The vectors as a ranking asks them."""
        self._missing_model = ""
        if self._root is None:
            return None
        from memory_mcp.search.vectors.embedder import find_embedder  # noqa: PLC0415 - only if they are wanted

        embedder = find_embedder()
        if isinstance(embedder, str):
            self._missing_model = embedder
            return None
        from memory_mcp.search.vectors.vector_search import VectorSearch  # noqa: PLC0415 - numpy

        return VectorSearch(self._wiki, self._root, self._lock, embedder, background=self._background)

    def off(self) -> str:
        """Why pages are not found by meaning though they should be, in one sentence; "" otherwise."""
        return "" if self.search else self._missing_model

    def missing(self, pages: Snapshot) -> int | None:
        """How many of the asked pages are not found by meaning yet; None when none is, see `off`."""
        return self.search.missing(pages) if self.search else None

    def problems(self) -> list[tuple[str, str]]:
        """What a person should mend: a wiki path or a folder, and a sentence."""
        return self.search.problems() if self.search else []

    def embed(
        self, *, force: bool = False, dry_run: bool = False, progress: Progress = no_progress
    ) -> EmbeddedPages:
        """Compute the vectors that are missing of all pages, or with `force` all; `dry_run` only counts.

        Raises:
            Unavailable: no model is installed, or the vectors cannot be written.
        """
        vectors = self.search
        if not vectors:
            raise Unavailable(self.off() or "the vectors are turned off: set [vectors] enabled = true.")
        return self._index.ask(
            lambda pages: vectors.embed(pages, force=force, dry_run=dry_run, progress=progress),
            self._everybody(),
            progress,
        )

    def embed_missing(self) -> None:
        """Compute what is missing as far as it takes a moment; a thread goes on if there is much."""
        if self.search:
            self._index.ask(self.search.prepare, self._everybody())

    def update(self, wiki_paths: Sequence[str]) -> None:
        """Compute the vectors of pages just written, if the model is loaded; never raises."""
        if vectors := self.__dict__.get("search"):
            vectors.update(wiki_paths)

    def _everybody(self) -> tuple[Scope, ...]:
        """All scopes, those of callers too: a vector tells nobody anything."""
        return (*list_scopes(self._wiki), *list_callers(self._wiki))

    def close(self) -> None:
        """Let a thread that computes vectors end."""
        if vectors := self.__dict__.get("search"):
            vectors.close()
