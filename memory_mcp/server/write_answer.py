"""What became of a write or a deletion, and the state of the store, as an answer."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from memory_mcp.model.plain_text import one_line
from memory_mcp.server.list_answer import ANSWER_CHARS, scope_facts

if TYPE_CHECKING:
    from memory_mcp.pages.page_delete import DeletedPage
    from memory_mcp.pages.page_write import WrittenPage
    from memory_mcp.pages.store_status import Status

REDACTED = "Text that looked like a secret was replaced by [REDACTED]."


def write_answer(written: WrittenPage) -> tuple[str, dict[str, Any]]:
    """What became of a write."""
    facts: dict[str, Any] = {
        "path": written.path,
        "outcome": written.outcome,
        "version": written.version,
        "file": str(written.file),
        **scope_facts(written.resolved),
    }
    if written.commit:
        facts["commit"] = written.commit
    if written.redacted:
        facts["note"] = REDACTED
    return _lines(f"{written.outcome} {written.path} in {written.resolved}", facts), facts


def delete_answer(deleted: DeletedPage) -> tuple[str, dict[str, Any]]:
    """What became of a deletion."""
    facts: dict[str, Any] = {
        "path": deleted.path,
        "deleted": deleted.deleted,
        **scope_facts(deleted.resolved),
    }
    if deleted.commit:
        facts["commit"] = deleted.commit
    if deleted.deleted:
        scope = deleted.resolved.scope
        command = ["restore-page", deleted.path, "--workspace", scope.workspace, "--project", scope.project]
        facts["note"] = f"Git keeps it: memory-mcp {shlex.join(command)}"
        return _lines(f"deleted {deleted.path} in {deleted.resolved}", facts), facts
    return _lines(f"there was no page {deleted.path} in {deleted.resolved}; nothing changed", facts), facts


def status_answer(status: Status) -> tuple[str, dict[str, Any]]:
    """The state of the store."""
    scopes = [str(scope) for scope in status.scopes]
    problems = [one_line(problem, 300) for problem in status.problems]
    facts: dict[str, Any] = {
        "server_version": status.version,
        "data_dir": str(status.data_dir),
        "folder": str(status.folder),
        "folder_exists": status.exists,
        **scope_facts(status.resolved),
        "counts": dict(status.counts),
        "git": {name: one_line(value, 200) for name, value in status.git.items()},
        "scopes": _cut(scopes, ANSWER_CHARS // 4),
        "problems": _cut(problems, ANSWER_CHARS // 2),
    }
    facts |= {"notes": list(status.notes)} if status.notes else {}
    lines = [
        f"scope: {status.resolved}",
        f"folder: {status.folder}{'' if status.exists else ' (no page yet)'}",
        f"data_dir: {status.data_dir}",
        "counts: " + ", ".join(f"{name} {count}" for name, count in status.counts.items()),
    ]
    if status.git:
        lines.append("git: " + ", ".join(f"{name} {value}" for name, value in facts["git"].items()))
    lines += [f"scopes: {', '.join(facts['scopes']) or 'none yet'}", f"server version: {status.version}"]
    lines += (
        ["problems:", *(f"- {problem}" for problem in facts["problems"])] if problems else ["problems: none"]
    )
    return "\n".join([*lines, *status.notes]), facts


def _lines(first: str, facts: dict[str, Any]) -> str:
    shown = {name: facts[name] for name in ("version", "file", "commit", "note") if facts.get(name)}
    return "\n".join([first, *(f"{name}: {value}" for name, value in shown.items())])


def _cut(items: list[str], limit: int) -> list[str]:
    kept: list[str] = []
    used = 0
    for item in items:
        used += len(item) + 4
        if used > limit:
            return [*kept, f"… and {len(items) - len(kept)} more"]
        kept.append(item)
    return kept
