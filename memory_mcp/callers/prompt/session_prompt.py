"""The text that a session starts with: the agent, the rules, the memory, the tasks, what needs mending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_mcp.callers.caller_facts import read_facts
from memory_mcp.callers.caller_folder import CallerFolder
from memory_mcp.callers.caller_lint import SNAPSHOT_CHARS, lint
from memory_mcp.callers.prompt.maintenance import maintenance_block
from memory_mcp.callers.prompt.prompt_version import prompt_version
from memory_mcp.callers.prompt.snapshot import snapshot
from memory_mcp.callers.prompt.tasks_block import tasks_block
from memory_mcp.errors import UserError
from memory_mcp.model.clock import Clock

if TYPE_CHECKING:
    from memory_mcp.callers.recall import Recall

SEPARATOR = "\n\n---\n\n"
PROMPT_CHARS = 9_300
"""The most characters without identity and runtime context: clients cut answers from about 10,000 on."""
RECALL_CHARS = 1_800
ASKED_PROMPT_CHARS = 9_850
"""The same with the candidates of a vague request."""
LEAST_SNAPSHOT_CHARS = 4_700
"""What the memory keeps even beside long rules and candidates: the whole profile, and a word of the rest."""


@dataclass(frozen=True, slots=True)
class BuiltPrompt:
    """A prompt and its stamp, which changes when a file that the prompt carries does."""

    text: str
    version: str


class SessionPrompt:
    """Builds the prompt of one caller from the files as they are; nothing is written.

    `rules` gives the memory rules in force, `recall` finds what a vague request may mean.
    """

    def __init__(
        self, folder: CallerFolder, rules: Callable[[], str], recall: Callable[[], Recall], clock: Clock
    ) -> None:
        self._folder = folder
        self._rules = rules
        self._recall = recall
        self._clock = clock

    def version(self) -> str:
        """The stamp of the prompt as it would be now; rules that cannot be read count as none."""
        try:
            rules = self._rules()
        except UserError:
            rules = ""
        return prompt_version(self._folder, rules)

    def build(self, identity: str = "", runtime_context: str = "", request: str = "") -> BuiltPrompt:
        """Compose the prompt; for a vague `request`, which is the user's text, with what it may mean.

        Raises:
            Conflict: the folder belongs to another caller.
            InvalidInput: the person's own rules cannot be used, or the folder is a symbolic link.
            Unavailable: the operating system refuses to list a folder.
        """
        self._folder.check_owner()
        rules = self._rules()
        version = prompt_version(self._folder, rules)
        now = self._clock()
        facts = read_facts(self._folder, now)
        tasks = tasks_block(facts.tasks, facts.profile, now)
        maintenance = maintenance_block(lint(facts))
        around = len(SEPARATOR.join((rules, "", tasks, maintenance)))
        recalled = ""
        if request.strip():
            room = ASKED_PROMPT_CHARS - LEAST_SNAPSHOT_CHARS - around - len(SEPARATOR)
            recalled = self._recall().block(request, min(RECALL_CHARS, room))
        limit = ASKED_PROMPT_CHARS - len(recalled) - len(SEPARATOR) if recalled else PROMPT_CHARS
        memory = snapshot(str(self._folder.root), facts, min(SNAPSHOT_CHARS, limit - around))
        parts = (identity, rules, memory, tasks, maintenance, runtime_context, recalled)
        return BuiltPrompt(SEPARATOR.join(part.strip() for part in parts if part.strip()), version)

    def answer(self, if_version: str = "", request: str = "") -> str:
        """The stamp on a line, and the prompt unless the reader holds the one of that stamp already.

        Raises:
            Conflict, InvalidInput, Unavailable: see `build`.
        """
        if if_version and not request.strip() and if_version.strip() == (version := self.version()):
            return f"version: {version}\nunchanged: what you were told with this version still holds."
        built = self.build(request=request)
        return f"version: {built.version}\n\n{built.text}"
