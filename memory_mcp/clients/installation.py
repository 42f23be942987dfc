"""Putting our entries into a client's files and taking them out again, file by file.

Nothing is written before somebody applied the edits: until then they only say what would change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from memory_mcp.clients.client import Client, Place
from memory_mcp.clients.config_file import EditedFile, check_config_file, edit_config_file, preview
from memory_mcp.clients.entry import ServerEntry
from memory_mcp.clients.hook_command import HookOptions
from memory_mcp.routing.routing_block import remove_block, routing_block, set_block
from memory_mcp.routing.skill_files import MARK, SKILL_NAME, install_skill, load_skills
from memory_mcp.store.files import disk_errors

Edit = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """One file of a client, and the edit that is planned for it.

    With `removes_below` a file in which it leaves nothing goes, and so do its folders below that one if they
    are empty then.
    """

    file: Path
    edit: Edit
    removes_below: Path | None = None

    def apply(self, now: datetime) -> EditedFile:
        """Edit the file; see `edit_config_file`."""
        edited = edit_config_file(self.file, self.edit, now, may_go=self.removes_below is not None)
        if edited.outcome == "removed" and self.removes_below is not None:
            _remove_empty_folders(self.file.parent, self.removes_below)
        return edited

    def check(self) -> None:
        """Raise what `apply` would, as far as that can be told before it."""
        check_config_file(self.file, self.edit)

    def preview(self) -> str:
        """What would change, as a unified diff; "" for nothing. It raises as `apply` does."""
        return preview(self.file, self.edit)


@dataclass(frozen=True, slots=True)
class Target:
    """Whose files are meant: the user's, or those of the project in the folder `project`."""

    environ: Mapping[str, str]
    home: Path
    project: Path | None = None

    def file(self, place: Place | None) -> Path | None:
        """Where the file is, None where the client has none there."""
        return place.of(self.environ, self.home, self.project) if place else None


def plan_servers(client: Client, entry: ServerEntry, target: Target) -> list[PlannedEdit]:
    """Name the server, and the tools that need no question."""
    found = _planned(target.file(client.servers.place), lambda text: client.servers.add(text, entry))
    if client.approvals is not None:
        found += _planned(target.file(client.approvals.place), client.approvals.add)
    return found


def plan_hooks(client: Client, options: HookOptions, target: Target) -> list[PlannedEdit]:
    """Name the hooks."""
    hooks = client.hooks
    if hooks is None:
        return []
    return _planned(target.file(hooks.place), lambda text: hooks.add(text, options))


def plan_instructions(client: Client, target: Target, *, compact: bool) -> list[PlannedEdit]:
    """Put the block that routes agents to the memory into the client's instructions."""
    block = routing_block(compact=compact)
    return _planned(target.file(client.instructions), lambda text: set_block(text, block))


def plan_skills(client: Client, target: Target) -> list[PlannedEdit]:
    """Copy the skills, each into a folder of its own."""
    folder = target.file(client.skills)
    if folder is None:
        return []
    return [
        PlannedEdit(folder / skill.name / SKILL_NAME, partial(install_skill, skill=skill))
        for skill in load_skills()
    ]


def plan_removal(client: Client, target: Target) -> list[PlannedEdit]:
    """Take out whatever is provably ours, from the files that are there; the skills go as a whole."""
    edits: dict[Path, list[Edit]] = {}
    for part in (client.servers, client.hooks, client.approvals):
        file = target.file(part.place) if part is not None else None
        if part is not None and file is not None and file.exists():
            edits.setdefault(file, []).append(part.remove)
    instructions = target.file(client.instructions)
    if instructions is not None and instructions.exists():
        edits.setdefault(instructions, []).append(remove_block)
    edits |= {file: [lambda text: ""] for file in _our_skill_files(client, target)}
    root = target.project or target.home
    return [PlannedEdit(file, _chain(each), root) for file, each in edits.items()]


def _our_skill_files(client: Client, target: Target) -> list[Path]:
    folder = target.file(client.skills)
    files = sorted(folder.glob(f"*/{SKILL_NAME}")) if folder else []
    return [file for file in files if file.is_file() and _is_our_skill(file)]


def _is_our_skill(file: Path) -> bool:
    with disk_errors(file, "read"):
        return MARK in file.read_text(encoding="utf-8", errors="replace").splitlines()


def _planned(file: Path | None, edit: Edit) -> list[PlannedEdit]:
    return [PlannedEdit(file, edit)] if file is not None else []


def _remove_empty_folders(folder: Path, below: Path) -> None:
    while below in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return  # somebody else's things are in it
        folder = folder.parent


def _chain(edits: Sequence[Edit]) -> Edit:
    def run(text: str) -> str:
        for edit in edits:
            text = edit(text)
        return text

    return run
