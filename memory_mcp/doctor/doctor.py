"""Runs all checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.doctor.caller_checks import check_callers
from memory_mcp.doctor.client_checks import check_clients, find_installed
from memory_mcp.doctor.codex_checks import check_trust
from memory_mcp.doctor.finding import Finding, sorted_findings
from memory_mcp.doctor.git_checks import check_git
from memory_mcp.doctor.session_checks import check_sessions
from memory_mcp.doctor.spool_checks import check_spool
from memory_mcp.doctor.store_checks import check_store
from memory_mcp.store.data_dir import DataDir


@dataclass(frozen=True, slots=True)
class Examined:
    """Whose memory is examined: the data dir, the person's environment and home, the folder they are in.

    `broken_settings` is why `config.toml` cannot be used, "" if it can; `version` that of this product.
    """

    data_dir: DataDir
    environ: Mapping[str, str]
    home: Path
    folder: Path
    broken_settings: str
    version: str
    now: datetime


def examine(what: Examined) -> tuple[Finding, ...]:
    """What is wrong, the worst first; nothing is changed."""
    data_dir, environ, home, folder = what.data_dir, what.environ, what.home, what.folder
    installed = find_installed(environ, home, folder)
    found = [
        *check_store(data_dir, home, folder, what.broken_settings),
        *check_git(data_dir),
        *check_spool(data_dir, folder),
        *check_clients(installed, data_dir.root, environ, home, what.version),
        *check_trust(installed, environ, folder),
        *check_callers(data_dir, installed),
        *check_sessions(data_dir, installed, environ, home, what.now),
    ]
    return sorted_findings(found)
