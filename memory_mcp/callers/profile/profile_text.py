"""The profile of a caller: `USER.md` and its sections.

    # USER.md

    ## Profile
    …

Five sections stand first, in a fixed order, and whatever else the file says after them. A section begins with
`## ` and its title at the start of a line outside code, and a title counts as it is written. Code that is
never closed hides no section: it ends with the one that it is in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from memory_mcp.model.caller_text import NOTHING, SECTIONS
from memory_mcp.model.plain_text import with_lf
from memory_mcp.wiki.heading_find import close_code, prose_of

EMPTY_PROFILE = "# USER.md\n" + "".join(f"\n## {title}\n{NOTHING}\n" for title in SECTIONS)

_OLD_BODY = "Actuel"
_OLD_NOTHING = "_No profile yet."
_TITLE = re.compile(r"(?:[^\S\n]*\n)*#[ \t]+USER\.md[^\S\n]*(?:\n|\Z)", re.IGNORECASE)
_HEADING = re.compile(r"^##[ \t]+", re.MULTILINE)
_HEADING_LINE = re.compile(r"##[ \t]+([^\n]*)")
_BLANK_START = re.compile(r"(?:[^\S\n]*\n)+")


@dataclass(frozen=True, slots=True)
class Profile:
    """What a profile says. `sections` has the five titles, with "" where nothing is known.

    `preamble` stands between the file's title and the first section, `others` are all further sections in
    their order, also several of one title.
    """

    preamble: str
    sections: Mapping[str, str]
    others: tuple[tuple[str, str], ...]


def parse_profile(text: str) -> Profile:
    """What the text of a profile says, also one from before the sections; no text of it is left out.

    Of two sections with one title the last that says anything counts, the other is kept as `… (earlier)`. In
    a text without any of the five, the body under `## Actuel`, else what stands before all headings, is the
    section Profile.
    """
    preamble, split = split_sections(text)
    found = list(split)
    sections = dict.fromkeys(SECTIONS, "")
    others: list[tuple[str, str]] = []
    if not any(title in sections for title, _ in found):
        preamble, found = _with_profile(preamble, found)
    found = [(title, without_placeholder(body)) for title, body in found]
    last = {title: number for number, (title, body) in enumerate(found) if body}
    for number, (title, body) in enumerate(found):
        if title not in sections:
            others.append((title, body))
        elif last.get(title) == number:
            sections[title] = body
        elif body:
            others.append((f"{title} (earlier)", body))
    return Profile(preamble, sections, tuple(others))


def format_profile(profile: Profile) -> str:
    """The text of a profile; the inverse of `parse_profile`."""
    parts = ["# USER.md\n"]
    if profile.preamble:
        parts.append(f"{profile.preamble}\n")
    parts += [f"## {title}\n{profile.sections[title] or NOTHING}\n" for title in SECTIONS]
    parts += [f"## {title}\n" + (f"{body}\n" if body else "") for title, body in profile.others]
    return "\n".join(parts)


def is_empty(text: str) -> bool:
    """Whether a profile says nothing at all about anybody."""
    profile = parse_profile(text)
    bodies = [profile.preamble, *profile.sections.values(), *(body for _, body in profile.others)]
    return not any(bodies)


def is_structured(text: str) -> bool:
    """Whether a profile has its title and all five sections; else the next write brings it into them."""
    titles = {title for title, _ in split_sections(text)[1]}
    return bool(_TITLE.match(text.removeprefix("\ufeff"))) and titles.issuperset(SECTIONS)


@lru_cache(maxsize=8)
def split_sections(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """What stands before the first section, without the file's title, and all sections as they come.

    The last results are kept, since a prompt asks several things of one text.
    """
    text = without_title(text)
    lines = [_HEADING_LINE.match(text, found.start()) for found in _HEADING.finditer(prose_of(text))]
    heads = [line for line in lines if line and line[1].strip()]
    ends = [*(head.start() for head in heads), len(text)]
    sections = tuple(
        (head[1].strip(), _body(text[head.end() : end])) for head, end in zip(heads, ends[1:], strict=True)
    )
    return _body(text[: ends[0]]), sections


def without_title(text: str) -> str:
    """The text with LF at the end of its lines, and without a byte order mark and the title of the file."""
    text = with_lf(text.removeprefix("\ufeff"))
    while title := _TITLE.match(text):
        text = text[title.end() :]
    return text


def demote_headings(text: str) -> str:
    """The text with every `## ` that would begin a section one level lower."""
    for found in reversed(list(_HEADING.finditer(prose_of(text)))):
        text = f"{text[: found.start()]}#{text[found.start() :]}"
    return text


def _with_profile(preamble: str, found: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
    """The parts of a profile from before the sections, with what is now the section Profile."""
    at = next((number for number, (title, _) in enumerate(found) if title == _OLD_BODY), None)
    if at is None:
        return "", [("Profile", preamble), *found]
    rest = [*found[:at], *found[at + 1 :]]
    if body := _without_old_placeholder(found[at][1]):
        return preamble, [("Profile", body), *rest]
    return "", [("Profile", preamble), *rest]


def _body(text: str) -> str:
    return close_code(trim_section(text))


def without_placeholder(body: str) -> str:
    """The body of a section without the line that stands for nothing."""
    while body == NOTHING or body.startswith(f"{NOTHING}\n"):
        body = trim_section(body[len(NOTHING) :])
    return body


def _without_old_placeholder(body: str) -> str:
    return "" if body.startswith(_OLD_NOTHING) and "\n" not in body else body


def trim_section(text: str) -> str:
    """The body of a section without blank lines around it; its first line may be indented, which is code."""
    text = text.rstrip()
    blank = _BLANK_START.match(text)
    return text[blank.end() :] if blank else text
