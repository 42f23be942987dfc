"""Telling by a look at the bytes of a record's file that the record is closed.

Every record stays for a while after its end, so that most files are of closed ones, and to parse one takes
five times as long as to open it. The look is sure only of the form that we write: one `state` line, keys with
values that no reader of YAML could take for more than they are, and a history of two events, that the record
was made and that it came to the end which `state` names. What two clones closed, what was given back in
between, and every other file is parsed.
"""

from __future__ import annotations

import re
from functools import cache

from memory_mcp.model.record import RECORD_TYPES, RecordType

_QUOTED = r"'(?:[^'\n\t]|'')*'"
_VALUE = rf"(?:[0-9A-Za-z._/(\x80-\xff][^\n\t:#]*(?:(?::(?![ \n])|(?<! )#)[^\n\t:#]*)*|{_QUOTED})"
_KEY = rf"(?!(?:state|history):)[a-z_]+:(?: {_VALUE}| \[\]|(?:\n  - {_VALUE})+)\n"
_WORD = r"[0-9A-Za-z][0-9A-Za-z._/@+-]*"
_REST = rf"(?:, [a-z]+: (?:{_WORD}(?: {_WORD})*|{_QUOTED}))*\}}\n"
_AT = r"  - \{at: [0-9]{4}(?:-[0-9]{2}){2}T[0-9]{2}(?::[0-9]{2}){2}Z, event: "


def is_surely_closed(data: bytes, kind: RecordType) -> bool:
    """Whether the file is of a record that is closed, whoever reads it; if not, it may still be closed."""
    return _closed(kind.name).match(data) is not None


@cache
def _closed(name: str) -> re.Pattern[bytes]:
    kind = RECORD_TYPES[name]
    ends = "|".join(event for event in kind.events[1:] if kind.state_of.get(event) == event)
    text = (
        rf"---\nstate: ({ends})\ntype: {name}\n(?:{_KEY})+history:\n"
        rf"{_AT}{kind.events[0]}{_REST}{_AT}\1{_REST}---\n"
    )
    return re.compile(text.encode("latin-1"))
