"""What a session hands over by itself, told by rules from what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_mcp.capture.event_names import TOOL_EVENTS
from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.folding.session_page import files_of
from memory_mcp.folding.session_title import is_meaningful, prompts_of, session_title
from memory_mcp.sessions.session import Session, SessionEvent
from memory_mcp.store.checkout import folder_in_checkout

MAX_PROMPT_CHARS = 1_500
CHECK = "Check what was changed (git status, git diff) before you go on."
WENT_ON = "Another session took this over, and was asked for nothing else."


def draft_of(session: Session, taken: Sequence[HandoffDraft] = ()) -> HandoffDraft:
    """The handoff of a session as it stands; `taken` are those that it took over itself.

    One that was only told to go on hands over what it took: it has no words of its own for it.
    """
    own = HandoffDraft(
        title=session_title(session),
        summary=_summary(session, taken),
        open_questions=_open_questions(session),
        next_steps=_next_steps(session),
        files_touched=tuple(files_of(session)),
        dir=folder_in_checkout(session.head.cwd),
        branch=session.head.branch,
    )
    return own if _asked(session) or not taken else _continued(taken[-1], own, session)


def _continued(former: HandoffDraft, own: HandoffDraft, session: Session) -> HandoffDraft:
    told = former.summary.removesuffix(WENT_ON).rstrip()
    return replace(
        own,
        title=former.title,
        summary="\n\n".join([told, *_last_words(session), WENT_ON]),
        open_questions=_joined(own.open_questions, former.open_questions),
        next_steps=_joined(former.next_steps, own.next_steps),
        files_touched=_joined(former.files_touched, own.files_touched),
    )


def _joined(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _asked(session: Session) -> list[str]:
    """What the user asked for, each once."""
    texts = dict.fromkeys(_text(event) for event in prompts_of(session))
    return [text for text in texts if is_meaningful(text)]


def _summary(session: Session, taken: Sequence[HandoffDraft]) -> str:
    meaningful = _asked(session) or list(dict.fromkeys(_text(event) for event in prompts_of(session)))
    if not meaningful:
        lines = [f"The session ended; {len(session.events)} observations were recorded."]
    elif len(meaningful) == 1:
        lines = [f"Session focused on: {meaningful[0]}"]
    else:
        lines = [f"Started with: {meaningful[0]}", f"Last asked for: {meaningful[-1]}"]
    if taken:
        lines.insert(0, f"Went on from: {'; '.join(each.title for each in taken)}")
    return "\n\n".join([*lines, *_last_words(session)])


def _last_words(session: Session) -> list[str]:
    said = [event.body for event in session.events if event.kind == "stop" and event.body]
    return [f"The agent's last words: {said[-1]}"] if said else []


def _open_questions(session: Session) -> tuple[str, ...]:
    """What the next session should ask itself; the first that applies."""
    prompts = [event for event in prompts_of(session) if is_meaningful(_text(event))]
    last = _text(prompts[-1]) if prompts else ""
    pause = _last_of(session, ("stop", "session-end"))
    if last and (pause is None or pause.kind == "stop"):  # in a turn or between two: nothing has ended
        unfinished = f"The work may be unfinished; the session was at: {last}"
        return (unfinished, *([CHECK] if _was_changing_a_file(session) else []))
    if last.rstrip().endswith(("?", "？")):
        return (f"The last question may be unanswered: {last}",)
    if _was_changing_a_file(session):
        return ("The session seems to have ended in the middle of a change to a file.", CHECK)
    return (f"Is this done? {last}",) if last else ()


def _was_changing_a_file(session: Session) -> bool:
    """Whether a tool for files was the last one, and no turn ended after it."""
    tool = _last_of(session, TOOL_EVENTS)
    stop = _last_of(session, ("stop",))
    return tool is not None and tool.tool.get("family") == "file" and (stop is None or stop.seq < tool.seq)


def _last_of(session: Session, kinds: Sequence[str]) -> SessionEvent | None:
    return next((event for event in reversed(session.events) if event.kind in kinds), None)


def _next_steps(session: Session) -> tuple[str, ...]:
    names = dict.fromkeys(event.tool["name"] for event in session.events if event.tool.get("name"))
    return (f"Tools that were in use: {', '.join(names)}",) if names else ()


def _text(event: SessionEvent) -> str:
    text = event.body or event.title
    return text if len(text) <= MAX_PROMPT_CHARS else text[: MAX_PROMPT_CHARS - 1].rstrip() + "…"
