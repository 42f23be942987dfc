"""Taking in a folder of markdown: byte for byte, once, and whatever stays behind is listed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_mcp.errors import Cancelled
from memory_mcp.pages import page_import
from memory_mcp.pages.page_import import ImportReport
from tests.memory import CODEX, Memory

SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "My Vault"
    folder.mkdir()
    return folder


def put(folder: Path, path: str, text: str | bytes = "# Note\n\nA walrus.\n") -> bytes:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode() if isinstance(text, str) else text
    file.write_bytes(data)
    return data


def take(memory: Memory, folder: Path, **how: bool) -> ImportReport:
    return memory.app.importer.import_folder(folder, CODEX, **how)


def test_every_markdown_file_is_taken_byte_for_byte_under_its_own_path(memory: Memory, vault: Path) -> None:
    texts = {
        "Daily Notes/2026-11-30.md": "\ufeff---\r\ntags: [a]\r\n---\r\nA walrus.\r\n",
        "Über uns/日本語 – メモ.md": "# 日本語\n",
        "Emoji 🦭.md": "no newline at the end",
        "empty.md": "",
        "deep/er/still/note.md": "---\n**no yaml**\n---\n",
    }
    data = {path: put(vault, path, text) for path, text in texts.items()}
    put(vault, "docs/guide.markdown")
    put(vault, ".obsidian/plugins/x.md")
    put(vault, "picture.png", b"\x89PNG")
    before = {file: file.read_bytes() for file in vault.rglob("*") if file.is_file()}
    report = take(memory, vault)
    assert set(report.imported) == {*texts, "docs/guide.md"}
    assert report.skipped == report.secrets == ()
    for path, each in data.items():
        assert memory.bytes_of(path) == each
    assert {file: file.read_bytes() for file in vault.rglob("*") if file.is_file()} == before
    assert memory.operations() == ["init", "import"]
    assert memory.logged() == ["import | 6 pages of My Vault"]
    assert memory.git("status", "--porcelain") == ""
    assert set(memory.found("walrus")) == {"Daily Notes/2026-11-30.md", "docs/guide.md"}


def test_a_second_run_changes_nothing(memory: Memory, vault: Path) -> None:
    for number in range(5):
        put(vault, f"n{number}.md")
    take(memory, vault)
    before = memory.state()
    report = take(memory, vault)
    assert (report.imported, len(report.unchanged)) == ((), 5)
    assert memory.state() == before


def test_a_dry_run_tells_the_same_and_changes_nothing(memory: Memory, vault: Path) -> None:
    put(vault, "a.md")
    put(vault, "b.md", b"\xff")
    dry = take(memory, vault, dry_run=True)
    assert memory.state() == {}
    assert dry == take(memory, vault)


def test_a_page_that_is_there_is_kept_unless_asked_and_then_stays_in_git(memory: Memory, vault: Path) -> None:
    memory.put("a.md", "# A\n\nMine, never committed.\n")
    put(vault, "a.md", "# A\n\nTheirs.\n")
    put(vault, "b.md")
    report = take(memory, vault)
    assert report.imported == ("b.md",)
    [(path, reason)] = report.skipped
    assert (path, "--replace" in reason) == ("a.md", True)
    assert memory.bytes_of("a.md") == b"# A\n\nMine, never committed.\n"
    assert take(memory, vault, replace=True).imported == ("a.md",)
    assert memory.bytes_of("a.md") == b"# A\n\nTheirs.\n"
    assert memory.git("show", "HEAD~1:acme/importer/a.md").endswith("never committed.")
    assert memory.git("log", "-1", "--skip=1", "--format=%an") == "Ana Pérez"


def test_what_cannot_be_taken_is_listed(memory: Memory, vault: Path, tmp_path: Path) -> None:
    put(vault, "good.md")
    put(vault, "latin.md", b"# caf\xe9\n")
    put(vault, "con.md")
    put(vault, "what?.md")
    put(vault, ".hidden/x.md")
    put(vault, "log-2026-11.md", "# Log 2026-11\n\n## [2026-11-30T12:00:00Z] session | x\n")
    put(vault, "journal/events.md", "## [2026-11-30T12:00:00Z] session | x\n")
    put(vault, "Same.md")
    put(vault, "same.md", "# Another\n")
    put(vault, "Folder/a.md")
    put(vault, "folder/b.md")
    put(vault, "twice.md")
    put(vault, "twice.markdown", "# Twice\n")
    put(tmp_path, "outside/secret.md")
    (vault / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (vault / "linked").symlink_to(tmp_path / "outside")
    (vault / "loop").symlink_to(vault)
    os.mkfifo(vault / "pipe.md")
    report = take(memory, vault)
    assert set(report.imported) == {"good.md", "Same.md", "Folder/a.md", "twice.md"}
    reasons = dict(report.skipped)
    words = {
        "latin.md": "UTF-8",
        "con.md": "device",
        "what?.md": "'?'",
        ".hidden": "hidden",
        "log-2026-11.md": "log",
        "journal/events.md": "event log",
        "same.md": "collides",
        "folder/b.md": "collides",
        "twice.md": "collides",
        "link.md": "symbolic link",
        "linked": "symbolic link",
        "loop": "symbolic link",
        "pipe.md": "regular",
    }
    assert reasons.keys() == words.keys()
    for path, word in words.items():
        assert word in reasons[path], (path, reasons[path])
    assert memory.git("status", "--porcelain") == ""


def test_names_that_collide_with_pages_that_are_there_are_listed(memory: Memory, vault: Path) -> None:
    memory.write("Notes/a.md")
    memory.put("file", "no folder")
    put(vault, "notes/b.md")
    put(vault, "file/c.md")
    put(vault, "Notes/A.md")
    put(vault, "ok.md")
    report = take(memory, vault)
    assert report.imported == ("ok.md",)
    assert {path for path, _ in report.skipped} == {"notes/b.md", "file/c.md", "Notes/A.md"}


def test_what_looks_like_a_secret_is_told_and_not_altered(memory: Memory, vault: Path) -> None:
    data = put(vault, "a.md", f"# A\n\ntoken {SECRET}\n")
    put(vault, "not-taken.md", f"\xff{SECRET}".encode("latin-1"))
    report = take(memory, vault)
    [(path, line, kind)] = report.secrets
    assert (path, line) == ("a.md", 3)
    assert SECRET not in kind
    assert memory.bytes_of("a.md") == data
    assert take(memory, vault).secrets == report.secrets


def test_a_folder_that_is_none_or_lies_in_the_wiki_is_refused(memory: Memory, vault: Path) -> None:
    memory.write("notes/a.md")
    put(vault, "a.md")
    assert "not a folder" in memory.refusal(lambda: take(memory, vault / "a.md"))
    assert "not a folder" in memory.refusal(lambda: take(memory, vault / "none"))
    assert "inside the wiki" in memory.refusal(lambda: take(memory, memory.scope / "notes"))
    link = vault.parent / "link"
    link.symlink_to(memory.wiki)
    assert "inside the wiki" in memory.refusal(lambda: take(memory, link))


def test_a_folder_around_the_wiki_is_taken_without_the_wiki(memory: Memory, tmp_path: Path) -> None:
    memory.write("notes/a.md")
    put(tmp_path, "docs/b.md")
    assert take(memory, tmp_path).imported == ("docs/b.md",)


def test_a_page_that_another_process_wrote_meanwhile_is_kept(
    memory: Memory, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_import, "BATCH", 1)
    put(vault, "a.md")
    put(vault, "b.md")
    other = memory.open()

    def progress(done: int, total: int, what: str) -> None:
        if done == 1:
            from memory_mcp.pages.page_write import PageDraft

            other.writer.write(PageDraft("b.md", "# B\n\nAn agent's.\n"), CODEX)

    report = memory.app.importer.import_folder(vault, CODEX, progress=progress)
    assert report.imported == ("a.md",)
    assert [path for path, _ in report.skipped] == ["b.md"]
    assert memory.bytes_of("b.md").endswith(b"An agent's.\n")


def test_an_import_that_is_broken_off_goes_on_where_it_was(
    memory: Memory, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_import, "BATCH", 2)
    for number in range(5):
        put(vault, f"n{number}.md")

    def stop(done: int, total: int, what: str) -> None:
        if done == 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        memory.app.importer.import_folder(vault, CODEX, progress=stop)
    assert memory.git("status", "--porcelain") == ""
    report = take(memory, vault)
    assert (len(report.unchanged), report.imported) == (4, ("n4.md",))


def test_many_files_are_taken_in_few_commits(memory: Memory, vault: Path, soak: bool) -> None:
    count = 3000 if soak else 600
    for number in range(count):
        put(vault, f"d{number % 20}/n{number}.md", f"# Note {number}\n\n" + "word " * 100)
    assert len(take(memory, vault).imported) == count
    assert len(memory.operations()) == 1 + count // 200


def test_large_files_come_in_commits_of_bounded_size(
    memory: Memory, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_import, "BATCH_BYTES", 1000)
    monkeypatch.setattr(page_import, "MAX_FILE_BYTES", 3000)
    for number in range(4):
        put(vault, f"n{number}.md", "x" * 900)
    put(vault, "dump.md", "x" * 3001)
    report = take(memory, vault)
    assert len(report.imported) == 4
    assert "larger" in dict(report.skipped)["dump.md"]
    assert memory.operations().count("import") > 1
