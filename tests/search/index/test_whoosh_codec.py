"""What we rely on in the installed Whoosh; a change there shows here first."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest
from whoosh import columns, index
from whoosh.codec.whoosh3 import W3PerDocReader, W3Segment, W3TermInfo, W3TermsReader
from whoosh.filedb.filetables import OrderedHashReader
from whoosh.query import And, Or, Prefix, Term

from memory_mcp.search.index.index_write import build, write_pages
from memory_mcp.search.index.page_terms import ID, KEYWORD_FIELDS, TEXT
from memory_mcp.search.index.whoosh_codec import PageCodec, PageStorage, TermBag, make_schema
from tests.search.example_pages import make_terms, random_pages, random_query
from tests.search.stock_weighting import PageBM25


def test_stock_whoosh_opens_and_queries_the_index(tmp_path: Path) -> None:
    build(tmp_path, random_pages(60))
    write_pages(tmp_path, [make_terms("zebra.md", "zebra stripes")])
    with index.open_dir(str(tmp_path)).searcher() as searcher:
        assert searcher.search(Term(TEXT, "zebra"))[0]["page"].page_path == "zebra.md"
        assert len(searcher.search(Prefix(TEXT, "stri"))) == 1
        assert len(searcher.search(And([Term(TEXT, "zebra"), Term("scope", "acme/app")]))) == 1
        assert len(searcher.search(Term("scope", "acme/app"), limit=None)) == 61
        assert ("id", "acme/app/zebra.md") in searcher.reader()


def test_a_stock_writer_of_the_same_pages_ranks_them_the_same(tmp_path: Path) -> None:
    pages = random_pages(120)
    ours, stock = tmp_path / "ours", tmp_path / "stock"
    build(ours, pages)
    stock.mkdir()
    writer = index.create_in(str(stock), make_schema()).writer()
    for page in pages:
        fields = {ID: [page.path], TEXT: page.bag, **page.keywords}
        writer.add_document(**fields, page=page.stored)
    writer.commit()
    rand = random.Random(5)
    with (
        index.open_dir(str(ours)).searcher(weighting=PageBM25()) as one,
        index.open_dir(str(stock)).searcher(weighting=PageBM25()) as other,
    ):
        for _ in range(30):
            query = Or([Term(TEXT, word) for word in set(random_query(rand).split())])
            scores = [hit.score for hit in one.search(query)]
            assert scores == pytest.approx([hit.score for hit in other.search(query)])
        for field in (TEXT, ID, *KEYWORD_FIELDS):
            terms = list(one.reader().lexicon(field)) if field in one.reader().indexed_field_names() else []
            there = other.reader().indexed_field_names()
            assert terms == (list(other.reader().lexicon(field)) if field in there else [])
            for term in terms[:50]:
                a, b = one.reader().term_info(field, term), other.reader().term_info(field, term)
                assert (a.doc_frequency(), a.weight(), a.max_weight()) == (
                    b.doc_frequency(),
                    b.weight(),
                    b.max_weight(),
                )
                assert (a.min_id(), a.max_id()) == (b.min_id(), b.max_id())


def test_schema_and_codec_survive_pickling() -> None:
    schema = pickle.loads(pickle.dumps(make_schema(), 2))
    assert schema.names() == make_schema().names()
    assert isinstance(schema[TEXT], TermBag)
    assert schema[TEXT].scorable
    assert not schema["tag"].scorable
    assert isinstance(pickle.loads(pickle.dumps(PageCodec())), PageCodec)


def test_the_private_names_exist() -> None:
    assert W3TermInfo._struct.format == "!BfIBBfII"
    info = W3TermInfo.from_bytes(
        W3TermInfo._struct.pack(0, 1.0, 2, 0, 0, 1.0, 3, 4) + bytes(7) + b"\5" + bytes(3) + b"\6"
    )
    assert info.extent() == (5, (6,))
    assert hasattr(W3PerDocReader, "_cached_reader")
    assert hasattr(columns.VarBytesColumn, "Reader")
    assert hasattr(OrderedHashReader, "range_for_key")
    assert issubclass(W3TermsReader, object)
    assert W3Segment(PageCodec(), "MAIN", doccount=3).doc_count_all() == 3


def test_reading_a_file_does_not_move_its_position(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    file = PageStorage(tmp_path).open_file("f")
    file.seek(2)
    assert file.get(5, 3) == b"567"
    assert file.read(2) == b"23"
    assert file.get(8, 10) == b"89"
    file.close()
