"""The clients that agents run in, by the one name that records carry."""

from __future__ import annotations

OTHER = "other"

_ALIASES = {
    "claude-code": "claude",
    "codex": "codex-cli codex-mcp-client",
    "open-code": "opencode opencode2 opencode-v2 open-code2",
    "cursor": "",
    "gemini-cli": "gemini",
    "claude-desktop": "",
    "openclaw": "open-claw",
    "antigravity-cli": "antigravity agy",
    "omp": "oh-my-pi",
    "pi": "",
    "crush": "",
    "grok": "",
    "zero": "",
    "devin": "",
    "kimi-code": "kimi",
    "kiro-cli": "kiro",
    "command-code": "commandcode cmdc cmd",
    "hermes": "hermes-agent",
    "pool": "poolside",
    "zcode": "zai",
    "copilot-cli": "copilot",
}
_NAMES = {alias: name for name, aliases in _ALIASES.items() for alias in (name, *aliases.split())}

_CLOSED = (
    "claude-code command-code codex cursor open-code pi omp antigravity-cli grok hermes kiro-cli pool zcode"
    " copilot-cli"
)
CLOSED = frozenset(_CLOSED.split())
"""The clients whose tool events have a known shape. Of others only that a tool ran is recorded."""


def agent_name(text: str) -> str:
    """The name of the client that calls itself so, `other` if it is not known."""
    return _NAMES.get(text.strip().lower().replace("_", "-"), OTHER)
