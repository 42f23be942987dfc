"""What others wrote, in the form in which a record can hold it. Secrets were taken out before."""

from __future__ import annotations

import re

from memory_mcp.model.plain_text import with_lf
from memory_mcp.wiki.prose import conflict_line

CUT = " […]"
_CONFLICT_MARK = re.compile(r"^(?=[<=>|]{7}(?: |$))", re.MULTILINE)


def body_text(text: str, limit: int) -> str:
    """The text as the body of a record, cut at `limit` characters with a mark.

    The marks of a merge, as people paste them, are moved in by a space: a file that looks like an unfinished
    merge is read by nobody. Halves of surrogate pairs, which no file can hold, become question marks. A NUL
    goes: git takes a file that holds one for no text, and does not join the claims of two clones in it.
    """
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    text = cut_text(with_lf(text).strip("\n"), limit)
    if conflict_line(text) is None:
        return text
    return cut_text(_CONFLICT_MARK.sub(" ", text), limit)


def cut_text(text: str, limit: int) -> str:
    """The text, cut at `limit` characters with a mark that says so."""
    return text if len(text) <= limit else text[: max(0, limit - len(CUT))].rstrip() + CUT
