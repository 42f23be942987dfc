"""The repositories of a wiki, addressed by wiki paths.

The repository of a path is the nearest one above it: the root's, or that of a workspace or project which is
a repository of its own, so that what is shared with whom is a folder. The root ignores the others.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from pathlib import Path

from memory_mcp.errors import NotFound
from memory_mcp.model.clock import Clock, utc_now
from memory_mcp.store import steps
from memory_mcp.store.commit_message import CommitMessage, actor_signature
from memory_mcp.store.git_folder import is_repository
from memory_mcp.store.git_hand_edit import commit_hand_edits
from memory_mcp.store.git_history import CommitInfo
from memory_mcp.store.git_pack import pack_if_due
from memory_mcp.store.git_repo import GitRepo
from memory_mcp.store.wiki_files import format_problem, is_excluded, nested_pattern
from memory_mcp.store.wiki_setup import set_up_nested, set_up_root

ROOT = ""
"""The wiki folder of the root's repository."""


class WikiRepos:
    """Finds the repository of each wiki path and works with all of them as one.

    What changes something needs the writer lock; nothing here takes it. `light` is said in `git_run`.
    """

    def __init__(self, wiki: Path, clock: Clock = utc_now, *, light: bool = False) -> None:
        self._wiki = wiki
        self._light = light
        self._clock = clock
        self._repos: dict[str, GitRepo] = {}
        self._ready: set[str] = set()
        self._searched = False

    def repo_of(self, wiki_path: str) -> tuple[GitRepo, str]:
        """The repository that holds a wiki path, and the path in it."""
        folder = self._folder_of(wiki_path)
        return self._at(folder), _inside(folder, wiki_path)

    def everywhere(self) -> dict[str, GitRepo]:
        """Every repository by its wiki folder: the root's (`""`), those of workspaces, of projects."""
        nested = [f for f in (*_folders(self._wiki, 1), *_folders(self._wiki, 2)) if f]
        found = [folder for folder in (ROOT, *nested) if is_repository(self._wiki / folder)]
        return {folder: self._at(folder) for folder in found}

    def ensure(self) -> None:
        """Make the wiki a repository, at its first use.

        Raises:
            Unavailable: git is missing, or the wiki is of a newer format.
        """
        if ROOT in self._ready and is_repository(self._wiki):
            return
        steps.reach("wiki.init")
        set_up_root(GitRepo.init(self._wiki, light=self._light), self._clock())
        steps.reach("wiki.ready")
        self._ready.add(ROOT)

    def commit(self, changes: Mapping[str, bytes | None], message: CommitMessage) -> list[str]:
        """Commit these contents, in each repository those that it holds; the ids of the commits."""
        author = actor_signature(message.actor, self._clock())
        commits = []
        for folder, paths in self._by_repo(changes).items():
            repo = self._at(folder)
            self._adopt(folder)
            commit = repo.commit(
                {_inside(folder, path): changes[path] for path in paths}, message.text(), author
            )
            if commit:
                commits.append(commit)
                pack_if_due(repo, idle=False)
        return commits

    def commit_hand_edits(self, wiki_paths: Iterable[str]) -> list[str]:
        """Commit those files that differ from HEAD, in the person's name, and return them."""
        edited: list[str] = []
        for folder, paths in self._by_repo(wiki_paths).items():
            self._adopt(folder)
            inside = [_inside(folder, path) for path in paths]
            edited += (
                _outside(folder, p) for p in commit_hand_edits(self._at(folder), inside, self._clock())
            )
        return edited

    def uncommitted(self, prefix: str) -> list[str]:
        """The files below a wiki folder whose changes are in no commit."""
        found: list[str] = []
        for folder, repo in self._below(prefix).items():
            found += (_outside(folder, path) for path in repo.uncommitted(_inside(folder, prefix)))
        return sorted(found)

    def log(self, prefix: str, limit: int) -> list[CommitInfo]:
        """The last commits that changed a wiki folder or file, newest first."""
        commits: list[CommitInfo] = []
        for folder, repo in self._below(prefix).items():
            inside = _inside(folder, prefix)
            for info in repo.log([inside] if inside else [], limit):
                paths = tuple(_outside(folder, path) for path in info.paths)
                commits += [info._replace(paths=paths)]
        return sorted(commits, key=lambda info: info.time, reverse=True)[:limit]

    def version(self, wiki_path: str, commit: str) -> tuple[str, bytes]:
        """A commit and the bytes of a file in it; `""` means the last commit that held the file.

        Raises:
            InvalidInput: `commit` is not the id of a commit.
            NotFound: no such commit holds the file.
        """
        repo, path = self.repo_of(wiki_path)
        source = commit or (repo.last_holder(path) if is_repository(repo.root) else None)
        if source is None:
            raise NotFound(f"no commit holds {wiki_path}.")
        return source, repo.show(source, path)

    def last_changes(self, prefix: str, among: Collection[str], limit: int) -> dict[str, float]:
        """When the last `limit` files to change did so, in seconds since the epoch, newest first.

        A committed file changed when its last commit was made, any other when it was written.
        """
        times: dict[str, float] = {}
        for folder, paths in self._by_repo(among).items():
            repo, inside = self._at(folder), _inside(folder, prefix)
            known = {_inside(folder, path) for path in paths}
            changes = repo.recent_changes(inside, limit, known)
            found = {path: moment.timestamp() for path, moment in changes.items()}
            for path in known.intersection(repo.uncommitted(inside)):
                found[path] = _mtime(repo.root / path)
            times.update((_outside(folder, path), moment) for path, moment in found.items())
        newest = sorted(times.items(), key=lambda item: (-item[1], item[0]))
        return dict(newest[:limit])

    def gone_from_head(self, wiki_paths: Collection[str]) -> bool:
        """Whether no commit at HEAD holds any of these files any more."""
        for folder, paths in self._by_repo(wiki_paths).items():
            repo = self._at(folder)
            if any(self._lost_its_repository(path) for path in paths) or repo.head().commit is None:
                return False
            if any(repo.blobs([_inside(folder, path) for path in paths]).values()):
                return False
        return True

    def may_need_repair(self) -> bool:
        """Whether `repair` may have work; costs a few stats."""
        if not self._searched:
            self.everywhere()
            self._searched = True
        return any(repo.may_need_repair() for repo in self._repos.values())

    def repair(self) -> list[str]:
        """Finish what commits could not do at their time; the files that came back."""
        restored: list[str] = []
        for folder, repo in self.everywhere().items():
            if repo.may_need_repair():
                from memory_mcp.store.git_kept import bring_back  # noqa: PLC0415 - this is rare

                repo.mend_index()
                restored += (_outside(folder, path) for path in bring_back(repo).paths)
        return restored

    def pack_if_due(self, *, idle: bool) -> None:
        """Pack those repositories in which enough has come together."""
        for repo in self.everywhere().values():
            pack_if_due(repo, idle=idle)

    def describe(self, prefix: str) -> dict[str, str]:
        """The repository that holds a wiki folder: where it is, and where its HEAD is."""
        repo, _ = self.repo_of(f"{prefix}/.")
        if not is_repository(repo.root):
            return {}
        head = repo.head()
        branch = (head.branch or "").removeprefix("refs/heads/") or "(detached HEAD)"
        return {"repository": str(repo.root), "branch": branch, "commit": head.commit or ""}

    def problems(self) -> list[str]:
        """What a person should mend in the repositories, a sentence each."""
        from memory_mcp.store.git_problems import list_problems  # noqa: PLC0415 - only `status` asks

        own = format_problem(self._wiki)
        return ([own] if own else []) + [
            problem
            for folder, repo in self.everywhere().items()
            for problem in list_problems(repo, partial(_outside, folder))
        ]

    def _adopt(self, folder: str) -> None:
        if folder not in self._ready and folder != ROOT:
            set_up_nested(self._at(ROOT), self._at(folder), folder, self._clock())
            self._ready.add(folder)

    def _folder_of(self, wiki_path: str) -> str:
        parts = wiki_path.split("/")
        for depth in range(len(parts) - 1, 0, -1):
            folder = "/".join(parts[:depth])
            if is_repository(self._wiki / folder):
                return folder
        return ROOT

    def _below(self, prefix: str) -> dict[str, GitRepo]:
        """The repositories that hold files below a wiki folder: the one around it and those inside it."""
        around = self._folder_of(f"{prefix}/.") if prefix else ROOT
        inside = {f: r for f, r in self.everywhere().items() if f.startswith(f"{prefix}/" if prefix else "")}
        return {around: self._at(around), **inside} if is_repository(self._wiki / around) else inside

    def _by_repo(self, wiki_paths: Iterable[str]) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        folders: dict[str, str] = {}
        for path in wiki_paths:
            parent = path.rpartition("/")[0]
            if parent not in folders:
                folders[parent] = self._folder_of(path)
            groups.setdefault(folders[parent], []).append(path)
        return groups

    def _lost_its_repository(self, wiki_path: str) -> bool:
        """Whether a nested repository that held the path has vanished as a whole, folder `.git` included."""
        parts = wiki_path.split("/")
        above = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
        root = self._at(ROOT).folder
        return any(is_excluded(root, nested_pattern(f)) and not is_repository(self._wiki / f) for f in above)

    def _at(self, folder: str) -> GitRepo:
        if folder not in self._repos:
            self._repos[folder] = GitRepo(self._wiki / folder, light=self._light)
        return self._repos[folder]


def _inside(folder: str, wiki_path: str) -> str:
    """A wiki path as seen from the repository at `folder`."""
    if not folder:
        return wiki_path
    return wiki_path[len(folder) + 1 :] if wiki_path.startswith(f"{folder}/") else ""


def _outside(folder: str, path: str) -> str:
    """The wiki path of what the repository at `folder` calls `path`."""
    return f"{folder}/{path}" if folder else path


def _mtime(file: Path) -> float:
    try:
        return file.lstat().st_mtime
    except OSError:
        return 0.0


def _folders(wiki: Path, depth: int) -> list[str]:
    """The folders that lie `depth` levels below the wiki."""
    names = [""]
    for _ in range(depth):
        names = [f"{name}/{entry}" if name else entry for name in names for entry in _subfolders(wiki / name)]
    return names


def _subfolders(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(e.name for e in entries if e.name[0] != "." and e.is_dir(follow_symlinks=False))
    except OSError:
        return []
