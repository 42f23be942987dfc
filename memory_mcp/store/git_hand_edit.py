"""Edits made by hand, committed alone and in the name of the person who made them."""

from __future__ import annotations

import getpass
from collections.abc import Collection
from datetime import datetime

from memory_mcp.store.commit_message import Signature, hand_edit_message, person_signature
from memory_mcp.store.files import disk_errors
from memory_mcp.store.git_object import path_text
from memory_mcp.store.git_repo import GitRepo
from memory_mcp.store.git_run import GitFailure


def commit_hand_edits(repo: GitRepo, paths: Collection[str], when: datetime) -> list[str]:
    """Commit those of `paths` whose file differs from HEAD and return them.

    Symbolic links and folders are left as they are: nothing reads what they lead to.
    """
    changes: dict[str, bytes | None] = {}
    for path in repo.differs_from_head(paths):
        file = repo.root / path
        if file.is_symlink() or file.is_dir():
            continue
        with disk_errors(file, "read"):
            changes[path] = file.read_bytes() if file.exists() else None
    if changes:
        repo.commit(changes, hand_edit_message(list(changes)).text(), find_person(repo, when))
    return list(changes)


def find_person(repo: GitRepo, when: datetime) -> Signature:
    """Who commits in this repository by git's configuration, else the user of the operating system."""
    try:
        output = repo.run("config", "-z", "--get-regexp", r"^user\.(name|email)$", user_config=True)
    except GitFailure as failure:
        if failure.status != 1:
            raise
        output = b""
    found = dict(path_text(row).split("\n", 1) for row in output.split(b"\0") if b"\n" in row)
    try:
        login = getpass.getuser()
    except (KeyError, OSError, ImportError):
        login = "person"
    name = found.get("user.name") or login
    return person_signature(name, found.get("user.email") or f"{login}@memory-mcp.invalid", when)
