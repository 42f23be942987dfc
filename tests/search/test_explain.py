"""What an explanation says is all that a rank is made of."""

from __future__ import annotations

import json
import random

from tests.search.conftest import SCOPE, Store
from tests.search.opened import OpenedSearch

KINDS = ("decisions", "gotchas", "sessions", "notes", "_rules", "_lint")
TIERS = ("working", "episodic", "semantic", "procedural")
TAGS = ("canonical", "active", "historical", "superseded", "do_not_answer_from", "rust", "python")
RELATIONS = ("causes", "fixes", "contradicts")


def fill(store: Store, count: int) -> list[str]:
    """Pages with everything that counts for ranks; returns their texts."""
    rand = random.Random(7)
    words = [f"word{number}" for number in range(300)]
    paths = [f"{rand.choice(KINDS)}/p{number:03}.md" for number in range(count)]
    texts = []
    for path in paths:
        front = [f"tier: {rand.choice(TIERS)}", f"tags: [{rand.choice(TAGS)}, {rand.choice(TAGS)}]"]
        front += [f"entities: [{rand.choice(words)} {rand.choice(words)}]"]
        front += ["pinned: true"] if rand.random() < 0.1 else []
        front += ["relations:", f"  {rand.choice(RELATIONS)}: [{rand.choice(paths)}]"]
        body = " ".join(rand.choices(words, [1 / (at + 3) for at in range(300)], k=rand.choice((5, 60, 250))))
        links = " ".join(f"[[{rand.choice(paths)}]]" for _ in range(rand.randrange(4)))
        title = " ".join(rand.sample(words, 3))
        texts.append(f"{title}\n{body}")
        store.write(path, "---\n" + "\n".join(front) + f"\n---\n# {title}\n\n{body}\n\n{links}\n")
    return texts


def by_hand(why: dict, query: dict) -> float:
    """The score from what is reported, by the formula that is reported with it."""
    weights, scale = query["weights"], query["scale"]
    bm25 = why.get("bm25", 0) / scale["bm25"] if scale["bm25"] else 0
    passage = why.get("passage", 0) / scale["passage"] if scale["passage"] else bm25
    text = weights["page"] * bm25 + weights["passage"] * passage
    if "cosine" in why:
        spread = scale["most_cosine"] - scale["least_cosine"]
        similar = (why["cosine"] - scale["least_cosine"]) / spread if spread else 1
        text = (1 - weights["vector"]) * text + weights["vector"] * similar
    entity = weights["entity"] * why.get("entity", 0) / scale["entity"] if scale["entity"] else 0
    boosts = entity + weights["link"] * why.get("link", 0) + weights["time"] * why.get("time", 0)
    return round(why["authority"] * (text + boosts), 6)


def check(search: OpenedSearch, question: str, limit: int) -> None:
    answer = search.query(question, (SCOPE,), limit=limit, explain=True)
    query = answer.explanation.facts()
    scored = []
    for hit in answer.hits:
        why = hit.details.facts()
        assert by_hand(why, query) == hit.score == why["score"], (question, hit.path)
        if "link" in why:
            assert round(min(1, sum(step["weight"] for step in why["links"])), 6) == why["link"]
        scored.append((-by_hand(why, query), f"{hit.scope}/{hit.path}", why["rank"]))
    assert [rank for _, _, rank in sorted(scored)] == list(range(1, len(scored) + 1)), question


def test_every_rank_can_be_computed_from_its_explanation(store: Store, soak: bool) -> None:
    texts = fill(store, 300)
    search = store.open()
    rand = random.Random(11)
    for _ in range(5000 if soak else 100):
        words = rand.choice(texts).split()
        check(
            search,
            " ".join(rand.sample(words, min(len(words), rand.randrange(1, 8)))),
            rand.choice((3, 10, 40)),
        )


def test_an_explanation_is_given_only_when_it_is_asked_for(store: Store) -> None:
    store.write("a.md", "pangolin")
    answer = store.open().query("pangolin", (SCOPE,))
    assert answer.explanation is None
    assert answer.hits[0].details is None


def test_an_explanation_names_streams_words_reasons_names_and_edges(store: Store) -> None:
    store.write(
        "gotchas/a.md", "---\nentities: [Retry Queue]\n---\n# Pangolin\n\nThe retry loop of the pangolin.\n"
    )
    store.write("notes/b.md", "---\nrelations:\n  fixes: [gotchas/a.md]\n---\n# B\n\nAnother thing.\n")
    answer = store.open().query("pangolin queue", (SCOPE,), explain=True)
    query = answer.explanation.facts()
    assert query["streams_active"] == ["text", "entity", "link"]
    assert "pangolin" in query["words"]
    first, second = (hit.details.facts() for hit in answer.hits)
    assert first["because"] == ["kind gotcha +0.03", "tier semantic +0.025"]
    assert first["names"] == ["retry queue"]
    [step] = second["links"]
    assert step["seed"] == "acme/importer/gotchas/a.md"
    assert (step["direction"], step["relation"]) == ("incoming", "fixes")


def test_the_evidence_of_the_version_that_answers_is_told(store: Store) -> None:
    store.write("notes/a.md", "pangolin")
    search = store.open()
    [page] = search.listing((SCOPE,)).pages
    for number in range(2):
        entry = {"path": "notes/a.md", "version": page.version, "source": "session", "source_id": str(number)}
        ledger = store.wiki / "acme" / "importer" / "_meta" / "evidence.jsonl"
        ledger.parent.mkdir(exist_ok=True)
        with ledger.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(entry) + "\n")
    [hit] = search.query("pangolin", (SCOPE,), explain=True).hits
    assert hit.details.facts()["evidence"] == {"sources": 2, "sessions": 2}
    store.write("notes/a.md", "pangolin, written anew")
    [hit] = search.query("pangolin", (SCOPE,), explain=True).hits
    assert "evidence" not in hit.details.facts()
