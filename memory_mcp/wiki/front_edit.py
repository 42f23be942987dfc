"""Changing some entries of a frontmatter; everything else in it keeps its bytes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from memory_mcp.errors import Conflict
from memory_mcp.wiki.front_map import Entry, FrontMap, NotYaml
from memory_mcp.wiki.frontmatter import FileText, cut_file, first_line, map_front, read_front

TANGLED = (
    "the page's frontmatter cannot be changed without touching other keys (an anchor, or keys that "
    "share a line): write it as plain 'key: value' lines first."
)

_COMMENT = re.compile(r"[ \t]+#[^\r\n]*")


def map_file(text: str) -> tuple[FileText, FrontMap]:
    """The parts of a file and the entries of its frontmatter; what is no frontmatter is body."""
    parts = cut_file(text)
    if not parts.opening:
        return parts, FrontMap()
    try:
        return parts, map_front(parts.front)
    except NotYaml:
        body = "".join([parts.opening, parts.front, parts.closing, parts.body])
        return FileText(parts.bom, "", "", "", body), FrontMap()


def edit_entries(front: str, found: FrontMap, new: Mapping[str, Sequence[str]], eol: str) -> str:
    """The text of a frontmatter with these entries, given as their lines without line ends.

    An entry that is there is replaced in its place and keeps its comments, or goes if it has no lines any
    more; the others follow the last entry in their order.

    Raises:
        Conflict: the frontmatter is written as one `{…}`, or is not YAML in lines that would have to stay.
    """
    _check_faults(front, found, new)
    if not new:
        return front
    if found.flow:
        raise Conflict(
            "the page's frontmatter is written as one {...}, which cannot be changed key by key: "
            "write it as 'key: value' lines first."
        )
    last = {entry.key: entry for entry in found.entries}
    indent = " " * found.indent
    texts = {key: "".join(indent + line + eol for line in lines) for key, lines in new.items()}
    parts = []
    done = 0
    for entry in found.entries:
        if entry.key not in texts:
            continue
        parts.append(front[done : entry.start])
        if entry is last[entry.key] and texts[entry.key]:
            parts.append(_with_comments(texts[entry.key], front, entry, eol))
        done = entry.end
    end = found.entries[-1].end if found.entries else len(front)
    parts.append(front[done:end])
    parts += [text for key, text in texts.items() if key not in last]
    parts.append(front[end:])
    return "".join(parts)


def read_edited(front: str, found: FrontMap, keys: Collection[str]) -> dict[str, object] | None:
    """Read an edited frontmatter back: its values, None if keys beside `keys` changed too."""
    try:
        read = read_front(front)
    except NotYaml:
        return None
    others = {key: value for key, value in found.values().items() if key not in keys}
    is_kept = read.valid and others == {key: value for key, value in read.values.items() if key not in keys}
    return read.values if is_kept else None


def _check_faults(front: str, found: FrontMap, new: Collection[str]) -> None:
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
        if entry.key not in new:
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
