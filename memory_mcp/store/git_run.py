"""One git process: an argument list in, bytes out, whatever environment and configuration surround us.

The process is run by GitPython (`Repo.git`), which is imported with the first of them: it takes 60 to
90 ms that a server's start need not pay. A hook has no such time at all: its runs are `light`, by
`subprocess` with the same arguments and the same environment.

What a person has configured for their own commands must neither block nor change ours, so their global and
system configuration is read only where it is asked for (their name, their ignore rules). Variables that
tell git about another repository (a client may have been started by a hook) do not reach the process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO

from memory_mcp.errors import Unavailable
from memory_mcp.store.files import disk_errors

if TYPE_CHECKING:
    from git.cmd import Git

TIMEOUT_SECONDS = 120.0
"""After this a git process is taken for hung (a dead network disk) and is killed."""

_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "GIT_EDITOR": "true",
    "GIT_PAGER": "cat",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
}
_WITHOUT_USER_CONFIG = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_KEPT_VARIABLES = frozenset(
    {"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", *_ENVIRONMENT}
)
"""Where git and its configuration are; every other `GIT_*` of our parent is about something else."""

_CONFIG = (
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "log.showSignature=false",
    "log.follow=false",
)


class GitFailure(Unavailable):
    """Git refused; the message says what it said, `stderr` holds all of it."""

    def __init__(self, message: str, status: int, stderr: str) -> None:
        super().__init__(message)
        self.status = status
        self.stderr = stderr


@dataclass(frozen=True)
class GitRun:
    """Runs git in the repository whose work tree is `root`; `light` does so without GitPython."""

    root: Path
    light: bool = False

    def __call__(
        self,
        *arguments: str,
        data: bytes | None = None,
        config: Sequence[str] = (),
        user_config: bool = False,
    ) -> bytes:
        """Run `git ARGUMENTS` with `data` as its input and return its output, unchanged.

        `config` holds settings (`name=value`) for this run; `user_config` lets git read the person's.

        Raises:
            GitFailure: git ended with another status than 0.
            Unavailable: git is not installed, or the folder is no repository.
        """
        place = [f"--git-dir={self.root / '.git'}", f"--work-tree={self.root}"]
        settings = [part for setting in config for part in ("-c", setting)]
        execute = _run if self.light else partial(_execute, self._git)
        return execute([*place, *settings, *arguments], data, user_config, self.root)

    @cached_property
    def _git(self) -> Git:
        git = _import_git()
        try:
            wrapper: Git = git.Repo(self.root).git
            return wrapper
        except (git.InvalidGitRepositoryError, git.NoSuchPathError) as error:
            raise Unavailable(
                f"{self.root} is not a git repository that can be read; look at its .git folder."
            ) from error


def init_repository(root: Path, *, light: bool = False) -> None:
    """Run `git init` in `root`, without the hooks of a template."""
    execute = _run if light else partial(_execute, _import_git().Git(root))
    execute(["init", "--quiet", "--initial-branch=main", "--template="], None, False, root)


def _import_git() -> ModuleType:
    try:
        import git  # noqa: PLC0415 - see the module's docstring
    except ImportError as error:
        raise _git_missing() from error
    return git


def _git_missing() -> Unavailable:
    return Unavailable("git is not installed, or not on the PATH; install git 2.32 or newer and try again.")


def _execute(git: Git, arguments: list[str], data: bytes | None, user_config: bool, root: Path) -> bytes:
    from git import GitCommandNotFound  # noqa: PLC0415 - imported by whoever made `git`

    command = [*_without_leaked(), str(git.GIT_PYTHON_GIT_EXECUTABLE), *_settings(), *arguments]
    environment = _environment(user_config)
    with _input_file(data) as input_file:
        try:
            status, output, stderr = git.execute(
                command,
                istream=input_file,
                env=environment,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                kill_after_timeout=TIMEOUT_SECONDS,
            )
        except GitCommandNotFound as error:
            raise _git_missing() from error
    if status:
        raise _failure(root, status, stderr)
    return output


def _run(arguments: list[str], data: bytes | None, user_config: bool, root: Path) -> bytes:
    import subprocess  # noqa: PLC0415 - GitPython imports it for the others

    inherited = {name: value for name, value in os.environ.items() if name not in _leaked()}
    try:
        done = subprocess.run(
            ["git", *_settings(), *arguments],
            input=data,
            stdin=subprocess.DEVNULL if data is None else None,
            capture_output=True,
            cwd=root,
            env={**inherited, **_environment(user_config)},
            timeout=TIMEOUT_SECONDS,
        )
    except FileNotFoundError as error:
        raise _git_missing() from error
    except subprocess.TimeoutExpired:
        raise _failure(root, -1, "Timeout:") from None
    if done.returncode:
        raise _failure(root, done.returncode, done.stderr.decode("utf-8", "replace"))
    return done.stdout


def _settings() -> list[str]:
    return [part for setting in _CONFIG for part in ("-c", setting)]


def _environment(user_config: bool) -> dict[str, str]:
    return {"LANGUAGE": "C", "LC_ALL": "C", **_ENVIRONMENT, **({} if user_config else _WITHOUT_USER_CONFIG)}


@contextmanager
def _input_file(data: bytes | None) -> Iterator[BinaryIO | None]:
    """A file that holds `data`: GitPython takes no bytes as input."""
    if data is None:
        yield None
        return
    import tempfile  # noqa: PLC0415 - 5 ms that light runs need not pay

    folder = Path(tempfile.gettempdir())
    with disk_errors(folder):
        file = tempfile.TemporaryFile()  # noqa: SIM115 - closed below
    with file:
        with disk_errors(folder):
            file.write(data)
            file.seek(0)
        yield file


def _without_leaked() -> list[str]:
    """A prefix that drops what must not reach git: GitPython can add variables, but not take any away."""
    leaked = _leaked()
    return ["env", *(part for name in leaked for part in ("-u", name))] if leaked else []


def _leaked() -> list[str]:
    """The variables that are about another repository."""
    found = sorted(name for name in os.environ if name.startswith("GIT_") and name not in _KEPT_VARIABLES)
    return [name for name in found if not name.startswith("GIT_PYTHON_")]


def _failure(root: Path, status: int, stderr: str) -> GitFailure:
    if stderr.startswith("Timeout:"):
        sentence = (
            f"git did not finish in {root} within {TIMEOUT_SECONDS:g} s and was stopped; is its disk there?"
        )
        return GitFailure(sentence, status, stderr)
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    said = (fatal or lines or [f"it ended with status {status}"])[0][:300]
    said = said.removeprefix("fatal: ").removeprefix("error: ").rstrip(".")
    mend = "; remove .git/index there and run 'git reset'" if "index file" in said else ""
    return GitFailure(f"git refused to work in {root}: {said}{mend}.", status, stderr)
