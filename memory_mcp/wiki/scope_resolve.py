"""Which scope a call means: its arguments, else the nearest marker, else the repository, else the folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from memory_mcp.errors import InvalidInput, NotFound, UserError
from memory_mcp.model.caller import caller_scope
from memory_mcp.model.scope import (
    CALLERS,
    GLOBAL,
    ResolvedScope,
    Scope,
    check_scope_name,
    derive_name,
    parse_scope,
)
from memory_mcp.store.checkout import Checkout, find_checkout
from memory_mcp.wiki.caller_owner import check_owner
from memory_mcp.wiki.marker import Marker, read_marker
from memory_mcp.wiki.scope_list import list_scopes, scope_exists

MAX_SCOPES = 25
"""The most scopes that one call may name."""


class ScopeResolver:
    """Resolves the scopes of a process that works in `start` for the caller of the name `caller`.

    `check_caller` raises when that scope's folder was made for a caller of another name.
    Every call looks at the files afresh, so that a marker written during a session counts at once.
    """

    def __init__(self, wiki: Path, start: Path, home: Path | None, caller: str) -> None:
        self._wiki = wiki
        self._caller_name = caller
        self._caller = caller_scope(caller)
        self._start = Path(os.path.realpath(start))
        self._home = Path(os.path.realpath(home)) if home else None
        # Home, the folders above it and the root: a project there would swallow all others.
        self._no_projects = {Path(self._start.anchor)}
        if self._home:
            self._no_projects |= {self._home, *self._home.parents}

    def resolve_read(self, workspace: str = "", project: str = "") -> ResolvedScope:
        """The scope that a read means; blank arguments count as absent. Of callers only the own is read.

        Raises:
            InvalidInput: the arguments or the marker break a rule.
            NotFound: the scope that the arguments name does not exist; the message names the nearest.
            Conflict: the caller's folder belongs to a caller of another name.
        """
        if Scope(workspace.strip(), project.strip()) == self._caller:
            check_owner(self._wiki, self._caller_name)
            return ResolvedScope(self._caller, "argument", "workspace and project")
        return self.resolve_pages(workspace, project)

    def resolve_pages(self, workspace: str = "", project: str = "") -> ResolvedScope:
        """The scope whose pages a tool may change, which exists; as `resolve_read`, but never a caller's."""
        workspace, project = _check_pair(workspace, project)
        if not project:
            return self._implicit()
        if workspace:
            scope = Scope(workspace, project)
            if not scope_exists(self._wiki, scope) and not self._is_implicit(scope):
                raise NotFound(self._unknown(scope))
            return ResolvedScope(scope, "argument", "workspace and project")
        found = self._by_project(project)
        if found is None:
            raise NotFound(self._unknown_project(project))
        return found

    def resolve_write(self, workspace: str = "", project: str = "", global_: bool = False) -> ResolvedScope:
        """The scope that a write means, which the write then creates; blank arguments count as absent.

        Raises:
            InvalidInput: the arguments or the marker break a rule, or nothing tells which project is meant.
        """
        workspace, project = _check_pair(workspace, project)
        if global_:
            if project:
                raise InvalidInput('scope = "global" excludes workspace and project; give one or the other.')
            return ResolvedScope(GLOBAL, "argument", 'scope = "global"')
        if workspace:
            return ResolvedScope(Scope(workspace, project), "argument", "workspace and project")
        if project:
            return self._by_project(project) or self._in_active_workspace(project)
        resolved = self._implicit()
        if resolved.source == "home":
            raise InvalidInput(
                f'the folder {self._start} is no project: pass project, or scope = "global" for a standing '
                "preference, or start the client in a project's folder."
            )
        return resolved

    def parse_scopes(self, texts: Sequence[str]) -> tuple[Scope, ...]:
        """The scopes of a list of `workspace/project`, each once, in the order given.

        Raises:
            InvalidInput: one is malformed, or there are more than 25.
            NotFound: one does not exist.
            Conflict: the folder of the own caller belongs to another one.
        """
        if len(texts) > MAX_SCOPES:
            raise InvalidInput(f"scopes holds {len(texts)} entries; at most {MAX_SCOPES} are allowed.")
        scopes = []
        for text in texts:
            if text == str(self._caller):
                check_owner(self._wiki, self._caller_name)
                scopes.append(self._caller)
                continue
            workspace, _, project = text.partition("/")
            _refuse_reserved(workspace, project)
            scope = parse_scope(text, "scopes")
            if not scope_exists(self._wiki, scope) and not self._is_implicit(scope):
                raise NotFound(self._unknown(scope))
            scopes.append(scope)
        return tuple(dict.fromkeys(scopes))

    def caller(self) -> Scope | None:
        """The scope of the caller, None while nothing is known of them, or if the folder is another's."""
        if not scope_exists(self._wiki, self._caller):
            return None
        try:
            check_owner(self._wiki, self._caller_name)
        except UserError:
            return None
        return self._caller

    def marker(self) -> Marker | None:
        """The marker that sets the scope of this process, with its other settings."""
        return self._find_marker(self._checkout())

    def default_global(self) -> bool:
        """Whether a recall that names no scope reaches every project, as the marker may say."""
        marker = self.marker()
        return marker is not None and marker.recall_default_global

    def _implicit(self) -> ResolvedScope:
        checkout = self._checkout()
        marker = self._find_marker(checkout)
        if marker is None:
            return self._derived(GLOBAL.workspace, checkout)
        detail = str(marker.path)
        if marker.project:
            return ResolvedScope(Scope(marker.workspace, marker.project), "marker", detail)
        derived = self._derived(marker.workspace, checkout, marker.path.parent)
        if derived.source == "home":
            return derived
        return ResolvedScope(derived.scope, "marker", detail)

    def _derived(
        self, workspace: str, checkout: Checkout | None, marked: Path | None = None
    ) -> ResolvedScope:
        if checkout:
            name = derive_name(checkout.name)
            return ResolvedScope(Scope(workspace, name), "repository", str(checkout.main_root))
        folder = self._start if marked is None or marked in self._no_projects else marked
        if folder in self._no_projects:
            return ResolvedScope(GLOBAL, "home", str(folder))
        return ResolvedScope(Scope(workspace, derive_name(folder.name)), "folder", str(folder))

    def _checkout(self) -> Checkout | None:
        """The checkout of the start folder, unless its repository is the home folder itself (dotfiles)."""
        checkout = find_checkout(self._start)
        if checkout and {checkout.root, checkout.main_root} & self._no_projects:
            return None
        return checkout

    def _find_marker(self, checkout: Checkout | None) -> Marker | None:
        for folder in self._marker_folders(self._start, checkout):
            if marker := read_marker(folder):
                return marker
        if checkout and checkout.main_root not in (checkout.root, *self._start.parents):
            # All worktrees are one project: one without a marker takes the main worktree's.
            for folder in self._marker_folders(checkout.main_root, checkout):
                if marker := read_marker(folder):
                    return marker
        return None

    def _marker_folders(self, start: Path, checkout: Checkout | None) -> list[Path]:
        """From `start` up to home; outside home up to the checkout's root; outside both only `start`."""
        above = [start, *start.parents]
        for last in (self._home, checkout.root if checkout else None):
            if last in above:
                return above[: above.index(last) + 1]
        return [start]

    def _is_implicit(self, scope: Scope) -> bool:
        """Whether this is the process's own scope, which may be named before its first page is written."""
        try:
            return self._implicit().scope == scope
        except InvalidInput:
            return False  # a broken marker is not what an explicit scope asks about

    def _by_project(self, project: str) -> ResolvedScope | None:
        """An existing project of this name: in the active workspace, else in `default`."""
        if project == GLOBAL.project:
            return ResolvedScope(GLOBAL, "argument", "project")
        active = self._in_active_workspace(project)
        if scope_exists(self._wiki, active.scope) or self._is_implicit(active.scope):
            return active
        fallback = Scope(GLOBAL.workspace, project)
        if scope_exists(self._wiki, fallback):
            return ResolvedScope(fallback, "argument", f"project, in workspace {fallback.workspace}")
        return None

    def _in_active_workspace(self, project: str) -> ResolvedScope:
        workspace = self._implicit().scope.workspace
        return ResolvedScope(Scope(workspace, project), "argument", f"project, in workspace {workspace}")

    def _unknown_project(self, project: str) -> str:
        holders = [str(scope) for scope in list_scopes(self._wiki) if scope.project == project]
        if holders:
            return f"project = {project!r} exists as {', '.join(holders)}: give workspace as well."
        return self._unknown(self._in_active_workspace(project).scope)

    def _unknown(self, scope: Scope) -> str:
        import difflib  # noqa: PLC0415 - only an error needs it

        known = [str(each) for each in list_scopes(self._wiki)]
        same_project = [name for name in known if name.endswith(f"/{scope.project}")]
        near = [*same_project, *difflib.get_close_matches(str(scope), known, n=3, cutoff=0.5)]
        nearest = ", ".join(list(dict.fromkeys(near))[:3])
        if nearest:
            return f"there is no scope {scope}; nearest: {nearest}."
        return f"there is no scope {scope}; the first page written there creates it."


