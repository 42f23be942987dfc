"""The bytes of a page after a full write: what the writer says, and everything it does not own as it was."""

from __future__ import annotations

import re
from datetime import datetime, time, timezone

from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.page import PageMeta
from memory_mcp.wiki.front_edit import TANGLED, edit_entries, map_file, read_edited
from memory_mcp.wiki.front_map import FrontMap
from memory_mcp.wiki.frontmatter import MAX_FRONT_CHARS, cut_file
from memory_mcp.wiki.meta_read import read_meta
from memory_mcp.wiki.page_draft import has_frontmatter
from memory_mcp.wiki.prose import conflict_line
from memory_mcp.wiki.yaml_scalar import quote_scalar

_WRITTEN_KEYS = (
    "title",
    "kind",
    "tier",
    "pinned",
    "tags",
    "entities",
    "abstract",
    "expires_at",
    "relations",
)
"""The keys that a write replaces, in the order of a new page."""
_KEPT_KEYS = ("summary", "slot_kind")
"""Known keys that no tool sets: they stay as they are unless the metadata has a value for them."""


def compose_page(old: bytes | None, body: str, meta: PageMeta) -> bytes:
    """The bytes of a page whose body and metadata become these; `old` are those of the page that is there.

    A known key whose value stays the same keeps its bytes, and so do unknown keys, comments, the order
    of keys, a byte order mark and the kind of line ending. The same write again gives the same bytes.

    Raises:
        Conflict: the page that is there cannot be rewritten without loss; a person must mend it.
        InvalidInput: the body itself starts with frontmatter, or the metadata is too long.
    """
    if has_frontmatter(body):
        raise InvalidInput("body starts with frontmatter: give title, tags and the like as arguments.")
    text = _readable_text(old)
    parts, found = map_file(text)
    eol = "\r\n" if re.match(r"[^\n]*\r\n", text) else "\n"
    new_body = _merge_body(parts.body, body, eol)
    changed = {key: _render(key, meta) for key in _changed_keys(found, meta)}
    front = edit_entries(parts.front, found, changed, eol)
    opening, closing = parts.opening, parts.closing
    if not opening:
        ambiguous = new_body != parts.body and cut_file(new_body).opening
        if old is None or (ambiguous and not front):
            front = _new_front(meta, eol)
        if front:
            opening = closing = f"---{eol}"
    if front != parts.front:
        _check_front(front, found, meta)
    return "".join([parts.bom, opening, front, closing, new_body]).encode()


def _readable_text(old: bytes | None) -> str:
    try:
        text = (old or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise Conflict("the page that is there is not UTF-8 text: save it as UTF-8 first.") from error
    if (line := conflict_line(text)) is not None:
        raise Conflict(f"the page has merge conflict markers at line {line}: resolve them by hand first.")
    return text


def _merge_body(old: str, body: str, eol: str) -> str:
    """The new body with the file's line endings; the old one where they differ in nothing else."""
    body = body.replace("\r\n", "\n")
    ended = body if body.endswith("\n") else body + "\n"
    if old and old.replace("\r\n", "\n") in (body, ended):
        return old
    return ended.replace("\n", eol)


def _new_front(meta: PageMeta, eol: str) -> str:
    lines = [line for key in _WRITTEN_KEYS + _KEPT_KEYS for line in _render(key, meta)]
    return "".join(line + eol for line in lines)


def _changed_keys(found: FrontMap, meta: PageMeta) -> list[str]:
    """The keys to write anew, in canonical order: another value, or lines that are not YAML."""
    old, _ = read_meta(found.values())
    broken = {entry.key for entry in found.entries if entry.broken}
    changed = [k for k in _WRITTEN_KEYS if k in broken or getattr(old, k) != getattr(meta, k)]
    for key in _KEPT_KEYS:
        wanted = getattr(meta, key)
        if wanted is not None and (key in broken or getattr(old, key) != wanted):
            changed.append(key)
    return changed


def _render(key: str, meta: PageMeta) -> list[str]:
    """The lines of a known key, without line ends; none where it is absent."""
    value = getattr(meta, key)
    if value is None or value is False or not value:
        return []
    if key == "pinned":
        return ["pinned: true"]
    if isinstance(value, datetime):
        return [f"{key}: {_format_expiry(value)}"]
    if isinstance(value, str):
        return [f"{key}: {quote_scalar(value)}"]
    if isinstance(value, tuple):
        return [f"{key}:", *(f"  - {quote_scalar(item)}" for item in value)]
    lines = [f"{key}:"]
    for relation, targets in value.items():
        lines += [f"  {relation}:", *(f"    - {quote_scalar(target)}" for target in targets)]
    return lines


def _format_expiry(moment: datetime) -> str:
    """A date if it is the end of that day, else RFC 3339 in UTC."""
    moment = moment.astimezone(timezone.utc).replace(tzinfo=None)
    return moment.date().isoformat() if moment.time() == time.max else f"{moment.isoformat()}Z"


def _check_front(front: str, found: FrontMap, meta: PageMeta) -> None:
    """Read back what is to be written: the metadata asked for, and every other key as it was."""
    if len(front) > MAX_FRONT_CHARS:
        raise InvalidInput(
            f"the frontmatter would be longer than {MAX_FRONT_CHARS:,} characters: give less metadata."
        )
    read = read_edited(front, found, _WRITTEN_KEYS + _KEPT_KEYS)
    if read is not None:
        got, _ = read_meta(read)
        if all(getattr(got, key) == getattr(meta, key) for key in _WRITTEN_KEYS):
            return
    raise Conflict(TANGLED)
