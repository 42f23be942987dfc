"""What a check found."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.clients.entry import program


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: `code` names the kind, `text` is one sentence for a person.

    `command` is the words of the command that mends it; run as printed, the finding is gone.
    """

    code: str
    text: str
    command: tuple[str, ...]

    @property
    def command_line(self) -> str:
        """The command as a shell reads it."""
        return shlex.join(self.command)


def our_command(data_dir: Path, *words: str) -> tuple[str, ...]:
    """A command of ours that works on this data dir, as this installation runs it."""
    return (*program(), *words, "--data-dir", str(data_dir))


def sorted_findings(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings without doubles, in the order in which they were found."""
    return tuple(dict.fromkeys(found))
