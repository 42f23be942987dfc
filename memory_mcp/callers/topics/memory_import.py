"""Taking in what another memory knew, as notes; nothing is altered at the source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from memory_mcp.callers.caller_change import CallerChanges
from memory_mcp.callers.caller_folder import NOTES, CallerFolder
from memory_mcp.callers.content_clean import MAX_CONTENT_BYTES
from memory_mcp.callers.topics.claude_memory import read_claude_memory
from memory_mcp.callers.topics.foreign_note import ForeignMemory, ForeignNote
from memory_mcp.callers.topics.index_write import write_index
from memory_mcp.callers.topics.sections import fresh, make_body
from memory_mcp.callers.topics.server_memory import read_server_memory
from memory_mcp.callers.topics.topic_file import Value, body_of, compose_topic
from memory_mcp.callers.topics.topic_kind import NOTE
from memory_mcp.callers.topics.topic_place import Place, by_slug, place_topic
from memory_mcp.callers.topics.topic_scan import TopicFacts, read_facts, scan_topics
from memory_mcp.callers.topics.topic_write import MAX_TOPIC_CHARS
from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.errors import InvalidInput, UserError
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, format_time
from memory_mcp.model.plain_text import with_lf
from memory_mcp.wiki.page_draft import check_characters, check_text
from memory_mcp.wiki.prose import conflict_line

ReadText = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of everything that was found; paths of notes are relative to the caller's folder.

    `skipped` holds (where, reason) of what was not taken, `secrets` holds (file, line, kind) of what looks
    like a secret in the source, never the secret.
    """

    imported: tuple[str, ...]
    unchanged: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, int, str], ...]


@dataclass(slots=True)
class _Plan:
    """Which notes are new, with their text, and what becomes of the others."""

    new: dict[str, str] = field(default_factory=dict)
    topics: list[TopicFacts] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


class MemoryImporter:
    """Makes notes of Claude Code's memory folder, or of the file of the `server-memory` MCP server."""

    def __init__(
        self, folder: CallerFolder, changes: CallerChanges, sanitizer: Sanitizer, clock: Clock
    ) -> None:
        self._folder = folder
        self._changes = changes
        self._sanitizer = sanitizer
        self._clock = clock

    def import_path(self, source: Path, actor: Actor, *, dry_run: bool = False) -> ImportReport:
        """Import a folder or a file in one commit; a note that exists with other text is kept and listed.

        Raises:
            InvalidInput: there is nothing at `source` that can be imported.
            Conflict: a person has to mend the index first.
            Busy, Unavailable: see `WikiChanges.begin`.
        """
        memory = self._read(source.expanduser().absolute())
        if dry_run:
            self._folder.check_owner()
            plan = self._plan(memory, self._folder.read_text)
        else:
            with self._changes.begin("memory-import", NOTES, actor) as change:
                plan = self._plan(memory, change.read_text)
                for path, text in plan.new.items():
                    change.put(path, text)
                if plan.new:
                    write_index(change, NOTE, plan.topics)
        skipped = [(place, self._sanitizer.clean(why)) for place, why in (*memory.skipped, *plan.skipped)]
        return ImportReport(
            tuple(plan.new), tuple(plan.unchanged), tuple(skipped), tuple(self._secrets(memory))
        )

    def _read(self, source: Path) -> ForeignMemory:
        if source.resolve().is_relative_to(self._folder.wiki.resolve()):
            raise InvalidInput(f"PATH = {str(source)!r} lies inside the wiki: it is remembered already.")
        if source.is_dir():
            memory = read_claude_memory(source)
            what = "markdown file of Claude Code's memory"
        elif source.is_file():
            try:
                memory = read_server_memory(source)
            except InvalidInput as error:
                raise InvalidInput(f"PATH = {str(source)!r} cannot be imported: {error}") from error
            what = "entity of a server-memory file"
            if not memory.notes:
                memory.skipped.clear()  # a file of another kind, every line of which would be told
        else:
            raise InvalidInput(f"PATH = {str(source)!r} does not exist: give a folder or a file.")
        if not memory.notes and not memory.skipped:
            raise InvalidInput(f"PATH = {str(source)!r} holds no {what}: there is nothing to import.")
        return memory

    def _plan(self, memory: ForeignMemory, read_text: ReadText) -> _Plan:
        plan = _Plan(topics=scan_topics(self._folder, NOTE))
        placed: list[tuple[ForeignNote, Place]] = []
        places: dict[str, Place] = {}
        there = by_slug(plan.topics)
        taken: set[str] = set()
        for note in memory.notes:
            try:
                self._check(note)
                place = place_topic(note.topic, there, NOTE)
            except UserError as error:
                plan.skipped.append((note.source, str(error)))
                continue
            if place.path in taken:
                plan.skipped.append((note.source, f"it has the topic of another one, {place.path}."))
                continue
            if place.topic is None:
                there[place.slug] = TopicFacts(place.slug, place.path, note.topic)
            taken.add(place.path)
            places[note.topic] = place
            placed.append((note, place))
        now = format_time(self._clock())
        for note, place in placed:
            self._take(note, place, places, read_text, now, plan)
        return plan

    def _check(self, note: ForeignNote) -> None:
        if self._sanitizer.clean(note.topic) != note.topic:
            raise InvalidInput("its name looks like it holds a secret: rename it.")
        check_text(note.topic, "its name", MAX_TOPIC_CHARS)
        check_characters(note.content, "its text")
        check_characters(note.hook, "its hook")
        if len(note.content.encode()) > MAX_CONTENT_BYTES:
            raise InvalidInput(f"its text has more than {MAX_CONTENT_BYTES:,} bytes: split it by topic.")
        if (line := conflict_line(note.content)) is not None:
            raise InvalidInput(f"its text has merge conflict markers at line {line}: resolve them first.")
        if not note.content.strip() and not note.relations:
            raise InvalidInput("it says nothing.")

    def _take(
        self,
        note: ForeignNote,
        place: Place,
        places: dict[str, Place],
        read_text: ReadText,
        now: str,
        plan: _Plan,
    ) -> None:
        body = fresh(f"# {note.topic}", make_body(_content(note, places)).text)
        if place.topic is not None:
            try:
                is_same = body_of(with_lf(read_text(place.path))) == body
            except UserError as error:
                plan.skipped.append((note.source, str(error)))
                return
            if is_same:
                plan.unchanged.append(place.path)
            else:
                reason = f"{place.path} says something else already, and was kept."
                plan.skipped.append((note.source, reason))
            return
        values: dict[str, Value] = {"summary": note.hook or note.topic, "created": now, "updated": now}
        if note.tags:
            values["tags"] = list(note.tags)
        text = compose_topic("", body, values)
        plan.new[place.path] = text
        plan.topics.append(read_facts(text, place.slug, place.path))

    def _secrets(self, memory: ForeignMemory) -> list[tuple[str, int, str]]:
        found = [
            (name, text.count("\n", 0, each.start) + 1, each.kind)
            for name, text in memory.texts.items()
            for each in self._sanitizer.find(text)
        ]
        return sorted(set(found))


def _content(note: ForeignNote, places: dict[str, Place]) -> str:
    """The text of a note with its relations as links to other notes."""
    lines = [f"- {relation} {_link(topic, places)}" for relation, topic in note.relations]
    return "\n\n".join(part for part in (note.content.strip("\n"), "\n".join(lines)) if part.strip())


def _link(topic: str, places: dict[str, Place]) -> str:
    place = places.get(topic)
    label = topic.replace("[", "\\[").replace("]", "\\]")
    return f"[{label}]({place.slug}.md)" if place else topic
