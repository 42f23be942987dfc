"""Sending, listing, taking and cancelling messages between projects. Each change is one commit.

A message lies in the folder of its recipient, who alone reads it; its sender alone cancels it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.continuity.message import Message, message_of
from memory_mcp.continuity.record_folder import RecordFolder
from memory_mcp.errors import Conflict, InvalidInput, NotFound
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, format_time
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import MESSAGE, Event
from memory_mcp.model.record_id import code_of, codes_of, find_by_code, new_id
from memory_mcp.model.scope import CALLERS, GLOBAL, ResolvedScope, Scope
from memory_mcp.model.session_id import session_id
from memory_mcp.sessions.session_file import SessionClaim, SessionFiles, claim_line
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.record_file import add_event, compose_record
from memory_mcp.wiki.scope_list import list_scopes
from memory_mcp.wiki.scope_resolve import ScopeResolver

MAX_BODY_CHARS = 8_000
MAX_SUBJECT_CHARS = 200
MAX_TITLE_CHARS = 80
MAX_PENDING = 256
"""More than anybody reads; a sender that loops must not fill the recipient's wiki."""
CUT = " […]"
_GUESSED = ("home", "folder")
"""How a scope was found that nobody declared: by no argument, no marker and no repository."""


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message as it was sent, its code, and the commit."""

    message: Message
    code: str
    commit: str | None
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class ListedMessages:
    """The pending messages of a box, oldest first, with their codes; `disputed` were taken in two clones."""

    resolved: ResolvedScope
    box: str
    messages: tuple[Message, ...]
    codes: dict[str, str]
    disputed: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenMessage:
    """The message that was taken, None when none waits, and how many others do."""

    resolved: ResolvedScope
    message: Message | None
    code: str = ""
    waiting: int = 0


class Messages:
    """The messages of the project that a call means."""

    def __init__(
        self,
        folder: RecordFolder,
        sessions: SessionFiles,
        scopes: ScopeResolver,
        changes: WikiChanges,
        sanitizer: Sanitizer,
        machine: Callable[[], str],
        clock: Clock,
        wiki: Path,
    ) -> None:
        self._folder = folder
        self._sessions = sessions
        self._scopes = scopes
        self._changes = changes
        self._sanitizer = sanitizer
        self._machine = machine
        self._clock = clock
        self._wiki = wiki

    def send(
        self,
        to_workspace: str,
        to_project: str,
        body: str,
        actor: Actor,
        *,
        subject: str = "",
        workspace: str = "",
        project: str = "",
    ) -> SentMessage:
        """Send a message to a project that exists, from one's own, which `workspace` and `project` may name.

        Raises:
            InvalidInput: the body is blank, one's own project is a guess, or the recipient's is the same.
            NotFound: there is no such project; the nearest are named.
            Conflict: too many messages wait there already.
        """
        sender = self._declared(workspace, project, "sent").scope
        recipient = self._recipient(to_workspace, to_project, sender)
        text = self._sanitizer.clean(body).strip("\n")
        if not text.strip():
            raise InvalidInput("body is blank: say what the other project should know or do.")
        title = one_line(self._sanitizer.clean(subject), MAX_SUBJECT_CHARS)
        title = title or one_line(text.strip().partition("\n")[0], MAX_TITLE_CHARS)
        now = self._clock()
        record_id = new_id(now)
        path = self._folder.wiki_path(recipient, record_id)
        with self._changes.begin("message-send", path, actor) as change:
            if len(self._pending(recipient)) >= MAX_PENDING:
                raise Conflict(
                    f"{MAX_PENDING} messages wait in {recipient} already: nothing was sent; ask the user to "
                    "have them read first."
                )
            event = self._event("sent", actor)
            values = {
                "id": record_id,
                "title": title,
                "created": format_time(now),
                "from": str(sender),
                "to": str(recipient),
                "agent": event.agent,
                "session": event.session,
            }
            change.put(path, compose_record(MESSAGE, values, [event], f"{_cut(text, MAX_BODY_CHARS)}\n"))
            change.log(recipient, "message-received", f"{record_id} from {sender}")
        message = message_of(self._folder.get(recipient, record_id))
        redacted = text != body.strip("\n")
        return SentMessage(message, code_of(record_id, self._folder.ids(recipient)), change.commit, redacted)

    def look(self, box: str = "inbox", *, workspace: str = "", project: str = "") -> ListedMessages:
        """The messages that wait for a project, or those of its own that others have not taken. Takes none.

        Raises:
            InvalidInput: `box` is neither inbox nor outbox.
        """
        if box not in ("inbox", "outbox"):
            raise InvalidInput(f"box = {box!r:.40} is not known: inbox or outbox.")
        resolved = self._scopes.resolve_pages(workspace, project)
        if box == "outbox":
            sent = self._outbox(resolved.scope)
            pending = [message for message in sent if message.is_pending]
            return ListedMessages(resolved, box, tuple(pending), codes_of(each.id for each in sent))
        found = [message_of(each) for each in self._folder.records(resolved.scope)]
        pending = [message for message in found if message.is_pending]
        disputed = tuple(message for message in found if message.rivals)
        codes = codes_of(self._folder.ids(resolved.scope))
        return ListedMessages(resolved, box, tuple(pending), codes, disputed)

    def pop(self, code: str, actor: Actor, *, workspace: str = "", project: str = "") -> TakenMessage:
        """Take the message of this code, else the oldest that waits; no one else gets it.

        Raises:
            InvalidInput: the project is a guess, or the code is none.
            NotFound: the project has no such message.
            Conflict: it was taken or cancelled.
        """
        resolved = self._declared(workspace, project, "taken")
        scope = resolved.scope
        with self._changes.begin("message-pop", str(scope), actor) as change:
            if code:
                wanted: Message | None = message_of(self._folder.find(scope, code))
            else:
                wanted = next(iter(self._pending(scope)), None)
            if wanted is None:
                return TakenMessage(resolved, None)
            if not wanted.is_pending:
                raise Conflict(f"message {wanted.id} is {wanted.state}: look at the list for what waits.")
            event = self._event("claimed", actor)
            change.put(wanted.wiki_path, add_event(change.read(wanted.wiki_path) or b"", MESSAGE, event))
            if event.session:
                line = claim_line(SessionClaim(event.at, wanted.id, MESSAGE.name))
                self._sessions.append(scope, event.session, [line])
            change.log(scope, "message-claimed", f"{wanted.id} from {wanted.sender}")
        code = code_of(wanted.id, self._folder.ids(scope))
        return TakenMessage(resolved, wanted, code, len(self._pending(scope)))

    def cancel(self, code: str, actor: Actor, *, workspace: str = "", project: str = "") -> int:
        """Cancel one's own message of this code, else all that nobody took yet; how many.

        Raises:
            InvalidInput: the project is a guess, or the code is none.
            NotFound: this project sent no such message.
        """
        sender = self._declared(workspace, project, "cancelled").scope
        with self._changes.begin("message-cancel", str(sender), actor) as change:
            sent = {message.id: message for message in self._outbox(sender)}
            if code:
                sent = {found: sent[found] for found in [find_by_code(code, list(sent), "message")]}
            pending = [message for message in sent.values() if message.is_pending]
            for message in pending:
                event = self._event("cancelled", actor)
                change.put(
                    message.wiki_path, add_event(change.read(message.wiki_path) or b"", MESSAGE, event)
                )
            if pending:
                change.log(sender, "message-cancelled", f"{len(pending)} of {sender}")
        return len(pending)

    def pending_count(self, scope: Scope) -> int:
        """How many messages wait for a project."""
        return len(self._pending(scope))

    def _pending(self, scope: Scope) -> list[Message]:
        found = (message_of(each) for each in self._folder.records(scope))
        return [message for message in found if message.is_pending]

    def _outbox(self, sender: Scope) -> list[Message]:
        scopes = [scope for scope in list_scopes(self._wiki) if scope.workspace != CALLERS]
        found = (message_of(each) for scope in scopes for each in self._folder.records(scope, settled=True))
        return [message for message in found if message.sender == str(sender)]

    def _declared(self, workspace: str, project: str, doing: str) -> ResolvedScope:
        """One's own project, unless it is a guess by the folder's name alone."""
        resolved = self._scopes.resolve_pages(workspace, project)
        if resolved.source in _GUESSED or resolved.scope == GLOBAL:
            raise InvalidInput(
                f"no message was {doing}: {resolved.scope} is only a guess by the folder {resolved.detail}; "
                "give workspace and project."
            )
        return resolved

    def _recipient(self, workspace: str, project: str, sender: Scope) -> Scope:
        if not workspace.strip() or not project.strip():
            raise InvalidInput("to_workspace and to_project name the recipient: give both.")
        try:
            scope = self._scopes.resolve_pages(workspace, project).scope
        except NotFound as error:
            raise NotFound(f"nothing was sent: {error}") from None
        if scope == sender:
            raise InvalidInput(f"{scope} is your own project: write a page or begin a handoff instead.")
        if scope == GLOBAL:
            raise InvalidInput("the standing preferences are no project: name one that reads its messages.")
        return scope

    def _event(self, name: str, actor: Actor) -> Event:
        at = self._clock().replace(microsecond=0)
        return Event(at, name, one_line(actor.name), session_id(actor.name, actor.session), self._machine())


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - len(CUT)].rstrip() + CUT
