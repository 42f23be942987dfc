"""What a hook is told by its command line, read without a parser, and by its environment.

A parser would cost more than all the rest of a hook.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DATA_DIR_VARIABLE = "MEMORY_MCP_DATA_DIR"
CALLER_VARIABLE = "MEMORY_MCP_CALLER"
OWNER_VARIABLE = "MEMORY_MCP_CAPTURE_OWNER"
"""Another program that records the agents it runs says so here: then hooks only tell, and record nothing."""
RUN_VARIABLE = "MEMORY_MCP_RUN_ID"

_VALUES = ("event", "agent", "data-dir", "caller", "extension", "source-event")
_FLAGS = ("capture-assistant", "no-capture-prompts", "recall", "check-capture")
_MAX_CALLER_CHARS = 200


class HookArguments:
    """What the client's configuration says about a hook; `problems` are arguments that mean nothing."""

    __slots__ = (
        *("agent", "caller", "capture_assistant", "capture_prompts", "check_capture", "data_dir", "event"),
        *("extension", "has_owner", "home", "problems", "project_folder", "recall", "run", "source_event"),
    )

    def __init__(self, arguments: Sequence[str], environ: Mapping[str, str]) -> None:
        values, flags, self.problems = _parse(arguments)
        self.event = values.get("event", "")
        self.agent = values.get("agent", "")
        self.data_dir = values.get("data-dir", "") or environ.get(DATA_DIR_VARIABLE, "")
        self.caller = (values.get("caller", "") or environ.get(CALLER_VARIABLE, "")).strip()[
            :_MAX_CALLER_CHARS
        ]
        self.extension = values.get("extension", "")
        self.source_event = values.get("source-event", "")
        self.capture_assistant = "capture-assistant" in flags
        self.capture_prompts = "no-capture-prompts" not in flags
        self.recall = "recall" in flags
        self.check_capture = "check-capture" in flags
        self.has_owner = bool(environ.get(OWNER_VARIABLE, "").strip())
        self.run = environ.get(RUN_VARIABLE, "").strip().lower()
        self.home = environ.get("HOME", "")
        self.project_folder = environ.get("CLAUDE_PROJECT_DIR", "")


def _parse(arguments: Sequence[str]) -> tuple[dict[str, str], set[str], list[str]]:
    values: dict[str, str] = {}
    flags: set[str] = set()
    problems: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or name not in (*_VALUES, *_FLAGS) or (equals and name in _FLAGS):
            problems.append(word)
        elif name in _FLAGS:
            flags.add(name)
        elif equals:
            values[name] = value
        elif rest and not rest[0].startswith("--"):
            values[name] = rest.pop(0)
        else:
            problems.append(word)
    return values, flags, problems
