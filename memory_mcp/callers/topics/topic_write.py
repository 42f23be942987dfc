"""Writing one note or skill on behalf of an agent: its file and its line in the index, in one change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory_mcp.callers.caller_change import CallerChanges
from memory_mcp.callers.caller_day import caller_day
from memory_mcp.callers.caller_folder import CallerFolder
from memory_mcp.callers.content_clean import clean_content
from memory_mcp.callers.topics import sections
from memory_mcp.callers.topics.index_write import with_topic, write_index
from memory_mcp.callers.topics.slug import check_slug
from memory_mcp.callers.topics.topic_file import Value, body_of, compose_topic
from memory_mcp.callers.topics.topic_index import entry_path, parse_index
from memory_mcp.callers.topics.topic_kind import TopicKind
from memory_mcp.callers.topics.topic_place import Place, by_slug, place_topic
from memory_mcp.callers.topics.topic_scan import read_facts, scan_topics
from memory_mcp.capture.sanitizer import CleanText, Sanitizer
from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, format_time
from memory_mcp.model.plain_text import one_line, with_lf
from memory_mcp.wiki.page_draft import check_text

MAX_TOPIC_CHARS = 300
MAX_HOOK_CHARS = 500

REPLACE = "replace"
ROTATE = "rotate_actuel"


@dataclass(frozen=True, slots=True)
class WrittenTopic:
    """What became of a write: `outcome` is created, updated or unchanged.

    `path` is relative to the caller's folder, `index` is the whole text of the index afterwards. `warnings`
    are sentences about what was done differently than asked, and what a person should mend. `commit` is None
    when nothing changed; `redacted` says whether the sanitizer took a secret out of the text.
    """

    path: str
    file: Path
    slug: str
    outcome: str
    mode: str
    index: str
    warnings: tuple[str, ...]
    commit: str | None
    redacted: bool


@dataclass(frozen=True, slots=True)
class _Draft:
    """A topic on the inner side of the sanitizer: only this reaches the disk."""

    topic: CleanText
    hook: str
    body: sections.Body
    redacted: bool


class TopicWriter:
    """Writes notes and skills."""

    def __init__(
        self, folder: CallerFolder, changes: CallerChanges, sanitizer: Sanitizer, clock: Clock
    ) -> None:
        self._folder = folder
        self._changes = changes
        self._sanitizer = sanitizer
        self._clock = clock

    def write(
        self,
        kind: TopicKind,
        topic: str,
        content: str,
        actor: Actor,
        *,
        hook: str = "",
        mode: str = REPLACE,
    ) -> WrittenTopic:
        """Let the topic's current text be `content`.

        `replace` drops the former text, `rotate_actuel` keeps it in the archive of the file. Without a hook
        the topic keeps the one that it has; a new one gets its name. A topic that was archived comes back.

        Raises:
            InvalidInput: an argument breaks its rule.
            Conflict: a person has to mend the file or the index first.
            Busy, Unavailable: see `WikiChanges.begin`.
        """
        draft = self._check(kind, topic, content, hook, mode)
        slug = check_slug(draft.topic, kind.argument)
        with self._changes.begin(kind.operation, kind.path(slug), actor) as change:
            topics = scan_topics(self._folder, kind)
            place = place_topic(draft.topic, by_slug(topics), kind)
            now = self._clock()
            old = with_lf(change.read_text(place.path))
            hook = draft.hook or self._known_hook(kind, place, change.read_text(kind.index))
            try:
                new = self._compose(old, draft, hook, mode, now)
            except Conflict as error:
                raise Conflict(f"{place.path} cannot be written: {error}") from error
            if new != old:
                change.put(place.path, new)
            index = write_index(change, kind, with_topic(topics, read_facts(new, place.slug, place.path)))
        outcome = "unchanged" if new == old else "created" if place.topic is None else "updated"
        warnings = (place.warning,) if place.warning else ()
        return WrittenTopic(
            path=place.path,
            file=self._folder.file(place.path),
            slug=place.slug,
            outcome=outcome,
            mode=mode,
            index=index.text,
            warnings=(*warnings, *draft.body.warnings, *index.warnings),
            commit=change.commit,
            redacted=draft.redacted,
        )

    def _check(self, kind: TopicKind, topic: str, content: str, hook: str, mode: str) -> _Draft:
        if mode not in (REPLACE, ROTATE):
            raise InvalidInput(f"mode = {mode!r:.60} is neither {REPLACE} nor {ROTATE}.")
        if not topic.strip():
            raise InvalidInput(f"{kind.argument} is blank: say what the {kind.name} is about.")
        check_text(topic, kind.argument, MAX_TOPIC_CHARS)
        check_text(hook, "hook", MAX_HOOK_CHARS)
        clean_topic, clean_hook = self._sanitizer.clean(topic), self._sanitizer.clean(hook)
        if clean_topic != topic:
            raise InvalidInput(f"{kind.argument} looks like it holds a secret: choose another name.")
        clean = clean_content(content, self._sanitizer, "keep what matters, or split it by topic.")
        return _Draft(
            clean_topic,
            one_line(clean_hook),
            sections.make_body(clean),
            redacted=clean != content or clean_hook != hook,
        )

    def _known_hook(self, kind: TopicKind, place: Place, index: str) -> str:
        """The hook that the index has for a file that has none of its own."""
        if place.topic is None or place.topic.summary:
            return ""
        hooks = [e.hook for e in parse_index(index).entries if entry_path(e, kind) == place.path]
        return hooks[-1] if hooks else ""

    def _compose(self, old: str, draft: _Draft, hook: str, mode: str, now: datetime) -> str:
        body, title = draft.body.text, one_line(draft.topic)
        old_body = body_of(old)
        if not old_body.strip():
            new_body = sections.fresh(f"# {title}", body)
        elif mode == REPLACE:
            new_body = sections.replace(old_body, body)
        elif sections.current(old_body) == body:
            new_body = old_body  # the same call again
        else:
            new_body = sections.rotate(old_body, body, caller_day(self._folder, now))
        facts = read_facts(old, "", "")
        values: dict[str, Value] = {"summary": hook or facts.summary or title, "archived": False}
        if not facts.created:
            values["created"] = format_time(now)
        if compose_topic(old, new_body, values) == old:
            return old
        return compose_topic(old, new_body, {**values, "updated": format_time(now)})
