"""The page of a session says by rules what was asked for, which tools ran, and when."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.folding.session_page import MAX_LISTED, session_page, session_summary
from memory_mcp.folding.session_title import is_meaningful, session_title
from memory_mcp.model.scope import Scope
from memory_mcp.sessions.session import Session, SessionEvent, SessionHead
from memory_mcp.wiki.page_parse import parse_page
from tests.memory import START

ONE = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
HEAD = SessionHead(ONE, ONE, "claude-code", Scope("acme", "importer"), START, "/home/ana/importer", "retry")


def session(*events: tuple[str, str] | tuple[str, str, dict[str, str]]) -> Session:
    """A session of these events, kind, title and tool, a minute apart."""
    made = [
        SessionEvent(
            *(f"019a-{number}", number, START + timedelta(minutes=number), f"{number:032x}", kind, title),
            tool=dict(*tool),
        )
        for number, (kind, title, *tool) in enumerate(events)
    ]
    return Session(HEAD, tuple(made))


def page(*events: tuple[str, str] | tuple[str, str, dict[str, str]]) -> str:
    return session_page(session(*events)).decode()


def tool(family: str, name: str = "", path: str = "") -> tuple[str, str, dict[str, str]]:
    known = {"family": family, "name": name, "path": path}
    return "post-tool-use", f"tool {family}", {key: text for key, text in known.items() if text}


def test_the_page_of_a_session() -> None:
    assert page(
        ("session-start", "a-model"),
        ("user-prompt", "Make the pangolin: retry"),
        tool("file", "Edit", "src/a.py"),
        tool("non-file", "Bash"),
        tool("file", "Edit", "src/a.py"),
        ("stop", ""),
        ("session-end", ""),
    ) == (
        "---\n"
        "title: 'Make the pangolin: retry'\n"
        f"session_id: '{ONE}'\n"
        "agent: claude-code\n"
        "tier: episodic\n"
        "summary: 1 prompt, 3 completed tool calls across Edit, Bash, over 6 min.\n"
        "---\n"
        "# Make the pangolin: retry\n"
        "\n"
        "## Session\n"
        "\n"
        f"- session_id: {ONE}\n"
        "- branch: retry\n"
        "- started_at: 2026-11-30T12:00:00Z\n"
        "- ended_at: 2026-11-30T12:06:00Z\n"
        "- observations: 7\n"
        "\n"
        "## Prompts\n"
        "\n"
        "1. Make the pangolin: retry\n"
        "\n"
        "## Tool calls\n"
        "\n"
        "- Edit: 2\n"
        "- Bash: 1\n"
        "\n"
        "## Files\n"
        "\n"
        "- `src/a.py`\n"
        "\n"
        "## Observations\n"
        "\n"
        "- session-start 2026-11-30T12:00:00Z a-model\n"
        "- user-prompt 2026-11-30T12:01:00Z Make the pangolin: retry\n"
        "- post-tool-use 2026-11-30T12:02:00Z tool file\n"
        "- post-tool-use 2026-11-30T12:03:00Z tool non-file\n"
        "- post-tool-use 2026-11-30T12:04:00Z tool file\n"
        "- stop 2026-11-30T12:05:00Z\n"
        "- session-end 2026-11-30T12:06:00Z\n"
        "\n"
        "_Put together by rules from what was recorded of this session; no model read it._\n"
    )


def test_the_title_is_the_first_prompt_that_says_something() -> None:
    scaffolding = [
        "<ide_opened_file>The user opened x.py</ide_opened_file>",
        "# AGENTS.md instructions for /home/ana",
        "Caveat: The messages below were generated",
        "$ make test",
        "/clear",
        "ok",
        "Thanks!",
    ]
    prompts = [("user-prompt", text) for text in [*scaffolding, "Fix the retry"]]
    assert session_title(session(("session-start", "a-model"), *prompts)) == "Fix the retry"
    assert session_title(session(("user-prompt", "go on"), tool("file"))) == "go on"
    assert session_title(session(("session-start", "a-model"), tool("file"))) == "tool file"
    assert session_title(session(("session-start", "a-model"))) == f"Session {ONE}"
    assert session_title(session()) == "session"


def test_words_that_only_agree_say_nothing_and_others_do() -> None:
    for text in ("ok", "OK, thanks.", "done", "好的", " continue ", "lgtm!", ""):
        assert not is_meaningful(text)
    for text in ("ok then fix the tests", "no retries please", "why?", "continue with the importer"):
        assert is_meaningful(text)


def test_the_summary_names_three_tools_the_most_used_first_and_equal_ones_by_name() -> None:
    calls = [tool("file", name) for name in ("Write", "Read", "Edit", "Glob", "Read")]
    assert session_summary(session(("user-prompt", "a"), ("user-prompt", "b"), *calls)) == (
        "2 prompts, 5 completed tool calls across Read, Edit, Glob and 1 more, over 6 min."
    )
    assert session_summary(session(("pre-tool-use", "tool file"))) == ""


def test_of_many_events_the_first_and_the_last_are_listed() -> None:
    text = page(*[("user-prompt", f"Step {number}") for number in range(MAX_LISTED + 100)])
    observations = text.split("## Observations\n\n")[1].split("\n\n")[0].splitlines()
    assert len(observations) == MAX_LISTED + 1
    assert observations[MAX_LISTED // 2] == "- … 100 more are not listed …"
    assert observations[-1].endswith(f"Step {MAX_LISTED + 99}")


def test_what_a_prompt_mentions_is_no_link_of_the_page() -> None:
    data = session_page(session(("user-prompt", "Fix [[decisions/db]] and [this](notes/a.md), please")))
    assert parse_page(HEAD.scope, f"sessions/{ONE}.md", data).links == ()
    linked = data.replace(rb"\[\[", b"[[")
    assert parse_page(HEAD.scope, f"sessions/{ONE}.md", linked).links != ()


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_title_and_no_path_breaks_the_page(title: str, path: str) -> None:
    shown = session(("user-prompt", title), ("user-prompt", "Real"), tool("file", title, path))
    data = session_page(shown)
    found = parse_page(HEAD.scope, f"sessions/{ONE}.md", data)
    assert (found.meta.tier, found.problems, found.links) == ("episodic", (), ())
    body = data.decode().split("\n---\n", 1)[1]
    headings = [line for line in body.split("\n") if line.startswith("## ")]
    assert headings == sorted(set(headings), key=headings.index)
    assert (
        {"## Session", "## Observations"}
        <= set(headings)
        <= {*("## Session", "## Prompts", "## Tool calls", "## Files", "## Observations")}
    )
    assert session_page(shown) == data
