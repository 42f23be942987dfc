"""What an answer without hits says about what would have some."""

from __future__ import annotations

import time

import pytest

from memory_mcp.model.scope import GLOBAL, Scope
from memory_mcp.search.answer import ZeroHits
from memory_mcp.search.zero_hits import MAX_COUNT, MAX_SCOPES

SCOPE = Scope("acme", "importer")
OTHER = Scope("acme", "other")
FAR = Scope("elsewhere", "third")


def zero(store, text: str, **how: object) -> ZeroHits:
    asked = how.pop("asked", (SCOPE,))
    known = how.pop("known", ())
    return store.open().zero_hits(text, asked, known, **how)


def test_the_words_are_told_as_they_were_typed(store) -> None:
    assert zero(store, "Where are the Pangolins, (busy_timeout)?").words == ("Pangolins,", "(busy_timeout)?")
    assert zero(store, "how to").words == ("how", "to")
    assert zero(store, "!?").words == ()


def test_scopes_that_would_have_hits_are_named_the_near_ones_first(store) -> None:
    for number in range(3):
        store.write(f"{number}.md", "a walrus", FAR)
    for number in range(6):
        store.write(f"{number}.md", "walrus rules", GLOBAL)
    store.write("a.md", "a walrus", OTHER)
    store.write("a.md", "nothing", Scope("acme", "third"))
    found = zero(store, "walrus sleeps")
    assert found.elsewhere == ((OTHER, 1), (FAR, 3), (GLOBAL, 6))
    assert zero(store, "walrus", known=(GLOBAL,)).elsewhere == ((OTHER, 1), (FAR, 3))
    assert zero(store, "walrus", asked=None).elsewhere == ()


def test_of_callers_nothing_is_told(store) -> None:
    caller = Scope("_callers", "ana")
    store.write("memory/notes/a.md", "a walrus", caller)
    store.write("a.md", "nothing")
    search = store.open()
    search.query("walrus", (caller,))
    assert search.zero_hits("walrus", (SCOPE,), ()).elsewhere == ()


def test_at_most_five_scopes_are_named_and_counts_end_at_fifty(store) -> None:
    for number in range(MAX_COUNT + 5):
        store.write(f"{number}.md", "a walrus", OTHER)
    for number in range(9):
        store.write("a.md", "a walrus", Scope("elsewhere", f"p{number}"))
    found = zero(store, "walrus").elsewhere
    assert len(found) == MAX_SCOPES
    assert found[0] == (OTHER, MAX_COUNT)


def test_expired_pages_are_counted_where_they_would_be_found(store) -> None:
    store.write("old.md", "---\nexpires_at: 2020-01-01\n---\na walrus")
    store.write("old.md", "---\nexpires_at: 2020-01-01\n---\na walrus", OTHER)
    found = zero(store, "walrus")
    assert (found.expired, found.elsewhere) == (1, ())
    assert zero(store, "walrus", include_expired=True).expired == 0


def test_a_phrase_is_tried_without_its_quotes_and_as_it_is_elsewhere(store) -> None:
    store.write("a.md", "the walrus never sleeps")
    store.write("a.md", "a walrus sleeps", OTHER)
    store.write("a.md", "sleeps a walrus", FAR)
    found = zero(store, '"walrus sleeps"')
    assert (found.unquoted, found.elsewhere) == (1, ((OTHER, 1),))
    assert zero(store, "walrus").unquoted == 0


def test_pages_that_wait_to_be_indexed_are_counted_too(store) -> None:
    store.write("a.md", "nothing", OTHER)
    search = store.open()
    search.query("walrus", None)
    store.write("b.md", "a walrus", OTHER)
    with store.lock.hold("test"):
        assert search.zero_hits("walrus", (SCOPE,), ()).elsewhere == ((OTHER, 1),)


@pytest.mark.parametrize(
    "text", ["", '"', "\0", "\ud800", "a* b*", '"a b" ' * 20, "日本 walrus мышь", "!?" * 99]
)
def test_no_question_is_an_error(store, text) -> None:
    store.write("a.md", "a walrus", OTHER)
    zero(store, text)


def test_a_huge_question_takes_no_longer_than_others(store) -> None:
    for number in range(50):
        store.write(f"{number}.md", f"word{number} walrus", OTHER)
    search = store.open()
    search.query("walrus", None)
    started = time.process_time()
    search.zero_hits(" ".join(f"word{number}" for number in range(20_000)), (SCOPE,), ())
    assert time.process_time() - started < 2
