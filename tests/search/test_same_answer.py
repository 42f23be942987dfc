"""The same pages and the same question give the same answer, whatever way the index took to hold them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from memory_mcp.model.scope import Scope
from memory_mcp.search.answer import QueryAnswer
from tests.search.conftest import NOW, SCOPE, Store
from tests.search.opened import OpenedSearch

OTHER = Scope("acme", "other")
WORDS = [
    f"{first}{second}" for first in ("wal", "pan", "oka", "zeb") for second in ("rus", "golin", "pi", "ra")
]
NAMES = [f"{word} service" for word in WORDS[:6]]
QUESTIONS = [
    "walrus", "walrus pangolin okapi", "wal* pan*", '"walrus pangolin"', "service", "walrus-service zebra",
    "what did we do with the okapi yesterday?", "panrus zebpi okara", "in may 2025", "the of",
]  # fmt: skip


def write_page(store: Store, rand: random.Random, number: int, scope: Scope = SCOPE) -> str:
    """A page of few words, so that many pages score alike and some are the same but for their path."""
    title = " ".join(rand.choices(WORDS, k=2))
    lines = [f"entities: [{', '.join(rand.sample(NAMES, rand.randrange(3)))}]"]
    if rand.random() < 0.3:
        lines.append(f"relations:\n  {rand.choice(('causes', 'fixes'))}:\n    - p/{rand.randrange(60)}.md")
    links = " ".join(f"[[p/{rand.randrange(60)}]]" for _ in range(rand.randrange(3)))
    words = " ".join(rand.choices(WORDS, k=rand.choice((2, 3, 40))))
    day = f"2025-05-{rand.randrange(1, 5):02} " if rand.random() < 0.2 else ""
    text = "---\n" + "\n".join(lines) + f"\n---\n# {day}{title}\n\n{words}. {links}\n"
    return store.write(f"p/{number}.md", text, scope)


def change_pages(store: Store, rand: random.Random, times: int, search: OpenedSearch) -> None:
    """Writes and removals one by one, each seen by a query; some in another scope."""
    for _ in range(times):
        number = rand.randrange(60)
        if rand.random() < 0.2 and (store.wiki / str(SCOPE) / f"p/{number}.md").exists():
            changed = store.remove(f"p/{number}.md")
        else:
            changed = write_page(store, rand, number, OTHER if rand.random() < 0.2 else SCOPE)
        with store.lock.hold("write"):
            search.update([changed])


def answers(search: OpenedSearch) -> list[QueryAnswer]:
    return [
        search.query(question, scopes, limit=limit, explain=True)
        for question in QUESTIONS
        for scopes, limit in (((SCOPE,), 3), ((SCOPE,), 100), (None, 10))
    ]


@pytest.mark.parametrize("with_vectors", [False, True])
def test_single_updates_give_the_answers_of_a_new_index(
    store: Store, tmp_path: Path, with_vectors: bool, soak: bool
) -> None:
    vectors = tmp_path / "vectors" if with_vectors else None

    def open_search() -> OpenedSearch:
        search = OpenedSearch(
            store.wiki,
            store.index,
            store.lock,
            lambda: NOW,
            background=False,
            is_gone_from_head=lambda paths: True,
            vectors_root=vectors,
        )
        store.opened.append(search)
        return search

    for seed in range(40 if soak else 1):
        rand = random.Random(seed)
        for number in range(60):
            write_page(store, rand, number)
        updated = open_search()
        updated.query("walrus", (SCOPE,))
        change_pages(store, rand, 50, updated)
        found = answers(updated)
        assert sum(len(answer.hits) for answer in found) > 300
        assert answers(open_search()) == found  # another process, the same index
        updated.rebuild()
        assert answers(updated) == found
        shutil.rmtree(store.index)
        shutil.rmtree(tmp_path / "vectors", ignore_errors=True)
        anew = open_search()
        if with_vectors:
            anew.embed()
        assert answers(anew) == found
        for search in store.opened:
            search.close()
