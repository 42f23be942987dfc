from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.link import Link
from memory_mcp.model.page import MAX_BODY_BYTES, PageMeta
from memory_mcp.model.scope import Scope
from memory_mcp.search.index.page_terms import (
    DATE,
    FLAG,
    LINK,
    StoredPage,
    bare_link_term,
    decode_page,
    decode_path,
    decode_version,
    link_term,
    page_terms,
)
from tests.search.example_pages import SCOPE, make_page, make_terms

META = PageMeta(
    tier="procedural",
    tags=("Rust", "web api"),
    entities=("Ada Lovelace",),
    abstract="abstractum",
    summary="summarum",
    pinned=True,
    expires_at=datetime(2027, 1, 2, tzinfo=timezone.utc),
)


def test_title_tags_and_entities_count_twice_and_the_rest_once() -> None:
    bag = page_terms(make_page("notes/x.md", "body", "Title", meta=META)).bag
    assert bag["titl"] == bag["rust"] == bag["web"] == bag["ada"] == 2
    assert bag["bodi"] == bag["abstractum"] == bag["summarum"] == bag["note"] == 1


@pytest.mark.parametrize("query", ["current.md", "current", "a/b/current.md", "b"])
def test_a_page_is_found_by_its_path(query: str) -> None:
    from memory_mcp.search.text.tokenizer import terms

    bag = make_terms("a/b/current.md", "").bag
    assert terms(query).keys() & bag.keys()


@pytest.mark.parametrize(
    ("path", "title", "dates"),
    [
        ("a.md", "Ana and Ben, 8 May 2023", ("2023-05-08", "2023-05")),
        ("sessions/2026-05-08-import.md", "Import", ("2026-05-08", "2026-05")),
        ("a.md", "Retro of May 2023", ("2023-05",)),
        ("a.md", "Release 2023", None),
    ],
)
def test_a_page_is_dated_by_its_title_and_path(path: str, title: str, dates: tuple[str, ...] | None) -> None:
    assert make_terms(path, "", title).keywords.get(DATE) == dates


def test_the_extension_alone_is_no_term() -> None:
    assert "md" not in make_terms("a/current.md", "").bag


def test_a_title_gives_its_stop_words_and_a_body_does_not() -> None:
    bag = make_terms("x.md", "what is this", "How to").bag
    assert "how" in bag
    assert "to" in bag
    assert "what" not in bag


def test_only_the_first_megabyte_of_a_body_is_indexed() -> None:
    body = "early " + "x " * (MAX_BODY_BYTES // 2) + "late"
    bag = make_terms("x.md", body).bag
    assert "earli" in bag
    assert "late" not in bag


def test_keywords_are_looked_up_as_they_are() -> None:
    page = make_page("notes/x.md", "", "T", meta=META, problems=("broken",))
    keywords = page_terms(page).keywords
    assert keywords["scope"] == ("acme/app",)
    assert keywords["kind"] == ("fact",)
    assert keywords["tier"] == ("procedural",)
    assert keywords["tag"] == ("rust", "web api")
    assert keywords["entity"] == (
        "ada lovelace\tada lovelace",
        "lovelace\tada lovelace",
        "rust\trust",
        "web api\tweb api",
        "api\tweb api",
    )
    assert keywords[FLAG] == ("pinned", "problems")
    assert LINK not in keywords


def test_links_are_found_by_their_target_and_bare_ones_by_file_name() -> None:
    links = (
        Link(None, None, "Notes/Db.md"),
        Link("b", "c", "x.md"),
        Link(None, None, "Some note.md", bare=True),
    )
    keywords = page_terms(make_page(links=links)).keywords
    assert set(keywords[LINK]) == {
        link_term(SCOPE, "notes/db.md"),
        link_term(Scope("b", "c"), "x.md"),
        link_term(SCOPE, "some note.md"),
        bare_link_term(SCOPE, "any/folder/Some Note.md"),
    }


def test_a_stored_page_survives_its_encoding() -> None:
    links = (Link(None, "p", "a.md", "fixes", True),)
    page = page_terms(
        make_page("notes/x.md", "Body.", 'T "q"', meta=META, links=links, problems=("p",))
    ).stored
    assert decode_page(page.encode()) == page
    assert page.targets() == list(links)
    assert page.scope == SCOPE
    assert page.page_path == "notes/x.md"
    assert page.expires_at == datetime(2027, 1, 2, tzinfo=timezone.utc).timestamp()
    assert page.descriptor == "summarum"


@given(st.text(min_size=1), st.text())
def test_any_path_is_decoded_alone(path: str, title: str) -> None:
    page = StoredPage(path, "0" * 16, title, "fact", "semantic", (), False, None, "", (), ())
    assert decode_path(page.encode()) == path
    assert decode_version(page.encode()) == "0" * 16
    assert decode_page(page.encode()) == page
