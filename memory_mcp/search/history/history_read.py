"""Reading what git has committed into the history index, in commits of bounded size.

Of each path the nearest repository above it tells, as everywhere: when a folder of the root became a
repository of its own, or ceased to be one, the index starts anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memory_mcp.model.page import MAX_FILE_BYTES
from memory_mcp.model.page_path import is_log_path
from memory_mcp.model.page_place import is_page_place
from memory_mcp.model.progress import Progress
from memory_mcp.search.history.history_folder import HistoryFolder
from memory_mcp.search.history.page_version import version_terms
from memory_mcp.search.history.timeline import Change, Timeline
from memory_mcp.search.index.page_terms import PageTerms
from memory_mcp.search.text.tokenizer import forget_chunks
from memory_mcp.store.git_history import FirstParent, GitHistory

MAX_CHANGES = 2000
"""Changes in one commit of the index, about two seconds of work; a commit of git is never split."""

_BATCH = 200
_BATCH_BYTES = 8 * 1024 * 1024
"""How many blobs one git process reads, and how many bytes of them are in memory at once."""

Repositories = Mapping[str, GitHistory]
"""Every repository of the wiki by its wiki folder, the root's is ""."""


def is_current(timeline: Timeline, repositories: Repositories) -> bool:
    """Whether everything that HEAD holds, in every repository, has been read."""
    return timeline.heads == _heads(repositories) and _same_owners(timeline, repositories)


def read_on(folder: HistoryFolder, repositories: Repositories, progress: Progress) -> None:
    """Read the commits since the last time; everything, if history was rewritten. The build lock is held.

    Raises:
        Cancelled: by `progress`; what was read so far stays.
        Unavailable: git refuses.
    """
    if not _same_owners(folder.timeline, repositories):
        folder.start_anew()
    lines = _new_commits(folder.timeline, repositories)
    if lines is None:
        folder.start_anew()
        lines = _new_commits(folder.timeline, repositories) or {}
    total = sum(len(commit.blobs) for line in lines.values() for commit in line)
    done = 0
    for repository, line in lines.items():
        for commits in _parts(line):
            changes = _changes(repository, commits, repositories)
            source = repositories[repository]
            versions = list(_versions(source, folder.timeline, changes, done, total, progress))
            folder.add(versions, repository, commits[-1].commit, changes)
            done += sum(len(commit.blobs) for commit in commits)
            progress(done, total, "old versions")
    forget_chunks()


def owner_of(wiki_path: str, repositories: Repositories) -> str:
    """The wiki folder of the nearest repository above a path."""
    parts = wiki_path.split("/")
    for depth in range(min(len(parts) - 1, 2), 0, -1):
        folder = "/".join(parts[:depth])
        if folder in repositories:
            return folder
    return ""


def _heads(repositories: Repositories) -> dict[str, str]:
    heads = {folder: repo.head().commit for folder, repo in repositories.items()}
    return {folder: commit for folder, commit in heads.items() if commit is not None}


def _same_owners(timeline: Timeline, repositories: Repositories) -> bool:
    """Whether no path has changed hands since it was read."""
    if not timeline.heads.keys() <= repositories.keys():
        return False
    new = repositories.keys() - timeline.heads.keys() - {""}
    return not any(timeline.knows_below(folder) for folder in new)


def _new_commits(timeline: Timeline, repositories: Repositories) -> dict[str, list[FirstParent]] | None:
    """What is new in each repository; None if one of them does not go on from where it was read."""
    lines: dict[str, list[FirstParent]] = {}
    heads = _heads(repositories)
    if not timeline.heads.keys() <= heads.keys():
        return None
    for folder, head in heads.items():
        line = repositories[folder].first_parents(timeline.heads.get(folder), head)
        if line is None:
            return None
        if line:
            lines[folder] = line
    return lines


def _parts(line: Sequence[FirstParent]) -> Iterator[list[FirstParent]]:
    part: list[FirstParent] = []
    size = 0
    for commit in line:
        part.append(commit)
        size += len(commit.blobs)
        if size >= MAX_CHANGES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _changes(repository: str, commits: Sequence[FirstParent], repositories: Repositories) -> list[Change]:
    """The changes of files that can be pages and are this repository's to tell of."""
    found = []
    for commit in commits:
        for inside, blob in commit.blobs.items():
            path = f"{repository}/{inside}" if repository else inside
            if _may_be_page(path) and owner_of(path, repositories) == repository:
                found.append(Change(path, commit.time, blob))
    return found


def _may_be_page(wiki_path: str) -> bool:
    """As far as its name tells. A log has a version for each write, each as long as all before it."""
    is_log = is_log_path(wiki_path.split("/", 2)[-1])
    return is_page_place(wiki_path) and not is_log and _is_text(wiki_path)


def _is_text(path: str) -> bool:
    """Whether a name is UTF-8; the index takes no other."""
    try:
        path.encode()
        return True
    except UnicodeEncodeError:
        return False


def _versions(
    repo: GitHistory,
    timeline: Timeline,
    changes: Sequence[Change],
    done: int,
    total: int,
    progress: Progress,
) -> Iterator[PageTerms]:
    """The versions that are new, each once."""
    wanted = {
        (change.path, change.blob)
        for change in changes
        if change.blob is not None and not timeline.knows(change.path, change.blob)
    }
    sizes = repo.blob_sizes({blob for _, blob in wanted})
    for batch in _batches(sorted(wanted), sizes):
        progress(done, total, "old versions")
        contents = repo.contents({blob for _, blob in batch})
        for path, blob in batch:
            terms = version_terms(path, blob, contents[blob]) if blob in contents else None
            if terms is not None:
                yield terms
        done += len(batch)


def _batches(wanted: Sequence[tuple[str, str]], sizes: Mapping[str, int]) -> Iterator[list[tuple[str, str]]]:
    batch: list[tuple[str, str]] = []
    held = 0
    for path, blob in wanted:
        size = sizes.get(blob, MAX_FILE_BYTES + 1)
        if size > MAX_FILE_BYTES:
            continue
        if batch and (held + size > _BATCH_BYTES or len(batch) == _BATCH):
            yield batch
            batch, held = [], 0
        batch.append((path, blob))
        held += size
    if batch:
        yield batch
