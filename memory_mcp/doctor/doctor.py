"""Runs all checks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memory_mcp.doctor.client_checks import check_clients
from memory_mcp.doctor.finding import Finding, sorted_findings
from memory_mcp.doctor.spool_checks import check_spool
from memory_mcp.doctor.store_checks import check_store
from memory_mcp.store.data_dir import DataDir


def examine(root: Path, environ: Mapping[str, str], home: Path, folder: Path) -> tuple[Finding, ...]:
    """What is wrong with the memory at `root` for somebody who works in `folder`; nothing is changed."""
    data_dir = DataDir(root)
    found = [
        *check_store(data_dir, folder),
        *check_spool(data_dir, folder),
        *check_clients(root, environ, home, folder),
    ]
    return sorted_findings(found)
