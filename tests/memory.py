"""A store as agents and a person use it: services in this process, plain git and plain files beside them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

from memory_mcp.app import App
from memory_mcp.capture.hook_event import Taken, take
from memory_mcp.config import Settings
from memory_mcp.errors import UserError
from memory_mcp.folding.spool_fold import Folded
from memory_mcp.model.actor import Actor
from memory_mcp.pages.page_write import PageDraft, WrittenPage
from memory_mcp.store import steps

CODEX = Actor("codex", "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10")
CLAUDE = Actor("claude-code", "0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11")
START = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


class Memory:
    """One data dir, worked on from a project's folder whose scope is `acme/importer`."""

    def __init__(self, root: Path, name: str = "data") -> None:
        self.root = root
        self.data = root / name
        self.wiki = self.data / "wiki"
        self.scope = self.wiki / "acme" / "importer"
        self.project = root / "importer"
        self.project.mkdir(exist_ok=True)
        self.mark('workspace = "acme"\nproject = "importer"\n')
        self.now = START
        self.opened: list[App] = []
        self.app = self.open()

    def open(
        self, lock_timeout: float = 5, search_stop_words: tuple[str, ...] = (), caller: str = "default"
    ) -> App:
        """The services as another process would build them."""
        settings = Settings(
            data_dir=self.data,
            start_folder=self.project,
            home=self.root / "home",
            caller=caller,
            lock_timeout=lock_timeout,
            vectors_enabled=False,
            search_stop_words=search_stop_words,
        )
        app = App(settings, clock=self.tick)
        self.opened.append(app)
        return app

    def clone(self) -> Memory:
        """The same wiki on another machine; both push to and pull from one bare repository."""
        remote = self.root / "remote.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(remote)], check=True)
        self.git("remote", "add", "origin", str(remote))
        self.git("push", "-qu", "origin", "main")
        other = Memory(self.root, "other")
        other.data.mkdir()
        subprocess.run(["git", "clone", "-q", str(remote), str(other.wiki)], check=True)
        return other

    def tick(self) -> datetime:
        """The clock of every process: a second later at each look."""
        self.now += timedelta(seconds=1)
        return self.now

    def mark(self, text: str) -> None:
        """Let the project's marker say this."""
        (self.project / ".memory-mcp.toml").write_text(text, encoding="utf-8")

    def write(
        self, path: str, body: str = "# Page\n\nText.\n", actor: Actor = CODEX, **how: str
    ) -> WrittenPage:
        return self.app.writer.write(PageDraft(path, body), actor, **how)

    def put(self, path: str, text: str | bytes) -> Path:
        """Write a file of the scope by hand."""
        file = self.scope / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def hook(self, event: str, session: str, agent: str = "claude-code", **payload: object) -> Taken:
        """What the hook of a client records, in this process."""
        found = {"session_id": session, "cwd": str(self.project), **payload}
        arguments = ["--event", event, "--agent", agent, "--data-dir", str(self.data)]
        environ = {"HOME": str(self.root / "home")}
        return take(
            arguments, json.dumps(found).encode(), environ, lambda: int(self.tick().timestamp() * 1000)
        )

    def session(self, session: str, *prompts: str, agent: str = "claude-code", ends: bool = True) -> None:
        """A whole session: for each prompt a turn with an edit."""
        self.hook("SessionStart", session, agent, source="startup")
        for number, prompt in enumerate(prompts):
            self.hook("UserPromptSubmit", session, agent, prompt=prompt)
            call = {"tool_name": "Edit", "tool_use_id": f"{session[:8]}-{number}", "tool_input": {}}
            self.hook("PreToolUse", session, agent, **call)
            self.hook("PostToolUse", session, agent, **call, tool_response="done")
            self.hook("Stop", session, agent)
        if ends:
            self.hook("SessionEnd", session, agent, reason="other")

    def fold(self) -> Folded:
        """Fold what hooks recorded."""
        return self.app.continuity.spool_fold.fold()

    def bytes_of(self, path: str) -> bytes:
        return (self.scope / path).read_bytes()

    def found(self, text: str, **how: object) -> list[str]:
        """The paths that a query finds."""
        return [hit.path for hit in self.app.query.query(text, **how).hits]

    def accessed(self) -> list[str]:
        """The wiki paths of the pages whose reading was noted, in order; they are forgotten then."""
        file = self.data / "state" / "access.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        self.now += timedelta(minutes=1)
        return ["{scope}/{path}".format(**json.loads(line)) for line in lines]

    def git(self, *arguments: str, check: bool = True) -> str:
        """What plain git prints in the wiki, run by the person."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.wiki,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            env={**os.environ, "GIT_EDITOR": "true"},
            timeout=60,
        )
        assert done.returncode == 0 or not check, f"git {arguments}: {done.stdout}{done.stderr}"
        return done.stdout.rstrip("\n")

    def operations(self) -> list[str]:
        """The commits, oldest first, by the verb of their subject."""
        return [line.split(":")[0] for line in self.git("log", "--reverse", "--format=%s").splitlines()]

    def logged(self) -> list[str]:
        """The lines of the project's log, without their times."""
        files = sorted(self.scope.glob("log-*.md"))
        lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
        return [line.split("] ", 1)[1].strip() for line in lines if line.startswith("## [")]

    def state(self) -> dict[str, object]:
        """Every folder and file of the wiki but git's own, what HEAD is, and what is staged or edited."""
        tree: dict[str, object] = {}
        for base, folders, files in os.walk(self.wiki):
            folders[:] = [name for name in folders if name != ".git"]
            for name in folders + files:
                file = Path(base) / name
                key = file.relative_to(self.wiki).as_posix()
                tree[key] = os.readlink(file) if file.is_symlink() else file.is_file() and file.read_bytes()
        if (self.wiki / ".git").exists():
            tree["HEAD"] = self.git("rev-parse", "HEAD", check=False)
            tree["status"] = self.git("status", "--porcelain")
        return tree

    def refusal(self, call: Callable[[], object]) -> str:
        """The sentence that a call is refused with, which has changed nothing."""
        before = self.state()
        try:
            result = call()
        except UserError as error:
            sentence = str(error)
            assert self.state() == before, sentence
            assert "\n" not in sentence
            assert sentence.endswith((".", "?")), sentence
            assert len(sentence) < 600, sentence
            return sentence
        raise AssertionError(f"not refused: {result}")


class Fault:
    """While it is on, an OSError at every step from the chosen one on, or at that one alone."""

    def __init__(self, error: int, step: str, *, lasting: bool, skip: int = 0) -> None:
        self._error = OSError(error, os.strerror(error))
        self._step = step
        self._lasting = lasting
        self._skip = skip
        self.struck = False

    def __enter__(self) -> Fault:
        steps.listeners.append(self._reach)
        return self

    def __exit__(self, *_: object) -> None:
        steps.listeners.remove(self._reach)

    def _reach(self, step: str) -> None:
        if step == self._step and not self.struck:
            if self._skip:
                self._skip -= 1
                return
            self.struck = True
            raise self._error
        if self.struck and self._lasting and step in ("file.write", "file.written", "git.import"):
            raise self._error
