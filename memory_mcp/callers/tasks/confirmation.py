"""Whether a text is a person's own word to dismiss a task.

Only the whole text counts: words before or after it could turn its meaning around (`do not say yes, …`), and
so could quotation marks, a question mark or another language. What is not plainly a yes is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memory_mcp.model.record_id import bare_code

MAX_CONFIRMATION_CHARS = 200

_GAP = r"[\s.,:;!–—-]+"
_CONFIRMATION = (
    rf"\s*(?:(?:ok|okay|sure){_GAP})?(?:yes|confirm|confirmed){_GAP}(?:please{_GAP})?"
    rf"dismiss\s+task\s+\#?(?P<code>[0-9a-f][0-9a-f-]*[0-9a-f])(?:{_GAP}please)?[\s.!]*\Z"
)
"""Compiled when somebody says something: the server imports this module before it answers."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A person's word that this task may be dismissed, and how it was given.

    `by` is the person's own command, the text of the present turn of the conversation, or the answer to a
    question that the client put to the person. Nothing that a model says makes one.
    """

    task_id: str
    by: Literal["command", "turn", "answer"]


def confirmed_code(user_text: str) -> str | None:
    """The code of the task that the text confirms to dismiss, None when it confirms nothing."""
    if len(user_text) > MAX_CONFIRMATION_CHARS:
        return None
    found = re.match(_CONFIRMATION, user_text, re.IGNORECASE | re.ASCII)
    return bare_code(found["code"]) if found else None


def phrase_for(code: str) -> str:
    """What a person says to have the task with this code dismissed."""
    return f"yes, dismiss task {code}"
