"""What is searched of old versions, read from git."""

from __future__ import annotations

from collections.abc import Iterable

from memory_mcp.search.history.history_read import Repositories, owner_of
from memory_mcp.search.history.page_version import split_id, version_text
from memory_mcp.search.index.page_terms import StoredPage


class VersionTexts:
    """The texts of one query, each read once."""

    def __init__(self, repositories: Repositories) -> None:
        self._repositories = repositories
        self._texts: dict[str, str | None] = {}

    def read_ahead(self, versions: Iterable[StoredPage]) -> None:
        """Read the texts of many versions with one git process a repository."""
        wanted: dict[str, dict[str, list[StoredPage]]] = {}
        for version in versions:
            if version.path not in self._texts:
                self._texts[version.path] = None
                path, blob = split_id(version.path)
                by_blob = wanted.setdefault(owner_of(path, self._repositories), {})
                by_blob.setdefault(blob, []).append(version)
        for folder, by_blob in wanted.items():
            if folder in self._repositories:
                for blob, data in self._repositories[folder].contents(by_blob).items():
                    for version in by_blob[blob]:
                        self._texts[version.path] = version_text(version, data)

    def text(self, version: StoredPage) -> str | None:
        """The text of a version; None when git does not hold it any more."""
        self.read_ahead([version])
        return self._texts[version.path]
