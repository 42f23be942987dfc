"""What the results are compared with: SQLite FTS5 over the same files, and a bare walk of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
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


def build_fts(database: Path, files: Sequence[Path]) -> None:
    """Read the files into a new FTS5 table with stemming, in a database file."""
    database.unlink(missing_ok=True)
    db = sqlite3.connect(database)
    db.execute("create virtual table p using fts5(path unindexed, title, body, tokenize='porter unicode61')")
    rows = ((str(file), file.name, file.read_text(encoding="utf-8")) for file in files)
    db.executemany("insert into p values (?, ?, ?)", rows)
    db.commit()
    db.close()


class Fts:
    """The FTS5 table, for queries that any of their words may match, ten best by BM25."""

    def __init__(self, database: Path) -> None:
        self._db = sqlite3.connect(database)

    def query(self, words: Sequence[str]) -> list[tuple[int]]:
        """The row ids of the ten best."""
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "select rowid from p where p match ? order by bm25(p) limit 10"
        return self._db.execute(sql, (match,)).fetchall()
