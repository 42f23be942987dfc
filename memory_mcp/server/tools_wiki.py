"""The tools of the wiki: find, read, write and delete pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import AliasChoices, Field

from memory_mcp.server.list_answer import query_answer, recent_answer
from memory_mcp.server.page_answer import page_answer
from memory_mcp.server.service_calls import ServiceCalls
from memory_mcp.server.tool_build import DELETE, READ, WRITE, answer, build_tool
from memory_mcp.server.write_answer import delete_answer, status_answer, write_answer

Query = AliasChoices("query", "q", "search")
Workspace = Annotated[str, Field(description="With project; default: found by your folder")]
Project = Annotated[str, Field()]
Texts = Annotated[Sequence[str], Field()]


class WikiTools:
    """One method a tool: its signature is the input schema, its docstring the description."""

    def __init__(self, calls: ServiceCalls) -> None:
        self._calls = calls
        self._app = calls.app

    async def memory_query(
        self,
        context: Context,
        query: Annotated[
            str, Field(description='Words or a question; "quotes" for a phrase', validation_alias=Query)
        ],
        limit: Annotated[int, Field(ge=1, le=100, validation_alias=AliasChoices("limit", "n", "top_k"))] = 10,
        workspace: Workspace = "",
        project: Project = "",
        scopes: Annotated[
            Sequence[str],
            Field(max_length=25, description='Instead: several scopes, "workspace/project" each'),
        ] = (),
        everywhere: Annotated[
            bool, Field(description="Instead: every project", validation_alias=AliasChoices("global"))
        ] = False,
        include_expired: bool = False,
        pin_first: Annotated[bool, Field(description="Pinned pages first")] = False,
        include_superseded: Annotated[
            bool, Field(description="Also what pages said before, and when: how did we get here?")
        ] = False,
        as_of: Annotated[
            str, Field(description="Date or RFC 3339 time: what was known then, in one project")
        ] = "",
        explain: Annotated[
            bool, Field(description="Every number of the ranking; only if the order surprises")
        ] = False,
    ) -> CallToolResult:
        """Search the long-term memory. Use it before you propose a design, when an error looks familiar,
        and when the user refers to earlier work. Gives path, title and a passage of each page, best first,
        then standing preferences and what is known about the person. A passage is not the page: read it
        before you act on it. Nothing found? Fewer words, then global."""
        result = await self._calls.call(
            context,
            lambda progress: self._app.query.query(
                query,
                limit=limit,
                workspace=workspace,
                project=project,
                scopes=scopes,
                everywhere=everywhere,
                include_expired=include_expired,
                pin_first=pin_first,
                include_superseded=include_superseded,
                as_of=as_of,
                explain=explain,
                progress=progress,
            ),
        )
        return answer(*query_answer(query, result, self._app.data_dir.wiki))

    async def memory_recent(
        self,
        context: Context,
        limit: Annotated[int, Field(ge=1, le=100, validation_alias=AliasChoices("limit", "n"))] = 10,
        workspace: Workspace = "",
        project: Project = "",
    ) -> CallToolResult:
        """List the pages that changed last, newest first: what is going on in a project."""
        result = await self._calls.call(
            context,
            lambda progress: self._app.recent.recent(
                limit, workspace=workspace, project=project, progress=progress
            ),
        )
        return answer(*recent_answer(result, self._app.data_dir.wiki))

    async def memory_read_page(
        self,
        context: Context,
        path: Annotated[str, Field(description="As memory_query gave it, e.g. decisions/db.md")] = "",
        query: Annotated[
            str, Field(description="Instead of path: read the best match", validation_alias=Query)
        ] = "",
        include_related: Annotated[
            bool, Field(description="Also pages linked from here and to here")
        ] = False,
        related_depth: Annotated[int, Field(ge=1, le=3)] = 1,
        offset: Annotated[int, Field(ge=0, description="Go on in a long page, in characters")] = 0,
        max_chars: Annotated[int, Field(ge=500, le=100_000)] = 7000,
        workspace: Workspace = "",
        project: Project = "",
    ) -> CallToolResult:
        """Read one page: its text, version (for if_match), absolute file, tags, links and backlinks. Read
        _rules, gotchas, procedures and decisions in full before you act on them."""
        view = await self._calls.call(
            context,
            lambda progress: self._app.reader.read(
                path=path,
                query=query,
                workspace=workspace,
                project=project,
                related_depth=related_depth if include_related else 0,
                progress=progress,
            ),
        )
        return answer(page_answer(view, offset, max_chars))

    async def memory_write_page(
        self,
        context: Context,
        path: Annotated[
            str,
            Field(
                description="e.g. decisions/use-wal.md; folders: decisions, gotchas, procedures, concepts, "
                "notes, _rules, _slots"
            ),
        ],
        body: Annotated[str, Field(description="Markdown that starts with # Title; link as [[folder/name]]")],
        title: Annotated[str | None, Field(description="Only if it differs from the heading")] = None,
        kind: Annotated[str, Field(description="Only if it differs from the folder's")] = "",
        tier: Literal["working", "episodic", "semantic", "procedural"] = "semantic",
        tags: Texts = (),
        pinned: bool = False,
        entities: Annotated[Sequence[str], Field(description="Names it is about, at most 10")] = (),
        abstract: Annotated[str, Field(description="One line for listings")] = "",
        expires_at: Annotated[str, Field(description="Date or RFC 3339 time")] = "",
        causes: Annotated[Sequence[str], Field(description="Pages of what this one causes")] = (),
        fixes: Texts = (),
        contradicts: Texts = (),
        if_match: Annotated[
            str, Field(description="Version you read: refuse if the page changed since")
        ] = "",
        scope: Annotated[
            Literal["global"] | None, Field(description="global: preferences that hold in every project")
        ] = None,
        workspace: Workspace = "",
        project: Project = "",
    ) -> CallToolResult:
        """Create or replace one durable page of a project: a decision and its reason, a gotcha and its fix, a
        procedure, a concept. Write when something was settled or learned that a later session needs. Search
        first and update the page that exists. What is about the person goes to memory_write. Body and
        metadata are replaced as a whole; the old version stays in git."""
        from memory_mcp.pages.page_write import PageDraft  # noqa: PLC0415 - not before the server has answered

        relations = {"causes": causes, "fixes": fixes, "contradicts": contradicts}
        draft = PageDraft(
            path=path,
            body=body,
            title=title,
            kind=kind,
            tier=tier,
            tags=tuple(tags),
            pinned=pinned,
            entities=tuple(entities),
            abstract=abstract,
            expires_at=expires_at,
            relations={name: tuple(targets) for name, targets in relations.items() if targets},
        )
        written = await self._calls.call(
            context,
            lambda _: self._app.writer.write(
                draft,
                self._calls.actor(context),
                workspace=workspace,
                project=project,
                standing=scope is not None,
                if_match=if_match,
            ),
        )
        return answer(*write_answer(written))

    async def memory_delete_page(
        self, context: Context, path: str, workspace: Workspace = "", project: Project = ""
    ) -> CallToolResult:
        """Delete one page. Git keeps it, and the command memory-mcp restore-page brings it back. Rewrite
        rather than delete a page that is wrong."""
        deleted = await self._calls.call(
            context,
            lambda _: self._app.deleter.delete(
                path, self._calls.actor(context), workspace=workspace, project=project
            ),
        )
        return answer(*delete_answer(deleted))

    async def memory_status(
        self, context: Context, workspace: Workspace = "", project: Project = ""
    ) -> CallToolResult:
        """Show which scope is used and why, the folder of its pages, counts, and what needs mending."""
        status = await self._calls.call(
            context,
            lambda progress: self._app.status.report(workspace=workspace, project=project, progress=progress),
        )
        return answer(*status_answer(status))


def build_tools(calls: ServiceCalls) -> list[Tool]:
    """The tools of this group."""
    wiki = WikiTools(calls)
    return [
        build_tool(wiki.memory_query, "Search memory", READ),
        build_tool(wiki.memory_recent, "Recent pages", READ),
        build_tool(wiki.memory_read_page, "Read a page", READ),
        build_tool(wiki.memory_write_page, "Write a page", WRITE),
        build_tool(wiki.memory_delete_page, "Delete a page", DELETE),
        build_tool(wiki.memory_status, "Memory status", READ),
    ]
