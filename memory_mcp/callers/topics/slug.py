"""The name of a topic's file, made from the topic, and which topics are one and the same."""

from __future__ import annotations

import hashlib
import re

from memory_mcp.errors import InvalidInput
from memory_mcp.model.page_path import is_device_name

MAX_SLUG_CHARS = 64
RESERVED = ("skills", "memory", "user", "log")
"""Names of a caller's other files, which some file systems could not tell from a topic's."""

_DROPPED = re.compile(r"[^a-z0-9\s-]+")
_GAPS = re.compile(r"\s+")
_DASHES = re.compile(r"-+")
_BENIGN = re.compile(r"[\s.,!?:;'\"\-_/()]+")


def slugify(text: str) -> str:
    """The slug of a topic: its ASCII letters and digits in lower case, `-` for white space; or ""."""
    kept = _DROPPED.sub("", text.lower().strip())
    return _DASHES.sub("-", _GAPS.sub("-", kept)).strip("-")[:MAX_SLUG_CHARS].strip("-")


def check_slug(topic: str, argument: str) -> str:
    """The slug of a topic that may have a file; `argument` is how the tool calls the topic.

    Raises:
        InvalidInput: the slug is empty or reserved.
    """
    slug = slugify(topic)
    if not slug:
        raise InvalidInput(
            f"{argument} = {topic!r:.80} has no ASCII letter or digit to name a file by: add one, e.g. "
            "'Release steps'."
        )
    if slug in RESERVED or is_device_name(slug):
        raise InvalidInput(f"{argument} = {topic!r:.80} gives the reserved file name {slug}.md: add a word.")
    return slug


def told_apart(slug: str, topic: str, digits: int = 4) -> str:
    """The slug of a topic whose own slug another topic has, the same on every machine.

    It ends with the first hex digits of the SHA-256 of what tells the topic from others.
    """
    digest = hashlib.sha256(_essence(topic).encode()).hexdigest()[:digits]
    return f"{slug[: MAX_SLUG_CHARS - digits - 1].rstrip('-')}-{digest}"


def is_same_topic(one: str, other: str) -> bool:
    """Whether two topics differ in nothing but case, white space and common punctuation."""
    return _essence(one) == _essence(other)


def _essence(topic: str) -> str:
    return _BENIGN.sub("", topic.casefold())
