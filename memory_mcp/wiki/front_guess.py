"""A frontmatter that is not YAML, read entry by entry: one bad line costs that line at most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memory_mcp.wiki.front_map import Entry, FrontMap, NotYaml
from memory_mcp.wiki.yaml_entries import read_entries

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_KEY_LINE = re.compile(r"([^\s#\-\[{<>=%&*!|@`][^:]*?)[ \t]*:(?=\s|\Z)")
_INNER_LINE = re.compile(r"[ \t#]|-\s|\s")
_MARKER_LINE = re.compile(r"<{7}|={7}|>{7}")


@dataclass
class _Piece:
    key: str
    start: int
    line: int
    text: str


def guess_entries(front: str, fault: NotYaml) -> FrontMap:
    """Read what `fault` says is not YAML as a whole.

    Every line must look like `key: value` or be part of such an entry (indented, a list item, a comment,
    blank); merge conflict markers are skipped. An entry that is YAML by itself is read as that, any other
    as the plain text that stands there.

    Raises:
        NotYaml: it does not look like a frontmatter; this is `fault`.
    """
    entries: list[Entry] = []
    for piece in _cut_pieces(front, fault):
        try:
            inner = read_entries(piece.text).entries
        except NotYaml:
            inner = ()
        if len(inner) == 1:
            found = inner[0]
            entries.append(
                replace(
                    found,
                    start=piece.start,
                    value_end=piece.start + found.value_end,
                    end=piece.start + found.end,
                    line=piece.line,
                )
            )
        else:
            end = piece.start + len(piece.text)
            value = _raw_value(piece.text)
            entries.append(Entry(piece.key, value, piece.start, end, end, piece.line, broken=True))
    if not entries:
        raise fault
    return FrontMap(tuple(entries), fault=fault)


def _cut_pieces(front: str, fault: NotYaml) -> Iterator[_Piece]:
    piece: _Piece | None = None
    between = ""  # comments and blank lines, which belong to the entry only if more of it follows
    position = 0
    after_marker = False
    for number, line in enumerate(_LINE.findall(front)):
        if found := _KEY_LINE.match(line):
            if piece:
                yield piece
            piece, between = _Piece(found[1], position, number, line), ""
        elif _MARKER_LINE.match(line):
            if piece:
                yield piece
            piece, between, after_marker = None, "", True
        elif not _INNER_LINE.match(line):
            raise fault
        elif line[0] == "#" or not line.strip():
            between += line
        elif piece:
            piece.text += between + line
            between = ""
        elif not after_marker:
            raise fault
        position += len(line)
    if piece:
        yield piece


def _raw_value(text: str) -> object:
    """The value that a person who does not know YAML's rules meant: a text, or a list of texts."""
    first, *rest = text.split("\n")
    value = first.split(":", 1)[1].strip()
    more = [line.strip() for line in rest if line.strip() and line[0] != "#"]
    if not value and more and all(line.startswith("-") for line in more):
        return [line[1:].strip() for line in more]
    joined = " ".join([value, *more]).strip()
    if len(joined) > 1 and joined[0] == joined[-1] and joined[0] in "'\"":
        return joined[1:-1]
    return joined or None
