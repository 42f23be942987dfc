"""A page: what its frontmatter says, and the kinds and tiers there are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from memory_mcp.model.caller_text import searched_text
from memory_mcp.model.scope import CALLERS, Scope

if TYPE_CHECKING:
    from memory_mcp.model.link import Link

TIERS = ("working", "episodic", "semantic", "procedural")
DEFAULT_TIER = "semantic"
SLOT_KINDS = ("state", "invariant")
RELATIONS = ("causes", "fixes", "contradicts")

MAX_TITLE_CHARS = 300
MAX_KIND_CHARS = 64
MAX_TAGS = 64
MAX_TAG_CHARS = 100
MAX_ENTITIES = 10
MAX_ENTITY_CHARS = 64
MAX_ABSTRACT_CHARS = 1024
MAX_RELATION_TARGETS = 32
MAX_RELATION_CHARS = 1024
MAX_BODY_BYTES = 1_000_000
"""The largest body that a tool may write; larger files that people made are indexed up to it."""

MAX_FILE_BYTES = 32 * 1024 * 1024
"""Larger files are no pages but dumps; they are reported and not read."""


@dataclass(frozen=True, slots=True)
class PageMeta:
    """The known frontmatter keys of a page; None or empty where the page says nothing.

    `kind` and `title` are those of the frontmatter; `Page` holds the effective ones.
    """

    title: str | None = None
    kind: str | None = None
    tier: str = DEFAULT_TIER
    tags: tuple[str, ...] = ()
    pinned: bool = False
    entities: tuple[str, ...] = ()
    abstract: str | None = None
    summary: str | None = None
    expires_at: datetime | None = None
    slot_kind: str | None = None
    relations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """One markdown file of a scope, parsed.

    `title` is the frontmatter's, else the first heading, else the file's stem. `kind` is the
    frontmatter's, else that of the folder. `front` is the frontmatter's text without its fences
    ("" when there is none) and `problems` holds a sentence for everything about the file that a
    person should mend. `version` is the content hash that `if_match` takes.
    """

    scope: Scope
    path: str
    version: str
    title: str
    kind: str
    meta: PageMeta
    front: str
    body: str
    links: tuple[Link, ...]
    problems: tuple[str, ...]
    front_valid: bool = True

    @property
    def text(self) -> str:
        """What is searched as the page's text: the body, and a frontmatter that is not YAML."""
        text = self.body if self.front_valid else f"{self.front}\n{self.body}"
        return searched_text(text) if self.scope.workspace == CALLERS else text


def version_of(data: bytes) -> str:
    """The version of a page: the first 16 hex digits of the SHA-256 of the file's bytes."""
    return hashlib.sha256(data).hexdigest()[:16]
