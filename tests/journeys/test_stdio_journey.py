"""A real client over stdio, in both eras of the protocol: the whole life of a page."""

import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from memory_mcp.app import App
from memory_mcp.config import load_settings
from memory_mcp.model.actor import Actor
from tests.server.answers import ask, text_of

pytestmark = pytest.mark.anyio

DATABASE = "# Database\n\nWe chose SQLite with WAL, because one writer is enough. See [[gotchas/locks]].\n"
LOCKS = "# Locks\n\nReaders never wait for the writer.\n"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_write_find_read_follow_delete_restore(mode, project, environment):
    script = Path(__file__).resolve().parents[2] / "server.py"
    server = StdioServerParameters(command=sys.executable, args=[str(script)], env=environment, cwd=project)
    async with Client(server, mode=mode) as client:
        await ask(client, "memory_write_page", path="decisions/db.md", body=DATABASE)
        await ask(client, "memory_write_page", path="gotchas/locks.md", body=LOCKS)
        found = await ask(client, "memory_query", query="Which database did we choose, and why?")
        path = found.structured_content["hits"][0]["path"]
        assert path == "decisions/db.md"
        page = text_of(await ask(client, "memory_read_page", path=path))
        assert "one writer is enough" in page
        linked = page.split("links: ")[1].split("\n")[0]
        assert "Readers never wait" in text_of(await ask(client, "memory_read_page", path=linked))
        assert (await ask(client, "memory_delete_page", path=path)).structured_content["deleted"]
        hits = (await ask(client, "memory_query", query="database")).structured_content["hits"]
        assert path not in [hit["path"] for hit in hits]
        app = App(load_settings(None, environment, project))
        app.history.restore(path, "", Actor("cli"))
        app.close()
        found = await ask(client, "memory_query", query="Which database did we choose, and why?")
        assert found.structured_content["hits"][0]["path"] == path
    wiki = load_settings(None, environment, project).data_dir / "wiki"
    assert (wiki / "acme" / "importer" / path).read_text(encoding="utf-8").endswith(DATABASE)
    log = subprocess.run(
        ["git", "-C", wiki, "log", "--format=%s"], capture_output=True, encoding="utf-8", check=True
    )
    operations = [line.split(":")[0] for line in log.stdout.splitlines()]
    assert operations == ["restore-page", "delete-page", "write-page", "write-page", "init"]
