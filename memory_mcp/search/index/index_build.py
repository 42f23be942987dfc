"""A whole new index from the files, in a folder of its own that then becomes the current one.

Nobody waits for it: readers and writers go on with the old index, and what is written meanwhile is found
by stat at the next look, like an edit made by hand. One process builds at a time.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from memory_mcp.errors import Cancelled
from memory_mcp.model.page_place import skipped_folders
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.search.index.current_folder import make_current, remove_others
from memory_mcp.search.index.index_format import PREFIX
from memory_mcp.search.index.index_read import open_reader
from memory_mcp.search.index.index_write import build
from memory_mcp.search.index.manifest import Manifest, ManifestFile
from memory_mcp.search.index.page_index import MissingIndex
from memory_mcp.search.index.page_source import SourceReader
from memory_mcp.search.index.page_terms import PageTerms, page_terms
from memory_mcp.store import steps
from memory_mcp.store.stat_scan import scan_scope
from memory_mcp.wiki.scope_list import list_callers, list_scopes

_PROGRESS_STEP = 100


def rebuild_index(root: Path, wiki: Path, progress: Progress = no_progress) -> int:
    """Build a new index of all pages and make it the current one; returns how many pages it holds.

    Raises:
        Cancelled: by `progress`; the old index stays.
        MissingIndex: somebody removed the new one meanwhile.
    """
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = PREFIX + secrets.token_hex(4)
    folder = root / name
    folder.mkdir(mode=0o700)
    try:
        sources = SourceReader(wiki)
        build(folder, _terms(sources, list_files(wiki), progress))
        steps.reach("index.built")
        reader = open_reader(folder)
        generation, count = reader.generation, reader.count
        reader.close()
        manifest = Manifest()
        manifest.apply(sources.change(generation))
        ManifestFile(folder).replace(manifest)
        steps.reach("index.complete")
        make_current(root, name)
    except (Cancelled, KeyboardInterrupt):
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except Exception as error:
        if not folder.is_dir():
            raise MissingIndex("somebody removed the folder") from error
        shutil.rmtree(folder, ignore_errors=True)
        raise
    steps.reach("index.current")
    remove_others(root, name)
    return count


def list_files(wiki: Path) -> list[str]:
    """The wiki paths of all files that may be pages, those of callers too."""
    return [
        f"{scope}/{path}"
        for scope in (*list_scopes(wiki), *list_callers(wiki))
        for path in sorted(scan_scope(f"{wiki}/{scope}", {}, skipped_folders(scope)).changed)
    ]


def _terms(sources: SourceReader, paths: Sequence[str], progress: Progress) -> Iterator[PageTerms]:
    for done, path in enumerate(paths):
        if done % _PROGRESS_STEP == 0:
            progress(done, len(paths), "pages")
        page = sources.read(path)
        if page is not None:
            yield page_terms(page)
    progress(len(paths), len(paths), "pages")
