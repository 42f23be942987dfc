"""The file of the `server-memory` MCP server: a graph, one JSON object a line.

{"type": "entity", "name": "Ana", "entityType": "person", "observations": ["Prefers tabs"]}
{"type": "relation", "from": "Ana", "to": "importer", "relationType": "maintains"}
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from memory_mcp.callers.topics.foreign_note import ForeignMemory, ForeignNote, read_source
from memory_mcp.model.plain_text import one_line

MAX_HOOK_CHARS = 160


@dataclass(slots=True)
class _Entity:
    line: int
    kind: str
    observations: list[str] = field(default_factory=list)
    relations: list[tuple[str, str]] = field(default_factory=list)


def read_server_memory(file: Path) -> ForeignMemory:
    """Read a file: an entity is a note, its observations are a list, its relations lead to other notes.

    Raises:
        InvalidInput: the file is not UTF-8, or larger than 32 MB.
        Unavailable: the operating system refuses.
    """
    text = read_source(file)
    memory = ForeignMemory(texts={file.name: text})
    entities: dict[str, _Entity] = {}
    relations: list[tuple[int, str, str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        match _read_line(line):
            case {"type": "entity", "name": str(name), "entityType": str(kind), "observations": list(texts)}:
                entity = entities.setdefault(name, _Entity(number, one_line(kind)))
                known = [text for text in texts if isinstance(text, str) and text.strip()]
                entity.observations += [each for each in known if each not in entity.observations]
            case {"type": "relation", "from": str(start), "to": str(end), "relationType": str(relation)}:
                relations.append((number, start, one_line(relation), end))
            case None if not line.strip():
                pass
            case _:
                memory.skipped.append((_place(file, number), "it is neither an entity nor a relation."))
    for number, start, relation, end in relations:
        if start not in entities:
            memory.skipped.append((_place(file, number), "the entity that the relation is from is missing."))
        elif (relation, end) not in entities[start].relations:
            entities[start].relations.append((relation, end))
    memory.notes += [_note(file, name, entity) for name, entity in entities.items()]
    return memory


def _read_line(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _place(file: Path, line: int) -> str:
    return f"{file.name}:{line}"


def _note(file: Path, name: str, entity: _Entity) -> ForeignNote:
    content = "\n".join("- " + text.strip().replace("\n", "\n  ") for text in entity.observations)
    first = f"{entity.kind}: {entity.observations[0]}" if entity.observations else entity.kind
    return ForeignNote(
        _place(file, entity.line),
        one_line(name),
        one_line(first, MAX_HOOK_CHARS),
        content,
        tags=(entity.kind,) if entity.kind else (),
        relations=tuple((relation, one_line(end)) for relation, end in entity.relations),
    )
