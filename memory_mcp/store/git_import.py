"""Making a commit object without touching index, work tree, branch or hooks: `git fast-import`.

It reads a stream and writes one small pack, which is fsynced, unlike loose objects; `git_pack` rolls those
packs together. The ref that fast-import insists on is deleted in the same stream, so nothing is left but
the objects.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from memory_mcp.store.commit_message import COMMITTER, Signature
from memory_mcp.store.git_object import EXECUTABLE, FILE, Entry, quote_path
from memory_mcp.store.git_run import GitFailure, GitRun

_PACKED = ("fastimport.unpackLimit=0", "pack.compression=1")
"""One pack a commit. Level 1 takes 6 ms less than 6 for the tree of 10,000 pages and adds no 2 % to it."""

_REF = b"refs/memory-mcp/import"
_CRASH = re.compile(r"dumping crash report to (.+)")


def import_commit(
    run: GitRun,
    parent: str | None,
    changes: Mapping[str, bytes | None],
    before: Mapping[str, Entry],
    message: str,
    author: Signature,
    id_length: int,
) -> str:
    """Write a commit on top of `parent` and return its id; `before` holds what the parent has at the paths.

    A file keeps the executable bit it had. `id_length` is the number of hex digits of an object's id.
    """
    text = message.encode("utf-8", "replace")
    parts = [b"feature done\nreset %s\ncommit %s\nmark :1\n" % (_REF, _REF)]
    parts.append(_identity(b"author", author.name, author.email, author))
    parts.append(_identity(b"committer", *COMMITTER, author))
    parts.append(b"data %d\n%s\n" % (len(text), text))
    if parent:
        parts.append(b"from %s\n" % parent.encode())
    for path, data in sorted(changes.items(), key=lambda change: change[1] is not None):
        if data is None:
            parts.append(b"D %s\n" % quote_path(path))
        else:
            mode = file_mode(before.get(path)).encode()
            parts.append(b"M %s inline %s\ndata %d\n%s\n" % (mode, quote_path(path), len(data), data))
    parts.append(b"\nget-mark :1\nreset %s\nfrom %s\n\ndone\n" % (_REF, b"0" * id_length))
    try:
        output = run("fast-import", "--quiet", "--date-format=raw", data=b"".join(parts), config=_PACKED)
    except GitFailure as failure:
        _remove_crash_report(run.root, failure.stderr)
        raise
    return output.decode().strip()


def file_mode(before: Entry | None) -> str:
    """The mode of a file that replaces `before`."""
    return EXECUTABLE if before and before.mode == EXECUTABLE else FILE


def _identity(role: bytes, name: str, email: str, when: Signature) -> bytes:
    who = f"{name} <{email}> {int(when.when.timestamp())} +0000".encode("utf-8", "replace")
    return b"%s %s\n" % (role, who)


def _remove_crash_report(root: Path, stderr: str) -> None:
    """Fast-import leaves a file of its state behind when it fails, which nobody would ever read."""
    if found := _CRASH.search(stderr):
        (root / found[1].strip()).unlink(missing_ok=True)
