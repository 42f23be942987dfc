"""Answering without an index: the files of the asked scopes are read into memory, for a bounded time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import Scope, scope_of
from memory_mcp.search.index.delta import Delta
from memory_mcp.search.index.freshness import look
from memory_mcp.search.index.index_read import IndexReader
from memory_mcp.search.index.manifest import Manifest
from memory_mcp.search.index.page_source import SourceReader
from memory_mcp.search.index.page_terms import page_terms
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.wiki.scope_list import list_scopes

MAX_SECONDS = 2.0


def scan_files(
    wiki: Path,
    scopes: Sequence[Scope] | None,
    why: str,
    progress: Progress = no_progress,
    seconds: float = MAX_SECONDS,
) -> Snapshot:
    """The pages of these scopes, or of all but callers', as many as can be read in the time.

    `why` begins the note that tells the reader.
    """
    deadline = time.monotonic() + seconds
    asked = tuple(list_scopes(wiki) if scopes is None else scopes)
    sources = SourceReader(wiki)
    reader = IndexReader()
    delta = Delta(reader)
    paths = sorted(look(wiki, Manifest(), asked, lambda gone: False).changed)
    read = 0
    for path in paths:
        if time.monotonic() > deadline:
            break
        progress(read, len(paths), "reading pages")
        page = sources.read(path)
        if page is not None:
            delta.put(page_terms(page))
        read += 1
    manifest = Manifest()
    manifest.apply(sources.change(0))
    note = f"{why}; this answer comes from reading the files"
    note += "." if read == len(paths) else f": {read:,} of {len(paths):,}, within {seconds:g} s."
    behind = sorted({scope_of(path) for path in paths[read:]})
    return Snapshot(wiki, manifest, reader, delta, asked, behind=tuple(behind), notes=(note,))
