"""The data dir: one absolute folder, private to its user, that knows the version of its own format."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.errors import Unavailable
from memory_mcp.store.files import TEMPORARY_PREFIX, disk_errors, write_atomically
from memory_mcp.store.toml_read import read_toml

FORMAT = 1
"""The version of the layout below. 0 is a data dir whose `wiki/` a person put there by hand."""

MAX_TOML_BYTES = 65_536

Migration = Callable[["DataDir"], None]


@dataclass(frozen=True, slots=True)
class DataDir:
    """Where each thing lives below `root`."""

    root: Path

    @property
    def wiki(self) -> Path:
        """The truth: markdown pages in a git repository."""
        return self.root / "wiki"

    @property
    def raw(self) -> Path:
        """What was captured in agent sessions; private, never in git."""
        return self.root / "raw"

    @property
    def spool(self) -> Path:
        """What hooks saw and nobody has folded into sessions yet; made by the first hook."""
        return self.root / "spool"

    @property
    def index(self) -> Path:
        """Derived; may be deleted at any time."""
        return self.root / "index"

    @property
    def vectors(self) -> Path:
        """Derived; may be deleted at any time. Made by what computes vectors."""
        return self.root / "vectors"

    @property
    def state(self) -> Path:
        """What this machine alone knows."""
        return self.root / "state"

    @property
    def locks(self) -> Path:
        """The writer lock."""
        return self.root / "locks"

    @property
    def logs(self) -> Path:
        """Rotated logs without any captured text."""
        return self.root / "logs"

    @property
    def backups(self) -> Path:
        """Copies of the wiki from before a migration."""
        return self.root / "backups"

    @property
    def config_file(self) -> Path:
        """The optional configuration."""
        return self.root / "config.toml"


def open_data_dir(root: Path) -> DataDir:
    """Create what is missing of the data dir and check that this version may use it.

    Raises:
        Unavailable: `root` is a file, cannot be written, or holds a newer format.
    """
    if root.exists() and not root.is_dir():
        raise Unavailable(f"the data dir {root} is a file: name a folder with --data-dir.")
    data_dir = DataDir(root)
    with disk_errors(root, "use the data dir"):
        found = recorded_format(data_dir)
        if found is not None and found > FORMAT:
            raise Unavailable(
                f"the data dir {root} has format {found}, and this version knows formats up to {FORMAT}: "
                "upgrade memory-mcp, or name another folder with --data-dir."
            )
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if found is None and (not data_dir.wiki.exists() or _is_clone(data_dir)):
            _record_format(data_dir)
        for folder in (data_dir.wiki, data_dir.index, data_dir.state, data_dir.locks, data_dir.logs):
            with disk_errors(folder, "make the folder"):
                folder.mkdir(mode=0o700, exist_ok=True)
    return data_dir


def recorded_format(data_dir: DataDir) -> int | None:
    """The format that the data dir records, None when it records none."""
    path = data_dir.root / "format"
    try:
        return int(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        raise Unavailable(
            f"{path} does not hold a format number: restore it (this version writes {FORMAT})."
        ) from None


def migrate(data_dir: DataDir, migrations: dict[int, Migration], now: datetime) -> None:
    """Bring an older format up to date, after a backup of the wiki; call it under the writer lock."""
    found = recorded_format(data_dir) or 0
    if found >= FORMAT:
        return
    if not any(data_dir.backups.glob(f"*-format-{found}.tar.gz")):  # one of a try that failed is the original
        _back_up_wiki(data_dir, data_dir.backups / f"{now:%Y%m%dT%H%M%SZ}-format-{found}.tar.gz")
    for version in range(found, FORMAT):
        migrations[version](data_dir)
    _record_format(data_dir)


def _is_clone(data_dir: DataDir) -> bool:
    """Whether the wiki comes from another machine, and so has its own format on record."""
    return "wiki" in (read_toml(data_dir.wiki / ".memory-mcp.toml", MAX_TOML_BYTES) or {})


def _record_format(data_dir: DataDir) -> None:
    write_atomically(data_dir.root / "format", f"{FORMAT}\n".encode())


def _back_up_wiki(data_dir: DataDir, target: Path) -> None:
    import tarfile  # noqa: PLC0415 - 2 ms that only a migration needs

    with disk_errors(target):
        target.parent.mkdir(mode=0o700, exist_ok=True)
        temporary = target.with_name(TEMPORARY_PREFIX + target.name)
        try:
            with tarfile.open(temporary, "w:gz") as archive:
                archive.add(data_dir.wiki, "wiki")
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
