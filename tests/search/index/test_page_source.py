from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memory_mcp.search.index import page_source
from memory_mcp.search.index.manifest import UNSETTLED
from memory_mcp.search.index.page_source import SourceReader, read_source, read_text
from memory_mcp.search.index.page_terms import decode_page, page_terms
from memory_mcp.store.stat_scan import stat_file

PATH = "acme/importer/a.md"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / PATH
    path.parent.mkdir(parents=True)
    return path


def test_a_page_is_parsed_with_its_scope_and_path(tmp_path: Path, file: Path) -> None:
    file.write_text("---\ntitle: Pangolin\n---\ntext\n", encoding="utf-8")
    page = read_source(tmp_path, PATH).page
    assert (str(page.scope), page.path, page.title, page.body) == (
        "acme/importer",
        "a.md",
        "Pangolin",
        "text\n",
    )


def test_the_stat_of_a_file_changed_just_now_is_not_trusted(tmp_path: Path, file: Path) -> None:
    """A second edit within the clock's tick may leave it the same."""
    file.write_text("text", encoding="utf-8")
    assert read_source(tmp_path, PATH).stat == UNSETTLED
    time.sleep(0.05)
    assert read_source(tmp_path, PATH).stat == stat_file(str(file))


def test_what_is_no_regular_file_is_nothing(tmp_path: Path, file: Path) -> None:
    assert read_source(tmp_path, PATH) is None
    assert read_source(tmp_path, "acme/nowhere/x/a.md") is None
    file.mkdir()
    assert read_source(tmp_path, PATH) is None
    file.rmdir()
    (tmp_path / "outside.md").write_text("secret", encoding="utf-8")
    file.symlink_to(tmp_path / "outside.md")
    assert read_source(tmp_path, PATH) is None
    file.unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(file)
        assert read_source(tmp_path, PATH) is None


@pytest.mark.parametrize(
    "text",
    [
        "plain\n",
        "---\ntitle: Pangolin\n---\nbody\n",
        "\ufeff---\r\ntitle: Pangolin\r\n---\r\nbody\r\n",
        "---\nno closing fence\n",
        "---\ntitle: [\nother: x\n---\nbody\n",
        "---\njust prose between rules\n---\nbody\n",
    ],
)
def test_the_text_that_is_searched_is_the_text_of_the_parsed_page(
    tmp_path: Path, file: Path, text: str
) -> None:
    file.write_bytes(text.encode())
    page = read_source(tmp_path, PATH).page
    stored = decode_page(page_terms(page).stored.encode())
    assert read_text(tmp_path, stored) == page.text


def test_a_page_that_went_or_broke_since_it_was_indexed_has_no_text(tmp_path: Path, file: Path) -> None:
    file.write_text("text", encoding="utf-8")
    stored = decode_page(page_terms(read_source(tmp_path, PATH).page).stored.encode())
    file.write_bytes(b"caf\xe9")
    assert read_text(tmp_path, stored) is None
    file.unlink()
    assert read_text(tmp_path, stored) is None
    file.symlink_to(tmp_path / "outside.md")
    assert read_text(tmp_path, stored) is None


def test_what_cannot_be_a_page_has_a_reason(tmp_path: Path, file: Path, monkeypatch) -> None:
    file.write_bytes(b"caf\xe9")
    source = read_source(tmp_path, PATH)
    assert source.page is None
    assert source.unreadable.startswith("is not UTF-8")
    monkeypatch.setattr(page_source, "MAX_FILE_BYTES", 2 * 1024 * 1024)
    file.write_bytes(b"x" * (2 * 1024 * 1024 + 1))
    assert read_source(tmp_path, PATH).unreadable == "is larger than 2 MB and is not searched; split it."
    file.write_bytes(b"x" * 2 * 1024 * 1024)
    assert read_source(tmp_path, PATH).page is not None


def test_a_file_that_may_not_be_read_has_a_reason(tmp_path: Path, file: Path, monkeypatch) -> None:
    file.write_text("text", encoding="utf-8")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert read_source(tmp_path, PATH).unreadable == "cannot be read: Permission denied."


def test_a_ledger_is_neither_a_page_nor_unreadable(tmp_path: Path, file: Path) -> None:
    file.write_text("# Log 2026-11\n\n## [2026-11-30T12:00:00Z] session | x\n", encoding="utf-8")
    source = read_source(tmp_path, PATH)
    assert (source.page, source.unreadable) == (None, "")


def test_what_was_read_becomes_a_change_of_the_manifest(tmp_path: Path, file: Path) -> None:
    file.write_text("text", encoding="utf-8")
    file.with_name("log.md").write_text("## [2026-11-30T12:00:00Z] session | x\n", encoding="utf-8")
    file.with_name("bad.md").write_bytes(b"\xff")
    time.sleep(0.05)
    sources = SourceReader(tmp_path)
    folder = "acme/importer"
    pages = [sources.read(f"{folder}/{name}.md") for name in ("a", "log", "bad", "gone")]
    assert [page and page.path for page in pages] == ["a.md", None, None, None]
    change = sources.change(7)
    assert change.generation == 7
    assert change.seen == {
        f"{folder}/{name}.md": stat_file(str(file.with_name(f"{name}.md"))) for name in ("a", "log", "bad")
    }
    assert change.gone == (f"{folder}/gone.md",)
    assert change.ledgers == (f"{folder}/log.md",)
    assert list(change.unreadable) == [f"{folder}/bad.md"]
