"""How tests call tools and read what they answer."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from mcp import Client
from mcp.types import CallToolResult


async def ask(client: Client, tool: str, **arguments: object) -> CallToolResult:
    """Call a tool, which must succeed."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return result


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    """Call a tool, which must refuse; its sentence."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    assert result.structured_content is None
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert block.type == "text"
    return block.text


def state_of(data_dir: Path) -> str:
    """A digest of everything that a refused call must leave alone: the wiki's files and its HEAD."""
    wiki = data_dir / "wiki"
    digest = hashlib.sha256()
    for path in sorted(wiki.rglob("*")):
        if ".git" not in path.relative_to(wiki).parts:
            digest.update(str(path).encode() + (path.read_bytes() if path.is_file() else b"/"))
    head = subprocess.run(["git", "-C", wiki, "rev-parse", "HEAD"], capture_output=True, check=False)
    return digest.hexdigest() + head.stdout.decode()
