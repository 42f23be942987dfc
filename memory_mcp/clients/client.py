"""What the product knows of a client: where its files lie, and how to edit each.

A client is one module that ends with its `CLIENT`; `client_list` names them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.clients.entry import ServerEntry
from memory_mcp.clients.hook_command import HookOptions

UserPlace = Callable[[Mapping[str, str], Path], Path]
"""A file of the user's, by environment and home."""
ProjectPlace = Callable[[Path], Path]
"""The same of a project, by its folder."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file or folder of a client lies: for the user, and for one project; None for nowhere."""

    user: UserPlace | None
    project: ProjectPlace | None = None

    def of(self, environ: Mapping[str, str], home: Path, project: Path | None) -> Path | None:
        """The one that is meant, None where the client has none."""
        if project is None:
            return self.user(environ, home) if self.user else None
        return self.project(project) if self.project else None


@dataclass(frozen=True, slots=True)
class ServerFile:
    """Where servers are named: by our name below `keys`, in JSON or TOML. The functions return the new text.

    They raise ValueError with the reason for a text that the client itself could not read.
    """

    place: Place
    keys: tuple[str, ...]
    add: Callable[[str, ServerEntry], str]
    remove: Callable[[str], str]
    is_toml: bool = False


@dataclass(frozen=True, slots=True)
class HookFile:
    """Where hooks are named, and how to set, remove and find ours; see `ServerFile`.

    What is found is the client's name of the event, and the command.
    """

    place: Place
    add: Callable[[str, HookOptions], str]
    remove: Callable[[str], str]
    find: Callable[[str], list[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class ApprovalFile:
    """Where a client keeps which tools need no question, if not beside the server; see `ServerFile`."""

    place: Place
    add: Callable[[str], str]
    remove: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Client:
    """One client. What it does not have is None.

    `note` is what its user has to do after an installation, `project_note` after one for a project.
    """

    name: str
    title: str
    servers: ServerFile
    hooks: HookFile | None = None
    approvals: ApprovalFile | None = None
    instructions: Place | None = None
    skills: Place | None = None
    note: str = ""
    project_note: str = ""
