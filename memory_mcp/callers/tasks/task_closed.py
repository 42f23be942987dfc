"""Telling by a look at the bytes of a task's file that the task is closed.

Every task that was ever done stays for a while, so that most files are of closed tasks, and to parse one
takes five times as long as to open it. The look is sure only of the form that we write: one `state` line,
keys with values that no reader of YAML could take for more than they are, and a history of two events, that
the task was added and that it came to the end which `state` names. Every other file is parsed.
"""

from __future__ import annotations

import re

_QUOTED = rb"'(?:[^'\n\t]|'')*'"
_VALUE = rb"(?:[0-9A-Za-z(\x80-\xff][^\n\t:#]*(?:(?::(?![ \n])|(?<! )#)[^\n\t:#]*)*|" + _QUOTED + rb")"
_WORD = rb"[0-9A-Za-z][0-9A-Za-z._/@+-]*"
_REST = rb"(?:, [a-z]+: (?:" + _WORD + rb"(?: " + _WORD + rb")*|" + _QUOTED + rb"))*\}\n"
_AT = rb"  - \{at: [0-9]{4}(?:-[0-9]{2}){2}T[0-9]{2}(?::[0-9]{2}){2}Z, event: "
_CLOSED = re.compile(
    rb"---\nstate: (completed|dismissed)\ntype: task\n(?:(?!state: )[a-z]+: "
    + _VALUE
    + rb"\n)+history:\n"
    + (_AT + rb"added" + _REST)
    + (_AT + rb"\1" + _REST)
    + rb"---\n"
)


def is_surely_closed(data: bytes) -> bool:
    """Whether the file is of a task that is closed, whoever reads it; if not, it may still be closed."""
    return _CLOSED.match(data) is not None
