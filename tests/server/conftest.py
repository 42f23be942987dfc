"""A server over a store of its own, and a client beside it in the same process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from mcp import Client
from mcp.types import Implementation

from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.server.surface import MemoryServer


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    project = tmp_path / "importer"
    project.mkdir()
    (project / ".memory-mcp.toml").write_text('workspace = "acme"\nproject = "importer"\n', encoding="utf-8")
    return Settings(
        data_dir=tmp_path / "data",
        start_folder=project,
        home=tmp_path / "home",
        session="5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10",
        vectors_enabled=False,
    )


@pytest.fixture
def app(settings: Settings) -> Iterator[App]:
    app = App(settings)
    yield app
    app.close()


@pytest.fixture(params=["legacy", "auto"])
async def client(app: App, request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    """A client that is done when the test is, once in each era of the protocol."""
    info = Implementation(name="test-client", version="1")
    async with Client(MemoryServer(app), mode=request.param, client_info=info) as client:
        yield client
