"""Two machines share a wiki by plain git: nothing is lost, and the next query sees what came."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_mcp.errors import Conflict
from tests.memory import CLAUDE, CODEX, Memory


@pytest.fixture
def machines(memory: Memory) -> Iterator[tuple[Memory, Memory]]:
    """Two data dirs whose wikis push to and pull from one bare repository."""
    memory.write("notes/shared.md", "# Shared\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n")
    other = memory.clone()
    yield memory, other
    for app in other.opened:
        app.close()


@pytest.mark.parametrize("way", ["--no-rebase", "--rebase"])
def test_pages_and_logs_of_both_are_there_after_a_pull(machines: tuple[Memory, Memory], way: str) -> None:
    one, two = machines
    one.write("notes/one.md", "# One\n\nA walrus.\n", CODEX)
    one.write("notes/shared.md", "# Shared\n\nOne, by a walrus.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n", CODEX)
    two.write("notes/two.md", "# Two\n\nAn okapi.\n", CLAUDE)
    two.write(
        "notes/shared.md", "# Shared\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive, by an okapi.\n", CLAUDE
    )
    assert two.found("walrus") == []
    one.git("push", "-q")
    two.git("pull", "-q", way)
    assert sorted(two.found("walrus")) == ["notes/one.md", "notes/shared.md"]
    two.write("notes/three.md", "# Three\n\nA pangolin.\n", CLAUDE)
    two.git("push", "-q")
    one.git("pull", "-q", way)
    for each in machines:
        assert sorted(each.found("okapi")) == ["notes/shared.md", "notes/two.md"]
        assert each.found("pangolin") == ["notes/three.md"]
        assert b"by a walrus" in each.bytes_of("notes/shared.md")
        assert b"by an okapi" in each.bytes_of("notes/shared.md")
        assert sorted(each.logged()) == [
            "write-page | notes/one.md",
            *["write-page | notes/shared.md"] * 3,
            "write-page | notes/three.md",
            "write-page | notes/two.md",
        ]
        assert each.git("status", "--porcelain") == ""
        assert each.app.status.report().problems == ()
        each.git("fsck", "--strict")
    assert one.git("rev-parse", "HEAD") == two.git("rev-parse", "HEAD")
    assert one.write("notes/two.md", "# Two\n\nAn okapi.\n").outcome == "unchanged"


def test_a_page_that_one_deleted_is_gone_for_both(machines: tuple[Memory, Memory]) -> None:
    one, two = machines
    one.write("notes/gone.md", "# Gone\n\nA walrus.\n")
    one.git("push", "-q")
    two.git("pull", "-q")
    assert two.found("walrus") == ["notes/gone.md"]
    one.app.deleter.delete("notes/gone.md", CODEX)
    one.git("push", "-q")
    two.git("pull", "-q")
    assert two.found("walrus") == []


def test_a_conflict_is_readable_reported_and_left_to_the_person(machines: tuple[Memory, Memory]) -> None:
    one, two = machines
    one.write("notes/shared.md", "# Shared\n\nThe walrus says so.\n")
    two.write("notes/shared.md", "# Shared\n\nThe okapi says so.\n")
    one.git("push", "-q")
    two.git("pull", "-q", "--no-rebase", check=False)
    text = two.app.reader.read(path="notes/shared.md").body
    assert "walrus" in text
    assert "okapi" in text
    assert two.found("walrus") == two.found("okapi") == ["notes/shared.md"]
    problems = two.app.status.report().problems
    assert any("notes/shared.md" in each and "conflict" in each for each in problems)
    before = two.bytes_of("notes/shared.md")
    with pytest.raises(Conflict, match="conflict markers"):
        two.write("notes/shared.md", "# Shared\n\nI know better.\n")
    assert two.bytes_of("notes/shared.md") == before
    two.write("notes/meanwhile.md", "# Meanwhile\n\nA pangolin.\n")
    assert two.git("diff", "--name-only", "--diff-filter=U") == "acme/importer/notes/shared.md"
    two.put("notes/shared.md", "# Shared\n\nBoth say so.\n")
    two.git("add", "acme/importer/notes/shared.md")
    two.git("commit", "-qm", "resolve")
    assert len(two.git("rev-list", "--parents", "-1", "HEAD").split()) == 3
    assert two.app.status.report().problems == ()
    two.git("push", "-q")
    one.git("pull", "-q")
    for each in machines:
        assert each.bytes_of("notes/shared.md") == b"# Shared\n\nBoth say so.\n"
        assert each.found("pangolin") == ["notes/meanwhile.md"]
        assert each.git("status", "--porcelain") == ""
        assert sorted(set(each.logged())) == [
            "write-page | notes/meanwhile.md",
            "write-page | notes/shared.md",
        ]


def test_what_is_written_during_a_rebase_survives_its_abort(machines: tuple[Memory, Memory]) -> None:
    one, two = machines
    one.write("notes/shared.md", "# Shared\n\nThe walrus says so.\n")
    two.write("notes/shared.md", "# Shared\n\nThe okapi says so.\n")
    one.git("push", "-q")
    two.git("pull", "-q", "--rebase", check=False)
    two.write("notes/meanwhile.md", "# Meanwhile\n\nA pangolin.\n")
    two.git("rebase", "--abort")
    assert two.found("pangolin") == ["notes/meanwhile.md"]
    assert two.bytes_of("notes/shared.md").endswith(b"The okapi says so.\n")
    assert two.git("status", "--porcelain") == ""


def test_a_person_whose_configuration_asks_for_much_blocks_nothing(
    machines: tuple[Memory, Memory], tmp_path: Path
) -> None:
    one, two = machines
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    (tmp_path / "gitconfig").write_text(
        f"[core]\n\thooksPath = {hooks}\n\tautocrlf = true\n\teditor = false\n[commit]\n\tgpgSign = true\n"
        "[gpg]\n\tprogram = false\n[user]\n\tuseConfigOnly = true\n[pull]\n\trebase = true\n",
        encoding="utf-8",
    )
    one.put("notes/shared.md", "# Shared\n\nBy hand.\n")
    assert one.write("notes/shared.md", "# Shared\n\nBy an agent.\n").outcome == "updated"
    assert one.operations()[-2:] == ["edit", "write-page"]
    (tmp_path / "gitconfig").write_text("[user]\n\tname = Ana\n\temail = a@b.c\n", encoding="utf-8")
    one.git("push", "-q")
    two.git("pull", "-q")
    assert two.bytes_of("notes/shared.md") == b"# Shared\n\nBy an agent.\n"
