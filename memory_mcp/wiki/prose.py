"""The prose of a markdown text: code and comments blanked, so that nothing in them is taken for a link.

Follows CommonMark 0.31 for what is a block of code or a comment (also inside quotes and lists) and for code
spans, in time linear in the text. The one difference: prose after the end of a comment stays prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_MAX_CONTAINERS = 32
"""Deeper nesting is taken for text, since every line costs a step for each level."""

_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r"( {0,3}(?:[-*+]|(\d{1,9})[.)]))( +|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_COMMENT = re.compile(r" {0,3}<!--")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |\Z)")
_SETEXT = re.compile(r" {0,3}(?:-+|=+) *\Z")
_NOT_BREAK = re.compile(r"[^\r\n]+")
_INLINE = re.compile(r"``*|<!--")
_BLOCK_SIGNS = ("`", "~~~", "    ", "\t", "<!--")
_CONFLICT = re.compile(r"^<{7}(?: .*)?\r?$", re.MULTILINE)
_CONFLICT_REST = re.compile(r"^={7}\r?$(?s:.*?)^>{7}(?: |\r?$)", re.MULTILINE)


def blank_code(text: str) -> str:
    """The text with all code and comments replaced by spaces; length and line breaks stay."""
    if not any(sign in text for sign in _BLOCK_SIGNS):
        return text
    return "\n".join(_blank_spans(block) for block in _split_blocks(text))


def open_block(text: str) -> tuple[int, str] | None:
    """The block of code or comment that lasts to the end of the text, and would go on with a line below it.

    Given as the position of its first line and what ends it; None where everything is closed.
    """
    blocks = _Blocks()
    start = position = 0
    for raw in text.split("\n"):
        before = (blocks.leaf, *blocks.containers)
        blocks.blank(raw)
        if (blocks.leaf, *blocks.containers) != before:
            start = position
        position += len(raw) + 1
    if not blocks.leaf or blocks.containers:
        return None
    return start, "-->" if blocks.leaf == "<!--" else blocks.leaf


def conflict_line(text: str) -> int | None:
    """The number (from 1) of the line at which a merge conflict begins, outside code; None without one."""
    if "<<<<<<<" not in text or ">>>>>>>" not in text:
        return None
    prose = blank_code(text)
    start = _CONFLICT.search(prose)
    if start is None or not _CONFLICT_REST.search(prose, start.end()):
        return None
    return text.count("\n", 0, start.start()) + 1


def _blank(text: str) -> str:
    return _NOT_BREAK.sub(lambda found: " " * len(found[0]), text)


def _split_blocks(text: str) -> Iterator[str]:
    """The text in pieces that no code span crosses, with blocks of code and comments blanked."""
    blocks = _Blocks()
    piece: list[str] = []
    for raw in text.split("\n"):
        line = blocks.blank(raw)
        if piece and not blocks.continues:
            yield "\n".join(piece)
            piece = []
        piece.append(line)
    yield "\n".join(piece)


@dataclass
class _Blocks:
    """What the next line of the text is inside of.

    `containers` holds the open quotes (0) and list items (the width by which their content is indented),
    outermost first; `leaf` is the opening run of a fence, or `<!--`, or "". After each line `continues`
    says whether it goes on with the paragraph of the line before.
    """

    containers: list[int] = field(default_factory=list)
    leaf: str = ""
    in_paragraph: bool = False
    continues: bool = False

    def blank(self, raw: str) -> str:
        """The next line, with what of it is code of a block or inside of a comment blanked."""
        if not self.leaf and not self.containers and raw[:1].isalpha():
            self.continues, self.in_paragraph = self.in_paragraph, True
            return raw
        if not raw.strip():
            return self._blank_line(raw)
        line = (raw.expandtabs(4) if "\t" in raw else raw).rstrip("\r")
        position, matched = self._match_containers(line)
        is_inside = matched == len(self.containers)
        if self.leaf and is_inside:
            self.continues = False
            return self._blank_leaf(raw, line[position:])
        self.leaf = ""
        if self._is_lazy(line[position:], is_inside):
            self.continues = True
            return raw
        del self.containers[matched:]
        was_in_paragraph = self.in_paragraph and is_inside
        self.in_paragraph = self.continues = False
        if line[position:].startswith("    "):
            return _blank(raw)
        if was_in_paragraph and _SETEXT.match(line, position):
            return raw
        position = self._open_containers(line, position)
        rest = line[position:]
        if rest.startswith("    "):
            return _blank(raw)
        if fence := _FENCE.match(rest):
            self.leaf = fence[1]
            return _blank(raw)
        if _COMMENT.match(rest):
            return self._blank_comment(raw, raw.index("<!--"))
        if rest.strip(" ") and not _HEADING.match(rest) and not _is_rule(rest):
            self.in_paragraph = True
            self.continues = was_in_paragraph and position == 0
        return raw

    def _blank_line(self, raw: str) -> str:
        """An empty line: it ends paragraphs and quotes, but no list items, code or comments in them."""
        if 0 in self.containers:
            del self.containers[self.containers.index(0) :]
            self.leaf = ""
        self.in_paragraph = self.continues = False
        return raw

    def _match_containers(self, line: str) -> tuple[int, int]:
        """How far into the line the open containers reach, and how many of them go on."""
        position = 0
        for number, width in enumerate(self.containers):
            if width:
                if line.startswith(" " * width, position):
                    position += width
                else:
                    return position, number
            elif quote := _QUOTE.match(line, position):
                position = quote.end()
            else:
                return position, number
        return position, len(self.containers)

    def _is_lazy(self, rest: str, is_inside: bool) -> bool:
        """Whether the rest of the line goes on with the paragraph, also outside of its container."""
        if not self.in_paragraph or not rest.strip(" "):
            return False
        if rest.startswith("    "):
            return True
        if is_inside and _SETEXT.match(rest):
            return False
        item = _ITEM.match(rest)
        if item and is_inside and (item.end() == len(rest) or item[2] not in (None, "1")):
            item = None  # such an item cannot interrupt a paragraph
        starts = (_QUOTE, _FENCE, _COMMENT, _HEADING)
        return not item and not _is_rule(rest) and not any(start.match(rest) for start in starts)

    def _open_containers(self, line: str, position: int) -> int:
        while len(self.containers) < _MAX_CONTAINERS and not _is_rule(line[position:]):
            if quote := _QUOTE.match(line, position):
                self.containers.append(0)
                position = quote.end()
            elif item := _ITEM.match(line, position):
                spaces = len(item[3])
                width = item.end() - position
                if not 1 <= spaces <= 4 or item.end() == len(line):
                    width = len(item[1]) + 1
                self.containers.append(width)
                position += width
            else:
                break
        return position

    def _blank_leaf(self, raw: str, rest: str) -> str:
        if self.leaf == "<!--":
            return self._blank_comment(raw, 0)
        run = rest.strip(" ")
        if len(run) >= len(self.leaf) and run == self.leaf[0] * len(run) and not rest.startswith("    "):
            self.leaf = ""
        return _blank(raw)

    def _blank_comment(self, raw: str, start: int) -> str:
        end = raw.find("-->", start + 2 if not self.leaf else 0)
        if end < 0:
            self.leaf = "<!--"
            return raw[:start] + _blank(raw[start:])
        self.leaf = ""
        return raw[:start] + _blank(raw[start : end + 3]) + raw[end + 3 :]


def _is_rule(line: str) -> bool:
    """Whether a line is a thematic break: at least three of one sign, with spaces between or not."""
    signs = line.replace(" ", "")
    return len(signs) > 2 and signs[0] in "*-_" and signs == signs[0] * len(signs)


def _blank_spans(text: str) -> str:
    """Blank the code spans, which end with a run of as many backticks, and comments of one block."""
    if "`" not in text and "<!--" not in text:
        return text
    tokens = list(_INLINE.finditer(text))
    closers = _find_closers(text, tokens)
    last_comment_end = text.rfind("-->")
    parts: list[str] = []
    done = 0
    for token, closer in zip(tokens, closers, strict=True):
        start, end = token.start(), 0
        if start < done:
            continue
        if text[start] == "<":
            if last_comment_end > start:
                end = text.index("-->", start + 2) + 3
        elif closer:
            start, end = closer
        if end:
            parts += text[done:start], _blank(text[start:end])
            done = end
    parts.append(text[done:])
    return "".join(parts)


def _find_closers(text: str, tokens: list[re.Match[str]]) -> list[tuple[int, int] | None]:
    """For every run of backticks the span of the code that it would open."""
    spans: list[tuple[int, int] | None] = []
    next_end: dict[int, int] = {}  # by length of run
    for token in reversed(tokens):
        span = None
        start, end = token.span()
        if text[start] == "`":
            opens = start + _is_escaped(text, start)
            if opens < end and (closer := next_end.get(end - opens)):
                span = (opens, closer)
            next_end[end - start] = end
        spans.append(span)
    spans.reverse()
    return spans


def _is_escaped(text: str, position: int) -> bool:
    """Whether an odd number of backslashes stands before the position."""
    start = position
    while start > 0 and text[start - 1] == "\\":
        start -= 1
    return (position - start) % 2 == 1
