"""One page written through the service, in a warm process: from the arguments to the commit."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.corpus import page_path
from bench.measure import Row, children_cpu, cpu
from bench.store import Store
from memory_mcp.model.actor import Actor
from memory_mcp.pages.page_write import PageDraft

ROUNDS = 2
WRITES = 50
WARM_UP = 3


def measure(store: Store) -> Iterator[Row]:
    """Against `git add` and `git commit` of the same file in a plain repository of the same files."""
    app = store.open()
    plain = _plain_repository(store)
    numbers = iter(range(store.pages, 2 * store.pages))
    ours = base = float("inf")
    for round_ in range(ROUNDS + 1):
        writes = WRITES if round_ else WARM_UP
        spent = plain_spent = 0.0
        for count in range(writes):
            number = next(numbers)
            title, body = store.corpus.page(number)
            # Every second one replaces a page that is there.
            path = page_path(number if count % 2 else number % store.pages)
            draft = PageDraft(path, body, title=title, tags=("generated",))
            spent += cpu(lambda: app.writer.write(draft, Actor("bench")))  # noqa: B023
            plain_spent += _commit(plain, path, store.folder / path)
        if round_:
            ours, base = min(ours, spent / writes), min(base, plain_spent / writes)
    app.close()
    yield Row(f"page written, mean of {WRITES} / git add, commit", ours * 1e3, "ms", 1.5, base * 1e3)


def _plain_repository(store: Store) -> Path:
    plain = store.root / "plain"
    shutil.copytree(store.folder, plain)
    _git(plain, "init", "--quiet")
    _git(plain, "add", ".")
    _git(plain, "-c", "gc.auto=0", "commit", "--quiet", "--message=start")
    _git(plain, "gc", "--quiet")
    return plain


def _commit(plain: Path, path: str, source: Path) -> float:
    (plain / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, plain / path)
    start = children_cpu()
    _git(plain, "add", path)
    _git(plain, "commit", "--quiet", "--message=write")
    return children_cpu() - start


def _git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgSign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True)
