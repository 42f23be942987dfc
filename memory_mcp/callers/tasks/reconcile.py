"""Which tasks the first words of a session bring to an end.

People begin with what happened since: "the importer is done". A task that the text plainly reports as done
can be completed without asking again; one that it wants to drop is asked about. The text is compared as
lower-case words: apostrophes vanish, everything else that is no letter or digit is a space. When in
doubt nothing happens, since an agent can still ask.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from memory_mcp.callers.tasks.task import Task
from memory_mcp.model.record_id import ids_with_code

MIN_TITLE_CHARS = 4
MIN_NOTE_CHARS = 6
MAX_TEXT_CHARS = 4_000
"""A longer text is a paste rather than a report, and some word of it always says `done`."""

_APOSTROPHES = re.compile("['’‘ʼ＇]")
_NO_WORD = re.compile(r"[\W_]+")
_CODE = re.compile(r"\btask\s+#?([0-9a-f][0-9a-f-]{2,38}[0-9a-f])(?!\w)")
_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]?")

_DROP = (
    "dont need|do not need|no longer need|not doing|wont do|will not do|stop working on"
    "|skip|cancel|drop|ignore|forget|abandon|shelve"
)
_KEEP = re.compile(
    r" (?:dont|do not|never|not|cant|cannot|wont|will not|shouldnt|should not)"
    r" (?:skip|cancel|drop|ignore|forget|abandon|shelve)(?= )"
)
"""`don't forget the importer` wants anything but to drop it."""

_DONE = "done|finished|completed|shipped|resolved|fixed|wrapped up|closed out|closed"
_NOT_YET = (
    "not|never|dont|didnt|doesnt|isnt|arent|wasnt|werent|hasnt|havent|hadnt|cant|cannot|couldnt|wont"
    "|wouldnt|shouldnt|yet to|almost|nearly|if|when|once|until|unless"
)


def _any_of(phrases: str) -> re.Pattern[str]:
    return re.compile(rf" (?:{phrases})(?= )")


_WANTS_TO_DROP = _any_of(_DROP)
_IS_DONE = _any_of(_DONE)
_IS_NOT_DONE = _any_of(_NOT_YET)


@dataclass(frozen=True, slots=True)
class Boundary:
    """What the text means for these tasks: nothing, one is completed, or some may be dropped."""

    kind: Literal["none", "completed", "dismiss_confirmation"] = "none"
    tasks: tuple[Task, ...] = ()


def reconcile(user_text: str, active: Sequence[Task], ids: Collection[str]) -> Boundary:
    """Tell what the text brings to an end; a code must be unique among `ids`, those of all tasks."""
    text = _words(user_text)
    if not active or not text.strip() or len(user_text) > MAX_TEXT_CHARS:
        return Boundary()
    named = _named(user_text, text, active, ids)
    if not named:
        return Boundary()
    if _WANTS_TO_DROP.search(_KEEP.sub(" ", _without_names(text, named))):
        return Boundary("dismiss_confirmation", named)
    sentences = _SENTENCE.findall(user_text)
    told = "".join(each for each in sentences if not each.endswith("?"))
    statements = _without_names(_words(told), named)
    if len(named) == 1 and _IS_DONE.search(statements) and not _IS_NOT_DONE.search(statements):
        return Boundary("completed", named)
    return Boundary()


def _words(text: str) -> str:
    """The words of a text with one space before and after each."""
    return f" {_NO_WORD.sub(' ', _APOSTROPHES.sub('', text.lower())).strip()} "


def _named(user_text: str, text: str, active: Sequence[Task], ids: Collection[str]) -> tuple[Task, ...]:
    """The tasks that the text names by their code; else those whose title or note stands in it."""
    found = [ids_with_code(code, ids) for code in _CODE.findall(user_text.lower())]
    chosen = {each[0] for each in found if len(each) == 1}
    by_code = tuple(task for task in active if task.id in chosen)
    return by_code or tuple(task for task in active if _name_in(text, task))


def _name_in(text: str, task: Task) -> str:
    """The title of the task, else its note, as it stands in the text; "" when neither does."""
    for name, least in ((task.title, MIN_TITLE_CHARS), (task.note, MIN_NOTE_CHARS)):
        words = _words(name)
        if len(words) - 2 >= least and words in text:
            return words
    return ""


def _without_names(text: str, named: Sequence[Task]) -> str:
    """The text without the tasks' own words, which say nothing of what became of them."""
    for name in sorted((_name_in(text, task) for task in named), key=len, reverse=True):
        if name:
            text = text.replace(name, " ")
    return text
