"""Readers and a writer in different processes, and a writer that is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memory_mcp.search.index.index_read import open_reader
from memory_mcp.search.index.index_write import build, write_pages
from tests.search.example_pages import files_of, found, make_terms, random_pages

WRITER = """
import sys
from pathlib import Path
from memory_mcp.search.index.index_write import write_pages
from tests.search.example_pages import make_terms

for number in range(int(sys.argv[2])):
    write_pages(Path(sys.argv[1]), [make_terms("counter.md", f"counter value{number}")])
"""

KILLED = """
import os, sys
from pathlib import Path
from memory_mcp.search.index.index_write import write_pages
from memory_mcp.store import steps
from tests.search.example_pages import make_terms

steps.listeners.append(lambda step: os._exit(9) if step == "index.segment" else None)
write_pages(Path(sys.argv[1]), [make_terms("lost.md", "lost")], ["acme/app/p/0000.md"])
"""


def start(program: str, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)], env={"PYTHONPATH": "."})


def test_readers_see_one_generation_while_another_process_commits(tmp_path: Path) -> None:
    build(tmp_path, [*random_pages(40), make_terms("counter.md", "counter")])
    generations = set()
    with start(WRITER, tmp_path, 60) as writer:
        while writer.poll() is None:
            with open_reader(tmp_path) as reader:
                generations.add(reader.generation)
                assert found(reader, "counter") == ["counter.md"]
                assert reader.count == 41
    assert writer.returncode == 0
    assert len(generations) > 1
    with open_reader(tmp_path) as reader:
        assert found(reader, "value59")[0] == "counter.md"


def test_a_writer_killed_before_its_commit_changes_nothing(tmp_path: Path) -> None:
    build(tmp_path, random_pages(20))
    before = files_of(tmp_path)
    with start(KILLED, tmp_path) as writer:
        assert writer.wait() == 9
    assert files_of(tmp_path) > before
    with open_reader(tmp_path) as reader:
        assert (reader.generation, reader.count) == (1, 20)
        assert found(reader, "lost") == []
    write_pages(tmp_path, [make_terms("next.md", "next")])
    assert len(files_of(tmp_path)) == 11
