"""The lines of stdin, as the SDK can read them.

JavaScript clients write half of a surrogate pair, say of an emoji that they cut in two, as `\\ud83d`. The SDK
takes such a line for no JSON, drops it, and the client waits for an answer for ever. So the halves become
U+FFFD here, as undecodable bytes do.
"""

from __future__ import annotations

import json
import os
import re
from io import TextIOWrapper

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class StdinLines(TextIOWrapper):
    """Text lines whose lone surrogates are replaced; it never closes the buffer, which is not its own."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """The next line, "" at the end."""
        return mend_surrogates(super().readline(size))


def take_stdin() -> StdinLines:
    """Read the protocol from a copy of stdin, and leave an empty stdin to whoever else reads it.

    Children and stray `input()` calls would otherwise take bytes of the protocol.
    """
    private = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return StdinLines(
        os.fdopen(private, "rb", closefd=False), encoding="utf-8", errors="replace", newline="\n"
    )


def mend_surrogates(line: str) -> str:
    """The line with U+FFFD for every escaped half of a surrogate pair that has no other half."""
    if not _SURROGATE.search(line):
        return line
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "\n"
