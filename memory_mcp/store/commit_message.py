"""What a commit of ours says, in one place for writing and for reading.

`<operation>: <subject>`, an empty line, and trailers, so that `git log` is the audit log of the wiki. The
author is who caused the change: the client that called a tool, or the person who edited a file. The
committer is always the product.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from memory_mcp.model.actor import Actor
from memory_mcp.model.plain_text import one_line

COMMITTER = ("memory-mcp", "memory-mcp@memory-mcp.invalid")
"""`.invalid` is the top-level domain that no mail can reach (RFC 2606)."""

OPERATION = "Memory-Operation"
ACTOR = "Memory-Actor"
SESSION = "Memory-Session"

HAND_EDIT = "hand-edit"
PERSON = Actor("person")

MAX_SUBJECT_CHARS = 200

_TRAILER = re.compile(r"([A-Za-z][A-Za-z0-9-]*): (.*)\Z")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Signature(NamedTuple):
    """Who did it and when, as git writes it: `Name <email> seconds +0000`."""

    name: str
    email: str
    when: datetime


def actor_signature(actor: Actor, when: datetime) -> Signature:
    """The author of what a client did through a tool."""
    name = _UNSAFE.sub("-", actor.name).strip(".-")[:64] or "unknown"
    return Signature(name, f"{name}@memory-mcp.invalid", when)


def person_signature(name: str, email: str, when: datetime) -> Signature:
    """The author of an edit made by hand; what git cannot store in a name or address is dropped."""
    return Signature(
        _plain_identity(name) or "person", _plain_identity(email) or "person@memory-mcp.invalid", when
    )


class CommitMessage(NamedTuple):
    """What was done (`write-page`), to what (a path), and by whom."""

    operation: str
    subject: str
    actor: Actor

    def text(self) -> str:
        """The message as git stores it; nothing in it can leave its line and forge a trailer."""
        verb = "edit" if self.operation == HAND_EDIT else self.operation
        trailers = {OPERATION: self.operation, ACTOR: self.actor.name, SESSION: self.actor.session}
        lines = [one_line(f"{verb}: {self.subject}", MAX_SUBJECT_CHARS), ""]
        lines += [f"{key}: {one_line(value, MAX_SUBJECT_CHARS)}" for key, value in trailers.items() if value]
        return "\n".join(lines) + "\n"


def hand_edit_message(paths: list[str]) -> CommitMessage:
    """The message of a commit made in the name of the person who edited files by hand."""
    shown = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    return CommitMessage(HAND_EDIT, shown, PERSON)


def parse_message(text: str) -> tuple[str, Mapping[str, str]]:
    """The subject line and the trailers of any commit's message."""
    paragraphs = text.strip("\n").split("\n\n")
    subject = paragraphs[0].split("\n", 1)[0]
    found = [_TRAILER.match(line) for line in paragraphs[-1].split("\n")] if len(paragraphs) > 1 else []
    return subject, {match[1]: match[2] for match in found if match}


def _plain_identity(text: str) -> str:
    return one_line(re.sub(r"[<>]", "", text), 100).strip(" .,:;\"'")
