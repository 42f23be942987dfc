"""Makes a tool of an async method: its parameters are the signature, its description the docstring."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import AliasChoices

from memory_mcp.server.arguments import Digits, Parameter

READ = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
WRITE = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
"""Not destructive: git keeps what a write replaces. Clients that cannot ask a person refuse the others."""
DELETE = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)


def build_tool(
    function: Callable[..., Awaitable[CallToolResult]], title: str, annotations: ToolAnnotations
) -> Tool:
    """A tool with a small input schema, named as its function."""
    tool = Tool.from_function(
        function,
        title=title,
        description=" ".join(inspect.cleandoc(function.__doc__ or "").split()),
        annotations=annotations,
        structured_output=False,
    )
    tool.parameters = slim_schema(tool.parameters)
    return tool


def slim_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema without what tells a model nothing: titles, empty defaults, null beside a type."""
    slim = {key: value for key, value in schema.items() if key != "title"}
    if isinstance(slim.get("anyOf"), list):
        [plain] = [each for each in slim.pop("anyOf") if each != {"type": "null"}]
        slim |= plain
    if "const" in slim:
        slim["enum"] = [slim.pop("const")]
    if "default" in slim and slim["default"] in (None, "", [], (), False):
        del slim["default"]
    if "properties" in slim:
        slim["properties"] = {name: slim_schema(each) for name, each in slim["properties"].items()}
    if isinstance(slim.get("items"), dict):
        slim["items"] = slim_schema(slim["items"])
    return slim


def parameters_of(tool: Tool) -> dict[str, Parameter]:
    """What the tool takes, by the names of its schema."""
    required = tool.parameters.get("required", ())
    parameters = {}
    for field_name, field in tool.fn_metadata.arg_model.model_fields.items():
        alias = field.validation_alias
        names = alias.choices if isinstance(alias, AliasChoices) else [alias or field_name]
        name, *aliases = map(str, names)
        schema = tool.parameters["properties"][name]
        parameters[name] = Parameter(
            name=name,
            schema=schema,
            required=name in required,
            aliases=tuple(aliases),
            blank_counts=field.default is None and "enum" not in schema,
            least_digits=max((each.least for each in field.metadata if isinstance(each, Digits)), default=0),
        )
    return parameters


def answer(text: str, structured: dict[str, Any] | None = None) -> CallToolResult:
    """The result of a tool: text, and the same facts as an object."""
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)
