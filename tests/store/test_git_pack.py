from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_mcp.store import git_pack
from memory_mcp.store.git_pack import DUE, DUE_WHEN_IDLE, pack_if_due


def packs(person) -> int:
    return len(list((person.root / ".git/objects/pack").glob("*.pack")))


def git_size(person) -> int:
    return sum(file.stat().st_size for file in (person.root / ".git").rglob("*") if file.is_file())


def test_writes_without_idle_time_are_packed_now_and_then(person, tool):
    for number in range(2 * DUE + 3):
        tool.commit({"a.md": b"%d\n" % number})
        pack_if_due(tool.repo, idle=False)
        assert packs(person) <= DUE + 2
    assert packs(person) < DUE
    assert person.git("fsck", "--strict", "--no-dangling") == ""
    assert tool.repo.show(person.git("rev-parse", "HEAD~5"), "a.md") == b"%d\n" % (2 * DUE + 2 - 5)


def test_an_idle_repository_is_packed_sooner_and_then_left_alone(person, tool):
    for number in range(DUE_WHEN_IDLE):
        tool.commit({"a.md": b"%d\n" % number})
    assert not pack_if_due(tool.repo, idle=False)
    assert pack_if_due(tool.repo, idle=True)
    assert not pack_if_due(tool.repo, idle=True)


def test_loose_objects_of_the_person_are_packed_when_idle(person, tool):
    for number in range(800):
        person.put(f"n/{number}.md", f"{number}\n")
    person.git("add", "-A")
    person.git("commit", "-qm", "many")
    assert pack_if_due(tool.repo, idle=True)
    assert person.git("count-objects").startswith("0 objects")
    assert person.status() == ""


def test_packing_drops_no_unreachable_object(person, tool):
    lost = person.save("c.md", "draft\n")
    person.git("reset", "-q", "--hard", "HEAD~1")
    person.git("reflog", "expire", "--expire=now", "--all")
    for number in range(DUE):
        tool.commit({"a.md": b"%d\n" % number})
    assert pack_if_due(tool.repo, idle=False)
    assert person.git("cat-file", "-t", lost) == "commit"


def refuse_geometric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int) -> Path:
    """Put a git first on the PATH that ends with `status` when it is asked for a geometric repack."""
    folder = tmp_path / "bin"
    folder.mkdir()
    real = next(p for p in os.environ["PATH"].split(":") if (Path(p) / "git").exists())
    script = f"""#!/bin/sh
    case "$*" in *--geometric*) echo x >> {folder}/tries; exit {status};; esac
    exec {real}/git "$@"
    """
    (folder / "git").write_text(script, encoding="utf-8")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder / "tries"


def test_a_failing_repack_is_no_error_and_is_not_repeated_at_every_write(person, tool, tmp_path, monkeypatch):
    for number in range(DUE):
        tool.commit({"a.md": b"%d\n" % number})
    tries = refuse_geometric(tmp_path, monkeypatch, 128)
    for number in range(DUE - 1):
        assert not pack_if_due(tool.repo, idle=False)
        tool.commit({"a.md": b"again %d\n" % number})
    assert len(tries.read_text(encoding="utf-8").split()) == 4


def test_a_git_without_geometric_repack_packs_by_its_own_collector(person, tool, tmp_path, monkeypatch):
    monkeypatch.setattr(git_pack, "DUE", 2)
    refuse_geometric(tmp_path, monkeypatch, 129)
    for number in range(12):
        tool.commit({"a.md": b"%d\n" % number})
        pack_if_due(tool.repo, idle=True)
    assert packs(person) < 10


def test_a_large_flat_folder_grows_slowly(person, tool, request):
    """In a folder of 10,000 pages the tree of each commit takes 300 KB before it is packed."""
    soak = request.config.getoption("--soak", default=False)
    pages, writes = (10_000, 1000) if soak else (2_000, 50)
    tool.commit({f"acme/p/page-{i:05d}.md": b"%d\n" % i for i in range(pages)})
    before = git_size(person)
    for number in range(writes):
        tool.commit({f"acme/p/page-{number:05d}.md": b"new %d\n" % number})
        pack_if_due(tool.repo, idle=False)
    assert git_size(person) - before < (10_000_000 if soak else 1_500_000)


def test_packing_works_with_a_person_who_fetches_and_gcs(person, tool, tmp_path):
    person.git("clone", "-q", "--bare", ".", str(tmp_path / "remote.git"))
    person.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    for number in range(DUE):
        tool.commit({"a.md": b"%d\n" % number})
    person.git("gc", "-q")
    person.git("push", "-q", "origin", "main")
    tool.commit({"a.md": b"after\n"})
    assert not pack_if_due(tool.repo, idle=False)
    assert person.git("fsck", "--strict", "--no-dangling") == ""
