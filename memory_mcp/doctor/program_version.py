"""Asking another installation of the product for its version."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

TIMEOUT_SECONDS = 15
NO_VERSION = ""
_VERSION = re.compile(r"memory-mcp (\S{1,40})")


def version_of(words: Sequence[str]) -> str:
    """The version of the product that these words start, `NO_VERSION` where they start none."""
    try:
        done = subprocess.run(
            [*words, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return NO_VERSION
    found = _VERSION.search(done.stdout.decode("utf-8", "replace"))
    return found[1] if found and done.returncode == 0 else NO_VERSION
