"""What the results are compared with: SQLite FTS5 over the same files, and a bare walk of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path


def bare_walk(root: str) -> int:
    """List every folder and stat every file."""
    count, stack = 0, [root]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    count += 1
    return count


def build_fts(database: Path, pages: Iterable[tuple[str, str, str]]) -> None:
    """Put pages (path, title, body) into a new FTS5 table with stemming, in a database file."""
    database.unlink(missing_ok=True)
    db = sqlite3.connect(database)
    db.execute("create virtual table p using fts5(path unindexed, title, body, tokenize='porter unicode61')")
    db.executemany("insert into p values (?, ?, ?)", pages)
    db.commit()
    db.close()


def read_pages(files: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    """Files as pages for `build_fts`, frontmatter and all."""
    return ((str(file), file.name, file.read_text(encoding="utf-8")) for file in files)


class Fts:
    """The FTS5 table, for queries that any of their words may match, ten best by BM25."""

    def __init__(self, database: Path) -> None:
        self._db = sqlite3.connect(database)

    def close(self) -> None:
        """Close the database file."""
        self._db.close()

    def query(self, words: Sequence[str]) -> list[tuple[int]]:
        """The row ids of the ten best; rows count from 1."""
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "select rowid from p where p match ? order by bm25(p) limit 10"
        return self._db.execute(sql, (match,)).fetchall()
