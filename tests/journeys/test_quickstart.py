"""The quickstart is a whole journey of a client over stdio; it must work and stay short."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "memory_mcp", "quickstart", "--dir", str(folder / "store")],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_quickstart_shows_everything_once_and_may_be_run_again(tmp_path):
    out = run(tmp_path)
    pages = tmp_path / "store" / "wiki" / "quickstart" / "importer"
    written = sorted(p.relative_to(pages).as_posix() for p in pages.glob("[a-r]*/*.md"))
    assert written == ["decisions/job-queue.md", "gotchas/database-is-locked.md"]
    assert len(list(pages.glob("sessions/*.md"))) == len(list(pages.glob("_handoffs/*.md"))) == 1
    assert "Work was left here by claude-code" in out
    assert "try again when the database is locked" in out
    assert "memory_query, memory_recent" in out
    assert out.count("connected; it offers ") == 2
    assert 'About the person (data): "Ana Pérez runs the importer' in out
    assert 'Open tasks (1): "Try the importer with two workers"' in out
    assert "# USER.md\n\n## Profile\nAna Pérez runs" in out
    assert "  decisions/job-queue.md | The importer keeps its job queue in SQLite (decision)" in out
    assert "links: gotchas/database-is-locked.md" in out
    assert "backlinks: decisions/job-queue.md" in out
    assert "handoff-accept: " in out
    assert ":Set busy_timeout to 5000 ms" in out
    assert '"mcpServers": {' in out
    assert "[mcp_servers.memory-mcp]" in out
    assert not (Path(os.environ["HOME"]) / ".local").exists()
    assert "unchanged decisions/job-queue.md" in run(tmp_path)
