"""Bringing what an agent writes into a profile, so that nothing it does not speak of is lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memory_mcp.callers.profile.preference_change import PreferenceChange, change_preferences
from memory_mcp.callers.profile.preferences import (
    BLOCK_START,
    Preferences,
    find_block,
    format_block,
    parse_block,
    put_block,
    with_preferences,
)
from memory_mcp.callers.profile.profile_text import (
    Profile,
    demote_headings,
    format_profile,
    parse_profile,
    split_sections,
    trim_section,
    without_placeholder,
    without_title,
)
from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.caller_text import NOTHING, SECTIONS
from memory_mcp.wiki.heading_find import close_code

_PREFERENCES = "Preferences"

BLANK = (
    "content is blank: give what is known, best for one section alone; to empty a section, give "
    f"{NOTHING} as its text."
)


@dataclass(frozen=True, slots=True)
class MergedProfile:
    """The text that a profile has after a write, and what the writer should know about it."""

    text: str
    warnings: tuple[str, ...]


def merge(old_text: str, content: str, section: str = "") -> MergedProfile:
    """The profile `old_text` after a write of `content`, to one section or, without `section`, to all.

    A write to all replaces the sections that it gives and keeps the others. One without any of the five
    replaces Profile by what stands before its headings. A further section that is given without text is
    removed. The preferences block stays unless the content has one of its own.

    Raises:
        InvalidInput: there is no such section, the content says nothing, or its preferences are not JSON.
    """
    old = parse_profile(old_text)
    closed = close_code(content)
    new, warnings = _merge_section(old, closed, section) if section else _merge_all(old, closed)
    if closed != content:
        warnings.append("content ended inside of a code block or comment, which was closed.")
    return MergedProfile(format_profile(new), tuple(warnings))


def merge_preferences(old_text: str, change: PreferenceChange, now: datetime) -> MergedProfile:
    """The profile `old_text` after a change of its preferences.

    Raises:
        InvalidInput: a value breaks its rule.
        Conflict: the preferences that are there cannot be read, and would be lost.
    """
    old = parse_profile(old_text)
    block = find_block(old.sections[_PREFERENCES])
    try:
        preferences = parse_block(block) if block else Preferences()
    except ValueError:
        raise Conflict(
            "the preferences block in memory/USER.md is no JSON object: mend it by hand, or remove it."
        ) from None
    return MergedProfile(with_preferences(old_text, change_preferences(preferences, change, now)), ())


def _merge_section(old: Profile, content: str, section: str) -> tuple[Profile, list[str]]:
    title = _find_title(old, section)
    body, warnings = _section_body(content, title)
    if not body:
        raise InvalidInput(
            f"content says nothing for the section {title!r:.80}: to empty it, give {NOTHING} as its text."
        )
    new = without_placeholder(body)
    if title not in SECTIONS:
        return Profile(old.preamble, old.sections, _merge_others(old.others, [(title, new)])), warnings
    sections = {**old.sections, title: _with_block(title, old.sections[title], new)}
    return Profile(old.preamble, sections, old.others), warnings


def _merge_all(old: Profile, content: str) -> tuple[Profile, list[str]]:
    new = parse_profile(content)
    titles = {title for title, _ in split_sections(content)[1]}
    given = titles.intersection(SECTIONS) or ({"Profile"} if new.sections["Profile"] else set())
    if not (given or new.others or new.preamble):
        raise InvalidInput(BLANK)
    if find_block(new.preamble):
        raise _misplaced_block()
    sections = {
        title: _with_block(title, old.sections[title], new.sections[title])
        if title in given
        else old.sections[title]
        for title in SECTIONS
    }
    others = _merge_others(old.others, [each for each in new.others if each[0] in titles])
    unnamed = (each for each in new.others if each[0] not in titles and each not in others)  # said twice
    profile = Profile(new.preamble or old.preamble, sections, (*others, *unnamed))
    known = {title for title, _ in old.others}
    added = dict.fromkeys(title for title, _ in profile.others if title not in known)
    return profile, [_is_other(added)] if added else []


def _merge_others(
    old: Iterable[tuple[str, str]], new: Iterable[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """The further sections after a write, each where it was; one that is given without text is gone."""
    given: dict[str, list[tuple[str, str]]] = {}
    for title, body in new:
        given.setdefault(title, []).extend([(title, body)] if body else [])
    merged: list[tuple[str, str]] = []
    placed = set()
    for title, body in old:
        if title not in given:
            merged.append((title, body))
        elif title not in placed:
            merged += given[title]
            placed.add(title)
    return (*merged, *(each for title, bodies in given.items() if title not in placed for each in bodies))


def _find_title(old: Profile, section: str) -> str:
    titles = (*SECTIONS, *(title for title, _ in old.others))
    for title in titles:
        if title == section:
            return title
    for title in titles:
        if title.casefold() == section.strip().casefold():
            return title
    raise InvalidInput(
        f"section = {section!r:.80} is no section of memory/USER.md: give one of {', '.join(SECTIONS)}."
    )


def _section_body(content: str, title: str) -> tuple[str, list[str]]:
    """The content as the body of a section, without the title of the file or of the section itself."""
    preamble, found = split_sections(content)
    body = trim_section(without_title(content))
    if not preamble and found and found[0][0] == title:
        body = trim_section(body.partition("\n")[2])
        found = found[1:]
    if not found:
        return body, []
    titles = ", ".join(name for name, _ in found)
    return demote_headings(body), [f"Headings inside a section are one level lower now: {titles}."]


def _with_block(title: str, old: str, new: str) -> str:
    """The new body of a section, with the preferences in it checked, or those of the old body."""
    block = find_block(new)
    if title != _PREFERENCES:
        if block:
            raise _misplaced_block()
        return new
    if block is None:
        if BLOCK_START in new:
            raise InvalidInput(f"content has {BLOCK_START} without its end: give the whole block or none.")
        kept = find_block(old)
        return put_block(new, kept) if kept else new
    try:
        return put_block(new, format_block(parse_block(block)))
    except ValueError:
        raise InvalidInput(
            "content has a preferences block that is no JSON object: leave the block out to keep the "
            "preferences as they are."
        ) from None


def _misplaced_block() -> InvalidInput:
    return InvalidInput(
        f"content has {BLOCK_START} outside of the section {_PREFERENCES}: "
        "move the block there, or leave it out."
    )


def _is_other(titles: Iterable[str]) -> str:
    return (
        f"Kept after the five sections, for it is none of them: {', '.join(titles)}. "
        f"The five are {', '.join(SECTIONS)}."
    )
