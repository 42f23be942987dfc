"""Packing a repository long before git's own threshold.

Every commit of ours is one small pack. In a folder of 10,000 pages it holds a tree of 300 KB, and git would
wait for 50 such packs, or 6,700 loose objects, before it did anything. A geometric repack rolls the small
packs into one whose trees are deltas of each other, and leaves the large packs alone. Measured there:
1,000 commits without idle time grow the repository by 4 MB, for 7 ms of CPU each.
"""

from __future__ import annotations

import os
from pathlib import Path

from memory_mcp.store import steps
from memory_mcp.store.git_repo import GitRepo
from memory_mcp.store.git_run import GitFailure

DUE = 16
"""Small packs that make a repack worth while, also between two writes."""
DUE_WHEN_IDLE = 4

_SMALL_INDEX_BYTES = 2048
"""The index of a pack with some 30 objects; one of ours has four or five."""
_LOOSE_SAMPLE = 2
"""Objects in one of 256 folders: some 500 loose ones, made by the person's own commits."""
_TRIES = 4
_USAGE = 129
"""What git ends with when it does not know an option."""


def pack_if_due(repo: GitRepo, *, idle: bool) -> bool:
    """Pack if enough small packs have come together; returns whether it did.

    Nothing is dropped that a ref leads to or that is younger than two weeks. A failure costs nothing but
    space, so it is not an error; it is tried again some commits later. The writer lock must be held.
    """
    objects = repo.folder.common / "objects"
    small = _count_small_packs(objects / "pack")
    if idle:
        due = small >= DUE_WHEN_IDLE or _count_files(objects / "17") > _LOOSE_SAMPLE
    else:
        due = small >= DUE and small % DUE < _TRIES
    if not due:
        return False
    steps.reach("git.pack")
    try:
        _pack(repo)
    except GitFailure:
        return False
    steps.reach("git.packed")
    return True


def _pack(repo: GitRepo) -> None:
    try:
        repo.run("repack", "-d", "-n", "-q", "--geometric=2", "--window=2", config=["pack.threads=1"])
    except GitFailure as failure:
        if failure.status != _USAGE:
            raise
        # Before git 2.32 there is no geometric repack; its collector packs everything anew, so let it wait.
        settings = ["gc.auto=400", f"gc.autoPackLimit={4 * DUE}", "gc.autoDetach=false"]
        repo.run("gc", "--auto", "--quiet", config=settings)


def _count_small_packs(folder: Path) -> int:
    try:
        with os.scandir(folder) as entries:
            return sum(e.name.endswith(".idx") and e.stat().st_size < _SMALL_INDEX_BYTES for e in entries)
    except OSError:
        return 0


def _count_files(folder: Path) -> int:
    try:
        return len(os.listdir(folder))
    except OSError:
        return 0
