"""Taking in any folder of markdown: an Obsidian vault, a docs tree. Nothing of it is altered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.errors import Conflict, InvalidInput, UserError
from memory_mcp.model.actor import Actor
from memory_mcp.model.page import MAX_FILE_BYTES
from memory_mcp.model.progress import Progress, no_progress
from memory_mcp.model.scope import ResolvedScope, Scope
from memory_mcp.pages.markdown_find import find_markdown
from memory_mcp.store.files import disk_errors
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.page_file import FolderNames, check_new_file, read_page_file
from memory_mcp.wiki.page_parse import is_ledger
from memory_mcp.wiki.scope_resolve import ScopeResolver

BATCH = 200
"""Pages a commit: few commits, and a kill loses little work."""

BATCH_BYTES = 8 * 1024 * 1024
"""A commit is held in memory and in the journal while it is made."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of each file of the folder, by path relative to it.

    `skipped` holds (path, reason) of what cannot be taken; `secrets` holds (path, line, kind) of what
    looks like a secret in pages that were taken, never the secret.
    """

    resolved: ResolvedScope
    imported: tuple[str, ...]
    unchanged: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, int, str], ...]


class PageImporter:
    """Copies markdown files into a scope, byte for byte, under their own relative paths."""

    def __init__(self, wiki: Path, scopes: ScopeResolver, changes: WikiChanges, sanitizer: Sanitizer) -> None:
        self._wiki = wiki
        self._scopes = scopes
        self._changes = changes
        self._sanitizer = sanitizer

    def import_folder(
        self,
        folder: Path,
        actor: Actor,
        *,
        workspace: str = "",
        project: str = "",
        replace: bool = False,
        dry_run: bool = False,
        progress: Progress = no_progress,
    ) -> ImportReport:
        """Import every markdown file below `folder`.

        A page that exists with other bytes is kept and listed, unless `replace` is true.

        Raises:
            InvalidInput: `folder` is no folder, or lies inside the wiki.
        """
        folder = folder.expanduser().absolute()
        if not folder.is_dir():
            raise InvalidInput(f"FOLDER = {str(folder)!r} is not a folder.")
        if folder.resolve().is_relative_to(self._wiki.resolve()):
            raise InvalidInput(f"FOLDER = {str(folder)!r} lies inside the wiki: its pages are there already.")
        resolved = self._scopes.resolve_write(workspace, project)
        found, skipped = find_markdown(folder, self._wiki)
        imported: list[str] = []
        unchanged: list[str] = []
        secrets: list[tuple[str, int, str]] = []
        for done, batch in _batches(found):
            pages = {}
            for path, source in batch.items():
                try:
                    pages[path] = _read_source(source)
                except UserError as error:
                    skipped.append((source.relative_to(folder).as_posix(), str(error)))
            if dry_run:
                new = self._sift(resolved.scope, pages, replace, skipped)
            else:
                new = self._put(resolved.scope, pages, replace, skipped, folder.name, actor)
            kept = {path for path, _ in skipped}
            imported += new
            unchanged += [path for path in pages if path not in new and path not in kept]
            for path in pages.keys() - kept:
                secrets += [(path, line, kind) for line, kind in self._secrets(pages[path])]
            progress(done, len(found), "pages")
        return ImportReport(
            resolved, tuple(imported), tuple(unchanged), tuple(skipped), tuple(sorted(secrets))
        )

    def _sift(
        self, scope: Scope, pages: Mapping[str, bytes], replace: bool, skipped: list[tuple[str, str]]
    ) -> list[str]:
        """The paths of those pages that are new or replace others; what cannot be taken goes to `skipped`."""
        taken = []
        listed: FolderNames = {}
        for path, data in pages.items():
            try:
                old = read_page_file(self._wiki, scope, path)
                if old == data:
                    continue
                if old is None:
                    check_new_file(self._wiki, scope, path, listed)
                elif not replace:
                    raise Conflict("a page with other text is there already: use --replace to overwrite it.")
                taken.append(path)
            except UserError as error:
                skipped.append((path, str(error)))
        return taken

    def _put(
        self,
        scope: Scope,
        pages: Mapping[str, bytes],
        replace: bool,
        skipped: list[tuple[str, str]],
        name: str,
        actor: Actor,
    ) -> list[str]:
        name = self._sanitizer.clean(name)
        with self._changes.begin("import", f"{name} into {scope}", actor) as change:
            taken = self._sift(scope, pages, replace, skipped)
            for path in taken:
                change.put(f"{scope}/{path}", pages[path])
            if taken:
                change.log(scope, "import", f"{len(taken)} pages of {name}")
        return taken

    def _secrets(self, data: bytes) -> Iterator[tuple[int, str]]:
        text = data.decode("utf-8")
        for found in self._sanitizer.find(text):
            yield text.count("\n", 0, found.start) + 1, found.kind


def _batches(found: Mapping[str, Path]) -> Iterator[tuple[int, dict[str, Path]]]:
    """The files in portions of bounded number and size, each with the count of files up to its end."""
    batch: dict[str, Path] = {}
    size = 0
    for done, (path, source) in enumerate(sorted(found.items()), 1):
        batch[path] = source
        size += source.stat().st_size if source.exists() else 0
        if len(batch) == BATCH or size > BATCH_BYTES or done == len(found):
            yield done, batch
            batch, size = {}, 0


def _read_source(source: Path) -> bytes:
    with disk_errors(source, "read"):
        if source.stat().st_size > MAX_FILE_BYTES:
            raise InvalidInput(f"it is larger than {MAX_FILE_BYTES // 1024 // 1024} MB: split it.")
        data = source.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"it is not UTF-8 (byte {error.start}): convert it first.") from None
    if is_ledger(text):
        raise InvalidInput("it is an event log, not a page.")
    return data
