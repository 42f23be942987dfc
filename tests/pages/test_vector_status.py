"""What status tells of vectors, and that a write never depends on them."""

import pytest

from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.pages.page_write import PageDraft
from memory_mcp.search.vectors import embedder as embedders
from tests.memory import CODEX


@pytest.fixture
def app(memory):
    settings = Settings(data_dir=memory.data, start_folder=memory.project, home=memory.root / "home")
    opened = App(settings, clock=memory.tick)
    yield opened
    opened.close()


class Broken:
    provider, model, dimension, is_loaded = "test", "broken", 4, True

    def embed(self, texts):
        raise ValueError("out of order")


def test_a_write_succeeds_while_the_model_fails_and_status_says_which_page_and_why(app, monkeypatch):
    monkeypatch.setattr(embedders, "find_embedder", lambda: Broken())
    assert app.page_map.listing(None).counts.missing_vectors == 0
    app.writer.write(PageDraft("notes/a.md", "# A\n\nThe walrus sleeps.\n"), CODEX)
    assert [hit.path for hit in app.query.query("walrus").hits] == ["notes/a.md"]
    status = app.status.report()
    assert status.counts["missing_vectors"] == 1
    assert [each for each in status.problems if "acme/importer/notes/a.md" in each and "out of order" in each]


def test_a_written_page_has_its_vectors_before_anyone_asks_once_the_model_is_loaded(app):
    app.writer.write(PageDraft("notes/a.md", "# A\n\nThe walrus sleeps.\n"), CODEX)
    assert app.status.report().counts["missing_vectors"] == 1
    app.query.query("walrus")
    app.writer.write(PageDraft("notes/b.md", "# B\n\nThe pangolin digs.\n"), CODEX)
    assert app.status.report().counts["missing_vectors"] == 0


def test_maintenance_computes_what_is_missing(app):
    app.writer.write(PageDraft("notes/a.md", "# A\n\nThe walrus sleeps.\n"), CODEX)
    app.maintain()
    assert app.status.report().counts["missing_vectors"] == 0


def test_status_says_what_is_not_installed(app, monkeypatch):
    monkeypatch.setattr(embedders, "_NEEDED", ("numpy", "no_such_package"))
    status = app.status.report()
    assert "missing_vectors" not in status.counts
    assert any("no_such_package is not installed" in note for note in status.notes)


def test_status_is_silent_about_vectors_that_are_turned_off(memory):
    status = memory.app.status.report()
    assert "missing_vectors" not in status.counts
    assert status.notes == ()
    assert memory.app.recent.recent().counts.missing_vectors is None
