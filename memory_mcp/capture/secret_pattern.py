"""One class of secrets, and how a text is searched for it.

A pattern is tried where one of its `needles` stands, which are found without a regular expression: a text
without them costs next to nothing, and for it nothing is compiled. What is found begins with the needle, or
before it where `in_head` says so; a pattern that began with "any name" would try one at every character.

Each pattern takes linear time: what it matched and `accept` then refused must be short, or end where no other
match begins, since the search goes on inside it.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Set

WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
WORD_END = "(?![A-Za-z0-9_])"
LETTERS_AND_DIGITS = WORD - {"_"}
_HEX = frozenset("0123456789ABCDEFabcdef")

_MAX_MASK_CHARS = 200


class Found:
    """Where something that looks like a secret stands in a text, and of which kind it is."""

    __slots__ = ("end", "kind", "start")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end


def is_no_mask(head: str, match: re.Match[str]) -> bool:
    """Whether this is more than the placeholder of a manual, `ghp_xxxxxxxxxxxxxxxxxxxxxxxx`."""
    return match.end() - match.start() > _MAX_MASK_CHARS or len({*match[0][-16:].lower()}) > 2


class SecretPattern:
    """One class of secrets.

    Each match of `regex` begins with one of `needles`; with `any_case` they are in lower case, and found in
    any. It stands after one of the texts `after`, if there are any, and after no character of `not_after`.
    `accept` sees the head, which are the characters to the left as long as `in_head` accepts them, and the
    match, and says whether it is a secret.
    """

    __slots__ = ("accept", "after", "any_case", "in_head", "kind", "needles", "not_after", "regex")

    def __init__(
        self,
        kind: str,
        needles: tuple[str, ...],
        regex: str,
        *,
        any_case: bool = False,
        after: tuple[str, ...] = (),
        not_after: Set[str] = frozenset(),
        in_head: Callable[[str], bool] | None = None,
        accept: Callable[[str, re.Match[str]], bool] = is_no_mask,
    ) -> None:
        self.kind = kind
        self.needles = needles
        self.regex = regex
        self.any_case = any_case
        self.after = after
        self.not_after = not_after
        self.in_head = in_head
        self.accept = accept

    def find(self, text: str, lower: str) -> Iterator[Found]:
        """Each such secret in the text; `lower` is `lower_case(text)`."""
        starts = self._starts(text, lower if self.any_case else text)
        if not starts:
            return
        match_at = re.compile(self.regex).match
        floor = 0
        for at in starts:
            match = match_at(text, at) if at >= floor else None
            if match is None:
                continue
            start = at
            if self.in_head:
                while start > floor and self.in_head(text[start - 1]):
                    start -= 1
            if self.accept(text[start:at], match):
                yield Found(self.kind, start, match.end())
                floor = match.end()

    def _starts(self, text: str, searched: str) -> list[int]:
        """Where a needle stands behind what may stand before it."""
        starts = []
        after, not_after = self.after, self.not_after
        for needle in self.needles:
            at = searched.find(needle)
            while at >= 0:
                if after:
                    if searched.endswith(after, 0, at):
                        starts.append(at)
                elif at == 0 or text[at - 1] not in not_after or _is_escape(text, at):
                    starts.append(at)
                at = searched.find(needle, at + 1)
        if len(self.needles) > 1:
            starts.sort()
        return starts


class AnyPattern:
    """A pattern of a person, of which nothing is known but the regular expression."""

    __slots__ = ("regex",)

    def __init__(self, regex: str) -> None:
        self.regex = regex

    def find(self, text: str) -> Iterator[Found]:
        """Each match that is not empty, and does not overlap the one before it."""
        for match in re.finditer(self.regex, text):
            if match[0]:
                yield Found("extra-pattern", match.start(), match.end())


def lower_case(text: str) -> str:
    """The text in lower case, each character where it was."""
    return text.replace("\u0130", "I").lower()  # the only one that becomes two


def tail_of(match: re.Match[str]) -> str:
    """The first characters after the match."""
    return match.string[match.end() : match.end() + 8]


def _is_escape(text: str, at: int) -> bool:
    """Whether before this stands no letter but an escape: `\\n` in JSON or code, `%3D` in a URL."""
    two = text[max(0, at - 2) : at]
    if two[0] == "\\":
        return two[-1] in "nrtbf"
    return at > 2 and text[at - 3] == "%" and two[0] in _HEX and two[1] in _HEX
