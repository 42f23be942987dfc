"""A process killed while it computes vectors, reads git or notes accesses costs no answer of the next one."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.search.vectors.page_passages import RECIPE
from memory_mcp.search.vectors.vector_store import VectorStore
from tests.faults.test_kill import check_store, open_app, start

TEXTS = ["The automobile has a strong engine.", "The baker kneads dough.", "Users sign in with a password."]
MEANT = ["car", "bread", "login"]
OPERATIONS = [
    *(["write", f"notes/n{number}.md", f"# N{number}\n\n{text}\n"] for number, text in enumerate(TEXTS)),
    ["embed"],
    ["past", "engine"],
    ["write", "notes/n0.md", "# N0\n\nThe automobile has new tires.\n"],
    ["superseded", "engine"],
    ["edit", "notes/n1.md", "# N1\n\nThe baker kneads dough with yeast.\n"],
    ["query", "bread"],
    ["remove", "vectors"],
    ["query", "bread"],
    ["embed"],
    ["remove", "index"],
    ["past", "engine"],
    ["write", "notes/n3.md", "# N3\n\nThe walrus swims.\n"],
    ["superseded", "engine"],
]
STEPS = [
    *(f"vectors.{step}#{time}" for step in ("append", "appended", "write", "written") for time in (1, 2)),
    *(f"history.{step}#{time}" for step in ("started", "indexed", "noted") for time in (1, 2)),
]
STEPS_QUICK = [step for step in STEPS if step.endswith("#2")]


@pytest.fixture(autouse=True)
def _with_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_MCP_VECTORS_ENABLED", "true")


def answers(app: App) -> list[object]:
    """What a process answers, by words, by meaning, of the past and of what was superseded."""
    now = datetime.now(timezone.utc).isoformat()
    asked: list[dict[str, object]] = [
        *({"text": word} for word in (*MEANT, "walrus", "automobile")),
        {"text": "automobile engine", "include_superseded": True},
        {"text": "automobile engine", "as_of": now},
    ]
    found = []
    for question in asked:
        result = app.query.query(workspace="acme", project="importer", **question)
        assert result.notes == (), result.notes
        found.append([(hit.path, hit.score, hit.snippet, hit.superseded) for hit in result.hits])
    return found


def check_derived(data: Path) -> None:
    """The next process answers as one that has no derived files, and leaves nothing behind."""
    with closing(open_app(data)) as app:
        app.changes.repair_if_due()
        app.changes.commit_hand_edits("")
        found = answers(app)
        for each in ("index", "index/history"):
            assert len([entry for entry in (data / each).iterdir() if entry.name.startswith("v")]) == 1
        assert len(list(data.rglob("*.tmp"))) <= 1
    shutil.rmtree(data / "index")
    shutil.rmtree(data / "vectors")
    with closing(open_app(data)) as app:
        app.vectors.embed()
        assert answers(app) == found


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_a_step_of_derived_files_costs_no_answer(tmp_path: Path, step: str, soak: bool) -> None:
    if not soak and step not in STEPS_QUICK:
        pytest.skip("only with --soak")
    data = tmp_path / "data"
    with start(data, OPERATIONS, step) as process:
        assert process.stdout is not None
        *acknowledged, last = process.stdout.read().splitlines()
    assert last == f"killed at {step.partition('#')[0]}"
    check_derived(data)
    check_store(data, OPERATIONS, len(acknowledged))


def test_a_kill_at_a_random_time_costs_no_answer(tmp_path: Path, soak: bool) -> None:
    chance = random.Random(13)
    operations = [
        operation
        for number in range(40)
        for operation in (
            ["write", f"notes/n{number % 7}.md", f"# N\n\nround{number} of the automobile.\n"],
            ["query", "car"],
            ["superseded", "round"],
            ["embed"],
        )
    ]
    for turn in range(60 if soak else 1):
        data = tmp_path / f"data-{turn}"
        with start(data, operations, 0) as process:
            assert process.stdout is not None
            time.sleep(0.6 + chance.random() * 1.5)
            process.send_signal(signal.SIGKILL)
            lines = process.stdout.read().splitlines()
        check_store(data, operations, len([line for line in lines if line.isdigit()]))
        check_derived(data)
        for line in (data / "state" / "access.jsonl").read_text(encoding="utf-8").splitlines()[:-1]:
            assert json.loads(line)["scope"] == "acme/importer"


def test_processes_that_embed_and_write_at_once_lose_no_vector(
    tmp_path: Path, soak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    rounds = 40 if soak else 6
    monkeypatch.setenv("MEMORY_MCP_STORE_LOCK_TIMEOUT", "300")
    workers = [
        start(
            data,
            [
                operation
                for number in range(rounds)
                for operation in (
                    ["write", f"notes/w{writer}n{number}.md", f"# W\n\n{TEXTS[writer]} round{number}\n"],
                    ["embed"] if writer else ["query", "car"],
                )
            ],
            0,
        )
        for writer in range(3)
    ]
    for worker in workers:
        with worker:
            assert worker.stdout is not None
            lines = worker.stdout.read().splitlines()
        assert lines[:-1] == [str(number) for number in range(2 * rounds)]
    with closing(open_app(data)) as app:
        assert app.page_map.listing(None).counts.missing_vectors == 0
        assert app.vectors.embed(dry_run=True).pages == 0
        assert app.query.query("car", workspace="acme", project="importer").hits
        versions = {page.version for page in app.page_map.listing(None).pages}
    [folder] = (data / "vectors").iterdir()
    store = VectorStore(folder, 256, RECIPE)
    store.refresh()
    assert not store.is_damaged
    assert not store.is_unsaved
    assert all(store.holds(version) for version in versions)


def test_processes_that_read_one_page_at_once_count_it_once_or_twice(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with start(data, [["write", "notes/a.md", "# A\n\nThe walrus sleeps.\n"]], 0) as first:
        assert first.stdout is not None
        first.stdout.read()
    workers = [start(data, [["query", "walrus"]] * 20, 0) for _ in range(4)]
    for worker in workers:
        with worker:
            assert worker.stdout is not None
            worker.stdout.read()
    lines = (data / "state" / "access.jsonl").read_text(encoding="utf-8").splitlines()
    assert 1 <= len(lines) <= 4
    assert all(json.loads(line)["path"] == "notes/a.md" for line in lines)
