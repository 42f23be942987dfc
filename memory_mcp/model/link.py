"""A link from one page to another, as written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """The target of a link, before anyone looked whether it exists.

    `workspace` and `project` are None for the page's own scope. `path` is relative to the scope's
    folder and ends with `.md`. `relation` is `causes`, `fixes` or `contradicts` for a typed
    relation of the frontmatter, else "". `bare` marks a wikilink without a folder (`[[Some note]]`):
    when no page lies at `path`, it means the only page of the scope whose file has that name.
    """

    workspace: str | None
    project: str | None
    path: str
    relation: str = ""
    bare: bool = False
