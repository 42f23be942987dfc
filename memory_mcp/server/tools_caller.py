"""The tools of the caller's memory: profile, notes, skills, log, and the context of a session."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from memory_mcp.errors import InvalidInput
from memory_mcp.server.caller_answer import log_answer, maintain_answer, profile_answer, topic_answer
from memory_mcp.server.service_calls import ServiceCalls
from memory_mcp.server.stamped_answer import stamped_answer
from memory_mcp.server.tool_build import READ, WRITE, answer, build_tool

# ruff: noqa: PLC0415 - the kinds of topics are not needed before the server has answered

Mode = Annotated[
    Literal["replace", "rotate_actuel"],
    Field(description="rotate_actuel archives the former text"),
]


class CallerTools:
    """One method a tool: its signature is the input schema, its docstring the description."""

    def __init__(self, calls: ServiceCalls) -> None:
        self._calls = calls
        self._caller = calls.app.caller

    async def session_context(
        self,
        context: Context,
        if_version: Annotated[str, Field(description="Stamp you hold: answers only if it is another")] = "",
        request: Annotated[str, Field(description="The user's words, if they are vague")] = "",
    ) -> CallToolResult:
        """Who you work for, what you know and owe: memory rules, profile, notes and skills index, open tasks.
        Call it first in every session, and again when a vague request points at earlier work."""
        prompt = self._caller.prompt
        return answer(await self._calls.call(context, lambda _: prompt.answer(if_version, request)))

    async def memory_write(
        self,
        context: Context,
        content: Annotated[str, Field(description="The whole text, markdown")],
        topic: Annotated[str, Field(description="The note's subject")] = "",
        hook: Annotated[str, Field(description="Index line: when to open it")] = "",
        mode: Mode = "replace",
        target: Annotated[Literal["notes", "user"], Field(description="user: the profile")] = "notes",
        section: Annotated[str, Field(description="Of the profile, e.g. Preferences")] = "",
    ) -> CallToolResult:
        """Remember facts about the person you work for and what holds across their projects: preferences,
        corrections, ways of working. Update a topic that exists. Knowledge about this project goes to
        memory_write_page."""
        _check_target(target, topic, section)
        if target == "user":
            profile = await self._calls.call(
                context,
                lambda _: self._caller.profile.write(content, self._calls.actor(context), section=section),
            )
            return await stamped_answer(self._calls, context, *profile_answer(profile))
        from memory_mcp.callers.topics.topic_kind import NOTE

        written = await self._calls.call(
            context,
            lambda _: self._caller.topic_writer.write(
                NOTE, topic, content, self._calls.actor(context), hook=hook, mode=mode
            ),
        )
        return await stamped_answer(self._calls, context, *topic_answer(NOTE, written))

    async def skill_write(
        self,
        context: Context,
        name: str,
        content: Annotated[str, Field(description="Steps, checks, pitfalls; markdown")],
        hook: Annotated[str, Field(description="Index line: when to use it")] = "",
        mode: Mode = "replace",
    ) -> CallToolResult:
        """Keep a procedure that worked and will be wanted again, in any project."""
        from memory_mcp.callers.topics.topic_kind import SKILL

        written = await self._calls.call(
            context,
            lambda _: self._caller.topic_writer.write(
                SKILL, name, content, self._calls.actor(context), hook=hook, mode=mode
            ),
        )
        return await stamped_answer(self._calls, context, *topic_answer(SKILL, written))

    async def memory_append_log(
        self,
        context: Context,
        op: Annotated[str, Field(description="e.g. decision_made")],
        detail: str,
    ) -> CallToolResult:
        """Log one dated line: an event to look up later, not knowledge."""
        logged = await self._calls.call(
            context, lambda _: self._caller.log.append(op, detail, self._calls.actor(context))
        )
        return answer(*log_answer(logged))

    async def memory_maintain(
        self,
        context: Context,
        action: Literal["touch", "archive", "mark_permanent", "prune"],
        path: Annotated[str, Field(description="memory/notes/x.md, skills/x.md")],
    ) -> CallToolResult:
        """Settle a finding of memory maintenance: touch what still holds, archive what does not (a write
        brings it back), mark_permanent what never ages, prune the entry of a missing file."""
        done = await self._calls.call(
            context,
            lambda _: self._caller.topic_maintainer.maintain(action, path, self._calls.actor(context)),
        )
        return await stamped_answer(self._calls, context, *maintain_answer(done))


def _check_target(target: str, topic: str, section: str) -> None:
    """Refuse what would be written to another place than the agent means."""
    if target == "user" and topic:
        raise InvalidInput(
            f"topic = {topic!r:.60} is for notes: with target='user' give section, or leave topic out."
        )
    if target == "notes" and section:
        raise InvalidInput(
            f"section = {section!r:.60} is for the profile: give target='user', or for a note no section."
        )


def build_tools(calls: ServiceCalls) -> list[Tool]:
    """The tools of this group."""
    caller = CallerTools(calls)
    return [
        build_tool(caller.session_context, "Session context", READ),
        build_tool(caller.memory_write, "Remember", WRITE),
        build_tool(caller.skill_write, "Keep a skill", WRITE),
        build_tool(caller.memory_append_log, "Log an event", WRITE),
        build_tool(caller.memory_maintain, "Maintain memory", WRITE),
    ]
