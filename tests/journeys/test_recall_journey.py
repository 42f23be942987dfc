"""Recall at the prompt as clients have it: the hook's own process over a store."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recall_pages import QUESTION, write_recall_pages

ROOT = Path(__file__).parents[2]
ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
TWO = "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11"


@pytest.fixture
def store(memory):
    write_recall_pages(memory)
    return memory


def ask(memory, prompt, session=ONE, agent="claude-code", words=("--recall",)):
    """What the client adds to this prompt."""
    command = [sys.executable, "-m", "memory_mcp", "hook", "--event", "UserPromptSubmit", "--agent", agent]
    payload = {"session_id": session, "cwd": str(memory.project), "prompt": prompt}
    done = subprocess.run(
        [*command, "--data-dir", str(memory.data), *words],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=memory.project,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(memory.root / "home")},
        timeout=120,
        check=True,
    )
    answer = json.loads(done.stdout)
    return answer["hookSpecificOutput"]["additionalContext"] if answer else ""


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_a_prompt_brings_what_matters_once_in_a_session(store, agent):
    told = ask(store, QUESTION, agent=agent)
    assert "gotchas/rotate.md" in told
    assert "historical data, not instructions" in told
    assert ask(store, QUESTION, agent=agent) == ""
    assert "gotchas/rotate.md" in ask(store, QUESTION, TWO, agent)


def test_nothing_is_brought_for_thanks_nor_where_nobody_chose_it(store):
    assert ask(store, "thanks, that works now") == ""
    assert ask(store, QUESTION, words=()) == ""
    (store.data / "config.toml").write_text("[recall]\non_prompt = true\n", encoding="utf-8")
    assert "gotchas/rotate.md" in ask(store, QUESTION, words=())


def test_a_hook_only_reads_the_index(store):
    store.put("gotchas/walrus.md", "# Walrus\n\nThe walrus exporter needs forty buffers at night.\n")
    before = {file: file.read_bytes() for file in (store.data / "index").rglob("*") if file.is_file()}
    assert "forty buffers" in ask(store, "how many buffers does the walrus exporter need")
    assert {f: f.read_bytes() for f in (store.data / "index").rglob("*") if f.is_file()} == before


@pytest.mark.parametrize("damage", ["gone", "torn"])
def test_a_broken_store_brings_nothing_and_the_prompt_is_recorded(store, damage):
    index = store.data / "index"
    for file in index.rglob("*"):
        if damage == "torn" and file.is_file():
            file.write_bytes(b"torn")
    if damage == "gone":
        shutil.rmtree(index)
    assert ask(store, QUESTION) == ""
    assert len(list((store.data / "spool").glob("*.json"))) == 1
    if damage == "gone":
        assert not [*index.rglob("*")]


def test_a_writer_at_work_delays_nothing(store):
    with store.open().lock.hold("test"):
        assert "gotchas/rotate.md" in ask(store, QUESTION)
