import sys

import pytest


@pytest.fixture
def store(memory, monkeypatch):
    monkeypatch.setenv("MEMORY_MCP_VECTORS_ENABLED", "true")
    for name, text in (("a.md", "# A\n\nThe automobile.\n"), ("b.md", "# B\n\nDough and yeast.\n")):
        memory("write-page", name, stdin=text.encode())
    return memory


def test_a_dry_run_counts_and_computes_nothing(store, place):
    assert store("embed", "--dry-run").out == "to do: 2 pages, 2 passages\n"
    assert not (place / "data" / "vectors").exists()


def test_embed_computes_what_is_missing_and_force_all(store):
    assert store("embed").out.startswith("embedded 2 pages, 2 passages in ")
    assert store("embed", "--json").json["pages"] == 0
    done = store("embed", "--force", "--json").json
    assert (done["pages"], done["passages"], done["failed"], done["dry_run"]) == (2, 2, 0, False)


def test_the_search_finds_by_meaning(store):
    assert [hit["path"] for hit in store("search", "--json", "fast car").json["hits"]] == ["a.md"]


def test_what_is_known_of_callers_is_embedded_too_and_found_by_meaning(store):
    store("note", "write", "Kitchen", stdin=b"The oven runs hot.\n")
    store("--caller", "ana", "note", "write", "Garden", stdin=b"The shed is locked.\n")
    assert store("embed", "--json").json["pages"] == 6  # two of each: pages, notes, profiles
    assert "memory/notes/kitchen.md" in [
        hit["path"] for hit in store("search", "--json", "stove temperature").json["caller_hits"]
    ]


def test_without_the_extra_the_command_says_how_to_get_it(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    done = store("embed")
    assert done.code == 1
    assert "numpy is not installed (the extra `vectors` of memory-mcp)" in done.err


def test_turned_off_the_command_says_so(store, monkeypatch):
    monkeypatch.setenv("MEMORY_MCP_VECTORS_ENABLED", "false")
    done = store("embed")
    assert done.code == 1
    assert "[vectors] enabled" in done.err
