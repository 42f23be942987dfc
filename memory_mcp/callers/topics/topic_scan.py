"""What every note or skill says of itself, read from the files: the source of the indexes.

A prompt is built from thousands of them, so that a file in the form that we write is read by one pattern over
its bytes; any other is read as a page is.
"""

from __future__ import annotations

import os
import re
import stat
from typing import NamedTuple

from memory_mcp.callers.caller_folder import CallerFolder, decode
from memory_mcp.callers.topics.topic_kind import TopicKind
from memory_mcp.errors import Conflict
from memory_mcp.model.caller_text import ACTUEL
from memory_mcp.model.page import MAX_FILE_BYTES
from memory_mcp.model.plain_text import one_line, with_lf
from memory_mcp.store.files import PLAIN_FILE
from memory_mcp.wiki.front_map import NotYaml
from memory_mcp.wiki.frontmatter import cut_file, read_front
from memory_mcp.wiki.heading_find import find_heading, find_title
from memory_mcp.wiki.prose import conflict_line
from memory_mcp.wiki.yaml_scalar import is_plain, resolve_scalar, scalar_text

_FIRST_READ = 16_384
_TIME = r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\dZ"
_OUR_FORM = re.compile(
    rf"---\nsummary: ([^\n\r]+)\ncreated: ({_TIME})\nupdated: ({_TIME})\n"
    r"(?:tags:(?: [^\n\r]*)?\n(?:  - [^\n\r]*\n)*)?(permanent: true\n)?(archived: true\n)?---\n"
    r"# ([^\n\r]+)\n\n## Actuel\n"
)


class TopicFacts(NamedTuple):
    """What is known of one note or skill, without its text.

    `path` is relative to the caller's folder, `summary` is the hook of its frontmatter, `title` its first
    heading, `created` and `updated` are RFC 3339 as written; "" where the file does not say. `mtime`, in
    seconds, is that of the file unless `updated` is as we write it. `unreadable` is a sentence if the file
    cannot be read, else "".
    (A tuple, because a prompt makes thousands: a frozen dataclass takes four times as long to make.)
    """

    slug: str
    path: str
    title: str = ""
    summary: str = ""
    created: str = ""
    updated: str = ""
    archived: bool = False
    permanent: bool = False
    has_actuel: bool = False
    mtime: float = 0.0
    unreadable: str = ""


def scan_topics(folder: CallerFolder, kind: TopicKind) -> list[TopicFacts]:
    """Every note or skill of a caller, sorted by slug; symbolic links and hidden files are none.

    Raises:
        InvalidInput: the folder is reached through a symbolic link.
        Unavailable: the operating system does not let us list it.
    """
    base, index = f"{folder.root}/{kind.folder}/", kind.index_name
    found = [_read(base + name, name, kind) for name in folder.names(kind.folder) if name != index]
    return [facts for facts in found if facts is not None]


def read_facts(text: str, slug: str, path: str, mtime: float = 0.0) -> TopicFacts:
    """What the text of a note or skill says of itself, in whatever form it is."""
    if (line := conflict_line(text)) is not None:
        sentence = f"{path} has merge conflict markers at line {line}: resolve them by hand."
        return TopicFacts(slug, path, mtime=mtime, unreadable=sentence)
    text = with_lf(text)
    parts = cut_file(text)
    body = parts.body
    values: dict[str, object] = {}
    if parts.opening:
        try:
            values = read_front(parts.front).values
        except NotYaml:
            body = text
    return TopicFacts(
        slug,
        path,
        title=find_title(body),
        summary=_text(values.get("summary")),
        created=_text(values.get("created")),
        updated=_text(values.get("updated")),
        archived=values.get("archived") is True,
        permanent=values.get("permanent") is True,
        has_actuel=find_heading(body, ACTUEL) is not None,
        mtime=mtime,
    )


def _read(file: str, name: str, kind: TopicKind) -> TopicFacts | None:
    """What a file says; None when it is gone, or no regular file, since it was listed."""
    slug = name[:-3]
    path = f"{kind.folder}/{name}"
    if not name.isascii() and (shown := name.encode("utf-8", "replace").decode()) != name:
        sentence = f"{kind.folder}/{shown} has a name that is not UTF-8: rename it."
        return TopicFacts(shown[:-3], f"{kind.folder}/{shown}", unreadable=sentence)
    try:
        descriptor = os.open(file, os.O_RDONLY | PLAIN_FILE)
        try:
            data = os.read(descriptor, _FIRST_READ)
            if len(data) < _FIRST_READ and (facts := _read_our_form(data, slug, path)) is not None:
                return facts
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None
            if status.st_size > MAX_FILE_BYTES:
                sentence = f"{path} is larger than {MAX_FILE_BYTES // 1024 // 1024} MB: split it."
                return TopicFacts(slug, path, mtime=status.st_mtime, unreadable=sentence)
            while status.st_size > len(data) and (more := os.read(descriptor, status.st_size - len(data))):
                data += more
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return None
    except OSError as error:
        return TopicFacts(slug, path, unreadable=f"{path} cannot be read: {error.strerror or error}.")
    try:
        return read_facts(data.decode(), slug, path, status.st_mtime)
    except UnicodeDecodeError:
        return TopicFacts(slug, path, mtime=status.st_mtime, unreadable=_not_utf8(data, path))


def _read_our_form(data: bytes, slug: str, path: str) -> TopicFacts | None:
    """What a file in the form that we write says; None for any other."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    found = _OUR_FORM.match(text)
    if found is None or (hook := _plain(found[1])) is None or "<<<<<<<" in text:
        return None
    _, created, updated, permanent, archived, title = found.groups()
    return TopicFacts(
        slug, path, title, hook, created, updated, archived is not None, permanent is not None, True
    )


def _plain(scalar: str) -> str | None:
    """What a scalar on one line means; None where only a real parser can tell."""
    if not scalar.isprintable():
        return None
    if scalar[0] == "'" == scalar[-1]:
        inner = scalar[1:-1]
        return inner.replace("''", "'") if inner and "'" not in inner.replace("''", "") else None
    if is_plain(scalar):
        value = resolve_scalar(scalar)
        return value if isinstance(value, str) else None
    return None


def _not_utf8(data: bytes, path: str) -> str:
    try:
        decode(data, path)
    except Conflict as error:
        return str(error)
    return ""


def _text(value: object) -> str:
    """A value of a frontmatter as one line."""
    return one_line(scalar_text(value)) if isinstance(value, str | int | float) else ""
