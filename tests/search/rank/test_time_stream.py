from __future__ import annotations

from datetime import date

import pytest

from memory_mcp.model.scope import Scope
from memory_mcp.search.rank.time_stream import date_terms
from memory_mcp.search.text.date_text import Span
from memory_mcp.store.lock import WriterLock

SCOPE, OTHER = Scope("acme", "importer"), Scope("acme", "other")


def test_whole_months_are_one_term_and_other_days_one_each() -> None:
    span = Span(date(2023, 4, 29), date(2023, 6, 1))
    assert list(date_terms(span)) == ["2023-04-29", "2023-04-30", "2023-05", "2023-06-01"]


def titled(title: str, text: str = "walrus") -> str:
    return f"---\ntitle: {title}\n---\n{text}\n"


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("walrus in May 2023", "may.md"),
        ("walrus in June", "june.md"),
        ("walrus on 9 June 2023", "june.md"),
        ("walrus in 2022", "old.md"),
        ("walrus yesterday", "sessions/2026-11-29-talk.md"),
        ("walrus last month", "front.md"),
    ],
)
def test_a_page_of_the_asked_days_comes_first(store, question: str, path: str) -> None:
    store.write("a.md", titled("Talk now"))
    store.write("may.md", titled("Talk, 8 May 2023"))
    store.write("june.md", titled("Talk, 9 June 2023"))
    store.write("old.md", titled("Talk, March 2022"))
    store.write("sessions/2026-11-29-talk.md", titled("Talk of two"))
    store.write("front.md", "---\ntitle: Talk now\ncreated: 2026-10-05T10:00:00Z\n---\nwalrus\n")
    assert store.open().query(question, (SCOPE,)).hits[0].path == path


def test_a_page_of_the_month_after_comes_before_those_of_others(store) -> None:
    for month in ("April", "June", "July"):
        store.write(f"{month}.md", titled(f"Talk of 8 {month} 2023"))
    assert store.found(store.open(), "walrus in May 2023")[0] == "June.md"


def test_a_question_about_time_alone_finds_pages_by_their_date(store) -> None:
    store.write("sessions/2026-11-29.md", titled("Importer", "The parser was split."))
    store.write("sessions/2026-11-20.md", titled("Cache", "The cache was dropped."))
    assert store.found(store.open(), "what did we do yesterday?") == ["sessions/2026-11-29.md"]


def test_dates_of_pages_beside_the_index_count_and_those_of_other_scopes_do_not(store) -> None:
    store.write("sessions/2026-05-08.md", titled("Importer"))
    store.write("sessions/2026-05-09.md", titled("Foreign"), scope=OTHER)
    search = store.open()
    assert store.found(search, "what happened in May?") == ["sessions/2026-05-08.md"]
    store.write("sessions/2026-05-10.md", titled("Importer"))
    store.write("sessions/2026-07-10.md", titled("Importer"))
    with WriterLock(store.root / "locks", 5).hold("import"):
        found = store.found(search, "what happened in May?")
    assert found == ["sessions/2026-05-08.md", "sessions/2026-05-10.md"]
