"""The brief within a size: bodies, then names, then a count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.briefing.brief_pages import BriefPages
from memory_mcp.briefing.brief_text import CUT, brief_text
from memory_mcp.model.page import Page
from memory_mcp.model.scope import Scope
from memory_mcp.wiki.page_parse import parse_page

SCOPE = Scope("acme", "importer")


def page(path: str, body: str, title: str = "") -> Page:
    return parse_page(SCOPE, path, f"# {title or path}\n\n{body}\n".encode("utf-8", "replace"))


def pages(*core: Page, recent: tuple[Page, ...] = ()) -> BriefPages:
    return BriefPages(core, recent, len(core) + len(recent))


def test_of_nothing_there_is_no_brief() -> None:
    assert brief_text(SCOPE, pages(), 4_000) == ""


def test_everything_is_told_where_it_fits() -> None:
    text = brief_text(
        SCOPE, pages(page("_rules/a.md", "Rule."), recent=(page("notes/b.md", "Note.", "Note"),)), 4_000
    )
    assert text == (
        "# What the memory of acme/importer holds (2 pages)\n\n"
        "## _rules/a.md (_rules/a.md)\n\n# _rules/a.md\n\nRule.\n\n"
        "## Changed last\n\n- Note (notes/b.md)"
    )


def test_the_first_page_that_does_not_fit_is_cut_and_the_others_are_named() -> None:
    found = pages(
        page("_rules/a.md", "short"), *(page(f"_rules/{name}.md", "word " * 1_000) for name in "bcd")
    )
    text = brief_text(SCOPE, found, 2_000)
    assert "short" in text
    assert text.count(CUT) == 1
    assert text.index(CUT) < text.index("## Not shown here\n\n- _rules/c.md (_rules/c.md)\n- _rules/d.md")
    assert 1_700 < len(text) <= 2_000


def test_names_that_do_not_fit_are_counted() -> None:
    found = pages(page("_rules/a.md", "word " * 1_000), *(page(f"_rules/{n:03}.md", "x") for n in range(300)))
    text = brief_text(SCOPE, found, 1_500)
    assert "- _rules/000.md" in text
    assert text.rstrip().rsplit("\n", 1)[-1].startswith("- and 2")
    assert len(text) <= 1_500


@pytest.mark.parametrize("kind", ["state", "invariant"])
def test_a_slot_says_which_kind_it_is(kind: str) -> None:
    slot = parse_page(SCOPE, "_slots/focus.md", f"---\nslot_kind: {kind}\n---\n# Focus\n".encode())
    assert f"## Focus (_slots/focus.md, {kind})" in brief_text(SCOPE, pages(slot), 4_000)


bodies = st.lists(st.text(max_size=3_000), max_size=8)


@given(bodies, st.lists(st.text(max_size=300), max_size=10), st.integers(800, 9_000))
def test_a_brief_is_never_longer_than_it_may_be(core: list[str], titles: list[str], limit: int) -> None:
    found = pages(
        *(page(f"_rules/{at}.md", body, body[:50]) for at, body in enumerate(core)),
        recent=tuple(page(f"notes/{at}.md", "x", title) for at, title in enumerate(titles)),
    )
    assert len(brief_text(SCOPE, found, limit)) <= limit
