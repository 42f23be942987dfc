"""What the memory says about itself."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.memory import Memory


def test_counts_places_and_scopes_are_told(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nSee [[notes/b]] and [[notes/none]].\n")
    memory.write("notes/b.md")
    memory.write("x.md", workspace="other", project="scope")
    status = memory.app.status.report()
    assert (status.data_dir, status.folder, status.exists) == (memory.data, memory.scope, True)
    assert str(status.resolved.scope) == "acme/importer"
    assert [str(scope) for scope in status.scopes] == ["acme/importer", "other/scope"]
    assert status.counts == {
        "pages": 2,
        "links": 2,
        "unresolved_links": 1,
        "unreadable_pages": 0,
        "pages_in_all_scopes": 3,
    }
    assert status.git["commit"] == memory.git("rev-parse", "HEAD")
    assert status.git["branch"] == "main"
    assert status.problems == ()


def test_what_a_person_should_mend_is_told_with_its_file_and_hides_nothing(memory: Memory) -> None:
    memory.write("notes/good.md", "# Good\n\nA walrus.\n")
    memory.put("notes/latin.md", b"# caf\xe9\n")
    memory.put("notes/yaml.md", "---\ndescription: a: b\n---\nA walrus.\n")
    memory.put("notes/conflict.md", "# C\n<<<<<<< HEAD\nwalrus\n=======\n>>>>>>> b\n")
    memory.put("notes/tier.md", "---\ntier: hot\n---\nA walrus.\n")
    status = memory.app.status.report()
    told = {problem.split(": ")[0].removeprefix("acme/importer/notes/") for problem in status.problems}
    assert told == {"latin.md", "yaml.md", "conflict.md", "tier.md"}
    assert status.counts["unreadable_pages"] == 1
    assert sorted(memory.found("walrus")) == [
        "notes/conflict.md",
        "notes/good.md",
        "notes/tier.md",
        "notes/yaml.md",
    ]


def test_a_fresh_store_and_a_scope_without_pages_answer(memory: Memory) -> None:
    status = memory.app.status.report()
    assert not status.exists
    assert status.counts["pages"] == 0
    assert status.git == {}
    assert "no scope" in memory.refusal(lambda: memory.app.status.report(workspace="acme", project="none"))


def test_a_repository_that_cannot_be_read_is_a_problem_and_no_error(memory: Memory) -> None:
    memory.write("notes/a.md")
    (memory.wiki / ".git" / "HEAD").write_bytes(b"\xff\xfe")
    status = memory.app.status.report()
    assert status.counts["pages"] == 1
    assert any("HEAD" in problem for problem in status.problems)


def test_a_damaged_git_index_is_told_with_its_cure(memory: Memory) -> None:
    memory.write("notes/a.md")
    (memory.wiki / ".git" / "index").write_bytes(b"DIRC broken")
    told = [problem for problem in memory.app.status.report().problems if "git reset" in problem]
    assert len(told) == 1
    (memory.wiki / ".git" / "index").unlink()
    memory.git("reset", "-q")
    assert memory.app.status.report().problems == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [("[wiki]\nformat = 9\n", "format 9"), ("[wiki\n", "cannot be read"), (b"\xff", "cannot be read")],
)
def test_a_wiki_file_that_is_newer_or_broken_is_told(memory: Memory, text: str | bytes, words: str) -> None:
    memory.write("notes/a.md")
    data = text.encode() if isinstance(text, str) else text
    (memory.wiki / ".memory-mcp.toml").write_bytes(data)
    assert [words in problem for problem in memory.app.status.report().problems] == [True]


@pytest.mark.skipif(os.geteuid() != 0, reason="root sees no permissions, so another user is needed")
def test_a_store_that_cannot_be_written_is_told() -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\n"
        "from memory_mcp.pages.store_status import _unwritable\n"
        "from memory_mcp.store.data_dir import DataDir\n"
        "os.setuid(65534)\n"
        "print(len(_unwritable(DataDir(Path(sys.argv[1])))))\n"
    )
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)
        (Path(root) / "wiki").mkdir(mode=0o755)
        (Path(root) / "state").mkdir(mode=0o777)
        os.chmod(Path(root) / "state", 0o777)
        done = subprocess.run([sys.executable, "-c", code, root], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"
