"""What a page may be called: portable on every file system, and never outside its scope.

Writing is strict. Reading is more lenient, so that one oddly named file that a person made never hides the
others; it must only name a page and stay inside.
"""

from __future__ import annotations

import re
import unicodedata

from memory_mcp.errors import InvalidInput

MAX_COMPONENT_BYTES = 200
"""Room below the 255 bytes of common file systems for the temporary suffix of an atomic write."""
MAX_PATH_BYTES = 1000
MAX_READ_BYTES = 255
"""The longest name that common file systems hold."""
MAX_READ_PATH_BYTES = 4000
"""A little less than the longest path that Linux takes."""

RECORD_FOLDERS = ("_handoffs", "_messages", "_pending", "_meta")
"""Folders of a scope that hold records and ledgers, never pages."""

_FORBIDDEN = set('<>:"|?*\\')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])\Z", re.IGNORECASE)
_GIT_NAMES = re.compile(r"(?:\.git|git~[1-4])\Z", re.IGNORECASE)
_LEDGER = re.compile(r"log-\d{4}-\d{2}\.md\Z", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_KIND_BY_FOLDER = {
    "_rules": "rule",
    "_slots": "slot",
    "sessions": "session",
    "decisions": "decision",
    "gotchas": "gotcha",
    "concepts": "concept",
    "procedures": "procedure",
    "notes": "note",
}


def is_device_name(component: str) -> bool:
    """Whether Windows reserves this name, whatever its extension."""
    return bool(_DEVICES.match(component.split(".", 1)[0].rstrip(" ")))


def collision_key(path: str) -> str:
    """What a case-folding or Unicode-normalising file system takes for the same name."""
    return unicodedata.normalize("NFC", path.lower())


def kind_of_path(path: str) -> str:
    """The kind that the first folder of a path gives a page; `fact` when none does."""
    return _KIND_BY_FOLDER.get(path.split("/", 1)[0], "fact")


def is_record_folder(name: str) -> bool:
    """Whether a folder at the top of a scope holds records, in whatever case a file system gives its name."""
    return name.lower() in RECORD_FOLDERS


def is_log_path(path: str) -> bool:
    """Whether this path of a scope is that of a project's log."""
    return bool(_LEDGER.match(path))


def is_page_path(path: str) -> bool:
    """Whether a file at this path of a scope can be a page: markdown, not a record, not hidden."""
    parts = path.split("/")
    return (
        path.endswith(".md")
        and not is_record_folder(parts[0])
        and not any(part.startswith(".") for part in parts)
    )


def inside_rule(path: str) -> str | None:
    """The rule that a path breaks if it could name something outside its scope, else None."""
    if not path or not path.strip():
        return "it is empty"
    if "\0" in path or any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in path):
        return "control characters are not allowed"
    if any(0xD800 <= ord(c) <= 0xDFFF for c in path):
        return "it is not valid Unicode"
    if "\\" in path:
        return "use '/' between folders"
    if path.startswith("/") or _DRIVE.match(path):
        return "it must be relative to the project's folder"
    parts = path.split("/")
    if ".." in parts or "." in parts:
        return "'.' and '..' are not allowed"
    if "" in parts:
        return "a part of it is empty"
    return None


def _page_rule(path: str) -> str | None:
    parts = path.split("/")
    if is_record_folder(parts[0]):
        return f"{parts[0]}/ holds records that have tools of their own"
    if any(part.startswith(".") for part in parts):
        return "a part of it starts with a dot and is hidden"
    if not path.endswith(".md"):
        return "it must end with '.md', e.g. decisions/use-wal.md"
    if len(path.encode()) > MAX_READ_PATH_BYTES:
        return f"it is longer than {MAX_PATH_BYTES} bytes"
    if any(len(part.encode()) > MAX_READ_BYTES for part in parts):
        return f"a part of it is longer than {MAX_COMPONENT_BYTES} bytes"
    return None


def _portable_rule(path: str) -> str | None:
    if len(path.encode()) > MAX_PATH_BYTES:
        return f"it is longer than {MAX_PATH_BYTES} bytes"
    for part in path.split("/"):
        if bad := sorted(set(part) & _FORBIDDEN):
            return f"{bad[0]!r} cannot be part of a file name on every system"
        if part[-1] in " .":
            return f"{part!r:.60} ends with a dot or a space"
        if part[0] == " ":
            return f"{part!r:.60} starts with a space"
        if "%2e" in part.lower() or "%2f" in part.lower() or "%5c" in part.lower():
            return "percent-encoded dots and slashes are not allowed"
        if is_device_name(part):
            return f"{part!r:.60} is a reserved device name on Windows"
        if _GIT_NAMES.match(part):
            return f"{part!r:.60} is git's own name"
        if len(part.encode()) > MAX_COMPONENT_BYTES:
            return f"{part[:20]!r}… is longer than {MAX_COMPONENT_BYTES} bytes"
    return None


def _log_rule(path: str) -> str | None:
    if is_log_path(path) or path.lower() == "log.md":
        return "this is the name of the project's log"
    return None


def write_rule(path: str) -> str | None:
    """The rule that a new page at this path would break, else None."""
    return inside_rule(path) or _page_rule(path) or _log_rule(path) or _portable_rule(path)


def check_read_path(path: str, argument: str = "path") -> str:
    """Return `path` if it can name a page and stays inside its scope, else raise `InvalidInput`."""
    return _checked(path, argument, inside_rule(path) or _page_rule(path))


def check_known_path(path: str, argument: str = "path") -> str:
    """Return `path` if a tool may change a page that is there, whatever a person called it."""
    return _checked(path, argument, inside_rule(path) or _page_rule(path) or _log_rule(path))


def check_write_path(path: str, argument: str = "path") -> str:
    """Return `path` if a tool may write a new page there, else raise `InvalidInput`."""
    return _checked(path, argument, write_rule(path))


def _checked(path: str, argument: str, rule: str | None) -> str:
    if rule:
        raise InvalidInput(f"{argument} = {path!r:.120} is not a page path: {rule}.")
    return path
