"""`briefing` and `explore`."""


def test_a_briefing_shows_how_a_project_stands(memory, wiki):
    memory("write-page", "_rules/tests.md", stdin=b"# Run all tests\n")
    (wiki / "default" / "app" / "_slots").mkdir()
    slot = wiki / "default" / "app" / "_slots" / "focus.md"
    slot.write_text("---\nslot_kind: invariant\n---\n# Focus\n", encoding="utf-8")
    memory("write-page", "notes/tea.md", stdin=b"# Tea\n\nGreen.\n")
    shown = memory("briefing").out
    assert "3 pages, 0 sessions, 0 observations; waiting: 0 handoffs, 0 messages" in shown
    assert "last 7 days: 0 sessions, 0 observations, 3 pages changed" in shown
    for line in ("Rules", "Run all tests", "_slots/focus.md", "invariant", "Changed last"):
        assert line in shown
    found = memory("briefing", "--json", "--settled-first").json
    assert [page["path"] for page in found["rules"]] == ["_rules/tests.md"]
    assert [page["path"] for page in found["settled"]] == ["_rules/tests.md"]
    assert found["slots"][0]["slot_kind"] == "invariant"


def test_exploring_shows_passages_and_what_to_ask_next(memory):
    memory("write-page", "notes/tea.md", stdin=b"# Tea\n\nGreen tea at four.\n")
    memory("write-page", "notes/cake.md", stdin=b"# Cake\n\nWith plums.\n")
    shown = memory("explore", "green", "tea").out
    assert shown.startswith("Nothing was recorded here yet.")
    assert "Green tea at four." in shown
    assert "Ask next:\n  Cake" in shown
    found = memory("explore", "green tea", "--json").json
    assert found["gap"]["bucket"] == "none"
    assert [each["path"] for each in found["passages"]] == ["notes/tea.md"]


def test_the_number_of_recent_pages_has_bounds(memory):
    done = memory("briefing", "--recent", "0")
    assert done.code == 2
    assert "1<=x<=100" in done.err
