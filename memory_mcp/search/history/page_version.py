"""One version of a page: a wiki path and the blob that git kept of it."""

from __future__ import annotations

from dataclasses import replace

from memory_mcp.errors import UserError
from memory_mcp.search.index.page_source import page_in, text_in
from memory_mcp.search.index.page_terms import PageTerms, StoredPage, page_terms


def version_id(wiki_path: str, blob: str) -> str:
    """What the history index calls a version; no wiki path looks so, for none ends with a blob's id."""
    return f"{wiki_path}@{blob}"


def split_id(document: str) -> tuple[str, str]:
    """The wiki path and the blob of a version."""
    wiki_path, _, blob = document.rpartition("@")
    return wiki_path, blob


def version_terms(wiki_path: str, blob: str, data: bytes) -> PageTerms | None:
    """What the index holds of a version; None when these bytes are no page."""
    try:
        page = page_in(wiki_path, data)
    except UserError:
        return None
    if page is None:
        return None
    terms = page_terms(page)
    document = version_id(wiki_path, blob)
    return replace(terms, path=document, stored=terms.stored._replace(path=document))


def version_text(version: StoredPage, data: bytes) -> str | None:
    """What is searched of a version whose blob holds these bytes."""
    return text_in(version, split_id(version.path)[0], data)
