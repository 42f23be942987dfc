"""The markdown files of any folder, under the paths that they would have as pages."""

from __future__ import annotations

import os
from pathlib import Path

from memory_mcp.model.page_path import collision_key, write_rule

SKIPPED_FOLDERS = frozenset({".git", ".obsidian", ".trash", "node_modules", ".venv"})
MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdx")


def find_markdown(folder: Path, wiki: Path) -> tuple[dict[str, Path], list[tuple[str, str]]]:
    """The files to take by the path they get, and (path, reason) of what cannot be taken.

    Symbolic links are not followed, and the wiki itself is passed over.
    """
    found: dict[str, Path] = {}
    skipped: list[tuple[str, str]] = []
    names = _Names()

    def refuse(error: OSError) -> None:
        skipped.append((_relative(Path(error.filename), folder), f"cannot be read: {error.strerror}."))

    for base, folders, files in os.walk(folder, onerror=refuse):
        here = Path(base)
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
        for name in list(folders):
            if (here / name).is_symlink():
                skipped.append((_relative(here / name, folder), "it is a symbolic link to a folder."))
            elif name.startswith("."):
                skipped.append((_relative(here / name, folder), "it is a hidden folder."))
            elif not (here / name).samefile(wiki):
                continue
            folders.remove(name)
        for name in sorted(files):
            if not name.lower().endswith(MARKDOWN_SUFFIXES):
                continue
            source = here / name
            relative = _relative(source, folder)
            path = relative[: relative.rindex(".")] + ".md"
            reason = _reason(source, path) or names.clash(path, relative)
            if reason:
                skipped.append((relative, reason))
            else:
                found[path] = source
    return found, skipped


def _reason(source: Path, path: str) -> str | None:
    if rule := write_rule(path):
        return f"{rule}."
    if source.is_symlink():
        return "it is a symbolic link."
    return None if source.is_file() else "it is no regular file."


class _Names:
    """Every file and folder that is taken, by what some file systems take for the same name."""

    def __init__(self) -> None:
        self._taken: dict[str, tuple[str, str]] = {}

    def clash(self, path: str, source: str) -> str | None:
        """Why a page cannot have this path beside those before it; None if it can, and it is one of them."""
        parts = path.split("/")
        prefixes = ["/".join(parts[:depth]) + "/" for depth in range(1, len(parts))] + [path]
        for prefix in prefixes:
            other, its_source = self._taken.get(collision_key(prefix.rstrip("/")), (prefix, ""))
            if other != prefix or (prefix == path and its_source):
                return f"its name collides with {its_source!r:.120}."
        for prefix in prefixes:
            self._taken.setdefault(collision_key(prefix.rstrip("/")), (prefix, source))
        return None


def _relative(source: Path, folder: Path) -> str:
    return source.relative_to(folder).as_posix()
