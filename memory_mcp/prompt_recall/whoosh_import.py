"""Loads Whoosh without what it would load and never use: a third of the time that it takes a hook."""

from __future__ import annotations

import sys
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

_READER = "memory_mcp.search.index.index_read"
_UNUSED: dict[str, dict[str, Any]] = {
    "urllib.request": {"urlretrieve": None},
    "cached_property": {"cached_property": cached_property},
}
"""What Whoosh takes from which module. The first brings a network client for a name that nothing uses, the
second asyncio for a decorator that the standard library has."""


def import_whoosh() -> None:
    """Load what reads the index; of the modules that stood in for others nothing stays."""
    stand_ins = [_stand_in(name, held) for name, held in _UNUSED.items() if name not in sys.modules]
    try:
        import_module(_READER)
    finally:
        for each in stand_ins:
            del sys.modules[each.__name__]


def _stand_in(name: str, held: dict[str, Any]) -> ModuleType:
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(held)
    return module
