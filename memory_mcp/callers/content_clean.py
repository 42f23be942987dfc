"""The text of a note, a skill or the profile on its way from a tool to the disk."""

from __future__ import annotations

from memory_mcp.capture.sanitizer import CleanText, Sanitizer
from memory_mcp.errors import InvalidInput
from memory_mcp.wiki.page_draft import check_characters

MAX_CONTENT_BYTES = 100_000


def clean_content(content: str, sanitizer: Sanitizer, advice: str) -> CleanText:
    """The text without secrets; `advice` says what to do with one that is too long.

    Raises:
        InvalidInput: the text is blank or too long, or no text file may hold it.
    """
    if not content.strip():
        raise InvalidInput("content is blank: give the text to remember, in markdown.")
    size = len(content.encode("utf-8", "surrogatepass"))
    if size > MAX_CONTENT_BYTES:
        raise InvalidInput(f"content has {size:,} bytes; the limit is {MAX_CONTENT_BYTES:,}: {advice}")
    check_characters(content, "content")
    return sanitizer.clean(content)
