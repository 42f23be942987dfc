"""The files at the root of a wiki that make merges, ignore rules and the format known to git and to us.

They are shared with people, so text is only ever added to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memory_mcp.capture.toml_file import parse_toml
from memory_mcp.errors import Unavailable
from memory_mcp.store.files import TEMPORARY_PREFIX, disk_errors, make_folders
from memory_mcp.store.git_folder import GitFolder
from memory_mcp.store.git_object import path_bytes

FORMAT = 1
"""The format of the wiki; a newer one is refused."""

TEMPORARY = f"{TEMPORARY_PREFIX}*"
IGNORED = f"{TEMPORARY}\n.DS_Store\n._*\nThumbs.db\ndesktop.ini\n*~\n.*.sw?\n".encode()

_UNION = (
    "*.jsonl",
    "log.md",
    "log-*.md",
    "MEMORY.md",
    "SKILLS.md",
    "**/_handoffs/*.md",
    "**/_messages/*.md",
    "**/_pending/**/*.md",
)
_TASKS_BELOW = {"": "_callers/*/tasks/*.md", "_callers": "*/tasks/*.md", "_callers/*": "tasks/*.md"}
"""The pattern of the tasks as seen from the repository at a folder."""

_BOM = b"\xef\xbb\xbf"
_AS_WRITTEN = re.compile(rb'\[wiki\]\nformat = %d\nid = "[0-9a-f-]{36}"\n' % FORMAT)


def with_attributes(existing: bytes, folder: str) -> bytes:
    """`.gitattributes` of the repository at a wiki folder, with the lines that it lacks put first.

    In git the last matching line wins, so a person's own lines keep the last word.
    """
    tasks = _TASKS_BELOW.get(folder, _TASKS_BELOW["_callers/*"] if folder.startswith("_callers/") else None)
    wanted = [("*", "-text"), *((pattern, "merge=union") for pattern in (*_UNION, tasks) if pattern)]
    present = set(_set_attributes(existing.decode("utf-8", "replace")))
    missing = [
        f"{pattern} {attribute}\n"
        for pattern, attribute in wanted
        if (pattern, _attribute_name(attribute)) not in present
    ]
    bom = _BOM if existing.startswith(_BOM) else b""
    return bom + "".join(missing).encode() + existing.removeprefix(bom)


def _set_attributes(text: str) -> Iterator[tuple[str, str]]:
    """(pattern, attribute) for everything that a `.gitattributes` says something about."""
    for line in text.splitlines():
        pattern, *attributes = line.strip().lstrip("\ufeff").split() or ["#"]
        for attribute in attributes:
            yield pattern, _attribute_name(attribute)
            if attribute == "binary":  # git's macro for -diff -merge -text
                yield from ((pattern, "text"), (pattern, "merge"))


def _attribute_name(attribute: str) -> str:
    return attribute.lstrip("-!").split("=", 1)[0]


def format_problem(wiki: Path) -> str | None:
    """A sentence when the wiki's own file cannot be read or names a newer format."""
    file = wiki / ".memory-mcp.toml"
    try:
        existing = file.read_bytes()
        parse_toml(existing.decode("utf-8-sig"))
        with_wiki_table(existing)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return f"{file}: it cannot be read ({error}); mend it."
    except Unavailable as error:
        return f"{file}: {error}"
    return None


def with_wiki_table(existing: bytes) -> bytes:
    """`.memory-mcp.toml` with its `[wiki]` table.

    Raises:
        Unavailable: the wiki is of a newer format.
    """
    if _AS_WRITTEN.fullmatch(existing):
        return existing  # every change looks at it, and the parser takes 10 ms to import
    try:
        found = parse_toml(existing.decode("utf-8-sig")).get("wiki")
    except ValueError:
        return existing  # a person is in the middle of editing it, or will be told by lint
    if found is not None:
        version = found.get("format") if isinstance(found, dict) else None
        if isinstance(version, int) and version > FORMAT:
            raise Unavailable(
                f"the wiki has format {version}, and this memory-mcp knows {FORMAT}: install a newer one."
            )
        return existing
    import uuid  # noqa: PLC0415 - once for a wiki

    gap = b"" if not existing else b"\n" if existing.endswith(b"\n") else b"\n\n"
    return existing + gap + f'[wiki]\nformat = {FORMAT}\nid = "{uuid.uuid4()}"\n'.encode()


def exclude(folder: GitFolder, pattern: str) -> None:
    """Add a pattern to what this clone ignores, where nobody else sees it."""
    if is_excluded(folder, pattern):
        return
    file = folder.common / "info" / "exclude"
    with disk_errors(file):
        make_folders(file.parent)
        with file.open("a+b") as out:
            out.seek(0)
            old = out.read()
            gap = b"" if not old or old.endswith(b"\n") else b"\n"
            out.write(gap + path_bytes(pattern) + b"\n")


def is_excluded(folder: GitFolder, pattern: str) -> bool:
    """Whether `exclude` has added this pattern."""
    try:
        return path_bytes(pattern) in (folder.common / "info" / "exclude").read_bytes().splitlines()
    except OSError:
        return False


def nested_pattern(folder: str) -> str:
    """The pattern that ignores the wiki folder of a nested repository and nothing else."""
    escaped = re.sub(r"([\\*?\[])", r"\\\1", folder)
    return f"/{escaped}/"
