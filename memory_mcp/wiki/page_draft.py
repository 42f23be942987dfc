"""What an agent or a command wants to write, checked before anything is touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time

from memory_mcp.errors import InvalidInput
from memory_mcp.model.clock import parse_time
from memory_mcp.model.page import (
    DEFAULT_TIER,
    MAX_ABSTRACT_CHARS,
    MAX_BODY_BYTES,
    MAX_ENTITIES,
    MAX_ENTITY_CHARS,
    MAX_KIND_CHARS,
    MAX_RELATION_CHARS,
    MAX_RELATION_TARGETS,
    MAX_TAG_CHARS,
    MAX_TAGS,
    MAX_TITLE_CHARS,
    RELATIONS,
    TIERS,
    PageMeta,
)
from memory_mcp.model.page_path import check_write_path
from memory_mcp.wiki.front_map import NotYaml
from memory_mcp.wiki.frontmatter import cut_file, read_front
from memory_mcp.wiki.links import parse_target
from memory_mcp.wiki.meta_read import clean_entity, clean_tag
from memory_mcp.wiki.prose import conflict_line


def make_meta(
    *,
    path: str,
    title: str | None = None,
    kind: str | None = None,
    tier: str | None = None,
    tags: Sequence[str] = (),
    pinned: bool = False,
    entities: Sequence[str] = (),
    abstract: str | None = None,
    expires_at: str | None = None,
    relations: Mapping[str, Sequence[str]] | None = None,
) -> PageMeta:
    """The metadata of a page that is about to be written at `path`; a slot is always pinned.

    Lengths are those of the arguments as they came, before white space around them is cut.

    Raises:
        InvalidInput: an argument breaks a rule; the message names it.
    """
    if title is not None:
        check_text(title, "title", MAX_TITLE_CHARS)
        if not title.strip():
            raise InvalidInput("title is blank: leave it out or give a text.")
    if kind is not None:
        check_text(kind, "kind", MAX_KIND_CHARS)
    if abstract is not None:
        check_text(abstract, "abstract", MAX_ABSTRACT_CHARS)
    if tier is not None and tier.strip() and tier not in TIERS:
        raise InvalidInput(f"tier = {tier!r:.60} is none of {', '.join(TIERS)}.")
    return PageMeta(
        title=title.strip() if title else None,
        kind=(kind or "").strip() or None,
        tier=(tier or "").strip() or DEFAULT_TIER,
        tags=_make_tags(tags),
        pinned=pinned or path.startswith("_slots/"),
        entities=_make_entities(entities),
        abstract=(abstract or "").strip() or None,
        expires_at=_make_expiry(expires_at) if expires_at and expires_at.strip() else None,
        relations=_make_relations(relations or {}),
    )


def check_body(body: str) -> str:
    """Return `body` if a tool may write it as a page's text, else raise `InvalidInput`."""
    if not body.strip():
        raise InvalidInput("body is blank: give the page's markdown text.")
    check_characters(body, "body")
    size = len(body.encode())
    if size > MAX_BODY_BYTES:
        raise InvalidInput(f"body has {size:,} bytes; the limit is {MAX_BODY_BYTES:,}: split it into pages.")
    if has_frontmatter(body):
        raise InvalidInput("body starts with frontmatter: give title, tags and the like as arguments.")
    if (line := conflict_line(body)) is not None:
        raise InvalidInput(
            f"body has merge conflict markers at line {line}, so that no tool could write the page again: "
            "resolve them, or put them into a code block."
        )
    return body


def has_frontmatter(body: str) -> bool:
    """Whether a body would be read as frontmatter and body if it stood alone in a file."""
    front = cut_file(body).front
    try:
        return bool(front) and bool(read_front(front).values)
    except NotYaml:
        return False


def check_characters(text: str, argument: str) -> None:
    """Raise `InvalidInput` if a text holds what no UTF-8 text file may."""
    if "\0" in text:
        raise InvalidInput(f"{argument} contains a NUL character, which no text file may hold.")
    if any(0xD800 <= ord(c) <= 0xDFFF for c in text):
        raise InvalidInput(f"{argument} is not valid Unicode: it contains half of a surrogate pair.")


def check_text(text: str, argument: str, limit: int) -> None:
    """Raise `InvalidInput` if a line of text is too long, or holds control characters but white space."""
    if len(text) > limit:
        raise InvalidInput(f"{argument} = {text[:40]!r}… has {len(text)} characters; the limit is {limit}.")
    check_characters(text, argument)
    for c in text:
        if (ord(c) < 32 or 0x7F <= ord(c) < 0xA0) and not c.isspace():
            raise InvalidInput(f"{argument} = {text!r:.60} contains the control character {c!r}: remove it.")


def _make_tags(tags: Sequence[str]) -> tuple[str, ...]:
    if len(tags) > MAX_TAGS:
        raise InvalidInput(f"tags has {len(tags)} items; the limit is {MAX_TAGS}.")
    for tag in tags:
        check_text(tag, "tags", MAX_TAG_CHARS)
        if not clean_tag(tag):
            raise InvalidInput(f"tags holds {tag!r}, which is blank: leave it out.")
    return tuple(dict.fromkeys(clean_tag(tag) for tag in tags))


def _make_entities(entities: Sequence[str]) -> tuple[str, ...]:
    if len(entities) > MAX_ENTITIES:
        raise InvalidInput(f"entities has {len(entities)} items; the limit is {MAX_ENTITIES}.")
    clean: dict[str, None] = {}
    for text in entities:
        check_text(text, "entities", MAX_ENTITY_CHARS)
        entity = clean_entity(text)
        if entity is None:
            raise InvalidInput(
                f"entities holds {text!r:.80}, which is blank or longer than {MAX_ENTITY_CHARS} characters."
            )
        clean[entity] = None
    return tuple(clean)


def _make_expiry(text: str) -> datetime:
    try:
        moment = parse_time(text.strip())
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"expires_at = {text!r:.60} is no time: give RFC 3339 (2026-11-30T12:00:00Z) or a date "
            "(2026-11-30, the end of that day in UTC)."
        ) from None
    is_end_of_day = moment.time() == time.max
    return moment if is_end_of_day else moment.replace(microsecond=0)


def _make_relations(relations: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    count = sum(len(targets) for targets in relations.values())
    if count > MAX_RELATION_TARGETS:
        raise InvalidInput(f"relations has {count} targets; the limit is {MAX_RELATION_TARGETS}.")
    clean = {}
    for key, targets in relations.items():
        if key not in RELATIONS:
            raise InvalidInput(f"relations has the key {key!r:.60}; the keys are {', '.join(RELATIONS)}.")
        for target in targets:
            check_text(target, f"relations.{key}", MAX_RELATION_CHARS)
            link = parse_target(target)
            if link is None:
                raise InvalidInput(
                    f"relations.{key} = {target!r:.80} names no page: give a path such as gotchas/x.md, or "
                    "project:gotchas/x.md for another project."
                )
            check_write_path(link.path, f"relations.{key}")
        if targets:
            clean[key] = tuple(dict.fromkeys(target.strip() for target in targets))
    return clean
