"""Pages by the names that a question mentions: their entities and tags.

A name answers for a word of the question that begins it or one of the words in it (`auth` for
`auth middleware` and for `new-auth`). A name that few pages carry says more: each counts one by the number of
its pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from heapq import nlargest

from memory_mcp.search.index.doc_set import documents_in
from memory_mcp.search.index.index_read import DocSet
from memory_mcp.search.index.page_terms import ENTITY, StoredPage, entity_of_term
from memory_mcp.search.rank.collection import Collection
from memory_mcp.search.text.query_text import MAX_QUERY_CHARS
from memory_mcp.search.text.stop_words import STOP_WORDS

MAX_WORDS = 12
MIN_CHARS, MAX_CHARS = 3, 64
MAX_HOLDERS = 200
"""A name of more pages than this says next to nothing."""
MAX_NAMES_PER_WORD = 64
"""A word that begins more names of the asked pages than this is no name."""
MAX_SCANNED_NAMES = 256
"""So many names, in order, are looked at; those of other scopes are among them."""

_WORD = re.compile(r"[\w-]+")
_JOINT = re.compile(r"[-_]")


@dataclass(slots=True)
class EntityMatch:
    """What the names of one page count together, and which they are."""

    weight: float = 0.0
    names: list[str] = field(default_factory=list)


def entity_words(question: str) -> list[str]:
    """The words of a question that may be names: at most twelve, compounds whole and in parts."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(question[:MAX_QUERY_CHARS].lower()):
        token = match[0].strip("-_")
        for word in (token, *_JOINT.split(token)):
            if MIN_CHARS <= len(word) <= MAX_CHARS and word not in STOP_WORDS:
                found[word] = None
        if len(found) >= MAX_WORDS:
            break
    return list(found)[:MAX_WORDS]


def entity_stream(
    collection: Collection, question: str, limit: int
) -> list[tuple[int, StoredPage, EntityMatch]]:
    """The documents whose names a question mentions, heaviest first."""
    allow = collection.doc_set()
    holders: dict[str, set[int]] = {}
    for word in entity_words(question):
        for term, documents in _named(collection, word, allow).items():
            if len(documents) <= MAX_HOLDERS:
                holders.setdefault(entity_of_term(term), set()).update(documents)
    matches: dict[int, EntityMatch] = {}
    for name in sorted(holders):
        for number in holders[name]:
            match = matches.setdefault(number, EntityMatch())
            match.weight = round(match.weight + 1 / len(holders[name]), 6)
            match.names.append(name)
    return _heaviest(collection, matches, limit)


def _heaviest(
    collection: Collection, matches: dict[int, EntityMatch], limit: int
) -> list[tuple[int, StoredPage, EntityMatch]]:
    """The first by weight, then by the number of names, then by id."""
    if not matches:
        return []
    least = nlargest(limit, [match.weight for match in matches.values()])[-1]
    found = [
        (number, collection.page(number), match) for number, match in matches.items() if match.weight >= least
    ]
    return sorted(found, key=lambda item: (-item[2].weight, -len(item[2].names), item[1].path))[:limit]


def _named(collection: Collection, word: str, allow: DocSet) -> dict[str, list[int]]:
    """The terms that a word begins, with their documents; none if there are too many of them."""
    found: dict[str, list[int]] = {}
    for term in _terms(collection, word):
        if documents := documents_in(allow, collection.reader, collection.delta, ENTITY, term):
            found[term] = documents
            if len(found) > MAX_NAMES_PER_WORD:
                return {}
    return found


def _terms(collection: Collection, word: str) -> dict[str, None]:
    found = dict.fromkeys(collection.reader.frequencies(ENTITY, word, MAX_SCANNED_NAMES))
    if collection.delta is not None:
        for page in collection.delta.pages():
            found.update(dict.fromkeys(t for t in page.keywords.get(ENTITY, ()) if t.startswith(word)))
    return found
