from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memory_mcp.model.progress import no_progress
from memory_mcp.model.scope import Scope
from memory_mcp.search.history.all_versions import AllVersions
from memory_mcp.search.history.history_index import HistoryIndex
from memory_mcp.search.history.past_pages import PastPages
from memory_mcp.search.index.file_scan import scan_files
from memory_mcp.search.index.snapshot import Snapshot
from memory_mcp.search.rank.scorer import search
from memory_mcp.search.text.query_text import parse_query
from memory_mcp.store.wiki_repos import WikiRepos

SCOPE = Scope("acme", "importer")
START = 1_700_000_000
"""The committer's time of the first commit; each later one is a minute after the one before."""


class Wiki:
    """A wiki that a person keeps with git, and the means to open its history as a new process would."""

    def __init__(self, root: Path) -> None:
        self.wiki = root / "wiki"
        self.index = root / "index"
        self.wiki.mkdir()
        self.now = START - 60
        self.opened: list[HistoryIndex] = []
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, inside: str = "", time: int | None = None) -> str:
        """Run git as the person and return what it printed."""
        moment = f"{self.now if time is None else time} +0000"
        done = subprocess.run(
            ["git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org", *arguments],
            cwd=self.wiki / inside,
            capture_output=True,
            encoding="utf-8",
            env={
                **os.environ,
                "GIT_COMMITTER_DATE": moment,
                "GIT_AUTHOR_DATE": moment,
                "GIT_EDITOR": "true",
                "GIT_CONFIG_GLOBAL": os.devnull,
            },
            timeout=60,
        )
        assert done.returncode == 0, f"git {arguments}: {done.stderr}{done.stdout}"
        return done.stdout.strip()

    def put(self, path: str, text: str | bytes) -> Path:
        """Write a file below the scope, or with a leading / below the wiki."""
        file = self.wiki / path[1:] if path.startswith("/") else self.wiki / str(SCOPE) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def commit(self, *paths: str, inside: str = "", time: int | None = None) -> int:
        """Commit everything a minute after the last commit; returns when."""
        self.now = self.now + 60 if time is None else time
        self.git("add", "-A", *paths, inside=inside)
        self.git("commit", "-qm", "change", "--allow-empty", inside=inside)
        return self.now

    def save(self, path: str, text: str | bytes, time: int | None = None) -> int:
        """Write a file and commit it; returns when."""
        self.put(path, text)
        return self.commit(time=time)

    def remove(self, path: str) -> int:
        """Remove a file and commit that; returns when."""
        (self.wiki / str(SCOPE) / path).unlink()
        return self.commit()

    def open(self) -> HistoryIndex:
        history = HistoryIndex(self.index, WikiRepos(self.wiki).everywhere)
        self.opened.append(history)
        return history

    def current(self) -> Snapshot:
        """The pages as the files are."""
        return scan_files(self.wiki, (SCOPE,), "")

    def past(
        self, moment: float, history: HistoryIndex | None = None, scopes: Sequence[Scope] | None = (SCOPE,)
    ) -> dict[str, str]:
        """The text of every page as it was at a moment, by its path."""
        return texts_of((history or self.open()).at(moment, scopes, no_progress))

    def superseded(self, history: HistoryIndex | None = None) -> list[tuple[str, str]]:
        """The path and text of every superseded version, in order."""
        pages = (history or self.open()).with_superseded(self.current(), no_progress)
        old = [page for page in pages.holding("scope", str(SCOPE)) if pages.is_superseded(page)]
        return sorted((pages.place(page)[1], pages.text(page) or "") for page in old)


def texts_of(pages: PastPages) -> dict[str, str]:
    """The text of every page by its path."""
    found = [page for scope in pages.scopes for page in pages.holding("scope", str(scope))]
    return {pages.place(page)[1]: pages.text(page) or "" for page in found}


def found(pages: PastPages | AllVersions, text: str) -> list[str]:
    """The paths that a text query finds, best first, those of old versions with a +."""
    hits = search(pages.reader, parse_query(text), pages.doc_set(), pages.delta, 100).hits
    assert all(
        pages.holds(hit.page.path) and pages.page(pages.number(hit.page.path) or 0) == hit.page
        for hit in hits
    )
    return [pages.place(hit.page)[1] + ("+" if "@" in hit.page.path else "") for hit in hits]


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[Wiki]:
    made = Wiki(tmp_path)
    yield made
    for history in made.opened:
        history.close()
