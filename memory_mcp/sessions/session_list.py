"""Which sessions were recorded, found by the names and times of their files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from memory_mcp.model.scope import CALLERS, Scope


def newest_sessions(raw: Path, scopes: Sequence[Scope]) -> list[tuple[Scope, str]]:
    """Scope and id of the sessions of these scopes, the one whose file changed last first.

    Symbolic links are not followed, and nothing of a caller is listed.
    """
    found: list[tuple[int, Scope, str]] = []
    for scope in scopes:
        if scope.workspace == CALLERS:
            continue
        try:
            with os.scandir(raw / scope.workspace / scope.project / "sessions") as entries:
                found += [
                    (entry.stat(follow_symlinks=False).st_mtime_ns, scope, entry.name.removesuffix(".jsonl"))
                    for entry in entries
                    if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False)
                ]
        except OSError:
            continue
    return [(scope, name) for _, scope, name in sorted(found, reverse=True)]
