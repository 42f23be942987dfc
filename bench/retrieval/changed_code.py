"""Constants and functions of the product, replaced for a while."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

from memory_mcp.search.text.tokenizer import forget_chunks

Changes = Mapping[str, object]
"""What stands instead of what, by its module below `memory_mcp.search` and its name: `rank.bm25:K1`."""

_PRODUCT = "memory_mcp."


def current(place: str) -> object:
    """What stands at a place.

    Raises:
        ImportError, AttributeError: there is no such module or name.
    """
    module, _, name = place.partition(":")
    found: object = getattr(import_module(f"{_PRODUCT}search.{module}"), name)
    return found


@contextmanager
def changed(changes: Changes) -> Iterator[None]:
    """Replace these, also where other modules of the product have imported them by their names.

    What functions remember of earlier calls is forgotten before and after. An index that is there already
    stays as it is: pages must be indexed inside to be found by changed terms.
    """
    before = {place: current(place) for place in changes}
    try:
        for place, value in changes.items():
            _replace(place, before[place], value)
        _forget()
        yield
    finally:
        for place, value in changes.items():
            _replace(place, value, before[place])
        _forget()


def _replace(place: str, old: object, new: object) -> None:
    name = place.partition(":")[2]
    for module in _modules():
        if vars(module).get(name) is old:
            setattr(module, name, new)


def _forget() -> None:
    forget_chunks()
    for module in _modules():
        for value in list(vars(module).values()):
            if clear := getattr(value, "cache_clear", None):
                clear()


def _modules() -> list[ModuleType]:
    return [module for name, module in list(sys.modules.items()) if name.startswith(_PRODUCT)]
