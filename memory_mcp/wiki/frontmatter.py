"""A page's file cut at its frontmatter, and the frontmatter read as leniently as can be done safely.

Nobody loses a page over a colon. A frontmatter is read by the first of these that fits: the common subset
(`yaml_subset`), full YAML (`yaml_entries`), entry by entry (`front_guess`). A block between fences that
fits none of them is no frontmatter but text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memory_mcp.model.plain_text import one_line
from memory_mcp.wiki.front_map import FrontMap, NotYaml
from memory_mcp.wiki.yaml_subset import read_subset

MAX_FRONT_CHARS = 65_536
"""A longer block between fences is taken for text; what a tool may write stays below."""

_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"---[ \t]*(?:\r?\n|\Z)")
_BOM = "\ufeff"


class FileText(NamedTuple):
    """The text of a file in five parts that join to the whole; the fences are "" without frontmatter."""

    bom: str
    opening: str
    front: str
    closing: str
    body: str


class Front(NamedTuple):
    """What a frontmatter says; `valid` is false when it is not YAML and was read entry by entry."""

    values: dict[str, object]
    valid: bool = True
    problems: tuple[str, ...] = ()


def cut_file(text: str) -> FileText:
    """Cut a file's text at the fences of its frontmatter, whatever lies between them.

    The opening fence is `---` on the first line (a byte order mark may precede it). Without a closing
    one the file is all body.
    """
    bom = _BOM if text.startswith(_BOM) else ""
    if text.startswith("---", len(bom)) and (opening := _OPENING.match(text, len(bom))):
        start = opening.end()
        position = start - 1
        while (position := text.find("\n---", position)) >= 0:
            position += 1
            if closing := _CLOSING.match(text, position):
                return FileText(bom, opening[0], text[start:position], closing[0], text[closing.end() :])
    return FileText(bom, "", "", "", text[len(bom) :] if bom else text)


def read_front(front: str) -> Front:
    """Read the text between the fences.

    Raises:
        NotYaml: it is no frontmatter at all.
    """
    if len(front) <= MAX_FRONT_CHARS:
        values = read_subset(front.replace("\r\n", "\n") if "\r" in front else front)
        if values is not None:
            return Front(values)
    found = map_front(front)
    return Front(found.values(), found.fault is None, _front_problems(front, found))


def map_front(front: str) -> FrontMap:
    """Read the text between the fences with the place of every entry.

    Raises:
        NotYaml: it is no frontmatter at all.
    """
    if len(front) > MAX_FRONT_CHARS:
        raise NotYaml(0, f"it is longer than {MAX_FRONT_CHARS} characters")
    from memory_mcp.wiki.front_guess import guess_entries  # noqa: PLC0415 - these two load PyYAML
    from memory_mcp.wiki.yaml_entries import read_entries  # noqa: PLC0415

    try:
        return read_entries(front)
    except NotYaml as fault:
        return guess_entries(front, fault)


def first_line(front: str, start: int) -> str:
    """The line of a frontmatter at an offset, for a message."""
    return one_line(front[start:].split("\n", 1)[0], 80)


def _front_problems(front: str, found: FrontMap) -> tuple[str, ...]:
    problems = [
        f"line {entry.line + 2}, `{first_line(front, entry.start)}`, is not YAML: put the value in quotes"
        for entry in found.entries
        if entry.broken
    ]
    if found.fault and not problems:
        problems.append(f"the frontmatter is not YAML (line {found.fault.line + 2}: {found.fault.reason})")
    seen: set[str] = set()
    for entry in found.entries:
        if entry.key in seen:
            problems.append(f"line {entry.line + 2} gives `{entry.key:.60}` again: the last one counts")
        seen.add(entry.key)
    return tuple(problems)
