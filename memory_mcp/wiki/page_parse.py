"""A page's bytes as a `Page`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memory_mcp.errors import UserError
from memory_mcp.model.page import MAX_BODY_BYTES, MAX_TITLE_CHARS, Page, PageMeta, version_of
from memory_mcp.model.page_place import kind_of_place
from memory_mcp.model.scope import Scope
from memory_mcp.wiki.front_map import NotYaml
from memory_mcp.wiki.frontmatter import Front, cut_file, read_front
from memory_mcp.wiki.meta_read import read_meta
from memory_mcp.wiki.prose import blank_code, conflict_line

if TYPE_CHECKING:
    from memory_mcp.model.link import Link

_HEADING = re.compile(r"^ {0,3}#[ \t]+(\S.*)$", re.MULTILINE)
_LEDGER = re.compile(
    r"\s*(?:# Log\b[^\n]*\n\s*)?## \[\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z\] [a-z0-9-]+ \|", re.ASCII
)
_NO_FRONT = Front({})


class UnreadablePage(UserError):
    """The file is no page: its bytes are not UTF-8 text."""


def parse_page(scope: Scope, path: str, data: bytes, *, with_links: bool = True) -> Page:
    """Parse the file at `path` of a scope; whatever is odd about it becomes one of the page's `problems`.

    Without `with_links` its links are not looked for.

    Raises:
        UnreadablePage: the bytes are not UTF-8.
    """
    text = _decode(data, f"{scope}/{path}")
    parts = cut_file(text)
    body, front_text, front = parts.body, parts.front, _NO_FRONT
    problems: list[str] = []
    if front_text:
        try:
            front = read_front(front_text)
            problems += front.problems
        except NotYaml as fault:
            problems.append(
                f"the block between '---' lines is not YAML (line {fault.line + 2}: {fault.reason}), "
                "so it is read as text"
            )
            body, front_text = text[len(parts.bom) :], ""
    meta, wrong = read_meta(front.values)
    problems += wrong
    if path.startswith("_slots/"):
        meta = replace(meta, pinned=True, slot_kind=meta.slot_kind or "state")
    if len(data) > MAX_BODY_BYTES and len(body.encode()) > MAX_BODY_BYTES:
        problems.append(
            f"it is {len(data):,} bytes long: only the first {MAX_BODY_BYTES:,} bytes can be found"
        )
    if (line := conflict_line(text)) is not None:
        problems.append(f"merge conflict markers at line {line}")
    return Page(
        scope=scope,
        path=path,
        version=version_of(data),
        title=_title(meta, body, path),
        kind=meta.kind or kind_of_place(scope, path),
        meta=meta,
        front=front_text,
        body=body,
        links=_links(meta, body[:MAX_BODY_BYTES], path) if with_links else (),
        problems=tuple(problems),
        front_valid=front.valid,
    )


def is_ledger(text: str) -> bool:
    """Whether a file's text (with or without its frontmatter) is an event log, which is not a page.

    The first line of such a body, after a heading `# Log…` if any, is `## [time] event | detail`.
    """
    return "## [" in text and _LEDGER.match(cut_file(text).body) is not None


def _decode(data: bytes, name: str) -> str:
    """The text of a page's bytes.

    Raises:
        UnreadablePage: they are not UTF-8; the message calls the page `name`.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadablePage(
            f"{name} is not UTF-8 text (byte 0x{data[error.start]:02x} on line {line}): "
            "save it as UTF-8 to have it read."
        ) from error


def _title(meta: PageMeta, body: str, path: str) -> str:
    title = meta.title or _first_heading(body)
    if title:
        return " ".join(title.split())[:MAX_TITLE_CHARS]
    return path.rpartition("/")[2].removesuffix(".md")


def _first_heading(body: str) -> str | None:
    found = _HEADING.search(body)
    if found is None:
        return None
    before = body[: found.start()]
    if "```" in before or "~~~" in before or "<!--" in before:
        found = _HEADING.search(blank_code(body[:MAX_BODY_BYTES]))
        if found is None:
            return None
        found = _HEADING.match(body, found.start())  # with the code in the heading itself
        if found is None:
            return None
    heading = found[1].rstrip()
    without_closing = heading.rstrip("#")
    return without_closing.rstrip() if without_closing[-1:] in ("", " ", "\t") else heading


def _links(meta: PageMeta, body: str, path: str) -> tuple[Link, ...]:
    from memory_mcp.wiki.links import (  # noqa: PLC0415 - patterns that a hook has no time to compile
        extract_links,
        parse_target,
        sort_links,
    )

    links = extract_links(body, path)
    if not meta.relations:
        return links
    typed = [
        link
        for relation, targets in meta.relations.items()
        for target in targets
        if (link := parse_target(target, relation=relation))
    ]
    return sort_links({*links, *typed})
