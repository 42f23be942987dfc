"""Prompts that have nothing to remember, written down before anything was learned from them."""

from __future__ import annotations

from pathlib import Path

_FILE = Path(__file__).with_name("ordinary_prompts.txt")


def ordinary_prompts() -> list[str]:
    """The prompts; some are of several lines."""
    return [each.strip("\n") for each in _FILE.read_text(encoding="utf-8").split("\n%%\n")]
