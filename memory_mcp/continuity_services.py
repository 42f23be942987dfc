"""Builds the services by which work goes on from one session to the next."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_mcp.app import App
    from memory_mcp.sessions.session_file import SessionFiles

# ruff: noqa: PLC0415 - every import below belongs to the service it builds


class ContinuityServices:
    """Sessions, handoffs, messages, briefings."""

    def __init__(self, app: App) -> None:
        self._app = app

    @cached_property
    def session_files(self) -> SessionFiles:
        """What was captured, one file a session."""
        from memory_mcp.sessions.session_file import SessionFiles

        return SessionFiles(self._app.data_dir.raw)
