from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from memory_mcp.model.page import PageMeta
from memory_mcp.search.index.index_read import open_reader
from memory_mcp.search.index.index_write import build, write_pages
from memory_mcp.search.index.page_terms import FLAG, SCOPE, page_terms
from memory_mcp.search.index.segment_files import CorruptIndex
from tests.search.example_pages import files_of, found, make_page, make_terms, random_pages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build(tmp_path, random_pages(30))
    write_pages(tmp_path, [make_terms("p/0003.md", "changed")], ["acme/app/p/0004.md"])
    return tmp_path


def use(folder: Path) -> None:
    """Open the index and read everything."""
    reader = open_reader(folder)
    try:
        found(reader, "w0 w1 w2 changed")
        list(reader.stored_all())
    finally:
        reader.close()


def test_keywords_give_the_live_documents(folder: Path) -> None:
    write_pages(folder, [page_terms(make_page("pin.md", meta=PageMeta(pinned=True)))])
    with open_reader(folder) as reader:
        assert len(reader.documents(SCOPE, "acme/app")) == 30
        assert reader.documents(SCOPE, "acme/other") == []
        assert [reader.path_of(number) for number in reader.documents(FLAG, "pinned")] == ["acme/app/pin.md"]
        assert reader.document_of("acme/app/p/0004.md") is None


def test_a_number_beyond_the_last_is_an_error(folder: Path) -> None:
    with open_reader(folder) as reader, pytest.raises(IndexError):
        reader.stored(reader.count_all)


def test_a_prefix_gives_its_terms_in_order_with_the_number_of_their_documents(folder: Path) -> None:
    write_pages(folder, [make_terms("new.md", "w1 w1zebra")], ["acme/app/p/0003.md"])
    with open_reader(folder) as reader:
        found = reader.frequencies("text", "w1", 10_000)
        assert len(reader.leaves) == 2
        assert list(found) == sorted(found)
        for term, count in found.items():
            assert term.startswith("w1")
            assert count == sum(
                len(leaf.postings("text", term)[0]) for leaf in reader.leaves if leaf.postings("text", term)
            )
        assert {"w1", "w10", "w1zebra"} <= found.keys()
        assert list(reader.frequencies("text", "w1", 5)) == list(found)[:5]
        assert list(reader.frequencies("scope", "ac", 5)) == ["acme/app"]
        for nothing in ("nothing", "\uffff", "w399z"):
            assert reader.frequencies("text", nothing, 5) == {}
        assert reader.frequencies("no such field", "w", 5) == {}


def test_an_open_reader_keeps_its_generation(folder: Path) -> None:
    old = open_reader(folder)
    write_pages(folder, [make_terms("new.md", "brandnew")], ["acme/app/p/0003.md"])
    new = open_reader(folder)
    assert (old.generation, new.generation) == (2, 3)
    assert found(old, "brandnew changed") == ["p/0003.md"]
    assert found(new, "brandnew changed") == ["new.md"]
    old.close()
    new.close()


def test_an_open_reader_survives_the_removal_of_its_folder(folder: Path) -> None:
    with open_reader(folder) as reader:
        shutil.rmtree(folder)
        assert found(reader, "changed") == ["p/0003.md"]
    with pytest.raises(Exception):  # noqa: B017 - whatever Whoosh raises
        open_reader(folder)


@pytest.mark.parametrize("extension", [".trm", ".pst", "._stored.col", "._text_len.col", ".siz", ".toc"])
@pytest.mark.parametrize("damage", ["missing", "empty", "half", "one byte more"])
def test_a_torn_file_is_an_exception_when_the_index_is_opened(
    folder: Path, extension: str, damage: str
) -> None:
    for name in sorted(files_of(folder)):
        if name.endswith(extension):
            file = folder / name
            data = file.read_bytes()
            if damage == "missing":
                file.unlink()
            elif damage == "one byte more" and extension in (".siz", ".toc"):
                pytest.skip("says the same")
            else:
                file.write_bytes({"empty": b"", "half": data[: len(data) // 2]}.get(damage, data + b"x"))
            with pytest.raises(Exception):  # noqa: B017 - whatever the broken bytes lead to
                open_reader(folder).close()
            file.write_bytes(data)
    use(folder)


def test_a_file_truncated_under_an_open_reader_is_an_exception(folder: Path) -> None:
    with open_reader(folder) as reader:
        for name in files_of(folder):
            (folder / name).write_bytes(b"")
        with pytest.raises(Exception):  # noqa: B017 - and not the end of the process
            found(reader, "w0 w1 w2 changed")


def test_no_file_stays_open_when_opening_fails(folder: Path) -> None:
    for name in files_of(folder):
        if name.endswith("._stored.col"):
            with (folder / name).open("ab") as file:
                file.write(b"x")
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(5):
        with pytest.raises(CorruptIndex):
            open_reader(folder)
    assert len(list(Path("/dev/fd").iterdir())) <= before


def test_closing_gives_back_all_files(folder: Path) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(5):
        use(folder)
    assert len(list(Path("/dev/fd").iterdir())) <= before


def test_stored_pages_hold_no_pickle(folder: Path) -> None:
    with open_reader(folder) as reader:
        data = reader.leaves[0].stored(0)
    assert data.startswith(b'["acme/app/')
    with pytest.raises(pickle.UnpicklingError):
        pickle.loads(data)
