"""Pages by the names in a question."""

from __future__ import annotations

import pytest

from memory_mcp.search.rank.entity_stream import MAX_NAMES_PER_WORD, MAX_WORDS, entity_words
from tests.search.conftest import SCOPE, Store


def names(store: Store, question: str) -> dict[str, tuple[float, tuple[str, ...]]]:
    """What the names of a question give to which path."""
    hits = store.open().query(question, (SCOPE,), limit=100, explain=True).hits
    found = {hit.path: (hit.details.signals.entity, hit.details.names) for hit in hits if hit.details}
    return {path: match for path, match in found.items() if match[1]}


def page(store: Store, path: str, *entities: str, tags: str = "") -> None:
    store.write(path, f"---\nentities: [{', '.join(entities)}]\ntags: [{tags}]\n---\n# Page\n\nSome text.\n")


def test_words_of_a_question_are_its_names_whole_and_in_parts() -> None:
    assert entity_words("Why does the Retry-Queue use snake_case?") == [
        "retry-queue", "retry", "queue", "use", "snake_case", "snake", "case",
    ]  # fmt: skip
    assert entity_words("to be or not") == []
    assert len(entity_words(" ".join(f"name{n}" for n in range(99)))) == MAX_WORDS


@pytest.mark.parametrize("question", ["retry", "queue", "retry queue", "RETRY-queue", "que"])
def test_a_name_answers_for_each_word_that_it_or_one_of_its_words_begins_with(
    store: Store, question: str
) -> None:
    page(store, "a.md", "Retry  Queue")
    page(store, "b.md", "enqueue")
    assert names(store, question) == {"a.md": (1.0, ("retry queue",))}


def test_a_name_of_few_pages_counts_more(store: Store) -> None:
    page(store, "a.md", "pangolin", "common")
    for number in range(4):
        page(store, f"c{number}.md", "common")
    found = names(store, "common pangolin")
    assert found["a.md"] == (1.2, ("common", "pangolin"))
    assert found["c0.md"] == (0.2, ("common",))


def test_tags_are_names_too_but_no_more_than_ten_of_both(store: Store) -> None:
    page(store, "a.md", *(f"first{n}" for n in range(9)), tags="walrus, pangolin")
    assert names(store, "walrus") == {"a.md": (1.0, ("walrus",))}
    assert names(store, "pangolin") == {}


def test_pages_that_wait_beside_the_index_have_names(store: Store) -> None:
    page(store, "a.md", "walrus")
    search = store.open()
    search.query("x", (SCOPE,))
    with store.lock.hold("other"):
        page(store, "a.md", "pangolin")
        page(store, "b.md", "pangolin")
        hits = search.query("pangolin", (SCOPE,), explain=True).hits
        assert [(hit.path, hit.details.signals.entity) for hit in hits] == [("a.md", 0.5), ("b.md", 0.5)]
        assert search.query("walrus", (SCOPE,)).hits == ()


def test_names_of_other_scopes_neither_find_nor_count(store: Store) -> None:
    from memory_mcp.model.scope import Scope

    page(store, "a.md", "pangolin")
    store.write("b.md", "---\nentities: [pangolin]\n---\nx", Scope("acme", "other"))
    assert names(store, "pangolin") == {"a.md": (1.0, ("pangolin",))}


def test_names_of_other_scopes_and_of_changed_pages_do_not_make_a_word_too_common(store: Store) -> None:
    from memory_mcp.model.scope import Scope

    page(store, "a.md", "pangolin")
    for number in range(MAX_NAMES_PER_WORD):
        names_of = f"pangolin{number}, pangolin-{number}"
        store.write(f"{number}.md", f"---\nentities: [{names_of}]\n---\nx", Scope("acme", "other"))
        page(store, f"old{number}.md", f"pango{number}")
    assert names(store, "pangolin") == {"a.md": (1.0, ("pangolin",))}
    assert names(store, "pango") == {}
    for number in range(MAX_NAMES_PER_WORD):
        page(store, f"old{number}.md", "changed")
    assert names(store, "pango") == {"a.md": (1.0, ("pangolin",))}
