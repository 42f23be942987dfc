"""How the pages of a snapshot are: how many, which links lead nowhere, what a person should mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator

from memory_mcp.model.link import Link
from memory_mcp.model.scope import Scope, scope_of
from memory_mcp.search.answer import PageCounts
from memory_mcp.search.index.link_graph import resolve
from memory_mcp.search.index.page_terms import FLAG, HAS_PROBLEMS, StoredPage
from memory_mcp.search.index.snapshot import Snapshot


def count_pages(pages: Snapshot, listed: Iterable[StoredPage]) -> dict[Scope, PageCounts]:
    """The counts of each asked scope; `listed` are all pages of these scopes."""
    held = {page.path for page in listed}
    unreadable = Counter(map(scope_of, pages.all_unreadable()))
    counts = {scope: PageCounts(unreadable=unreadable[scope]) for scope in pages.scopes}
    by_scope: dict[str, list[StoredPage]] = {}
    for page in listed:
        workspace, project, _ = page.path.split("/", 2)
        by_scope.setdefault(f"{workspace}/{project}", []).append(page)
    for scope in counts:
        here = by_scope.get(str(scope), [])
        links = sum(len(page.links) for page in here)
        unresolved = sum(_unresolved(pages, page, scope, held) for page in here)
        counts[scope] += PageCounts(len(here), links, unresolved)
    return counts


def problems(pages: Snapshot) -> Iterator[tuple[str, str]]:
    """What a person should mend in the asked scopes: the wiki path of a file or scope, and a sentence."""
    asked = set(pages.scopes)
    for page in pages.holding(FLAG, HAS_PROBLEMS):
        if page.scope in asked:
            yield from ((page.path, problem) for problem in page.problems)
    yield from pages.all_unreadable().items()
    for folder in pages.closed:
        yield folder, "the folder cannot be listed; let this user read it."
    for scope, count in Counter(map(scope_of, pages.missing)).items():
        yield (
            str(scope),
            f"{count:,} files vanished at once and their pages are kept in the index: bring the files "
            "back, or, if it was meant, commit their removal or run memory-mcp reindex.",
        )


def _unresolved(pages: Snapshot, page: StoredPage, scope: Scope, held: Container[str]) -> int:
    """How many links of a page have no page yet; nearly all of the others are in `held` as written."""
    count = 0
    for fields in page.links:
        workspace, project, path, _, _ = fields
        target = f"{workspace or scope.workspace}/{project or scope.project}/{path}"
        if target not in held and resolve(pages, scope, Link(*fields)) is None:
            count += 1
    return count
