"""A folder's name for something that may be called anything: a caller, a thread, a namespace."""

from __future__ import annotations

import hashlib
import re

from memory_mcp.model.page_path import is_device_name

MAX_READABLE_CHARS = 40
_SAFE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}\Z")
_OTHERS = re.compile(r"[^a-z0-9]+")


def safe_folder_name(name: str) -> str:
    """The name itself where every file system takes it, else its letters and digits with a hash.

    `telegram:123` becomes `telegram-123-` and the first ten hex digits of the SHA-256 of the exact name, so
    that two names never share a folder; the exact name is kept inside the folder.
    """
    if _SAFE.match(name) and not name.endswith(".") and not is_device_name(name):
        return name
    readable = _OTHERS.sub("-", name.lower())[:MAX_READABLE_CHARS].strip("-")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{readable}-{digest}" if readable else digest
