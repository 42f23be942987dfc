"""A store with generated pages, all committed and indexed, and a project folder whose memory it is."""

from __future__ import annotations

import os
import subprocess
from functools import cached_property
from pathlib import Path

from bench.baseline import Fts, build_fts, read_pages
from bench.corpus import Corpus
from bench.measure import ROOT, note
from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.model.scope import GLOBAL, Scope

SCOPE = Scope("default", "project")
STANDING = 20
"""Pages among the standing preferences, which every query reaches as well."""


class Store:
    """A store below `root`; `flat` and `connected` say how the pages lie and what they hold, see `Corpus`."""

    def __init__(
        self, root: Path, corpus: Corpus, pages: int, *, flat: bool = False, connected: bool = False
    ) -> None:
        note(f"a store with {pages:,} pages")
        self.root = root
        self.corpus = corpus
        self.pages = pages
        self.data_dir = root / "data"
        self.project = root / SCOPE.project
        self.project.mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet", self.project], check=True)
        self.folder = self.data_dir / "wiki" / str(SCOPE)
        self.files = corpus.write(self.folder, pages, flat=flat, connected=connected)
        corpus.write(self.data_dir / "wiki" / str(GLOBAL), STANDING)
        app = self.open()
        app.changes.prepare()
        app.changes.commit_hand_edits("")
        app.reindex()
        app.close()

    def open(self, *, vectors: bool = False) -> App:
        """The services of a new process that works in the project."""
        return App(
            Settings(
                data_dir=self.data_dir,
                start_folder=self.project,
                home=self.root,
                vectors_enabled=vectors,
            )
        )

    @property
    def environ(self) -> dict[str, str]:
        """The environment of a process that uses the store; bytecode is kept, as where it is installed."""
        own = {
            "HOME": self.root,
            "MEMORY_MCP_DATA_DIR": self.data_dir,
            "MEMORY_MCP_VECTORS_ENABLED": "false",
            "PYTHONPATH": ROOT,
        }
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return {**inherited, **{name: str(value) for name, value in own.items()}}

    @cached_property
    def fts(self) -> Fts:
        """The same pages in FTS5."""
        database = self.root / "fts.db"
        build_fts(database, read_pages(self.files))
        return Fts(database)
