"""Whether a path is one that a pattern names: `*` and `?` within a folder's name, `**` across folders.

The time is at most the product of both lengths: of each kind of star only the last needs to be tried again.
"""

from __future__ import annotations

import os

MAX_PATTERN_CHARS = 1_024
_ANY_NAME = 0  # *
_ANY_CHARACTER = 1  # ?
_ANYTHING = 2  # **
_FOLDERS = 3  # **/ after a slash: no folder, or any number of them
_REFUSED = frozenset("!{}[]()|^$%")


class BadPattern(Exception):
    """A pattern that cannot be used; the text says why."""


class PathGlob:
    """A pattern for absolute paths. `fixed` is what every path that it matches begins with."""

    __slots__ = ("_folder", "_tokens", "fixed", "size")

    def __init__(self, pattern: str) -> None:
        self.size = len(pattern)
        self._folder = pattern[:-3] if pattern.endswith("/**") else ""
        self._tokens = _tokens(pattern)
        wild = [at for at in (pattern.find("*"), pattern.find("?")) if at >= 0]
        self.fixed = pattern[: min(wild)] if wild else pattern

    def matches(self, path: str) -> bool:
        """Whether the pattern matches the whole of a normal absolute path; `a/**` matches `a` too."""
        if self._folder and _match(_tokens(self._folder), path):
            return True
        return _match(self._tokens, path)


def path_glob(pattern: str, folder: str, home: str) -> PathGlob:
    """The pattern as a person writes it: relative to `folder`, or from `~/` or `/` on.

    Raises:
        BadPattern: it is blank, too long, or uses signs that mean something elsewhere and nothing here.
    """
    text = pattern.replace("\\", "/")
    if not text.strip() or len(text) > MAX_PATTERN_CHARS:
        raise BadPattern(f"a pattern must have 1 to {MAX_PATTERN_CHARS} characters")
    names = text.split("/")
    if _REFUSED & {*text} or "***" in text or ".." in names or "\0" in text or text[1:2] == ":":
        raise BadPattern(f"{pattern!r:.80} uses what patterns of paths do not know")
    if names[0].startswith("~") and names[0] != "~":
        raise BadPattern(f"{pattern!r:.80} names the home of another user")
    if names[0] == "~":
        root, names = home, names[1:]
    elif text.startswith("/"):
        root = ""
    else:
        root = folder
    kept = [name for name in names if name not in ("", ".")]
    return PathGlob("/".join([root.rstrip("/"), *kept]) or "/")


def normal_path(path: str, cwd: str, home: str) -> str:
    """The absolute path, without looking at the disk."""
    text = path.replace("\\", "/") if "/" not in path else path
    for prefix in ("~/", "$HOME/", "${HOME}/"):
        if text.startswith(prefix):
            text = f"{home}/{text[len(prefix) :]}"
    if text in ("~", "$HOME", "${HOME}"):
        text = home
    return os.path.normpath(os.path.join(cwd, text.removeprefix("file://")))


def _tokens(pattern: str) -> list[str | int]:
    tokens: list[str | int] = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at) and (at == 0 or pattern[at - 1] == "/"):
            tokens.append(_FOLDERS)
            at += 3
        elif pattern.startswith("**", at):
            tokens.append(_ANYTHING)
            at += 2
        else:
            character = pattern[at]
            tokens.append({"*": _ANY_NAME, "?": _ANY_CHARACTER}.get(character, character))
            at += 1
    return tokens


def _match(tokens: list[str | int], path: str) -> bool:
    at = token = 0
    name_at = name_token = wide_at = wide_token = -1
    while at < len(path) or token < len(tokens):
        each = tokens[token] if token < len(tokens) else None
        if each == _ANY_NAME:
            token += 1
            name_at, name_token = at, token
            continue
        if each in (_ANYTHING, _FOLDERS):
            token += 1
            name_token = -1
            wide_at, wide_token = at, token
            continue
        if at < len(path) and (each == path[at] or (each == _ANY_CHARACTER and path[at] != "/")):
            at += 1
            token += 1
            continue
        if name_token >= 0 and name_at < len(path) and path[name_at] != "/":
            name_at += 1
            at, token = name_at, name_token
            continue
        if wide_token < 0:
            return False
        wide_at = _next(tokens[wide_token - 1], path, wide_at)
        if wide_at > len(path):
            return False
        name_token = -1
        at, token = wide_at, wide_token
    return True


def _next(wide: str | int, path: str, at: int) -> int:
    """Where what follows a `**` is tried next."""
    if wide == _ANYTHING:
        return at + 1
    slash = path.find("/", at)
    return slash + 1 if slash >= 0 else len(path) + 1
