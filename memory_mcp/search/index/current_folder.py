"""Which folder below a root holds the index now: a file names it, and replacing that file switches."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

POINTER = "current"


def read_current(root: Path, prefix: str) -> str:
    """The name of the current folder; "" when there is none that begins with `prefix`, its version."""
    try:
        name = (root / POINTER).read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return ""
    return name if name.startswith(prefix) and name[len(prefix) :].isalnum() else ""


def make_current(root: Path, name: str) -> None:
    """Let readers open this folder from their next look on."""
    temporary = root / f"{POINTER}.tmp"  # one builder at a time: what a killed one left is written over
    temporary.write_text(name + "\n", encoding="utf-8")
    temporary.replace(root / POINTER)


def remove_others(root: Path, name: str) -> None:
    """Remove the folders of other builds and other versions.

    Processes that still read one keep its open files, or notice at their next look that it is gone.
    """
    import shutil  # noqa: PLC0415 - 4 ms that who only reads need not pay

    with suppress(OSError):
        for entry in root.iterdir():
            if entry.name != name and entry.is_dir() and entry.name.startswith("v"):
                shutil.rmtree(entry, ignore_errors=True)
