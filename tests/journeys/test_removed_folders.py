"""Whatever derived folder a person removes under a running server, its answers stay as they were."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest

from bench.corpus import Corpus
from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.model.actor import Actor
from memory_mcp.pages.page_write import PageDraft
from memory_mcp.search.index.live_index import MAX_INLINE
from tests.journeys.conftest import Wire

PAGES = 60
NOW = "now"
"""Stands for the time at which a server begins."""
SCOPE = {"workspace": "acme", "project": "importer"}
QUESTIONS: list[dict[str, object]] = [
    {"query": "walrus pangolin", "explain": True, "limit": 20},
    {"query": "what did we write in may 2025?"},
    {"query": '"the walrus sleeps"'},
    {"query": "wal* pang*"},
    {"query": "walrus", "as_of": NOW},
    {"query": "walrus swims", "include_superseded": True, "limit": 30},
    {"query": "pangolin", "global": True},
    {"query": "nothing of this kind"},
    {"query": "!!!"},
]
FOLDERS = ["index", "vectors", "index/history", "index vectors"]


@pytest.fixture
def filled(tmp_path: Path, project: Path) -> Path:
    """A data dir with connected pages, some of them changed since, and with the questions' own words."""
    data = tmp_path / "data"
    corpus = Corpus()
    corpus.write(data / "wiki" / "acme" / "importer", PAGES, connected=True)
    app = App(Settings(data_dir=data, start_folder=project, home=tmp_path, vectors_enabled=False))
    app.changes.prepare()
    app.changes.commit_hand_edits("")
    for number in range(12):
        for words in ("sleeps", "swims", "wakes")[: number % 3 + 1]:
            link = f"[[notes/{number % 7:02}/{number:06}]]"
            body = f"# Walrus {number}\n\nThe walrus {words}. See {link} and okapi.\n"
            draft = PageDraft(f"notes/walrus{number}.md", body, entities=("pangolin",))
            app.writer.write(draft, Actor("test"), **SCOPE)
    app.close()
    return data


def answers(server: Wire, now: str) -> list[str]:
    """What the server answers to each question, as an object."""
    found = []
    for question in QUESTIONS:
        given = {name: now if value == NOW else value for name, value in question.items()}
        result = server.call("memory_query", **given)
        assert not result.get("isError"), result
        found.append(json.dumps(result["structuredContent"], sort_keys=True))
    return found


def remove(data: Path, folders: str) -> None:
    for folder in folders.split():
        shutil.rmtree(data / folder, ignore_errors=True)


@pytest.mark.parametrize("vectors", ["true", "false"])
def test_removing_derived_folders_under_a_server_changes_no_answer(
    filled: Path, start_server: Callable[..., Wire], vectors: str, soak: bool
) -> None:
    if vectors == "true":
        embed(filled)
    server = start_server(MEMORY_MCP_VECTORS_ENABLED=vectors)
    now = datetime.now(timezone.utc).isoformat()
    before = answers(server, now)
    assert sum(len(json.loads(answer)["hits"]) for answer in before) > 60
    for folders in FOLDERS if soak else FOLDERS[-2:]:
        remove(filled, folders)
        after = answers(server, now)
        for question, old, new in zip(QUESTIONS, before, after, strict=True):
            assert new == old, (folders, question)
        assert (filled / "index" / "current").exists()
        assert (filled / "index" / "history" / "current").exists()
        if vectors == "true":
            assert list((filled / "vectors").glob("*/passages.bin"))
    remove(filled, "index vectors")
    if vectors == "true":
        embed(filled)
    other = start_server(MEMORY_MCP_VECTORS_ENABLED=vectors)
    assert answers(other, now) == before
    _, err = server.finish(10)
    assert "Traceback" not in err


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A data dir with so many pages that a server lets a thread index them; one of them is read first."""
    folder = tmp_path / "data" / "wiki" / "acme" / "importer"
    Corpus().write(folder, MAX_INLINE + 200)
    (folder / "a.md").write_text("# Walrus\n\nThe walrus sleeps.\n", encoding="utf-8")
    return tmp_path / "data"


def wait_for_index(server: Wire, data: Path) -> None:
    """Ask until there is an index: a server that holds a removed one open answers on without a note."""
    deadline = time.monotonic() + 60
    current = data / "index" / "current"
    while "The index is being built" in (text := ask_walrus(server)) or not current.exists():
        assert time.monotonic() < deadline, text
        time.sleep(0.1)


def ask_walrus(server: Wire) -> str:
    text = server.text("memory_query", query="walrus")
    assert "| Walrus (" in text
    return text


def test_an_index_that_is_removed_while_a_server_builds_it_comes_back(
    large: Path, start_server: Callable[..., Wire]
) -> None:
    server = start_server()
    for _ in range(2):
        ask_walrus(server)
        remove(large, "index")
    wait_for_index(server, large)
    deadline = time.monotonic() + 20  # the builder removes what is left of other builds once its own answers
    while len(left := list((large / "index").glob("v*"))) != 1:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def test_a_large_index_that_is_removed_answers_on_until_there_is_another(
    large: Path, start_server: Callable[..., Wire]
) -> None:
    server = start_server()
    wait_for_index(server, large)
    question = {"query": Corpus().page(MAX_INLINE)[0] + " walrus", "limit": 50}
    before = server.text("memory_query", **question)
    remove(large, "index")
    assert server.text("memory_query", **question) == before
    assert "created" in server.text("memory_write_page", path="b.md", body="# Okapi\n\nAn okapi hides.\n")
    assert "| Okapi (" in server.text("memory_query", query="okapi hides")
    deadline = time.monotonic() + 60
    while not (large / "index" / "current").exists():
        assert time.monotonic() < deadline
        assert server.text("memory_query", **question) == before
    assert server.text("memory_query", **question) == before
    assert "| Okapi (" in server.text("memory_query", query="okapi hides")


def embed(data: Path) -> None:
    app = App(Settings(data_dir=data, start_folder=data, home=data))
    app.vectors.embed()
    app.close()
