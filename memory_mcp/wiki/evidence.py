"""What a page's version rests on: the lines of `_meta/evidence.jsonl` of its scope.

A line is `{"v", "id", "at", "path", "version", "source", "source_id"}` and counts once for each path,
version, source and source id. Lines that are torn, of a merge, or of another shape are skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from memory_mcp.model.scope import Scope
from memory_mcp.store.file_tail import read_tail

EVIDENCE_PATH = "_meta/evidence.jsonl"
MAX_BYTES = 16 * 1024 * 1024
"""What is read of a ledger, from its end: some 80,000 lines."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How many distinct sources a version has, and how many of them are sessions."""

    sources: int
    sessions: int


class _Entry(NamedTuple):
    path: str
    version: str
    source: str
    source_id: str


def read_evidence(
    wiki: Path, scope: Scope, pages: Collection[tuple[str, str]]
) -> dict[tuple[str, str], Evidence]:
    """The evidence for pages of a scope, each a path and a version.

    A page has none where there is no ledger that can be read.
    """
    found: dict[tuple[str, str], set[tuple[str, str]]] = {page: set() for page in pages}
    wanted = re.compile("|".join(re.escape(version) for _, version in pages).encode())
    for line in read_tail(wiki, f"{scope}/{EVIDENCE_PATH}", MAX_BYTES).split(b"\n"):
        entry = _entry(line) if wanted.search(line) else None
        if entry is not None and (entry.path, entry.version) in found:
            found[entry.path, entry.version].add((entry.source, entry.source_id))
    return {
        page: Evidence(len(sources), sum(source == "session" for source, _ in sources))
        for page, sources in found.items()
    }


def _entry(line: bytes) -> _Entry | None:
    try:
        found = json.loads(line)
        entry = _Entry(found["path"], found["version"], found["source"], found["source_id"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return entry if all(isinstance(field, str) for field in entry) else None
