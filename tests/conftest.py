"""Every test gets its own HOME and no environment of ours, and `--soak` runs full counts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.memory import Memory

settings.register_profile("quick", max_examples=100, deadline=None)
settings.register_profile("soak", max_examples=2000, deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the same tests at full counts")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("soak" if config.getoption("--soak") else "quick")


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether this run is at full counts."""
    return bool(request.config.getoption("--soak"))


@pytest.fixture(autouse=True)
def _clean_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("MEMORY_MCP", "CLAUDE", "CODEX", "GIT_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHONWARNDEFAULTENCODING", "1")
    monkeypatch.setenv("MEMORY_MCP_VECTORS_ENABLED", "false")  # tests of vectors turn them on
    return home


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A store on which a person called Ana Pérez works too."""
    config = tmp_path / "gitconfig"
    config.write_text("[user]\n\tname = Ana Pérez\n\temail = ana@example.org\n", encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    memory = Memory(tmp_path)
    yield memory
    for app in memory.opened:
        app.close()
