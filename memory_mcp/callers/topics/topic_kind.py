"""The two kinds of topics: notes, which know something, and skills, which know how to do something."""

from __future__ import annotations

from dataclasses import dataclass

from memory_mcp.callers.caller_folder import NOTE_INDEX, NOTES, SKILL_INDEX, SKILLS


@dataclass(frozen=True, slots=True)
class TopicKind:
    """Where the topics of a kind lie, by paths relative to the caller's folder.

    `argument` is what tools call a topic's name, `operation` what git calls a write of one; `link_prefix`
    leads from the index to a file.
    """

    name: str
    argument: str
    operation: str
    folder: str
    index: str
    link_prefix: str

    @property
    def index_name(self) -> str:
        """The file name of the index."""
        return self.index.rpartition("/")[2]

    def path(self, slug: str) -> str:
        """The file of a topic."""
        return f"{self.folder}/{slug}.md"


NOTE = TopicKind("note", "topic", "memory-write", NOTES, NOTE_INDEX, "notes/")
SKILL = TopicKind("skill", "name", "skill-write", SKILLS, SKILL_INDEX, "")
KINDS = (NOTE, SKILL)
