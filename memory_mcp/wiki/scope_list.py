"""The scopes that a wiki holds: its folders, two levels deep."""

from __future__ import annotations

import os
from pathlib import Path

from memory_mcp.errors import InvalidInput
from memory_mcp.model.scope import CALLERS, GLOBAL, Scope, check_scope_name


def list_scopes(wiki: Path) -> list[Scope]:
    """Every scope in order; not callers, hidden folders, symbolic links or names no scope may have."""
    scopes = [
        Scope(workspace, project)
        for workspace in _folders(wiki)
        if _is_name(workspace, "workspace")
        for project in _folders(wiki / workspace)
        if _is_name(project, "project")
    ]
    return sorted(s for s in scopes if s.project != GLOBAL.project or s == GLOBAL)


def list_callers(wiki: Path) -> list[Scope]:
    """The scopes that hold what is known about callers, in order; no answer about scopes names them."""
    callers = wiki / CALLERS
    names = [] if callers.is_symlink() else _folders(callers)
    return sorted(Scope(CALLERS, name) for name in names if _is_name(name, "project"))


def scope_exists(wiki: Path, scope: Scope) -> bool:
    """Whether the wiki has a folder for this scope; `default/_global` always counts."""
    if scope == GLOBAL:
        return True
    workspace = wiki / scope.workspace
    project = workspace / scope.project
    return project.is_dir() and not workspace.is_symlink() and not project.is_symlink()


def _folders(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_name(name: str, argument: str) -> bool:
    try:
        check_scope_name(name, argument)
    except InvalidInput:
        return False
    return True
