"""The known keys of a frontmatter, read from whatever people write into them.

A wrong value never costs a page: it becomes a problem sentence, and the key's default holds.
"""

from __future__ import annotations

from datetime import datetime

from memory_mcp.model.clock import parse_time
from memory_mcp.model.page import (
    DEFAULT_TIER,
    MAX_ENTITIES,
    MAX_ENTITY_CHARS,
    MAX_KIND_CHARS,
    RELATIONS,
    SLOT_KINDS,
    TIERS,
    PageMeta,
)
from memory_mcp.wiki.yaml_scalar import scalar_text


def read_meta(values: dict[str, object]) -> tuple[PageMeta, list[str]]:
    """The metadata that a frontmatter gives, and a sentence for each value that is wrong."""
    problems: list[str] = []
    kind = _read_text(values, "kind", problems)
    if kind and len(kind) > MAX_KIND_CHARS:
        problems.append(f"kind is longer than {MAX_KIND_CHARS} characters and is ignored")
        kind = None
    meta = PageMeta(
        title=_read_text(values, "title", problems),
        kind=kind,
        tier=_read_choice(values, "tier", TIERS, problems) or DEFAULT_TIER,
        tags=_read_tags(values, problems) if "tags" in values else (),
        pinned=_read_pinned(values, problems) if "pinned" in values else False,
        entities=_read_entities(values, problems) if "entities" in values else (),
        abstract=_read_text(values, "abstract", problems),
        summary=_read_text(values, "summary", problems),
        expires_at=_read_expiry(values, problems) if "expires_at" in values else None,
        slot_kind=_read_choice(values, "slot_kind", SLOT_KINDS, problems),
        relations=_read_relations(values, problems) if "relations" in values else {},
    )
    return meta, problems


def clean_tag(text: str) -> str:
    """A tag without white space around it and without the `#` that some people write."""
    tag = text.strip()
    return tag[1:].lstrip() if tag.startswith("#") else tag


def clean_entity(text: str) -> str | None:
    """An entity in lower case with single spaces; None if it is empty, too long or not printable."""
    entity = " ".join(text.split()).lower()
    if not entity or len(entity) > MAX_ENTITY_CHARS or not _printable(entity):
        return None
    return entity


def _printable(text: str) -> bool:
    return not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in text)


def _read_text(values: dict[str, object], key: str, problems: list[str]) -> str | None:
    value = values.get(key)
    if value is None:
        return None
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool | int | float):
        return scalar_text(value)
    problems.append(f"{key} is not a text and is ignored")
    return None


def _read_choice(
    values: dict[str, object], key: str, allowed: tuple[str, ...], problems: list[str]
) -> str | None:
    if key not in values:
        return None
    text = _read_text(values, key, problems)
    if text is None or text in allowed:
        return text
    problems.append(f"{key} = {text!r:.60} is none of {', '.join(allowed)} and is ignored")
    return None


def _read_pinned(values: dict[str, object], problems: list[str]) -> bool:
    value = values["pinned"]
    if value is not None and not isinstance(value, bool):
        problems.append(f"pinned = {value!r:.60} is neither true nor false and is ignored")
    return value is True


def _read_expiry(values: dict[str, object], problems: list[str]) -> datetime | None:
    text = _read_text(values, "expires_at", problems)
    if text is None:
        return None
    try:
        return parse_time(text)
    except (ValueError, OverflowError):
        problems.append(
            f"expires_at = {text!r:.60} is neither YYYY-MM-DD nor YYYY-MM-DDTHH:MM:SSZ: "
            "the page does not expire"
        )
        return None


def _read_texts(value: object, key: str, problems: list[str]) -> list[str]:
    """The texts of a list, or of the comma-separated text that people write instead of one."""
    if value is None:
        return []
    if isinstance(value, str):
        brackets = value.startswith("[") and not value.startswith("[[")  # of a list that is not YAML
        return (value[1:].rstrip("] ") if brackets else value).split(",")
    texts = []
    for item in value if isinstance(value, list) else [value]:
        while isinstance(item, list) and len(item) == 1:  # [[page]] without quotes
            item = item[0]
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, bool | int | float):
            texts.append(scalar_text(item))
        elif item is not None:
            problems.append(f"{key} holds something that is not a text, which is ignored")
    return texts


def _read_tags(values: dict[str, object], problems: list[str]) -> tuple[str, ...]:
    texts = _read_texts(values["tags"], "tags", problems)
    return tuple(dict.fromkeys(tag for text in texts if (tag := clean_tag(text))))


def _read_entities(values: dict[str, object], problems: list[str]) -> tuple[str, ...]:
    entities: dict[str, None] = {}
    for text in _read_texts(values["entities"], "entities", problems):
        if entity := clean_entity(text):
            entities[entity] = None
        elif text.strip():
            problems.append(
                f"entities holds {text!r:.60}, which is longer than {MAX_ENTITY_CHARS} characters or not "
                "printable and is ignored"
            )
    if len(entities) > MAX_ENTITIES:
        problems.append(f"entities holds {len(entities)}: the first {MAX_ENTITIES} count")
    return tuple(entities)[:MAX_ENTITIES]


def _read_relations(values: dict[str, object], problems: list[str]) -> dict[str, tuple[str, ...]]:
    value = values["relations"]
    if value is None:
        return {}
    if not isinstance(value, dict):
        problems.append("relations is not a mapping such as 'fixes: [gotchas/x.md]' and is ignored")
        return {}
    from memory_mcp.wiki.links import parse_target  # noqa: PLC0415 - few pages have relations

    relations = {}
    for key, targets in value.items():
        if key not in RELATIONS:
            problems.append(f"relations.{key:.60} is none of {', '.join(RELATIONS)} and is ignored")
            continue
        texts = [text.strip() for text in _read_texts(targets, f"relations.{key}", problems)]
        kept: dict[str, None] = {}
        for text in filter(None, texts):
            if parse_target(text):
                kept[text] = None
            else:
                problems.append(f"relations.{key} holds {text!r:.80}, which names no page and is ignored")
        if kept:
            relations[key] = tuple(kept)
    return relations
