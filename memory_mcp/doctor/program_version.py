"""Asking another installation of the product for its version."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_mcp.doctor.bounded_process import bounded_process

TIMEOUT_SECONDS = 15
NO_VERSION = ""
_VERSION = re.compile(r"memory-mcp (\S{1,40})")


def version_of(words: Sequence[str]) -> str:
    """The version of the product that these words start, `NO_VERSION` where they start none."""
    try:
        with bounded_process((*words, "--version"), TIMEOUT_SECONDS) as process:
            said, _ = process.communicate()
    except (OSError, ValueError):
        return NO_VERSION
    found = _VERSION.search(said.decode("utf-8", "replace"))
    return found[1] if found and process.returncode == 0 else NO_VERSION
