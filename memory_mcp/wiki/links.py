"""The links of a page, as written in its body and in its `relations`.

Wikilinks `[[page]]`, `[[page#heading|label]]`, `[[project:page]]`, `[[workspace/project:page]]` name a
path from the top of a scope; `./` and `../` make them relative. Markdown links `[label](page.md#part)` and
definitions `[label]: page.md` are relative to the page's folder; a leading `/` is the top of the scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from memory_mcp.model.link import Link
from memory_mcp.model.page_path import MAX_PATH_BYTES, inside_rule
from memory_mcp.model.scope import GLOBAL
from memory_mcp.wiki.prose import blank_code

_SPACE = r"[ \t]*(?:\r?\n[ \t]*)?"
_DESTINATION = r"(?:<([^<>\n]{0,2048})>|((?:[^\s()<>\\]|\\.|\([^\s()]{0,256}\)){1,2048}))"
_BRACKET = re.compile(r"[\\\[\]]")
_WIKILINK = re.compile(r"\[\[([^\[\]\n]{1,1024})\]\]")
_INLINE = re.compile(rf"\({_SPACE}{_DESTINATION}(?={_SPACE}(?:\)|(?<=\s)[\"'(]))")
_DEFINITION = re.compile(
    rf"^[ >]{{0,12}}\[(?!\^)[^\[\]\n]{{1,999}}\]:{_SPACE}{_DESTINATION}(?=[ \t\r]*$|[ \t]+[\"'(])",
    re.MULTILINE,
)
_SCOPED = re.compile(
    r"(?:([a-z0-9][a-z0-9._-]{0,99})/)?([a-z0-9][a-z0-9._-]{0,99}|_global):(?=[^\s/:])(.+)\Z"
)
_SCHEMES = re.compile(r"(?:https?|ftps?|file|mailto|tel|sms|data|javascript|about|ssh|git|memory|obsidian)\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}\Z")
_ATTACHMENT = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|ico|avif|heic|pdf|mp3|m4a|wav|ogg|flac|mp4|mov|mkv|webm|avi|zip|gz|tar|tgz"
    r"|xz|7z|rar|csv|tsv|xlsx?|ods|docx?|odt|pptx?|odp|epub|txt|html?|jsonl?|ya?ml|toml|xml|canvas|base|ipynb"
    r"|markdown)\Z",
    re.IGNORECASE,
)
"""What makes a wikilink one to a file. `[[v1.2 notes]]` and `[[Node.js]]` are pages."""


def extract_links(body: str, path: str) -> tuple[Link, ...]:
    """The links of the body of the page at `path` to other pages, each once, sorted.

    Links out of the wiki, to other files, and out of the scope's folder are left out, and so is whatever
    stands in code or comments.
    """
    if "[[" not in body and "](" not in body and "]:" not in body:
        return ()
    prose = blank_code(body)
    folder = path.rpartition("/")[0]
    wikilinks: set[str] = set()
    destinations: set[str] = set()
    is_link: list[bool] = []  # of every open bracket: false for the text of an image
    done = 0
    for bracket in _BRACKET.finditer(prose):
        start = bracket.start()
        if start < done:
            continue
        if prose[start] == "\\":
            done = start + 2
        elif prose[start] == "[":
            if wikilink := _WIKILINK.match(prose, start):
                wikilinks.add(wikilink[1])
                done = wikilink.end()
            else:
                is_link.append(prose[start - 1 : start] != "!" or prose[start - 2 : start - 1] == "\\")
        elif is_link and is_link.pop() and (inline := _INLINE.match(prose, start + 1)):
            destinations.add(inline[1] or inline[2] or "")
    if "]:" in prose:
        destinations.update(angle or plain for angle, plain in _DEFINITION.findall(prose))
    links = {parse_target(text, folder) for text in wikilinks}
    links.update(_parse_destination(text, folder) for text in destinations)
    return sort_links(link for link in links if link)


def sort_links(links: Iterable[Link]) -> tuple[Link, ...]:
    """The links in the order of their target; a page's own scope comes first."""
    return tuple(sorted(links, key=_link_order))


def parse_target(text: str, folder: str = "", relation: str = "") -> Link | None:
    """The link that a wikilink's target (with or without brackets) stands for; None if no page's.

    `folder` is that of the page, for targets that begin with `./` or `../`.
    """
    target = text.strip()
    if target.startswith("[[") and target.endswith("]]"):
        target = target[2:-2]
    target = target.partition("|")[0].rstrip("\\").partition("#")[0].strip()
    workspace: str | None = None
    project: str | None = None
    if scoped := _SCOPED.match(target):
        workspace, project, target = scoped.groups()
        if workspace is None and _SCHEMES.match(project):
            return None
        if workspace is None and project == GLOBAL.project:
            workspace = GLOBAL.workspace
    elif "://" in target:
        return None
    if _ATTACHMENT.search(target):
        return None
    if not target.endswith(".md"):
        target += ".md"
    is_relative = target.startswith(("./", "../")) and project is None
    page = _normalise(target, folder if is_relative else "")
    return Link(workspace, project, page, relation, bare="/" not in target) if page else None


def _parse_destination(text: str, folder: str) -> Link | None:
    """The link that the destination of a markdown link stands for."""
    target = text.strip()
    if _SCHEME.match(target) or target.startswith("//"):
        return None
    target = _ESCAPE.sub(r"\1", target).partition("#")[0].partition("?")[0]
    if "%" in target:
        target = unquote(target, errors="replace")
    if not target or target.endswith("/"):
        return None
    name = target.rpartition("/")[2]
    if not name.endswith(".md"):
        if _EXTENSION.search(name):
            return None
        target += ".md"
    page = _normalise(target, folder)
    return Link(None, None, page) if page else None


def _normalise(target: str, folder: str) -> str | None:
    """The path from the top of the scope without `.` and `..`; None if it is no page's or leads out."""
    parts = folder.split("/") if folder and not target.startswith("/") else []
    for part in target.removeprefix("/").split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    path = "/".join(parts)
    if len(path) > MAX_PATH_BYTES or parts[-1:] == [".md"] or not path.endswith(".md") or inside_rule(path):
        return None
    return path


def _link_order(link: Link) -> tuple[str, str, str, str, bool]:
    return link.workspace or "", link.project or "", link.path, link.relation, link.bare
