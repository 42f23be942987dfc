"""Prompts that have nothing to remember.

The ordinary ones were written down before anything was learned from them. The later ones, longer and nearer
to what pages speak of, were written when the weights stood; nothing is learned from them.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def ordinary_prompts() -> list[str]:
    """The 200 prompts; some are of several lines."""
    return _read("ordinary_prompts.txt")


def later_prompts() -> list[str]:
    """The 102 prompts."""
    return _read("later_prompts.txt")


def _read(name: str) -> list[str]:
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return [each.strip("\n") for each in text.split("\n%%\n")]
