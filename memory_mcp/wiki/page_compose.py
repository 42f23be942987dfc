"""The bytes of a page after a full write: what the writer says, and everything it does not own as it was."""

from __future__ import annotations

import re
from datetime import datetime, time, timezone

from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.page import PageMeta
from memory_mcp.wiki.front_map import Entry, FrontMap, NotYaml
from memory_mcp.wiki.frontmatter import (
    MAX_FRONT_CHARS,
    FileText,
    cut_file,
    first_line,
    map_front,
    read_front,
)
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

_COMMENT = re.compile(r"[ \t]+#[^\r\n]*")


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
    parts, found = _map_old(cut_file(text))
    eol = "\r\n" if re.match(r"[^\n]*\r\n", text) else "\n"
    new_body = _merge_body(parts.body, body, eol)
    front = _edit_front(parts.front, found, meta, eol)
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


def _map_old(parts: FileText) -> tuple[FileText, FrontMap]:
    """The parts of the old page and the entries of its frontmatter; what is no frontmatter is body."""
    if not parts.opening:
        return parts, FrontMap()
    try:
        return parts, map_front(parts.front)
    except NotYaml:
        body = "".join([parts.opening, parts.front, parts.closing, parts.body])
        return FileText(parts.bom, "", "", "", body), FrontMap()


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


def _edit_front(front: str, found: FrontMap, meta: PageMeta, eol: str) -> str:
    """The text of the old frontmatter with the entries replaced whose value becomes another."""
    changed = _changed_keys(found, meta)
    _check_faults(front, found, changed)
    if not changed:
        return front
    if found.flow:
        raise Conflict(
            "the page's frontmatter is written as one {...}, which cannot be changed key by key: "
            "write it as 'key: value' lines first."
        )
    last = {entry.key: entry for entry in found.entries}
    indent = " " * found.indent
    new = {key: "".join(indent + line + eol for line in _render(key, meta)) for key in changed}
    parts = []
    done = 0
    for entry in found.entries:
        if entry.key not in changed:
            continue
        parts.append(front[done : entry.start])
        if entry is last[entry.key] and new[entry.key]:
            parts.append(_with_comments(new[entry.key], front, entry, eol))
        done = entry.end
    end = found.entries[-1].end if found.entries else len(front)
    parts.append(front[done:end])
    parts += [text for key, text in new.items() if key not in last]
    parts.append(front[end:])
    return "".join(parts)


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


def _check_faults(front: str, found: FrontMap, changed: list[str]) -> None:
    """Refuse a frontmatter that is not YAML, unless exactly the lines at fault are written anew."""
    if found.fault is None:
        return
    broken = [entry for entry in found.entries if entry.broken]
    if not broken:
        raise Conflict(
            f"the page's frontmatter is not YAML (line {found.fault.line + 2}: {found.fault.reason}): "
            "mend it by hand first."
        )
    for entry in broken:
        if entry.key not in changed:
            raise Conflict(
                f"line {entry.line + 2} of the page, `{first_line(front, entry.start)}`, is not YAML, and "
                "this write would have to keep it: mend it by hand first, with the value in quotes."
            )


def _with_comments(new: str, front: str, entry: Entry, eol: str) -> str:
    """A new entry with the comments of the one that it replaces."""
    value_end = entry.value_end
    comment = _COMMENT.match(front, value_end)
    if comment and "\n" not in front[entry.start : value_end]:
        first, _, rest = new.partition(eol)
        new = f"{first}{comment[0]}{eol}{rest}"
    line_end = front.find("\n", value_end - 1) + 1
    return new + front[line_end : entry.end]


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
    try:
        read = read_front(front)
    except NotYaml:
        read = None
    known = _WRITTEN_KEYS + _KEPT_KEYS
    others = {key: value for key, value in found.values().items() if key not in known}
    if read and read.valid and others == {k: v for k, v in read.values.items() if k not in known}:
        got, _ = read_meta(read.values)
        if all(getattr(got, key) == getattr(meta, key) for key in _WRITTEN_KEYS):
            return
    raise Conflict(
        "the page's frontmatter cannot be changed without touching other keys (an anchor, or keys that "
        "share a line): write it as plain 'key: value' lines first."
    )
