"""The notes and skills of one caller, over a real store."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_mcp.callers.topics.topic_kind import NOTE, TopicKind
from memory_mcp.callers.topics.topic_maintain import Maintained
from memory_mcp.callers.topics.topic_write import WrittenTopic
from tests.memory import CODEX, Memory


class Topics:
    """What agents do with topics, and what stands in the files."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.root = memory.wiki / "_callers" / "default"

    def write(
        self, topic: str = "Retries", content: str = "Three times.", kind: TopicKind = NOTE, **how: str
    ) -> WrittenTopic:
        return self.memory.app.caller.topic_writer.write(kind, topic, content, CODEX, **how)

    def maintain(self, action: str, path: str) -> Maintained:
        return self.memory.app.caller.topic_maintainer.maintain(action, path, CODEX)

    def put(self, path: str, text: str | bytes) -> Path:
        """Write a file by hand."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def body(self, path: str) -> str:
        """What stands behind the frontmatter."""
        return self.text(path).split("---\n", 2)[2]

    def entries(self, path: str = "memory/MEMORY.md") -> list[str]:
        return [line for line in self.text(path).splitlines() if line.startswith("- ")]


@pytest.fixture
def topics(memory: Memory) -> Topics:
    return Topics(memory)
