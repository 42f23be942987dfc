"""The command line on a store of its own: inside this process, or as a real one."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory_mcp.cli.main import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        assert self.code == 0, self.err
        return json.loads(self.out)


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder with `app`, the project that the command runs in, and `data`, the store."""
    (tmp_path / "app").mkdir()
    monkeypatch.setenv("MEMORY_MCP_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(tmp_path / "app")
    return tmp_path


@pytest.fixture
def wiki(place) -> Path:
    """The wiki of the store."""
    return place / "data" / "wiki"


@pytest.fixture
def memory(place, monkeypatch, capsys) -> Callable[..., Done]:
    """Run `memory-mcp ARGS` in this process, from its arguments to its exit code."""

    def run(*args: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "argv", ["memory-mcp", *args])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        return Done(exit_.value.code, out, err)

    return run


@pytest.fixture
def process(place) -> Callable[..., subprocess.CompletedProcess]:
    """Run `memory-mcp ARGS` as a process of its own; its output is bytes."""

    def run(*args: str, **options) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "memory_mcp", *args]
        return subprocess.run(
            command, capture_output=True, timeout=60, check=False, **{"stdin": subprocess.DEVNULL, **options}
        )

    return run


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but git's own, locks and logs: what a refused command must not change."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".git", "locks", "logs", "index"} & set(path.relative_to(folder).parts)
    }


@pytest.fixture
def unchanged(place):
    """After the test the store holds what it held when the test called this."""
    before = {}

    def remember() -> None:
        before["tree"] = tree(place / "data")

    yield remember
    if before:
        assert tree(place / "data") == before["tree"]
