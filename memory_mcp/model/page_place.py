"""Which files of the wiki are pages, by where they lie."""

from __future__ import annotations

import re

from memory_mcp.model.page_path import RECORD_FOLDERS, is_page_path, kind_of_path
from memory_mcp.model.scope import CALLERS, Scope

CALLER_RECORD_FOLDERS = (*RECORD_FOLDERS, "tasks")
"""Folders of a caller that hold no pages."""

_CALLER_PAGE = re.compile(r"memory/USER\.md|memory/notes/[^./][^/]*\.md|skills/(?!SKILLS\.md)[^./][^/]*\.md")
_CALLER_KINDS = {"memory/USER.md": "profile", "memory/notes": "note", "skills": "skill"}


def is_page_place(wiki_path: str) -> bool:
    """Whether a file at this wiki path can be a page.

    Of a caller the profile, the notes and the skills are pages; the indexes over them, the log and the tasks
    are not.
    """
    workspace, _, rest = wiki_path.partition("/")
    project, _, path = rest.partition("/")
    if not project or not path:
        return False
    return bool(_CALLER_PAGE.fullmatch(path)) if workspace == CALLERS else is_page_path(path)


def skipped_folders(scope: Scope) -> tuple[str, ...]:
    """The folders at the top of a scope, in lower case, that hold no pages."""
    return CALLER_RECORD_FOLDERS if scope.workspace == CALLERS else RECORD_FOLDERS


def kind_of_place(scope: Scope, path: str) -> str:
    """The kind that its place gives a page."""
    if scope.workspace == CALLERS:
        return _CALLER_KINDS.get(path) or _CALLER_KINDS.get(path.rpartition("/")[0], "fact")
    return kind_of_path(path)
