"""Checks whether the sessions that clients themselves keep were recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from memory_mcp.capture.folder_marker import find_marker
from memory_mcp.capture.hook_settings import ALLOWLIST, BadSettings, read_settings
from memory_mcp.capture.spool import BadEntry, Spool
from memory_mcp.clients.transcripts import Transcript, client_sessions
from memory_mcp.doctor.client_checks import Installed
from memory_mcp.doctor.finding import Finding, our_command
from memory_mcp.folding.event_scope import EventScopes
from memory_mcp.model.caller import DEFAULT_CALLER
from memory_mcp.model.session_id import session_id
from memory_mcp.sessions.capture_off import which_is_off
from memory_mcp.sessions.hooks_installed import hooks_installed
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.store.data_dir import DataDir

MAX_AGE = timedelta(days=14)
YOUNG = timedelta(minutes=1)
"""The client may write its file before it runs the hook."""


def check_sessions(
    data_dir: DataDir, installed: list[Installed], environ: Mapping[str, str], home: Path, now: datetime
) -> Iterator[Finding]:
    """Sessions in known projects that began after the hooks were installed, and of which nothing is here."""
    since = hooks_installed(data_dir.state)
    expectation: _Expectation | None = None
    for each in installed:
        client, hooks = each.client, each.client.hooks
        begin = since.get(str(each.target.file(hooks.place))) if hooks and each.hooks else None
        if begin is None:
            continue
        begin = max(begin, now - MAX_AGE)
        expectation = expectation or _Expectation(data_dir, environ, home)
        sessions = [
            session
            for session in client_sessions(client.name, environ, home, begin)
            if begin <= session.started <= now - YOUNG
            and expectation.is_of(each.target.project, session.cwd)
            and expectation.is_wanted(session.cwd)
        ]
        missed = [session for session in sessions if not expectation.is_here(client.name, session)]
        if missed:
            newest = max(missed, key=lambda session: session.started)
            text = (
                f"{len(missed)} of {len(sessions)} sessions of {client.title} since {begin:%Y-%m-%d %H:%M}Z "
                f"were not recorded, the last of them {newest.file}; install the hooks again, and the next "
                "sessions will tell"
            )
            mend = our_command(
                data_dir.root, "install-hooks", "--client", client.name, *each.level, "--apply"
            )
            yield Finding("sessions-missing", text, mend)


class _Expectation:
    """Which sessions should be here, and which are."""

    def __init__(self, data_dir: DataDir, environ: Mapping[str, str], home: Path) -> None:
        self._data_dir = data_dir
        self._home = home
        self._scopes = EventScopes(data_dir.wiki, SessionFiles(data_dir.raw), home, DEFAULT_CALLER)
        try:
            self._only_marked = read_settings(str(data_dir.root), environ).mode == ALLOWLIST
        except BadSettings:
            self._only_marked = False
        self._here = {file.stem for file in data_dir.raw.glob("*/*/sessions/*.jsonl")}
        self._here |= set(_spooled(Spool(str(data_dir.spool))))

    def is_here(self, agent: str, session: Transcript) -> bool:
        """Whether anything of the session was recorded."""
        return session_id(agent, session.native_id) in self._here

    def is_of(self, project: Path | None, cwd: str) -> bool:
        """Whether the hooks of a project run in this folder; those of the user run everywhere."""
        return project is None or project in (Path(cwd), *Path(cwd).parents)

    def is_wanted(self, cwd: str) -> bool:
        """Whether a session in this folder belongs to a project of this store, and nobody excluded it."""
        folder = Path(cwd)
        scope = self._scopes.scope_of({"cwd": cwd}, "")
        if scope is None or which_is_off(self._data_dir.state, folder):
            return False
        if self._only_marked and not find_marker(cwd, str(self._home)).folder:
            return False
        known = (self._data_dir.wiki, self._data_dir.raw)
        return any((place / scope.workspace / scope.project).is_dir() for place in known)


def _spooled(spool: Spool) -> Iterator[str]:
    for name in spool.names():
        try:
            entry = spool.read(name) or {}
        except BadEntry:
            continue
        yield session_id(str(entry.get("agent", "")), str(entry.get("native_id", "")))
