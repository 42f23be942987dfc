"""Sending, listing, taking and cancelling messages between projects. Each change is one commit.

A message lies in the folder of its recipient, who alone reads it; its sender alone cancels it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memory_mcp.capture.sanitizer import Sanitizer
from memory_mcp.continuity.message import Message, message_of
from memory_mcp.continuity.record_folder import RecordFolder, mend_states
from memory_mcp.continuity.record_text import body_text
from memory_mcp.errors import Conflict, InvalidInput, NotFound
from memory_mcp.model.actor import Actor
from memory_mcp.model.clock import Clock, format_time
from memory_mcp.model.plain_text import one_line
from memory_mcp.model.record import MESSAGE, Event, claims_of, event_by
from memory_mcp.model.record_id import code_of, codes_of, find_by_code, new_id
from memory_mcp.model.scope import CALLERS, GLOBAL, ResolvedScope, Scope
from memory_mcp.sessions.session import SessionClaim
from memory_mcp.sessions.session_file import SessionFiles
from memory_mcp.sessions.session_lines import claim_line
from memory_mcp.store.wiki_change import WikiChanges
from memory_mcp.wiki.record_file import add_event, compose_record
from memory_mcp.wiki.record_read import RecordFile
from memory_mcp.wiki.scope_list import list_scopes
from memory_mcp.wiki.scope_resolve import ScopeResolver

MAX_BODY_CHARS = 8_000
MAX_SUBJECT_CHARS = 200
MAX_TITLE_CHARS = 80
MAX_PENDING = 256
"""More than anybody reads; a sender that loops must not fill the recipient's wiki."""
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
    """The pending messages of a box, oldest first, with their codes.

    `disputed` were decided about in two clones; `problems` say which files cannot be read as messages.
    """

    resolved: ResolvedScope
    box: str
    messages: tuple[Message, ...]
    codes: dict[str, str]
    disputed: tuple[Message, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenMessage:
    """The message that was taken, None when none waits, and how many others do.

    `is_again` says that this session had taken it before.
    """

    resolved: ResolvedScope
    message: Message | None
    code: str = ""
    waiting: int = 0
    is_again: bool = False


@dataclass(frozen=True, slots=True)
class CancelledMessages:
    """How many messages were cancelled; `state` is that of the one that was named, and could not be."""

    count: int
    state: str = ""


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
        clean_body, clean_subject = self._sanitizer.clean(body), self._sanitizer.clean(subject)
        text = body_text(clean_body, MAX_BODY_CHARS)
        if not one_line(text):
            raise InvalidInput("body is blank: say what the other project should know or do.")
        title = one_line(clean_subject, MAX_SUBJECT_CHARS)
        title = title or one_line(text.strip().partition("\n")[0], MAX_TITLE_CHARS)
        now = self._clock()
        record_id = new_id(now)
        path = self._folder.new_path(recipient, record_id)
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
            change.put(path, compose_record(MESSAGE, values, [event], f"{text}\n"))
            change.log(recipient, "message-received", f"{record_id} from {sender}")
            mend_states(change, self._folder.records(recipient))
        message = message_of(self._folder.get(recipient, record_id))
        redacted = (clean_body, clean_subject) != (body, subject)
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
            sent = [message_of(record) for record in self._outbox(resolved.scope, settled=True)]
            codes = codes_of(each.id for each in sent)
            problems: tuple[str, ...] = ()
        else:
            files = self._folder.look(resolved.scope)
            sent = [message_of(record) for record in files.records]
            codes, problems = files.codes, files.problems
        pending = tuple(message for message in sent if message.is_pending)
        disputed = tuple(message for message in sent if message.rivals)
        return ListedMessages(resolved, box, pending, codes, disputed, problems)

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
            event = self._event("claimed", actor)
            if code:
                record: RecordFile | None = self._folder.find(scope, code)
            else:
                record = next(iter(self._pending(scope)), None)
            mend_states(change, self._folder.records(scope))
            if record is None:
                return TakenMessage(resolved, None)
            message = message_of(record)
            is_again = bool(claims_of(message, MESSAGE, event.session))
            if not message.is_pending and not is_again:
                raise Conflict(f"message {message.id} is {message.state}: look at the list for what waits.")
            if not is_again:
                change.put(record.path, add_event(record.data, MESSAGE, event))
                if event.session:
                    line = claim_line(SessionClaim(event.at, message.id, MESSAGE.name))
                    self._sessions.append(scope, event.session, [line])
                change.log(scope, "message-claimed", f"{message.id} from {message.sender}")
        code = code_of(message.id, self._folder.ids(scope))
        return TakenMessage(resolved, message, code, len(self._pending(scope)), is_again)

    def cancel(self, code: str, actor: Actor, *, workspace: str = "", project: str = "") -> CancelledMessages:
        """Cancel one's own message of this code, else all that nobody took yet.

        Raises:
            InvalidInput: the project is a guess, or the code is none.
            NotFound: this project sent no such message.
        """
        sender = self._declared(workspace, project, "cancelled").scope
        with self._changes.begin("message-cancel", str(sender), actor) as change:
            sent = {record.id: record for record in self._outbox(sender, settled=bool(code))}
            chosen = [sent[find_by_code(code, list(sent), "message")]] if code else list(sent.values())
            pending = [record for record in chosen if message_of(record).is_pending]
            for record in pending:
                change.put(record.path, add_event(record.data, MESSAGE, self._event("cancelled", actor)))
            if pending:
                change.log(sender, "message-cancelled", f"{len(pending)} of {sender}")
        return CancelledMessages(len(pending), chosen[0].fold.state if code and not pending else "")

    def _pending(self, scope: Scope) -> list[RecordFile]:
        return [each for each in self._folder.records(scope) if each.fold.state == MESSAGE.initial]

    def _outbox(self, sender: Scope, *, settled: bool) -> list[RecordFile]:
        """What the project sent, wherever it lies, oldest first."""
        found = [
            record
            for scope in list_scopes(self._wiki)
            if scope.workspace != CALLERS
            for record in self._folder.records(scope, settled=settled)
            if record.text.text("from") == str(sender)
        ]
        return sorted(found, key=lambda record: record.id)

    def _declared(self, workspace: str, project: str, doing: str) -> ResolvedScope:
        """One's own project, unless it is a guess by the folder's name alone."""
        resolved = self._scopes.resolve_pages(workspace, project)
        if resolved.scope == GLOBAL and resolved.source not in _GUESSED:
            raise InvalidInput(
                f"no message was {doing}: the standing preferences are no project that sends or takes any."
            )
        if resolved.source in _GUESSED:
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
        return event_by(actor, name, self._clock(), self._machine())
