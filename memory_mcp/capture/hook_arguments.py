"""The arguments of `memory-mcp hook`, read without a parser: one would cost more than all the rest."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_VALUES = ("event", "agent", "data-dir", "caller", "extension", "source-event")
_FLAGS = ("capture-assistant", "no-capture-prompts", "recall", "check-capture")


class HookArguments:
    """What the client's configuration says about a hook; `problems` are arguments that mean nothing."""

    __slots__ = (
        *("agent", "caller", "capture_assistant", "capture_prompts", "check_capture", "data_dir", "event"),
        *("extension", "problems", "recall", "source_event"),
    )

    def __init__(self, arguments: Sequence[str]) -> None:
        values, flags, self.problems = _parse(arguments)
        self.event = values.get("event", "")
        self.agent = values.get("agent", "")
        self.data_dir = values.get("data-dir", "")
        self.caller = values.get("caller", "")
        self.extension = values.get("extension", "")
        self.source_event = values.get("source-event", "")
        self.capture_assistant = "capture-assistant" in flags
        self.capture_prompts = "no-capture-prompts" not in flags
        self.recall = "recall" in flags
        self.check_capture = "check-capture" in flags


def _parse(arguments: Sequence[str]) -> tuple[dict[str, str], set[str], list[str]]:
    values: dict[str, str] = {}
    flags: set[str] = set()
    problems: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or name not in (*_VALUES, *_FLAGS):
            problems.append(word)
        elif name in _FLAGS:
            flags.add(name)
        elif equals:
            values[name] = value
        elif rest:
            values[name] = rest.pop(0)
        else:
            problems.append(word)
    return values, flags, problems
