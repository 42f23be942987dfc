"""The clients' own files of sessions: which were there, and which of them somebody wrote in."""

import json
from datetime import datetime, timezone

import pytest

from memory_mcp.clients.transcripts import client_sessions

SINCE = datetime(2026, 11, 1, tzinfo=timezone.utc)
ID = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
PROMPT = {
    "type": "user",
    "isSidechain": False,
    "message": {"role": "user", "content": "Make it retry"},
    "timestamp": "2026-11-30T15:06:02.020Z",
    "cwd": "/home/ana/importer",
    "sessionId": ID,
}
META = {
    "timestamp": "2026-11-30T15:06:03.000Z",
    "type": "session_meta",
    "payload": {"id": ID, "cwd": "/home/ana/importer", "timestamp": "2026-11-30T15:06:02.020Z"},
}
WRITTEN = {"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "UserMessage"}}}
CLAUDE = ".claude/projects/-home-ana-importer"
CODEX = ".codex/sessions/2026/11/30"
RESULT = {"role": "user", "content": [{"type": "tool_result", "content": "ok"}]}


@pytest.fixture
def sessions(tmp_path):
    def run(client, *rows, environ=None):
        folder = tmp_path / (CLAUDE if client == "claude-code" else CODEX)
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(row if isinstance(row, str) else f"{json.dumps(row)}\n" for row in rows)
        (folder / f"rollout-{ID}.jsonl").write_text(text, encoding="utf-8")
        found = client_sessions(client, environ or {}, tmp_path, SINCE)
        return [(each.native_id, each.cwd, f"{each.started:%H:%M:%S}") for each in found]

    return run


FOUND = [(ID, "/home/ana/importer", "15:06:02")]


def test_a_session_of_claude_code_is_found_behind_other_lines(sessions):
    assert sessions("claude-code", {"type": "queue-operation"}, "torn\n", "[1]\n", PROMPT) == FOUND


@pytest.mark.parametrize(
    "change",
    [
        {"isSidechain": True},
        {"isMeta": True},
        {"type": "assistant"},
        {"message": RESULT},
        {"message": None},
        {"timestamp": "yesterday"},
        {"cwd": None, "sessionId": None, "timestamp": None},
    ],
)
def test_what_nobody_wrote_in_is_no_session_of_claude_code(sessions, change):
    assert sessions("claude-code", {**PROMPT, **change}) == []


@pytest.mark.parametrize("written", [WRITTEN, {"type": "event_msg", "payload": {"type": "user_message"}}])
def test_a_session_of_codex_is_found(sessions, written):
    assert (
        sessions("codex", META, {"type": "event_msg", "payload": {"type": "task_started"}}, written) == FOUND
    )


def test_what_nobody_wrote_in_and_what_another_session_started_is_no_session_of_codex(sessions):
    assert sessions("codex", META) == []
    assert sessions("codex", WRITTEN) == []
    started = {**META, "payload": {**META["payload"], "source": {"subagent": "review"}}}
    assert sessions("codex", started, WRITTEN) == []


def test_the_folders_that_clients_were_told_of_are_looked_at(sessions, tmp_path):
    elsewhere = {"CLAUDE_CONFIG_DIR": str(tmp_path / "x"), "CODEX_HOME": str(tmp_path / "x")}
    assert sessions("claude-code", PROMPT, environ=elsewhere) == []
    assert sessions("codex", META, WRITTEN, environ=elsewhere) == []


def test_a_client_whose_files_nobody_knows_has_no_sessions(sessions):
    assert sessions("zed", PROMPT) == []
