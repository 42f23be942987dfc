"""The clients whose files the product can edit: one more is a module with a `CLIENT`, and its name here."""

from __future__ import annotations

from memory_mcp.clients import claude_code, claude_desktop, codex, cursor, gemini_cli, opencode, vscode, zed

CLIENTS = {
    module.CLIENT.name: module.CLIENT
    for module in (claude_code, codex, cursor, gemini_cli, opencode, vscode, claude_desktop, zed)
}
