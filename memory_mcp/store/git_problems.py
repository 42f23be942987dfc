"""What a person should mend in a repository, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memory_mcp.store.git_index import NOTE
from memory_mcp.store.git_kept import kept_conflicts
from memory_mcp.store.git_repo import GitRepo


def list_problems(repo: GitRepo, name_of: Callable[[str], str]) -> Iterator[str]:
    """A sentence for each problem; `name_of` says how the reader knows a path of the repository."""
    for path in repo.conflicted(""):
        yield f"{name_of(path)}: it has a merge conflict; resolve it and run 'git add' in {repo.root}."
    for kept in kept_conflicts(repo):
        yield (
            f"{name_of(kept.path)}: what was written during a rebase or on a detached HEAD did not come "
            "back, since the branch or a person has changed the page too; look at "
            f"'git show {kept.commit}:{kept.path}' in {repo.root}, and when you are done with it run "
            f"'git update-ref -d {kept.ref}'."
        )
    if (repo.folder.notes / NOTE).exists() and repo.folder.is_index_locked():
        yield (
            f"{repo.folder.own / 'index.lock'}: 'git status' lags behind while this file is there; if no git "
            "command is running, remove it."
        )
    if repo.folder.is_unsettled():
        yield (
            f"{repo.root}: HEAD is detached, or a rebase, pick, revert or bisect is under way; what is "
            "written meanwhile is kept and comes back once HEAD is on a branch."
        )
