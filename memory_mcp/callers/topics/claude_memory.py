"""Claude Code's own memory of a project: a folder with `MEMORY.md` and one file a topic.

A line of MEMORY.md is `- [Title](file.md) — hook`; a file may start with frontmatter that holds `name`,
`description` and `type`. What else MEMORY.md says becomes a note of its own.
"""

from __future__ import annotations

import re
from pathlib import Path

from memory_mcp.callers.topics.foreign_note import ForeignMemory, ForeignNote, read_source
from memory_mcp.errors import InvalidInput, UserError
from memory_mcp.model.plain_text import one_line
from memory_mcp.wiki.front_map import NotYaml
from memory_mcp.wiki.frontmatter import cut_file, read_front
from memory_mcp.wiki.heading_find import find_title

INDEX_NAME = "MEMORY.md"

_LINK = re.compile(r"\s*[-*+]\s+\[([^\]]+)\]\((?:\./)?([^)/]+\.md)\)\s*(?:[—–:-]+\s*)?(.*)")


def read_claude_memory(folder: Path) -> ForeignMemory:
    """Read a folder; nothing in it is changed."""
    memory = ForeignMemory()
    links: dict[str, tuple[str, str]] = {}
    for file in sorted(folder.glob("*.md"), key=lambda file: (file.name != INDEX_NAME, file.name)):
        try:
            if file.is_symlink():
                raise InvalidInput("it is a symbolic link.")
            text = read_source(file)
        except UserError as error:
            memory.skipped.append((file.name, str(error)))
            continue
        memory.texts[file.name] = text
        if file.name == INDEX_NAME:
            links, rest = _read_index(text)
            if rest:
                memory.notes.append(_rest_note(folder, rest))
        else:
            memory.notes.append(_topic_note(file.name, text, *links.get(file.name, ("", ""))))
    for name in sorted(links.keys() - memory.texts.keys()):
        memory.skipped.append((INDEX_NAME, f"the file {one_line(name, 80)} that it names is missing."))
    return memory


def _read_index(text: str) -> tuple[dict[str, tuple[str, str]], str]:
    """Title and hook by file name, and the text that is no link line, "" if that is headings alone."""
    links: dict[str, tuple[str, str]] = {}
    others: list[str] = []
    for line in text.split("\n"):
        if found := _LINK.fullmatch(line):
            title, name, hook = found.groups()
            links[name] = (one_line(title), one_line(hook))
        else:
            others.append(line)
    has_text = any(line.strip() and not line.startswith("#") for line in others)
    return links, "\n".join(others).strip() if has_text else ""


def _rest_note(folder: Path, text: str) -> ForeignNote:
    project = folder.parent.name if folder.name == "memory" else folder.name
    hook = "What Claude Code's own memory of this project said beside its topics"
    return ForeignNote(INDEX_NAME, f"Claude Code memory {project}", hook, text)


def _topic_note(name: str, text: str, title: str, hook: str) -> ForeignNote:
    parts = cut_file(text)
    body, values = parts.body, {}
    if parts.opening:
        try:
            values = read_front(parts.front).values
        except NotYaml:
            body = text
    heading = find_title(body)
    topic = title or _text(values.get("name")) or one_line(heading) or name.removesuffix(".md")
    if heading and one_line(heading) == topic and body.lstrip().startswith("# "):
        body = body.lstrip().partition("\n")[2]
    kind = _text(values.get("type"))
    return ForeignNote(
        name, topic, hook or _text(values.get("description")), body, tags=(kind,) if kind else ()
    )


def _text(value: object) -> str:
    return one_line(value) if isinstance(value, str) else ""
