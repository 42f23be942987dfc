"""Whoosh in a hook: without a network client and an event loop, and with nothing left in their place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


IMPORT = "import sys; from memory_mcp.prompt_recall.whoosh_import import import_whoosh; import_whoosh(); "


def test_neither_a_network_client_nor_an_event_loop_is_loaded() -> None:
    code = "print(sorted({'asyncio', 'http.client', 'urllib.request', 'cached_property'} & {*sys.modules}))"
    assert python(IMPORT + code) == "[]"


def test_who_needs_them_later_gets_the_real_ones() -> None:
    code = "import urllib.request, cached_property; print(urllib.request.urlopen, cached_property.__file__)"
    assert "function urlopen" in python(IMPORT + code)


def test_what_is_loaded_already_stays() -> None:
    code = "import urllib.request as before; " + IMPORT + "print(sys.modules['urllib.request'] is before)"
    assert python(code) == "True"
