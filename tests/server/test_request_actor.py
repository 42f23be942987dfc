"""For whom a change is made, as the client and each of its requests tell it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mcp import Client
from mcp.types import Implementation

from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.server.surface import MemoryServer

pytestmark = pytest.mark.anyio

CODEX = Implementation(name="codex-mcp-client", title="Codex", version="0.171.0")
SESSION = "01a23016-e32b-71d1-b729-d70df647f1b0"


def turn(session: object = SESSION) -> dict[str, object]:
    """What Codex puts beside the arguments of a call."""
    return {
        "callId": "call_1",
        "threadId": session,
        "x-codex-turn-metadata": {"session_id": session, "thread_source": "user", "sandbox": "seccomp"},
    }


async def begin_with(settings: Settings, info: Implementation, meta: object) -> tuple[str, str]:
    """Begin a handoff; the agent and the session that its record names."""
    app = App(settings)
    try:
        async with Client(MemoryServer(app), client_info=info) as client:
            given = {"summary": "Half of it is done."}
            done = await client.call_tool("memory_handoff_begin", given, meta=meta)
            assert not done.is_error
        [handoff] = app.continuity.handoffs.look().handoffs
        return handoff.agent, handoff.opened_by
    finally:
        app.close()


async def test_codex_is_known_by_the_name_of_its_hooks_and_names_the_session_with_each_call(
    settings: Settings,
) -> None:
    assert await begin_with(replace(settings, session=""), CODEX, turn()) == ("codex", SESSION)


async def test_the_session_that_a_server_was_started_for_is_not_overruled(settings: Settings) -> None:
    assert await begin_with(settings, CODEX, turn()) == ("codex", settings.session)


@pytest.mark.parametrize(
    "meta",
    [None, turn(3), turn(""), turn("two words"), turn("x" * 200), {"x-codex-turn-metadata": ["a"]}],
)
async def test_what_is_no_session_is_left_out(settings: Settings, meta: object) -> None:
    info = Implementation(name="another-client", version="1")
    assert await begin_with(replace(settings, session=""), info, meta) == ("another-client", "")
