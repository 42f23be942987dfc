"""Which tool calls are recorded, by the paths that they name.

A project says in the table `[capture]` of its nearest marker which paths are nobody's business. The memories
that agents keep of their own, and this product's data dir, never are anybody's. It is a look at what a call
names and no protection against leaks: prompts, answers and copies elsewhere are not covered.
"""

from __future__ import annotations

import os

from memory_mcp.capture.path_glob import BadPattern, PathGlob, normal_path, path_glob
from memory_mcp.capture.tool_family import FILE, SEARCH, SHELL
from memory_mcp.capture.tool_paths import MAX_PATH_CHARS, command_words, tool_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from memory_mcp.capture.folder_marker import FolderMarker
    from memory_mcp.capture.tool_call import ToolCall

KEEP = "keep"
DROP = "drop"
METADATA_ONLY = "metadata-only"
"""That a tool of this family ran is recorded, and nothing of what it was given or answered."""

INACTIVE = "inactive"
ACTIVE = "active"
INVALID = "invalid"

MAX_PATTERNS = 128
MAX_WORK = 1_000_000
"""The most that comparing may cost: the sum of the products of both lengths."""

_AGENTS_OWN = (
    *(".claude/projects/**", ".claude/memory/**", ".claude/CLAUDE.md"),
    *(".codex/memories/**", ".codex/sessions/**", ".codex/AGENTS.md"),
)


class Decision:
    """What is recorded of a tool call: `disposition`, after `path_count` paths that could be read."""

    __slots__ = ("disposition", "extraction", "path_count")

    def __init__(self, disposition: str, path_count: int = 0, extraction: str = "not-applicable") -> None:
        self.disposition = disposition
        self.path_count = path_count
        self.extraction = extraction


class CapturePolicy:
    """The policy of a folder; `state` says whether its marker asks for anything, or for what nobody knows."""

    def __init__(self, state: str, ignored: Sequence[PathGlob], own: Sequence[PathGlob], home: str) -> None:
        self.state = state
        self._ignored = ignored
        self._own = own
        self._home = home

    def decide(self, call: ToolCall | None, cwd: str) -> Decision:
        """What is recorded of this call, or of an event that is none, of an agent that works in `cwd`."""
        if call is None or call.family not in (FILE, SEARCH, SHELL):
            return Decision(KEEP)  # of another tool nothing is recorded but that it ran
        named = command_words(call) if call.family == SHELL else tool_paths(call)
        paths = self._normal(named, cwd)
        disposition = self._judge(call.family, paths, is_readable=bool(paths))
        return Decision(disposition, len(named), "extracted" if paths else "missing-or-malformed")

    def _judge(self, family: str, paths: Sequence[str], *, is_readable: bool) -> str:
        compared = _Comparison()
        if compared.finds(self._own, paths):
            return DROP
        if self.state == INVALID:
            return KEEP if family == SEARCH else METADATA_ONLY
        if family == SEARCH:
            # What a search finds may lie anywhere below.
            below = any(_is_above(path, pattern) for path in paths for pattern in self._own)
            return DROP if self.state == ACTIVE else METADATA_ONLY if below else KEEP
        if self.state == INACTIVE:
            return KEEP
        if compared.finds(self._ignored, paths):
            return DROP
        if family == FILE:
            return METADATA_ONLY if compared.is_over or not is_readable else KEEP
        return self._of_command(paths, is_over=compared.is_over, is_readable=is_readable)

    def _of_command(self, paths: Sequence[str], *, is_over: bool, is_readable: bool) -> str:
        pairs = [(path, pattern) for path in paths for pattern in self._ignored]
        if is_over or any(_reaches(path, pattern) for path, pattern in pairs):
            return DROP
        if not is_readable or any(_is_above(path, pattern) for path, pattern in pairs):
            return METADATA_ONLY
        return KEEP

    def _normal(self, named: Sequence[str], cwd: str) -> list[str]:
        """Each path as it is written and, where a symbolic link leads elsewhere, as it is.

        None at all if one of them is no path.
        """
        paths: dict[str, None] = {}
        for each in named:
            path = normal_path(each, cwd, self._home)
            if "\0" in path or len(path) > MAX_PATH_CHARS:
                return []
            paths[path] = None
            if "/" in each or os.path.islink(path):
                try:
                    paths[os.path.realpath(path)] = None
                except ValueError:  # a name that the system cannot have
                    return []
        return list(paths)


class _Comparison:
    """Comparing patterns with paths, as long as it costs little; `is_over` when it was given up."""

    def __init__(self) -> None:
        self._work = 0
        self.is_over = False

    def finds(self, patterns: Sequence[PathGlob], paths: Sequence[str]) -> bool:
        for path in paths:
            for pattern in patterns:
                if not path.startswith(pattern.fixed.rstrip("/")):
                    continue
                self._work += pattern.size * len(path)
                if self._work > MAX_WORK:
                    self.is_over = True
                    return False
                if pattern.matches(path):
                    return True
        return False


def _is_above(path: str, pattern: PathGlob) -> bool:
    """Whether what the pattern names lies below this folder."""
    return pattern.fixed.startswith(path.rstrip("/") + "/")


def _reaches(path: str, pattern: PathGlob) -> bool:
    """Whether a word of a command that stands for several files may stand for one that the pattern names."""
    wild = [at for mark in "*?[{" if (at := path.find(mark)) >= 0]
    if not wild:
        return False
    fixed = path[: min(wild)]
    return fixed.startswith(pattern.fixed) or pattern.fixed.startswith(fixed)


def capture_policy(marker: FolderMarker, home: str, data_dir: str) -> CapturePolicy:
    """The policy of the nearest marker; `home` and `data_dir` are absolute and without symbolic links."""
    own = [PathGlob(f"{home}/{pattern}") for pattern in _AGENTS_OWN] + [PathGlob(f"{data_dir}/**")]
    try:
        ignored = [path_glob(pattern, marker.folder, home) for pattern in _patterns(marker.tables)]
    except BadPattern:
        return CapturePolicy(INVALID, (), own, home)
    return CapturePolicy(ACTIVE if ignored else INACTIVE, ignored, own, home)


def _patterns(tables: Mapping[str, Any] | None) -> list[str]:
    """The `ignore_paths` of a marker, which may say nothing else under `[capture]`."""
    table = tables.get("capture", {}) if tables is not None else None
    if not isinstance(table, dict) or any(key != "ignore_paths" for key in table):
        raise BadPattern("[capture] takes ignore_paths alone")
    patterns = table.get("ignore_paths", [])
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
        raise BadPattern("ignore_paths must be a list of texts")
    if len(patterns) > MAX_PATTERNS:
        raise BadPattern(f"ignore_paths takes at most {MAX_PATTERNS} patterns")
    return patterns
