"""Pages as resources, for people who attach one to their prompt, with completion of their addresses."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from memory_mcp.errors import InvalidInput, NotFound, UserError
from memory_mcp.server.page_answer import page_answer
from memory_mcp.server.service_calls import ServiceCalls

PAGE_TEMPLATE = "memory://page/{workspace}/{project}/{+path}"
MAX_CHARS = 50_000
"""The most characters of a page that an attached resource puts into a prompt."""
MAX_VALUES = 100
"""The most values that a completion may have, by the specification."""


def add_resources(server: MCPServer[None], calls: ServiceCalls) -> None:
    """Offer every page as `memory://page/<workspace>/<project>/<path>`."""

    @server.resource(PAGE_TEMPLATE, name="page", title="Memory page", mime_type="text/markdown")
    async def page(workspace: str, project: str, path: str, context: Context) -> str:
        """One page of the memory: facts about it, then its text."""
        try:
            view = await calls.call(
                context,
                lambda progress: calls.app.reader.read(
                    path=path, workspace=workspace, project=project, progress=progress
                ),
            )
            return page_answer(view, 0, MAX_CHARS)
        except (NotFound, InvalidInput) as error:
            raise ResourceNotFoundError(str(error)) from error
        except UserError as error:
            raise ResourceError(str(error)) from error

    @server.completion()  # type: ignore[no-untyped-call,untyped-decorator]
    async def complete(
        reference: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        if not isinstance(reference, ResourceTemplateReference) or reference.uri != PAGE_TEMPLATE:
            return None
        known = dict(context.arguments or {}) if context else {}
        values = await calls.call(None, lambda _: _complete(calls, argument.name, argument.value, known))
        return Completion(values=values[:MAX_VALUES], has_more=len(values) > MAX_VALUES)


def _complete(calls: ServiceCalls, name: str, start: str, known: dict[str, Any]) -> list[str]:
    from memory_mcp.wiki.scope_list import list_scopes  # noqa: PLC0415 - not before the server has answered

    scopes = list_scopes(calls.app.data_dir.wiki)
    if name == "workspace":
        return _starting({scope.workspace for scope in scopes}, start)
    scopes = [scope for scope in scopes if scope.workspace == known.get("workspace", scope.workspace)]
    if name == "project":
        return _starting({scope.project for scope in scopes}, start)
    for scope in scopes:
        if scope.project == known.get("project"):
            return calls.app.page_map.complete_paths(scope, start, MAX_VALUES + 1)
    return []


def _starting(values: set[str], start: str) -> list[str]:
    return sorted(value for value in values if value.startswith(start))
