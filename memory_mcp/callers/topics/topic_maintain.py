"""What becomes of a note or skill without a new text: looked at again, put away, kept for good, forgotten."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.callers.caller_change import CallerChange, CallerChanges
from memory_mcp.callers.caller_folder import NOTES, PROFILE, SKILLS, CallerFolder
from memory_mcp.callers.topics.index_write import WrittenIndex, with_topic, write_index
from memory_mcp.callers.topics.topic_file import Values, body_of, compose_topic
from memory_mcp.callers.topics.topic_index import parse_index, remove_entries
from memory_mcp.callers.topics.topic_kind import KINDS, TopicKind
from memory_mcp.callers.topics.topic_scan import read_facts, scan_topics
from memory_mcp.errors import Conflict, InvalidInput, NotFound
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, format_time
from memory_mcp.model.page_path import inside_rule
from memory_mcp.model.plain_text import with_lf
from memory_mcp.store.files import disk_errors

TOUCH = "touch"
ARCHIVE = "archive"
MARK_PERMANENT = "mark_permanent"
PRUNE = "prune"
ACTIONS = (TOUCH, ARCHIVE, MARK_PERMANENT, PRUNE)


@dataclass(frozen=True, slots=True)
class Maintained:
    """What became of it: whether anything `changed`, and the commit if so.

    `path` is relative to the caller's folder. `warnings` are sentences about what a person should mend.
    """

    action: str
    path: str
    file: Path
    changed: bool
    commit: str | None
    warnings: tuple[str, ...] = ()


class TopicMaintainer:
    """Keeps the notes and skills of a caller in order."""

    def __init__(self, folder: CallerFolder, changes: CallerChanges, clock: Clock) -> None:
        self._folder = folder
        self._changes = changes
        self._clock = clock

    def maintain(self, action: str, path: str, actor: Actor) -> Maintained:
        """Do one of four things with the file at `path`.

        `touch` says that it still holds; the profile can be touched too. `archive` takes it out of the index
        until it is written again, `mark_permanent` says that it never gets old, and `prune` takes the entries
        of a missing file out of the index.

        Raises:
            InvalidInput: the action is unknown, or the path lies outside of what there is to maintain.
            NotFound: there is no such file; for `prune`, no such entry.
            Conflict: a person has to mend the file or the index first; for `prune`, the file exists.
            Busy, Unavailable: see `WikiChanges.begin`.
        """
        if action not in ACTIONS:
            raise InvalidInput(f"action = {action!r:.60} is none of {', '.join(ACTIONS)}.")
        path, kind = _check_path(path)
        if kind is None:
            return self._touch_profile(action, actor)
        with self._changes.begin(f"memory-{action.replace('_', '-')}", path, actor) as change:
            if action == PRUNE:
                changed, index = self._prune(change, path, kind)
            else:
                changed, index = self._mark(change, path, kind, self._values(action))
        return Maintained(action, path, self._folder.file(path), changed, change.commit, index.warnings)

    def _values(self, action: str) -> Values:
        if action == TOUCH:
            return {"updated": format_time(self._clock())}
        return {"archived": True} if action == ARCHIVE else {"permanent": True}

    def _mark(
        self, change: CallerChange, path: str, kind: TopicKind, values: Values
    ) -> tuple[bool, WrittenIndex]:
        if change.read(path) is None:
            raise NotFound(
                f"path = {path!r:.120} does not exist: take it from {kind.index}, or prune the entry there."
            )
        old = with_lf(change.read_text(path))
        try:
            new = compose_topic(old, body_of(old), values)
        except Conflict as error:
            raise Conflict(f"{path} cannot be changed: {error}") from error
        if new != old:
            change.put(path, new)
        slug = path.rpartition("/")[2].removesuffix(".md")
        topics = with_topic(scan_topics(self._folder, kind), read_facts(new, slug, path))
        return new != old, write_index(change, kind, topics)

    def _prune(self, change: CallerChange, path: str, kind: TopicKind) -> tuple[bool, WrittenIndex]:
        if change.read(path) is not None:
            raise Conflict(f"path = {path!r:.120} exists: prune is for missing files; archive it instead.")
        index = parse_index(change.read_text(kind.index))
        if remove_entries(index, path, kind) == index:
            raise NotFound(f"path = {path!r:.120} is no entry of {kind.index}: there is nothing to prune.")
        topics = scan_topics(self._folder, kind)
        return True, write_index(change, kind, topics, lambda index: remove_entries(index, path, kind))

    def _touch_profile(self, action: str, actor: Actor) -> Maintained:
        """Say that the profile still holds; it has no frontmatter, so that its file's time says it."""
        if action != TOUCH:
            raise InvalidInput(f"action = {action!r:.60} is for notes and skills; {PROFILE} can be touched.")
        with self._changes.begin("memory-touch", PROFILE, actor):
            if self._folder.read(PROFILE) is None:
                raise NotFound(
                    f"path = {PROFILE!r} does not exist yet: memory_write(target='user') writes it."
                )
            file = self._folder.file(PROFILE)
            now = self._clock().timestamp()
            with disk_errors(file, "touch"):
                os.utime(file, (now, now))
        return Maintained(action, PROFILE, file, changed=True, commit=None)


def _check_path(path: str) -> tuple[str, TopicKind | None]:
    """The path relative to the caller's folder, and the kind of topic it can name; None for the profile."""
    relative = path.strip().removeprefix("/")
    if inside_rule(relative) is None:
        if relative == PROFILE:
            return relative, None
        for kind in KINDS:
            folder, _, name = relative.rpartition("/")
            if folder == kind.folder and name.endswith(".md") and name[0] != "." and relative != kind.index:
                return relative, kind
    raise InvalidInput(
        f"path = {path!r:.120} cannot be maintained: give {NOTES}/<slug>.md, {SKILLS}/<slug>.md or {PROFILE}."
    )
