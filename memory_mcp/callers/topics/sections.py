"""The sections of a note or skill: what holds now under `## Actuel`, what held before under `## Archive`.

    # Title

    ## Actuel

    What is known now.

    ## Archive

    ### [2026-04-16]
    What was known until that day.

All functions take and give the text behind the frontmatter, with LF line ends; new text comes from
`make_body`. None of them drops a text: what stands above `## Actuel` stays, and so does everything below
`## Archive`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from memory_mcp.model.caller_text import ACTUEL, ARCHIVE
from memory_mcp.model.plain_text import with_lf
from memory_mcp.wiki.heading_find import Line, close_code, find_heading, prose_of

_FIRST_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)+")
_GAP = re.compile(r"\n{3,}")
_HEADING = re.compile(r"^##(?= (?:Actuel|Archive)[ \t\r]*$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sections:
    """A text in its parts, each without the blank lines around it; "" where it has none."""

    header: str
    actuel: str
    archive: str


@dataclass(frozen=True, slots=True)
class Body:
    """A text that can stand under `## Actuel`, and a sentence for everything that was changed for it."""

    text: str
    warnings: tuple[str, ...]


def split(text: str) -> Sections:
    """The sections of a text; one without `## Actuel` is all header."""
    actuel = find_heading(text, ACTUEL)
    if actuel is None:
        return Sections(_trim(text), "", "")
    archive = find_heading(text, ARCHIVE, actuel.end) or Line(len(text), len(text))
    return Sections(
        _trim(text[: actuel.start]), _trim(text[actuel.end : archive.start]), _trim(text[archive.end :])
    )


def fresh(header: str, body: str) -> str:
    """The text of a new topic."""
    return _join(Sections(_trim(header), _trim(body), ""))


def replace(text: str, body: str) -> str:
    """The text with another Actuel; one without sections stays above it."""
    old = split(text)
    return _join(Sections(old.header, _trim(body), old.archive))


def rotate(text: str, body: str, day: date) -> str:
    """The text with another Actuel, the former one put first in the archive under the day of this change."""
    old = split(text)
    archive = old.archive
    if old.actuel:
        block = f"### [{day.isoformat()}]\n{close_code(old.actuel)}"
        archive = f"{block}\n\n{archive}" if archive else block
    return _join(Sections(old.header, _trim(body), archive))


def current(text: str) -> str:
    """What holds now, "" where nothing does."""
    return split(text).actuel


def make_body(content: str) -> Body:
    """A text from outside as a body that cannot break the sections.

    Headings of our own become one level smaller, runs of blank lines one blank line, and a block of code or a
    comment that was left open is closed; inside of code nothing is touched.
    """
    warnings = []
    text = _trim(with_lf(content))
    closed = close_code(text)
    if closed != text:
        warnings.append("content ended inside of a code block or comment, which was closed.")
    prose = prose_of(closed)
    edits = [(found.start(), found.end(), "###") for found in _HEADING.finditer(prose)]
    if edits:
        warnings.append(
            "content has a heading '## Actuel' or '## Archive', which divide the file: it became '###'."
        )
    edits += [
        (found.start(), found.end(), "\n\n")
        for found in _GAP.finditer(closed)
        if not _is_in_code(prose, found.start(), found.end())
    ]
    for start, end, new in sorted(edits, reverse=True):
        closed = closed[:start] + new + closed[end:]
    return Body(closed, tuple(warnings))


def _is_in_code(prose: str, start: int, end: int) -> bool:
    """Whether a run of line breaks lies between two lines of code, which are blank in the prose."""
    before = prose[prose.rfind("\n", 0, start) + 1 : start]
    after = prose[end : (prose.find("\n", end) + 1 or len(prose) + 1) - 1]
    return not before.strip() and not after.strip()


def _join(parts: Sections) -> str:
    text = f"{close_code(parts.header)}\n\n" if parts.header else ""
    if not parts.archive:
        return f"{text}{ACTUEL}\n\n{parts.actuel}\n"
    actuel = f"{parts.actuel}\n\n" if parts.actuel else ""
    return f"{text}{ACTUEL}\n\n{actuel}{ARCHIVE}\n\n{parts.archive}\n"


def _trim(text: str) -> str:
    """The text without blank lines and spaces around it; an indented code block keeps its indent."""
    first = _FIRST_BLANK_LINES.match(text)
    text = text[first.end() :].rstrip() if first else text.rstrip()
    return text if text.startswith(("    ", "\t")) else text.lstrip()
