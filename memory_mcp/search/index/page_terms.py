"""What the index holds of a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memory_mcp.model.link import Link
from memory_mcp.model.page import MAX_BODY_BYTES, MAX_ENTITIES, Page, PageMeta
from memory_mcp.model.page_path import collision_key
from memory_mcp.model.scope import Scope, scope_of
from memory_mcp.search.text.date_text import text_dates
from memory_mcp.search.text.descriptor import describe
from memory_mcp.search.text.tokenizer import fold, stop_words, terms

TITLE_WEIGHT = 2
TAG_WEIGHT = 2
ENTITY_WEIGHT = 2
MAX_WEIGHT = 255
"""A posting keeps the weight in one byte; BM25 saturates long before."""

ID, TEXT = "id", "text"
SCOPE, KIND, TIER, TAG, ENTITY, LINK, FLAG = "scope", "kind", "tier", "tag", "entity", "link", "flag"
DATE = "date"
KEYWORD_FIELDS = (SCOPE, KIND, TIER, TAG, ENTITY, LINK, FLAG, DATE)
"""Fields whose terms are looked up as they are and do not count for ranks."""

_NAME_JOINT = re.compile(r"[ _-]+(?=[^ _-])")

_FRONT_DATE = re.compile(
    r"^(?:date|day|created|created_at|started_at):[ \t]*['\"]?(\d{4}-\d\d(?:-\d\d)?)", re.MULTILINE
)

PINNED, HAS_PROBLEMS = "pinned", "problems"
"""The terms of the field `flag`."""


class StoredPage(NamedTuple):
    """What a search result needs to know of a page without reading its file."""

    path: str
    """The wiki path, `<workspace>/<project>/<path in the scope>`."""
    version: str
    title: str
    kind: str
    tier: str
    tags: tuple[str, ...]
    pinned: bool
    expires_at: float | None
    """Seconds since 1970, None for never."""
    descriptor: str
    """One line about the page, at most 240 characters."""
    links: tuple[tuple[str | None, str | None, str, str, bool], ...]
    """The fields of each `Link`, as `targets` gives them back."""
    problems: tuple[str, ...]

    @property
    def scope(self) -> Scope:
        """The scope of the page."""
        return scope_of(self.path)

    @property
    def page_path(self) -> str:
        """The path of the page in its scope."""
        return self.path.split("/", 2)[2]

    def is_expired(self, moment: float) -> bool:
        """Whether its time is over at a moment, in seconds since 1970."""
        return self.expires_at is not None and self.expires_at <= moment

    def targets(self) -> list[Link]:
        """The links of the page as written."""
        return [Link(*fields) for fields in self.links]

    def encode(self) -> bytes:
        """One line of JSON. Its first fields are path and version, see `decode_path`, `decode_version`."""
        return json.dumps(self, separators=(",", ":")).encode()


def decode_page(data: bytes) -> StoredPage:
    """The inverse of `StoredPage.encode`."""
    path, version, title, kind, tier, tags, pinned, expires_at, descriptor, links, problems = json.loads(data)
    return StoredPage(
        path,
        version,
        title,
        kind,
        tier,
        tuple(tags),
        pinned,
        expires_at,
        descriptor,
        tuple(map(tuple, links)),
        tuple(problems),
    )


_decode_string = json.JSONDecoder().raw_decode


def decode_path(data: bytes) -> str:
    """The wiki path of an encoded page, without decoding the rest."""
    path: str = _decode_string(data.decode(), 1)[0]
    return path


def decode_version(data: bytes) -> str:
    """The version of an encoded page, without decoding the rest."""
    text = data.decode()
    version: str = _decode_string(text, _decode_string(text, 1)[1] + 1)[0]
    return version


@dataclass(frozen=True, slots=True)
class PageTerms:
    """The terms of a page: a weighted bag for ranks, exact keywords by field, and what is stored."""

    path: str
    bag: Mapping[str, int]
    keywords: Mapping[str, tuple[str, ...]]
    stored: StoredPage


def page_terms(page: Page) -> PageTerms:
    """What the index holds of a page.

    The bag is the body once, the title, tags and entities twice each, and the path, abstract and summary
    once. The title gives its stop words too, so that a query of nothing else finds `How to`.
    """
    path = f"{page.scope}/{page.path}"
    bag = terms("\n".join(_texts(page)))
    bag.update(stop_words(page.title))
    bag.update({fold(page.path), fold(page.path.rsplit("/", 1)[-1])})
    return PageTerms(path, bag, _keywords(page), _stored(page, path))


def link_term(scope: Scope, path: str) -> str:
    """The term of the field `link` that a link to this path has."""
    return collision_key(f"{scope}/{path}")


def bare_link_term(scope: Scope, path: str) -> str:
    """The term that a wikilink without a folder also has, for any page of the scope with its file name."""
    return collision_key(f"{scope}//{path.rsplit('/', 1)[-1]}")


def entity_terms(name: str) -> Iterator[str]:
    """The terms of the field `entity` for a name: from each of its words on, and behind a tab the whole.

    So the names with a word that begins in some way stand together in the dictionary.
    """
    yield f"{name}\t{name}"
    for joint in _NAME_JOINT.finditer(name):
        yield f"{name[joint.end() :]}\t{name}"


def entity_of_term(term: str) -> str:
    """The name that a term of the field `entity` belongs to."""
    return term.rpartition("\t")[2]


def _entity_terms(meta: PageMeta) -> Iterator[str]:
    """Those of the entities and, while there are fewer than ten, of the tags."""
    names = (" ".join(name.lower().split()) for name in (*meta.entities, *meta.tags))
    for name in list(dict.fromkeys(filter(None, names)))[:MAX_ENTITIES]:
        yield from entity_terms(name)


def _texts(page: Page) -> Iterator[str]:
    meta = page.meta
    yield page.text[:MAX_BODY_BYTES]
    yield from [page.title] * TITLE_WEIGHT
    yield page.path.removesuffix(".md").replace("/", " ")
    yield from meta.tags * TAG_WEIGHT
    yield from meta.entities * ENTITY_WEIGHT
    yield meta.abstract or ""
    yield meta.summary or ""


def _keywords(page: Page) -> dict[str, tuple[str, ...]]:
    meta = page.meta
    flags = ((PINNED,) if meta.pinned else ()) + ((HAS_PROBLEMS,) if page.problems else ())
    found = {
        SCOPE: (str(page.scope),),
        KIND: (page.kind,),
        TIER: (meta.tier,),
        TAG: _distinct(tag.strip().lower() for tag in meta.tags),
        ENTITY: _distinct(_entity_terms(meta)),
        LINK: _distinct(_link_terms(page)),
        FLAG: flags,
        DATE: tuple(_date_terms(page)),
    }
    return {field: values for field, values in found.items() if values}


def _date_terms(page: Page) -> Iterator[str]:
    """The days and months that a page is dated by: in its title or path, else in its frontmatter."""
    dates = text_dates(f"{page.title}\n{page.path}")
    if not dates and (dated := _FRONT_DATE.search(page.front)):
        dates = text_dates(dated[1])
    yield from dates
    yield from dict.fromkeys(each[:7] for each in dates if len(each) > 7)


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _link_terms(page: Page) -> Iterator[str]:
    for link in page.links:
        scope = Scope(link.workspace or page.scope.workspace, link.project or page.scope.project)
        yield link_term(scope, link.path)
        if link.bare:
            yield bare_link_term(scope, link.path)


def _stored(page: Page, path: str) -> StoredPage:
    meta = page.meta
    return StoredPage(
        path=path,
        version=page.version,
        title=page.title,
        kind=page.kind,
        tier=meta.tier,
        tags=meta.tags,
        pinned=meta.pinned,
        expires_at=meta.expires_at.timestamp() if meta.expires_at else None,
        descriptor=describe(page.title, meta.summary, page.body),
        links=tuple(
            (link.workspace, link.project, link.path, link.relation, link.bare) for link in page.links
        ),
        problems=page.problems,
    )
