"""Which page a link means, and which pages are linked with which.

Links are resolved when they are asked for, never when they are indexed: a link to a page that does not
exist yet finds it as soon as it does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from memory_mcp.model.link import Link
from memory_mcp.model.page_path import collision_key
from memory_mcp.model.scope import CALLERS, Scope, scope_of
from memory_mcp.search.index.page_terms import LINK, SCOPE, StoredPage, bare_link_term, link_term
from memory_mcp.search.index.snapshot import Snapshot

MAX_DEPTH = 3
MAX_RELATED = 50
MAX_TERMS = 100_000
"""So many link targets of a scope are looked at for links from elsewhere."""

Target = tuple[Scope, str]
"""A page: its scope and its path in it."""


@dataclass(frozen=True, slots=True)
class Related:
    """A page found by walking links: in how many steps, and which way the last one went.

    `direction` is `link` when the page nearer to the start links to this one, else `backlink`; `relation`
    is that of the link, "" for a plain one.
    """

    scope: Scope
    path: str
    title: str
    kind: str
    depth: int
    direction: str
    relation: str = ""


def resolve(pages: Snapshot, scope: Scope, link: Link) -> Target | None:
    """The page that a link on a page of `scope` means; None while there is none.

    That is the page at the link's path, else the one whose path differs only by case or Unicode form,
    else for a wikilink without a folder the only page of the scope with that file name. No link leads to the
    pages of a caller but from the same caller's.
    """
    target = Scope(link.workspace or scope.workspace, link.project or scope.project)
    if target.workspace == CALLERS and target != scope:
        return None
    if pages.holds(f"{target}/{link.path}"):
        return target, link.path
    names = pages.names_in(target)
    key = collision_key(link.path)
    if (path := names.by_path.get(key)) is not None:
        return target, path
    if link.bare:
        same_name = names.by_name.get(key.rsplit("/", 1)[-1], [])
        if len(same_name) == 1:
            return target, same_name[0]
    return None


def backlinks(pages: Snapshot, scope: Scope, path: str) -> list[tuple[Scope, str, str]]:
    """The pages of any scope that link to a page, with the relation of each link, in order."""
    here = (scope, path)
    found = {
        (source.scope, source.page_path, link.relation)
        for source in linking_pages(pages, scope, path)
        for link in source.targets()
        if resolve(pages, source.scope, link) == here
    }
    return sorted(link for link in found if link[:2] != here)


def related(
    pages: Snapshot, scope: Scope, path: str, depth: int, now: float, limit: int = MAX_RELATED
) -> list[Related]:
    """The pages within `depth` links (at most 3) of a page, both ways and across scopes, nearest first.

    Pages that have expired at `now` (seconds since 1970) are neither listed nor walked through.
    """
    found: list[Related] = []
    seen: set[Target] = {(scope, path)}
    edge: deque[tuple[Target, int]] = deque([((scope, path), 0)])
    while edge and len(found) < limit:
        here, steps = edge.popleft()
        if steps == min(depth, MAX_DEPTH):
            break
        for target, (direction, relation) in _neighbours(pages, here).items():
            page = None if target in seen else pages.stored(f"{target[0]}/{target[1]}")
            is_expired = page is not None and page.is_expired(now)
            if page is not None and not is_expired and len(found) < limit:
                seen.add(target)
                found.append(Related(*target, page.title, page.kind, steps + 1, direction, relation))
                edge.append((target, steps + 1))
    return found


def _neighbours(pages: Snapshot, here: Target) -> dict[Target, tuple[str, str]]:
    """The pages that are one link away, with direction and relation; of two links the typed one."""
    found: dict[Target, tuple[str, str]] = {}
    for target, direction, relation in _links(pages, here):
        if target not in found or (relation and not found[target][1]):
            found[target] = (direction, relation)
    return found


def _links(pages: Snapshot, here: Target) -> Iterator[tuple[Target, str, str]]:
    page = pages.stored(f"{here[0]}/{here[1]}")
    for link in page.targets() if page else ():
        if (target := resolve(pages, here[0], link)) is not None:
            yield target, "link", link.relation
    for source, path, relation in backlinks(pages, *here):
        yield (source, path), "backlink", relation


def linking_pages(pages: Snapshot, scope: Scope, path: str) -> Iterator[StoredPage]:
    """The pages with a link that may mean this page; no caller's but for a page of the same caller."""
    seen: set[str] = set()
    for term in (link_term(scope, path), bare_link_term(scope, path)):
        for page in pages.holding(LINK, term):
            is_foreign = page.scope.workspace == CALLERS and page.scope != scope
            if page.path not in seen and not is_foreign:
                seen.add(page.path)
                yield page


def linked_to(pages: Snapshot, scope: Scope) -> set[Scope]:
    """The other projects to which pages of this scope, an asked one, link."""
    found: set[Scope] = set()
    for page in pages.pages():
        for link in page.targets() if page.scope == scope else ():
            if (link.workspace or link.project) and (target := resolve(pages, scope, link)) is not None:
                found.add(target[0])
    return found - {scope}


def linked_from(pages: Snapshot, scope: Scope) -> set[Scope]:
    """The other projects of which a page links to a page of this scope."""
    own = set(pages.reader.documents(SCOPE, str(scope)))
    found: set[Scope] = set()
    prefix = collision_key(f"{scope}/")
    for term in pages.reader.frequencies(LINK, prefix, MAX_TERMS):
        for number in pages.reader.documents(LINK, term):
            if number not in own and scope_of(pages.reader.path_of(number)) not in found:
                page = pages.reader.stored(number)
                if (
                    pages.holds(page.path)
                    and not pages.delta.has(page.path)
                    and _links_to(pages, page, scope)
                ):
                    found.add(page.scope)
    for waiting in pages.delta.pages():
        if waiting.stored.scope != scope and _links_to(pages, waiting.stored, scope):
            found.add(waiting.stored.scope)
    return {each for each in found if each.workspace != CALLERS}


def _links_to(pages: Snapshot, page: StoredPage, scope: Scope) -> bool:
    targets = (resolve(pages, page.scope, link) for link in page.targets() if link.workspace or link.project)
    return any(target is not None and target[0] == scope for target in targets)
