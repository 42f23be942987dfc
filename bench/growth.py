"""How a repository grows when one folder of many pages is written to, over and over and without a pause."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.corpus import page_path
from bench.measure import Row, note
from bench.store import Store
from memory_mcp.model.actor import Actor
from memory_mcp.pages.page_write import PageDraft

WRITES = 1000


def measure(store: Store) -> Iterator[Row]:
    """A thousand writes into one folder, at their largest and in the end."""
    with tempfile.TemporaryDirectory(dir=store.root) as temporary:
        flat = Store(Path(temporary), store.corpus, store.pages, flat=True)
        app = flat.open()
        repository = flat.data_dir / "wiki" / ".git"
        start = size = most = _size(repository)
        for count in range(WRITES):
            number = flat.pages + count
            title, body = flat.corpus.page(number)
            path = page_path(number if count % 2 else number % flat.pages, flat=True)
            app.writer.write(PageDraft(path, body, title=title), Actor("bench"))
            size = _size(repository)
            most = max(most, size)
            if count % 100 == 99:
                note(f"{count + 1} of {WRITES} writes: {(size - start) / 1e6:.2f} MB more")
        app.close()
    yield Row(f"{WRITES} writes into one folder, at most", (most - start) / 1e6, "MB", 10)
    yield Row(f"{WRITES} writes into one folder, in the end", (size - start) / 1e6, "MB", 10)


def _size(folder: Path) -> int:
    """The bytes of all files; one may go while it is looked at."""
    total, stack = 0, [str(folder)]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                else:
                    total += entry.stat(follow_symlinks=False).st_size
    return total
