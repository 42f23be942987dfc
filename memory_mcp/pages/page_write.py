"""Writing one page on behalf of an agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_mcp.capture.sanitizer import CleanText, Sanitizer
from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.actor import Actor
from memory_mcp.model.page import PageMeta, version_of
from memory_mcp.model.page_path import check_write_path
from memory_mcp.model.scope import ResolvedScope
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.page_compose import compose_page
from memory_mcp.wiki.page_draft import check_body, make_meta
from memory_mcp.wiki.page_file import check_new_file, page_file, read_page_file
from memory_mcp.wiki.scope_resolve import ScopeResolver


@dataclass(frozen=True, slots=True)
class PageDraft:
    """A page as a tool gives it: body and metadata as a whole; what is left out is not inherited."""

    path: str
    body: str
    title: str | None = None
    kind: str = ""
    tier: str = ""
    tags: Sequence[str] = ()
    pinned: bool = False
    entities: Sequence[str] = ()
    abstract: str = ""
    expires_at: str = ""
    relations: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CleanPage:
    """A draft on the inner side of the sanitizer: only this reaches the disk."""

    body: CleanText
    meta: PageMeta
    redacted: bool


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """What became of a write: `outcome` is created, updated or unchanged.

    `commit` is the git commit, None when nothing changed. `redacted` says whether the sanitizer took a
    secret out of the text.
    """

    resolved: ResolvedScope
    path: str
    file: Path
    outcome: str
    version: str
    commit: str | None
    redacted: bool


class PageWriter:
    """Creates and replaces pages."""

    def __init__(self, wiki: Path, scopes: ScopeResolver, changes: WikiChanges, sanitizer: Sanitizer) -> None:
        self._wiki = wiki
        self._scopes = scopes
        self._changes = changes
        self._sanitizer = sanitizer

    def write(
        self,
        draft: PageDraft,
        actor: Actor,
        *,
        workspace: str = "",
        project: str = "",
        standing: bool = False,
        if_match: str = "",
    ) -> WrittenPage:
        """Create or replace the page at `draft.path`; `standing` writes to the standing preferences.

        Raises:
            InvalidInput: an argument breaks its rule, or no scope can be resolved.
            Conflict: `if_match` is not the page's version, the name collides with another, or a
                person has to mend the page first.
            Busy, Unavailable: see `WikiChanges.begin`.
        """
        check_write_path(draft.path)
        check_body(draft.body)
        page = self._clean(draft)
        resolved = self._scopes.resolve_write(workspace, project, standing)
        scope, path = resolved.scope, draft.path
        wiki_path = f"{scope}/{path}"
        file = page_file(self._wiki, scope, path)
        with self._changes.begin("write-page", wiki_path, actor) as change:
            old = read_page_file(self._wiki, scope, path)
            if old is None:
                check_new_file(self._wiki, scope, path)
            self._check_match(old, if_match, path)
            try:
                new = compose_page(old, page.body, page.meta)
            except Conflict as error:
                raise Conflict(f"{path!r:.120} cannot be replaced: {error}") from error
            if new != old:
                change.put(wiki_path, new)
                change.log(scope, "write-page", path)
        outcome = "unchanged" if new == old else "created" if old is None else "updated"
        return WrittenPage(resolved, path, file, outcome, version_of(new), change.commit, page.redacted)

    def _check_match(self, old: bytes | None, if_match: str, path: str) -> None:
        if not if_match:
            return
        if old is None:
            raise Conflict(f"if_match = {if_match!r:.40}, but there is no page {path!r:.120}: leave it out.")
        if version_of(old) != if_match:
            raise Conflict(
                f"if_match = {if_match!r:.40}, but {path!r:.120} has version {version_of(old)}: read it "
                "again and write on top of what it says now."
            )

    def _clean(self, draft: PageDraft) -> CleanPage:
        redacted = False

        def clean(text: str) -> CleanText:
            nonlocal redacted
            result = self._sanitizer.clean(text)
            redacted = redacted or result != text
            return result

        if clean(draft.path) != draft.path:
            raise InvalidInput("path looks like it holds a secret: choose another name.")
        meta = make_meta(
            path=draft.path,
            title=None if draft.title is None else clean(draft.title),
            kind=clean(draft.kind),
            tier=draft.tier,
            tags=[clean(tag) for tag in draft.tags],
            pinned=draft.pinned,
            entities=[clean(entity) for entity in draft.entities],
            abstract=clean(draft.abstract),
            expires_at=draft.expires_at,
            relations={key: [clean(target) for target in each] for key, each in draft.relations.items()},
        )
        body = clean(draft.body)
        return CleanPage(body, meta, redacted)
