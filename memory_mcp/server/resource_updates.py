"""Telling subscribers that a resource is another one now, in both eras of the protocol.

Since 2026-07-28 a client listens on a stream of its own, which the SDK serves. Before, it subscribes to
single addresses, which are remembered here: a process on stdio has one client.
"""

from __future__ import annotations

from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import Context
from mcp.types import EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

from memory_mcp.server.service_calls import ServiceCalls

PROMPT_URI = "memory://system-prompt"


def serve_subscriptions(server: Server[Any], calls: ServiceCalls) -> None:
    """Take `resources/subscribe` and `resources/unsubscribe`; an address need not exist yet."""

    async def subscribe(_: ServerRequestContext[Any], params: SubscribeRequestParams) -> EmptyResult:
        calls.subscribed.add(str(params.uri))
        return EmptyResult()

    async def unsubscribe(_: ServerRequestContext[Any], params: UnsubscribeRequestParams) -> EmptyResult:
        calls.subscribed.discard(str(params.uri))
        return EmptyResult()

    server.add_request_handler("resources/subscribe", SubscribeRequestParams, subscribe)
    server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, unsubscribe)


async def notify_written(calls: ServiceCalls, context: Context, path: str = "") -> None:
    """Tell that this process changed the session's prompt, and the page at `path` of the caller, if any."""
    uris = [PROMPT_URI]
    if path:
        uris.append(f"memory://page/{calls.app.caller.folder.scope}/{path}")
    for uri in uris:
        await context.notify_resource_updated(uri)
        if uri in calls.subscribed:
            await context.session.send_resource_updated(uri)
