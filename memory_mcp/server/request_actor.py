"""Who makes a request: the client, as it introduced itself, and the session that it works for."""

from __future__ import annotations

from mcp.server.mcpserver import Context

from memory_mcp.capture.agent_names import OTHER, agent_name
from memory_mcp.model.actor import Actor
from memory_mcp.model.session_id import is_session

_CODEX_TURN = "x-codex-turn-metadata"
"""What Codex adds to each call. It gives its servers no environment that would name the session."""


def request_actor(context: Context, started_for: str) -> Actor:
    """The actor of a request; `started_for` is the session that the server was started for, "" if unknown.

    A client that has hooks goes by the name that they use.
    """
    params = context.session.client_params
    name = params.client_info.name.strip() if params else ""
    known = agent_name(name)
    told = name[:64] or "unknown-client"
    return Actor(told if known == OTHER else known, started_for or _session_of(context.request_context.meta))


def _session_of(meta: object) -> str:
    turn = meta.get(_CODEX_TURN) if isinstance(meta, dict) else None
    session = turn.get("session_id") if isinstance(turn, dict) else None
    return session if isinstance(session, str) and is_session(session) else ""
