"""An answer to a query stays short, says the same as text and as object, and no query is an error."""

from __future__ import annotations

import json
import random

import pytest

from tests.server.answers import ask, text_of
from tests.server.bad_queries import MOMENTS, QUERIES

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("client", ["auto"], indirect=True)]

MAX_CHARS = 10_000


@pytest.fixture
async def crowded(client, settings):
    """Pages with long titles, long names, many links and old versions, and standing preferences like them."""
    rand = random.Random(1)
    for number in range(60):
        links = " ".join(f"[[notes/{'w' * 80}{rand.randrange(60)}]]" for _ in range(25))
        names = ", ".join(f"walrus {'n' * 100}{rand.randrange(9)}{each}" for each in range(9))
        folder = "acme/importer" if number % 4 else "default/_global"
        file = settings.data_dir / "wiki" / folder / "notes" / f"{'w' * 80}{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"---\ntitle: {'Walrus ' * 60}\nentities: [{names}]\n---\n\nwalrus {'pangolin ' * 90} {links}\n",
            encoding="utf-8",
        )
    return client


async def test_an_answer_is_short_and_its_text_is_its_object(crowded):
    await ask(crowded, "memory_write_page", path=f"notes/{'w' * 80}1.md", body="# Walrus\n\nwalrus now\n")
    for options in (
        {},
        {"limit": 100, "explain": True},
        {"limit": 100, "explain": True, "include_superseded": True},
        {"limit": 100, "explain": True, "global": True},
        {"limit": 100, "explain": True, "project": "importer", "workspace": "acme"},
    ):
        for query in (
            "walrus",
            "walrus " + " ".join(f"pango{number}" for number in range(300)),
            "walrus nn*",
        ):
            result = await ask(crowded, "memory_query", query=query, **options)
            found, text = result.structured_content, text_of(result)
            assert len(text) <= MAX_CHARS, (options, query[:20])
            assert len(json.dumps(found, ensure_ascii=False)) <= MAX_CHARS, (options, query[:20])
            assert found["hits"]
            hits = [*found["hits"], *found.get("global_hits", ())]
            lines = text.splitlines()
            assert [hit["path"] for hit in hits] == [line.split(" | ")[0] for line in lines if " | " in line]
            snippets = [line[4:] for line in lines if line.startswith("  > ")]
            assert snippets == [hit["snippet"] for hit in hits if hit.get("snippet")]
            why = [json.loads(line) for line in lines if line.startswith("  {")]
            assert why == [hit["why"] for hit in hits if "why" in hit]
            for note in found.get("notes", ()):
                assert note in text
            for name in ("explanation", "global_explanation"):
                assert (name in found) == any(line.startswith(f'{{"{name}"') for line in lines)


@pytest.mark.parametrize("options", [{}, {"explain": True, "include_superseded": True, "limit": 100}])
async def test_no_query_is_an_error(crowded, options):
    for query in QUERIES:
        result = await crowded.call_tool("memory_query", {"query": query, **options})
        assert not result.is_error, (query[:30], text_of(result)[:300])
        assert len(text_of(result)) <= MAX_CHARS, query[:30]
        assert len(json.dumps(result.structured_content, ensure_ascii=False)) <= MAX_CHARS, query[:30]


async def test_no_moment_is_more_than_a_sentence(crowded):
    await ask(crowded, "memory_write_page", path="a.md", body="# A\n\nwalrus\n")
    for moment in MOMENTS:
        result = await crowded.call_tool("memory_query", {"query": "walrus", "as_of": moment})
        assert result.is_error, moment[:30]
        assert "\n" not in text_of(result)
        assert len(text_of(result)) < 400
    for moment in ("0001-01-01", "1969-12-31", "1970-01-01T00:00:00Z"):
        result = await ask(crowded, "memory_query", query="walrus", as_of=moment, explain=True)
        assert result.structured_content["hits"] == []
