"""What a session hands over by itself."""

from __future__ import annotations

from datetime import timedelta

from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.folding.handoff_text import CHECK, MAX_PROMPT_CHARS, WENT_ON, draft_of
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import Session, SessionEvent, SessionHead
from tests.memory import START

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
HEAD = SessionHead(ONE, ONE, "claude-code", Scope("acme", "importer"), START, "/nowhere/importer", "retry")
ABNORMAL = "The session seems to have ended in the middle of a change to a file."


def session(*events: tuple[str, str] | tuple[str, str, dict[str, str]]) -> Session:
    made = [
        SessionEvent(
            *(f"019a-{number}", number, START + timedelta(minutes=number), f"{number:032x}", kind),
            title=body.split("\n")[0],
            body=body,
            tool=dict(*tool),
        )
        for number, (kind, body, *tool) in enumerate(events, 1)
    ]
    return Session(HEAD, tuple(made))


def prompt(text: str) -> tuple[str, str]:
    return ("user-prompt", text)


EDIT = ("post-tool-use", "", {"family": "file", "name": "Edit", "path": "src/a.py"})
BASH = ("post-tool-use", "", {"family": "non-file", "name": "Bash"})
STOP = ("stop", "")
END = ("session-end", "")


def test_one_prompt_is_what_the_session_was_about() -> None:
    draft = draft_of(session(prompt("Make it retry\nwith back-off"), STOP, END))
    assert draft.summary == "Session focused on: Make it retry\nwith back-off"
    assert (draft.title, draft.branch, draft.dir) == ("Make it retry", "retry", ".")


def test_of_several_prompts_the_first_and_the_last_are_told() -> None:
    draft = draft_of(session(prompt("One"), prompt("Two"), prompt("Three"), prompt("ok"), STOP, END))
    assert draft.summary == "Started with: One\n\nLast asked for: Three"


def test_without_a_prompt_it_tells_how_much_happened() -> None:
    assert draft_of(session(BASH, END)).summary == "The session ended; 2 observations were recorded."


def test_the_agents_last_words_and_what_it_took_over_are_told() -> None:
    said = session(prompt("One"), ("stop", "Half of it works."), END)
    draft = draft_of(said, [HandoffDraft("Left by another", "Half is done.")])
    assert draft.summary.split("\n\n") == [
        "Went on from: Left by another",
        "Session focused on: One",
        "The agent's last words: Half of it works.",
    ]


def test_a_session_that_was_only_told_to_go_on_hands_over_what_it_took() -> None:
    taken = HandoffDraft(
        "The parser", "Half is parsed.", ("Which half?",), ("Parse the other half",), ("src/b.py",)
    )
    went_on = session(prompt("go on"), EDIT, ("stop", "It goes well."), END)
    draft = draft_of(went_on, [taken])
    assert draft.title == "The parser"
    assert draft.summary == f"Half is parsed.\n\nThe agent's last words: It goes well.\n\n{WENT_ON}"
    assert draft.open_questions == ("Which half?",)
    assert draft.next_steps == ("Parse the other half", "Tools that were in use: Edit")
    assert draft.files_touched == ("src/b.py", "src/a.py")
    again = draft_of(session(prompt("continue"), EDIT, STOP, END), [draft])
    assert again.summary == draft.summary
    assert (again.title, again.next_steps) == (draft.title, draft.next_steps)


def test_a_session_that_was_asked_for_something_tells_that() -> None:
    taken = HandoffDraft("The parser", "Half is parsed.", (), ("Parse the other half",))
    draft = draft_of(session(prompt("go on"), prompt("Now the tests"), STOP, END), [taken])
    assert (draft.title, draft.next_steps) == ("Now the tests", ())


def test_a_long_prompt_is_cut() -> None:
    draft = draft_of(session(prompt("x" * 5_000), STOP, END))
    assert len(draft.summary) == len("Session focused on: ") + MAX_PROMPT_CHARS
    assert draft.summary.endswith("…")


def test_a_question_may_be_unanswered_when_the_session_ends() -> None:
    for question in ("Why does it fail?", "为什么？"):
        assert draft_of(session(prompt(question), STOP, END)).open_questions == (
            f"The last question may be unanswered: {question}",
        )


def test_between_two_turns_nothing_has_ended() -> None:
    for text in ("Make it retry", "Why does it fail?"):
        expected = (f"The work may be unfinished; the session was at: {text}",)
        assert draft_of(session(prompt(text), EDIT, STOP)).open_questions == expected
        assert (
            draft_of(session(prompt("One"), STOP, END, prompt(text), EDIT, STOP)).open_questions == expected
        )


def test_in_the_middle_of_a_turn_nothing_has_ended_and_an_edit_is_a_warning() -> None:
    unfinished = "The work may be unfinished; the session was at: Two"
    for events in ([prompt("Two"), BASH], [prompt("One"), EDIT, STOP, prompt("Two"), BASH]):
        assert draft_of(session(*events)).open_questions == (unfinished,)
    for events in ([prompt("Two"), EDIT], [prompt("One"), EDIT, STOP, prompt("Two"), EDIT]):
        assert draft_of(session(*events)).open_questions == (unfinished, CHECK)


def test_an_edit_after_which_no_turn_ended_is_a_warning() -> None:
    assert draft_of(session(prompt("Make it retry"), EDIT, END)).open_questions[0] == ABNORMAL
    assert draft_of(session(prompt("One"), STOP, prompt("Two"), EDIT, END)).open_questions[0] == ABNORMAL
    assert ABNORMAL not in draft_of(session(prompt("One"), EDIT, STOP, END)).open_questions
    assert ABNORMAL not in draft_of(session(prompt("One"), BASH, END)).open_questions


def test_an_ordinary_end_asks_whether_it_is_done() -> None:
    assert draft_of(session(prompt("Make it retry"), STOP, END)).open_questions == (
        "Is this done? Make it retry",
    )
    assert draft_of(session(prompt("thanks"), STOP, END)).open_questions == ()


def test_tools_and_files_are_told_where_they_are_recorded() -> None:
    draft = draft_of(session(prompt("One"), EDIT, BASH, EDIT, STOP, END))
    assert draft.next_steps == ("Tools that were in use: Edit, Bash",)
    assert draft.files_touched == ("src/a.py",)
    bare = draft_of(session(prompt("One"), ("post-tool-use", "", {"family": "file"}), STOP, END))
    assert (bare.next_steps, bare.files_touched) == ((), ())
