"""What sessions captured about a question, ranked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_mcp.model.scope import Scope
from memory_mcp.search.raw_search import RawSearch

SCOPE = Scope("acme", "importer")
OTHER = Scope("acme", "other")


@pytest.fixture
def raw(tmp_path) -> Path:
    texts = {
        "rare": ("Queue", "We saw the pangolin importer stop at the queue."),
        "often": ("Importer", "The importer runs. The importer is fine. The importer logs."),
        "none": ("Lunch", "Soup, again."),
    }
    put(tmp_path, SCOPE, texts)
    put(tmp_path, OTHER, {"foreign": ("Pangolin", "A pangolin of another project.")})
    return tmp_path


def put(raw: Path, scope: Scope, texts: dict[str, tuple[str, str]]) -> None:
    folder = raw / scope.workspace / scope.project / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {"v": 1, "type": "observation", "id": name, "at": f"2026-11-30T12:00:{at:02}.000Z", "kind": "stop"}
        | {"title": title, "body": body}
        for at, (name, (title, body)) in enumerate(texts.items())
    ]
    (folder / "s.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")


def found(
    raw: Path, text: str, *scopes: Scope, limit: int = 10, stop_words: tuple[str, ...] = ()
) -> list[str]:
    return [hit.id for hit in RawSearch(raw, stop_words).search(text, scopes or (SCOPE,), limit)]


def test_the_observation_that_answers_best_comes_first(raw) -> None:
    assert found(raw, "why does the pangolin importer stop?") == ["rare", "often"]
    [hit, _] = RawSearch(raw).search("pangolin importer", (SCOPE,), 10)
    assert (hit.session_id, hit.kind, hit.title, hit.scope) == ("s", "stop", "Queue", SCOPE)
    assert "pangolin" in hit.snippet
    assert hit.created_at.year == 2026


def test_at_most_the_limit_is_answered(raw) -> None:
    assert found(raw, "importer", limit=1) == ["often"]


def test_nothing_of_another_scope_is_found(raw) -> None:
    assert found(raw, "pangolin") == ["rare"]
    assert set(found(raw, "pangolin", SCOPE, OTHER)) == {"rare", "foreign"}


def test_phrases_prefixes_and_added_stop_words_hold_as_for_pages(raw) -> None:
    assert found(raw, '"importer stop"') == ["rare"]
    assert found(raw, '"stop importer"') == []
    assert found(raw, "pangol*") == ["rare"]
    assert found(raw, "importer soup", stop_words=("importer",)) == ["none"]


def test_of_equal_observations_the_newest_comes_first(tmp_path) -> None:
    put(tmp_path, SCOPE, dict.fromkeys(("c", "a", "b"), ("Same", "A walrus.")))
    assert found(tmp_path, "walrus") == ["b", "a", "c"]


@pytest.mark.parametrize("text", ["", "!?", "zzz", '"', "\0 \ud800", "a*"])
def test_a_question_without_an_answer_finds_nothing(raw, text) -> None:
    assert found(raw, text) == []