def _check_pair(workspace: str, project: str) -> tuple[str, str]:
    """Both arguments without blanks around, valid as far as they are given."""
    workspace, project = workspace.strip(), project.strip()
    for argument, value in (("project", project), ("workspace", workspace)):
        first, slash, second = value.partition("/")
        if slash and first and second and "/" not in second:
            raise InvalidInput(
                f"{argument} = {value!r:.120} names a whole scope: give workspace = {first!r:.60} and "
                f"project = {second!r:.60} apart."
            )
    _refuse_reserved(workspace, project)
    if workspace:
        check_scope_name(workspace, "workspace")
        if not project:
            raise InvalidInput(
                f"workspace = {workspace!r} without project: both must be given together, or neither."
            )
    if project:
        check_scope_name(project, "project")
    return workspace, project


def _refuse_reserved(workspace: str, project: str) -> None:
    if workspace == CALLERS:
        raise InvalidInput(
            f"workspace = {CALLERS!r} is reserved for the memories of callers: one's own can be read, and is "
            "written with memory_write, skill_write and the task tools."
        )
    if project == GLOBAL.project and workspace not in ("", GLOBAL.workspace):
        raise InvalidInput(
            f"project = {project!r} exists in workspace {GLOBAL.workspace!r} only, not in {workspace!r:.60}."
        )
