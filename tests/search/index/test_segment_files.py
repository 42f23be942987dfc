from __future__ import annotations

import random
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.columns import VarBytesColumn
from whoosh.filedb.filetables import OrderedHashReader

from memory_mcp.search.index.segment_files import (
    CorruptIndex,
    SegmentFile,
    TermsWriter,
    check_sizes,
    length_byte,
    write_sizes,
    write_stored,
)
from memory_mcp.search.index.whoosh_codec import PageStorage, unpack_postings


@pytest.mark.parametrize("count", [0, 1, 40_000])
def test_stored_pages_are_read_by_whoosh(tmp_path: Path, count: int) -> None:
    pages = [b"x" * (number % 7) + b"%d" % number for number in range(count)]
    file = SegmentFile(tmp_path / "stored")
    write_stored(file, pages)
    _, size = file.close()
    storage = PageStorage(tmp_path)
    reader = VarBytesColumn().reader(storage.open_file("stored"), 0, size, count)
    assert list(reader) == pages
    for number in random.Random(1).sample(range(count), min(count, 50)):
        assert reader[number] == pages[number]
    storage.close()


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=5, unique=True).map(sorted),
        max_size=30,
    ),
    st.integers(0, 0xFFFF),
)
def test_terms_and_postings_are_read_by_whoosh(
    tmp_path_factory: pytest.TempPathFactory, field: dict[str, list[int]], impact: int
) -> None:
    folder = tmp_path_factory.mktemp("terms")
    terms, postings = SegmentFile(folder / "terms"), SegmentFile(folder / "postings")
    writer = TermsWriter(terms, postings)
    writer.add_field("f", {t: array("Q", [d << 32 | impact for d in docs]) for t, docs in field.items()})
    writer.add_field("g", {"only": array("Q", [7 << 32 | impact])})
    writer.close()
    terms.close()
    postings.close()
    storage = PageStorage(folder)
    dictionary = OrderedHashReader.open(storage, "terms")
    assert dictionary.extras["fieldmap"] == {"f": 0, "g": 1}
    keys = [b"\0\0" + term.encode("utf-8", "surrogatepass") for term in sorted(field)] + [b"\0\1only"]
    assert list(dictionary.keys()) == keys
    assert dictionary.closest_key(b"\0\1") == b"\0\1only"
    data = (folder / "postings").read_bytes()
    for key, documents in zip(keys, [*(field[term] for term in sorted(field)), [7]], strict=True):
        value = dictionary[key]
        offset, length = int.from_bytes(value[-12:-4], "big"), int.from_bytes(value[-4:], "big")
        read = unpack_postings(data[offset : offset + length])
        assert list(read[0]) == documents
        assert list(read[1]) == [impact] * len(documents)
    assert dictionary.get(b"\0\1other") is None
    storage.close()


def test_every_one_of_many_terms_is_found(tmp_path: Path) -> None:
    terms = SegmentFile(tmp_path / "terms")
    postings = SegmentFile(tmp_path / "postings")
    writer = TermsWriter(terms, postings)
    writer.add_field("f", {f"t{number}": array("Q", [number << 32]) for number in range(10_000)})
    writer.close()
    terms.close()
    postings.close()
    storage = PageStorage(tmp_path)
    dictionary = OrderedHashReader.open(storage, "terms")
    assert all(b"\0\0t%d" % number in dictionary for number in range(10_000))
    assert not any(b"\0\0u%d" % number in dictionary for number in range(1000))
    storage.close()


def test_sizes_tell_what_was_torn(tmp_path: Path) -> None:
    file = SegmentFile(tmp_path / "a")
    for _ in range(3):
        file.write(b"x" * 600_000)
    assert file.position == 1_800_000
    write_sizes(tmp_path / "sizes", [file.close()])
    check_sizes(tmp_path, "sizes")
    (tmp_path / "a").write_bytes(b"x" * 1_799_999)
    with pytest.raises(CorruptIndex):
        check_sizes(tmp_path, "sizes")


def test_a_length_is_one_byte_that_grows_with_it() -> None:
    codes = [length_byte(length) for length in (0, 1, 2, 10, 100, 1000, 10_000, 10_000_000)]
    assert codes[0] == 0
    assert codes == sorted(set(codes))
    assert codes[-1] == 255
