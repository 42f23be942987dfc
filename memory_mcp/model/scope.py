"""A scope, a workspace and a project: whose wiki this is."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from memory_mcp.errors import InvalidInput
from memory_mcp.model.page_path import is_device_name

CALLERS = "_callers"
"""The reserved workspace that holds one project a caller; generic tools never touch it."""

MAX_NAME_CHARS = 100
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*\Z")


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """A workspace and a project; written `workspace/project`."""

    workspace: str
    project: str

    def __str__(self) -> str:
        return f"{self.workspace}/{self.project}"


GLOBAL = Scope("default", "_global")
"""Standing preferences, joined to every query that names no scope."""


@dataclass(frozen=True, slots=True)
class ResolvedScope:
    """A scope and how it was chosen.

    `source` is one of `argument`, `marker`, `repository`, `folder`, `home`; `detail` names the
    argument, the marker file or the folder that decided.
    """

    scope: Scope
    source: str
    detail: str

    def __str__(self) -> str:
        return f"{self.scope} (by {self.source}: {self.detail})"


def check_scope_name(name: str, argument: str) -> str:
    """Return `name` if a workspace or project may be called so, else raise `InvalidInput`."""
    if name == GLOBAL.project and argument == "project":
        return name
    if not _NAME.match(name) or len(name) > MAX_NAME_CHARS or name.endswith(".") or is_device_name(name):
        hint = "; give workspace and project apart" if "/" in name else ""
        raise InvalidInput(
            f"{argument} = {name!r:.80} is not a scope name: use lower-case letters, digits, '.', '_' "
            f"and '-', starting with a letter or digit, at most {MAX_NAME_CHARS} characters{hint}."
        )
    return name


def parse_scope(text: str, argument: str) -> Scope:
    """Parse `workspace/project`, the form that lists of scopes use."""
    workspace, slash, project = text.partition("/")
    if not slash or not workspace or not project or "/" in project:
        raise InvalidInput(f"{argument} = {text!r:.80} is not of the form 'workspace/project'.")
    return Scope(
        check_scope_name(workspace, argument),
        project if project == GLOBAL.project else check_scope_name(project, argument),
    )


def scope_of(wiki_path: str) -> Scope:
    """The scope in which a file of the wiki lies, by its wiki path `workspace/project/path`."""
    workspace, project, _ = wiki_path.split("/", 2)
    return Scope(workspace, project)


def derive_name(text: str) -> str:
    """Make a scope name of a folder's name: accents dropped, lower case, other runs become one `-`.

    A name of which nothing is left (one in Chinese, say) becomes `project-` and ten hex digits of
    the SHA-256 of the text, so that two such folders stay two projects.
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).lower()
    name = re.sub(r"[^a-z0-9._-]+", "-", plain).strip("._-")[:MAX_NAME_CHARS].rstrip("._-")
    if not name or is_device_name(name):
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
        return f"project-{digest}"
    return name
