"""Making a wiki of a folder: its repository, the files at its root, and repositories nested in it.

What is there stays as it is: only missing files and missing lines are added, and committed.
"""

from __future__ import annotations

from datetime import datetime

from memory_mcp.model.actor import Actor
from memory_mcp.store import wiki_files
from memory_mcp.store.commit_message import CommitMessage, actor_signature
from memory_mcp.store.files import write_atomically
from memory_mcp.store.git_hand_edit import commit_hand_edits
from memory_mcp.store.git_repo import GitRepo

PRODUCT = Actor("memory-mcp")


def set_up_root(repo: GitRepo, when: datetime) -> None:
    """Give the root of the wiki its attributes, ignore rules and format.

    Raises:
        Unavailable: the wiki is of a newer format.
    """
    wiki_files.exclude(repo.folder, wiki_files.TEMPORARY)
    old = _present(repo, ".gitattributes", ".gitignore", ".memory-mcp.toml")
    wanted = {
        ".gitattributes": wiki_files.with_attributes(old.get(".gitattributes", b""), ""),
        ".gitignore": old.get(".gitignore", wiki_files.IGNORED),
        ".memory-mcp.toml": wiki_files.with_wiki_table(old.get(".memory-mcp.toml", b"")),
    }
    _add(repo, old, wanted, when)


def set_up_nested(root: GitRepo, repo: GitRepo, folder: str, when: datetime) -> None:
    """Make the root ignore the repository at a wiki folder, and give that the attributes it lacks."""
    wiki_files.exclude(root.folder, wiki_files.nested_pattern(folder))
    wiki_files.exclude(repo.folder, wiki_files.TEMPORARY)
    old = _present(repo, ".gitattributes")
    wanted = {".gitattributes": wiki_files.with_attributes(old.get(".gitattributes", b""), folder)}
    _add(repo, old, wanted, when)


def _add(repo: GitRepo, old: dict[str, bytes], wanted: dict[str, bytes], when: datetime) -> None:
    """Commit what is new in these files, after a person's own edits of them, then write them.

    In this order a kill in between leaves files that HEAD holds, which the next process writes.
    """
    changed = {name: data for name, data in wanted.items() if old.get(name) != data}
    if changed:
        commit_hand_edits(repo, [name for name in changed if (repo.root / name).exists()], when)
        message = CommitMessage("init", ", ".join(changed), PRODUCT)
        repo.commit(changed, message.text(), actor_signature(PRODUCT, when))
    for name, data in wanted.items():
        if name in changed or not (repo.root / name).exists():
            write_atomically(repo.root / name, data)


def _present(repo: GitRepo, *names: str) -> dict[str, bytes]:
    """The bytes of those files that are on disk or, if deleted there, at HEAD."""
    found = {name: (repo.root / name).read_bytes() for name in names if (repo.root / name).is_file()}
    if absent := [name for name in names if name not in found]:
        at_head = repo.contents([f"HEAD:{name}" for name in absent])
        found.update({name.removeprefix("HEAD:"): data for name, data in at_head.items()})
    return found
