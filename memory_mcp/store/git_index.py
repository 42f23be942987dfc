"""Moving the user's index along with a commit that was made without it.

If the index were left alone, `git status` would show our change as a staged reversal and the user's next
`git commit` would take it back. So the entry of each path is set to what HEAD now holds, but only where it
still was what HEAD held before: anything else is what the user has staged.

What is to be moved is noted in a file before HEAD moves, and the file goes when the index has been told. So
a kill in between, or an `index.lock` of a running or killed git command, delays the index and loses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from memory_mcp.store import steps
from memory_mcp.store.files import disk_errors, make_folders
from memory_mcp.store.git_object import EXECUTABLE, FILE, Entry, blob_id, path_bytes
from memory_mcp.store.git_read import GitReader
from memory_mcp.store.git_run import GitFailure

NOTE = "index-mend"


def note_index(repo: GitReader, before: Mapping[str, Entry | None]) -> bool:
    """Note what HEAD held at the paths; returns whether older notes were still there."""
    note = repo.folder.notes / NOTE
    rows = [{"path": path, "was": entry.blob if entry else None} for path, entry in before.items()]
    with disk_errors(note):
        make_folders(note.parent)
        older = note.exists()
        with note.open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return older


def tell_index(
    repo: GitReader, was: Mapping[str, Collection[str | None]], now: Mapping[str, Entry | None]
) -> bool:
    """Set the entries that hold one of the blobs in `was` to `now`; False where the index is locked."""
    indexed = repo.index_entries(was)
    lines = []
    for path, blobs in was.items():
        if path in indexed and indexed[path] is None:
            continue
        entry, target = indexed.get(path), now.get(path)
        if entry == target or not _is_ours(entry, blobs):
            continue
        if target is not None:
            mode = entry.mode if entry and entry.mode in (FILE, EXECUTABLE) else target.mode
            lines.append(b"%s %s 0\t%s\0" % (mode.encode(), target.blob.encode(), path_bytes(path)))
        elif entry is not None:
            lines.append(b"0 %s\t%s\0" % (b"0" * len(entry.blob), path_bytes(path)))
    steps.reach("git.index-tell")
    if lines:
        try:
            repo.run("update-index", "-z", "--index-info", data=b"".join(lines))
        except GitFailure as failure:
            if "index.lock" in failure.stderr:
                return False
            raise
    steps.reach("git.index-told")
    (repo.folder.notes / NOTE).unlink(missing_ok=True)
    return True


def mend_index(repo: GitReader) -> bool:
    """Tell the index what is noted from earlier commits; False where it is still locked."""
    was: dict[str, set[str | None]] = {}
    try:
        text = (repo.folder.notes / NOTE).read_text(encoding="utf-8")
    except OSError:
        return True
    for line in text.splitlines():
        try:
            row = json.loads(line)
            was.setdefault(row["path"], set()).add(row["was"])
        except (ValueError, KeyError, TypeError):
            continue  # a line torn by a kill: HEAD had not moved yet
    now: dict[str, Entry | None] = dict(repo.entries(was, repo.head().commit))
    return tell_index(repo, was, now)


def _is_ours(entry: Entry | None, was: Collection[str | None]) -> bool:
    if entry is None:
        return None in was
    if None in was and entry.blob == blob_id(b"", len(entry.blob)):
        return True  # `git add -N` of a file that was not in HEAD: nothing is staged
    return entry.blob in was
