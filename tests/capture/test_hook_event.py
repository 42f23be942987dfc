"""What a hook takes in: events as the clients tell them, and as nobody should."""

import hashlib
import json
import os
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_mcp.capture.agent_names import _ALIASES
from memory_mcp.capture.hook_event import OFF_FILE, Taken, take
from memory_mcp.capture.spool import Spool
from tests.capture.json_values import PAYLOADS

SESSION = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
NOW = 1_796_040_009_120
KEY = "sk-" + "Ab3dE5gH" * 4
MARKER = 'workspace = "acme"\nproject = "importer"\n'


class Hooks:
    """The hooks of one person's machine, in this process."""

    def __init__(self, root):
        self.root = root
        self.data = root / "data"
        self.home = root / "home"
        self.project = self.home / "importer"
        self.project.mkdir(parents=True)
        self.environ = {"HOME": str(self.home), "MEMORY_MCP_DATA_DIR": str(self.data)}

    def raw(self, event, data, *words, agent="claude-code"):
        return take(["--event", event, "--agent", agent, *words], data, self.environ, lambda: NOW)

    def fire(self, event, *words, agent="claude-code", **fields):
        """The event as it was taken in."""
        payload = {"session_id": SESSION, "cwd": str(self.project), **fields}
        return self.raw(event, json.dumps(payload).encode(), *words, agent=agent)

    def entries(self):
        spool = Spool(str(self.data / "spool"))
        return [spool.read(name) for name in spool.names()]

    def entry(self, event, *words, agent="claude-code", **fields):
        """The one entry that the event left, without what every entry has."""
        taken = self.fire(event, *words, agent=agent, **fields)
        assert taken.problem == ""
        assert taken.is_recorded
        [entry] = self.entries()
        spool = Spool(str(self.data / "spool"))
        spool.remove(spool.names()[0])
        assert re.fullmatch("[0-9a-f]{32}", entry.pop("key"))
        assert entry.pop("v") == 1
        assert entry.pop("created") == "2026-11-30T12:00:09.120Z"
        assert entry.pop("attempts") == 0
        return entry

    def mark(self, text):
        (self.project / ".memory-mcp.toml").write_text(text, encoding="utf-8")

    def configure(self, text):
        self.data.mkdir(exist_ok=True)
        (self.data / "config.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def hooks(tmp_path):
    return Hooks(tmp_path.resolve())


COMMON = {"transcript_path": "/home/ana/t.jsonl", "permission_mode": "default"}
CALL = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "toolu_01AbC"}
CLAUDE = [
    (
        "SessionStart",
        {"source": "startup", "model": "a-model"},
        {"kind": "session-start", "title": "a-model", "start": "startup"},
    ),
    (
        "UserPromptSubmit",
        {"prompt": "Make it retry\nwith back-off", "prompt_id": "p1"},
        {"kind": "user-prompt", "title": "Make it retry", "body": "Make it retry\nwith back-off"},
    ),
    (
        "PreToolUse",
        CALL,
        {
            "kind": "pre-tool-use",
            "title": "tool non-file",
            "body": "tool_family: non-file\ntool_call_id: toolu_01AbC",
            "tool": {"family": "non-file", "call": "toolu_01AbC"},
        },
    ),
    (
        "PostToolUse",
        {**CALL, "tool_response": "17 passed", "duration_ms": 7},
        {
            "kind": "post-tool-use",
            "title": "tool non-file",
            "body": "tool_family: non-file\ntool_call_id: toolu_01AbC\noutcome: unknown\n---\n17 passed",
            "tool": {"family": "non-file", "call": "toolu_01AbC", "outcome": "unknown"},
        },
    ),
    (
        "PostToolUseFailure",
        {**CALL, "error": "exit code 2", "is_interrupt": False},
        {
            "kind": "post-tool-use",
            "title": "tool non-file",
            "body": "tool_family: non-file\ntool_call_id: toolu_01AbC\noutcome: error\n---\nexit code 2",
            "tool": {"family": "non-file", "call": "toolu_01AbC", "outcome": "error"},
        },
    ),
    ("PreCompact", {"trigger": "auto", "custom_instructions": ""}, {"kind": "pre-compact"}),
    (
        "PostCompact",
        {"trigger": "manual", "compact_summary": "What was done"},
        {"kind": "post-compaction", "title": "What was done", "body": "What was done"},
    ),
    (
        "Notification",
        {"message": "Claude needs you", "notification_type": "idle_prompt"},
        {"kind": "notification", "title": "Claude needs you", "body": "Claude needs you"},
    ),
    (
        "SubagentStart",
        {"agent_id": "a1", "agent_type": "Explore"},
        {"event": "subagent-start", "kind": "other", "source_event": "subagent-start", "subagent": True},
    ),
    (
        "SubagentStop",
        {"agent_id": "a1", "agent_type": "Explore", "last_assistant_message": "Found."},
        {"event": "subagent-stop", "kind": "other", "source_event": "subagent-stop", "subagent": True},
    ),
    ("Stop", {"stop_hook_active": False, "last_assistant_message": "Done."}, {"kind": "stop"}),
    ("SessionEnd", {"reason": "prompt_input_exit"}, {"kind": "session-end", "reason": "prompt_input_exit"}),
    ("FileChanged", {"file_path": "/home/ana/x"}, {"kind": "other"}),
]
CODEX = [
    (
        "SessionStart",
        {"source": "resume", "model": "a-model"},
        {"kind": "session-start", "title": "a-model", "start": "resume"},
    ),
    (
        "UserPromptSubmit",
        {"prompt": "Go on", "turn_id": "t1"},
        {"kind": "user-prompt", "title": "Go on", "body": "Go on"},
    ),
    (
        "UserPromptSubmit",
        {"prompt": "Look for pangolins", "turn_id": "t2", "agent_id": "a1", "agent_type": "default"},
        {"event": "subagent-prompt", "kind": "other", "source_event": "subagent-prompt", "subagent": True},
    ),
    (
        "PostToolUse",
        {
            "tool_name": "apply_patch",
            "tool_input": {"command": "*** Begin Patch\n*** Add File: a\n"},
            "tool_use_id": "call_9",
            "tool_response": {"output": "Success", "metadata": {"exit_code": 0}},
        },
        {
            "kind": "post-tool-use",
            "title": "tool file",
            "body": "tool_family: file\ntool_call_id: call_9\noutcome: unknown\n---\n"
            '{"output":"Success","metadata":{"exit_code":0}}',
            "tool": {"family": "file", "call": "call_9", "outcome": "unknown"},
        },
    ),
    ("Stop", {"turn_id": "t1", "last_assistant_message": None}, {"kind": "stop"}),
    ("SessionEnd", {"reason": "other"}, {"kind": "session-end", "reason": "other"}),
]


@pytest.mark.parametrize(
    ("agent", "event", "fields", "expected"),
    [("claude-code", *each) for each in CLAUDE] + [("codex", *each) for each in CODEX],
)
def test_each_event_of_the_clients_is_recorded_with_what_is_known(hooks, agent, event, fields, expected):
    entry = hooks.entry(event, agent=agent, hook_event_name=event, **COMMON, **fields)
    about = {"event": expected["kind"], "agent": agent, "native_id": SESSION, "cwd": str(hooks.project)}
    assert entry == {**about, **expected}


def test_a_client_without_a_named_event_is_understood_by_its_payload(hooks):
    taken = take(
        ["--agent", "codex"],
        json.dumps({"session_id": SESSION, "hook_event_name": "Stop"}).encode(),
        hooks.environ,
    )
    assert taken.event == "stop"
    assert taken.is_recorded


def test_cursor_is_known_by_its_version_whoever_it_runs_the_hooks_of(hooks):
    taken = hooks.fire("beforeSubmitPrompt", cursor_version="2.0.77", prompt="x")
    assert (taken.agent, taken.event) == ("cursor", "user-prompt")


def test_only_the_first_model_call_of_antigravity_starts_a_session(hooks):
    assert hooks.fire("PreInvocation", agent="antigravity", invocationNum=0).event == "session-start"
    assert hooks.fire("PreInvocation", agent="antigravity", invocationNum=1).event == "other"


def test_an_extension_is_recorded_under_its_own_name_and_does_nothing_else(hooks):
    words = ["--extension", "my-tool", "--source-event", "review.done"]
    entry = hooks.entry("SessionEnd", *words, title="Two remarks")
    assert entry["kind"] == entry["event"] == "other"
    assert (entry["extension"], entry["source_event"], entry["title"]) == (
        "my-tool",
        "review.done",
        "Two remarks",
    )


def test_the_same_call_has_the_same_key_and_nothing_else_has(hooks):
    for _ in range(2):
        hooks.fire("PreToolUse", **CALL)
        hooks.fire("PostToolUse", **CALL)
        hooks.fire("Stop")
        hooks.fire("PreToolUse", tool_name="Bash", tool_use_id="not a word")
    keys = [(entry["event"], entry["key"]) for entry in hooks.entries()]
    text = f"claude-code\n{SESSION}\npost-tool-use\ntoolu_01AbC"
    assert ("post-tool-use", hashlib.sha256(text.encode()).hexdigest()[:32]) in keys
    assert len(keys) == len({*keys}) == 2 + 4


def test_the_scope_is_told_where_a_marker_names_all_of_it(hooks):
    assert "scope" not in hooks.entry("Stop")
    hooks.mark(MARKER)
    entry = hooks.entry("Stop", cwd=str(hooks.project / "gone" / "src"))
    assert (entry["scope"], entry["scope_source"]) == ("acme/importer", "marker")
    hooks.mark('workspace = "acme"\n')
    assert "scope" not in hooks.entry("Stop")


def test_names_and_files_of_tools_are_recorded_only_where_a_person_asked_for_them(hooks):
    call = {
        "tool_name": "Edit",
        "tool_use_id": "t1",
        "tool_input": {"file_path": f"{hooks.project}/src/a.py"},
    }
    assert hooks.entry("PreToolUse", **call)["tool"] == {"family": "file", "call": "t1"}
    hooks.mark("[capture]\ntool_details = true\n")
    assert hooks.entry("PreToolUse", **call)["tool"] == {"family": "file", "call": "t1"}
    hooks.mark(MARKER)
    hooks.configure("[capture]\ntool_details = true\n")
    details = {"name": "Edit", "path": "src/a.py"}
    assert hooks.entry("PreToolUse", **call)["tool"] == {"family": "file", "call": "t1", **details}
    assert hooks.entry("PreToolUse", agent="gemini-cli", **call).get("tool") is None


def test_an_answer_of_the_agent_is_recorded_only_if_hook_and_config_agree(hooks):
    said = {"last_assistant_message": f"Done, with {KEY}."}
    assert "body" not in hooks.entry("Stop", "--capture-assistant", **said)
    hooks.configure("[capture]\nassistant = true\n")
    assert "body" not in hooks.entry("Stop", **said)
    assert hooks.entry("Stop", "--capture-assistant", **said)["body"] == "Done, with [REDACTED]."
    assert "body" not in hooks.entry("SubagentStop", "--capture-assistant", **said)


def test_a_run_that_is_managed_is_told(hooks):
    for run, found in ((SESSION.upper(), SESSION), ("not an id", None), (f"{SESSION}\n{SESSION}", None)):
        hooks.environ["MEMORY_MCP_RUN_ID"] = run
        assert hooks.entry("Stop").get("managed_run") == found


def test_the_caller_is_told(hooks):
    assert hooks.entry("Stop", "--caller", "ana")["caller"] == "ana"
    hooks.environ["MEMORY_MCP_CALLER"] = KEY
    assert hooks.entry("Stop")["caller"] == "[REDACTED]"


def test_another_program_that_records_the_agent_is_left_alone(hooks):
    hooks.environ["MEMORY_MCP_CAPTURE_OWNER"] = "another program"
    taken = hooks.fire("UserPromptSubmit", "--recall", prompt="hello")
    assert (taken.is_recorded, taken.problem) == (False, "")
    assert (taken.prompt, taken.wants_recall, taken.native_id) == ("hello", True, SESSION)
    assert hooks.entries() == []


def test_prompts_can_be_left_out(hooks):
    assert not hooks.fire("UserPromptSubmit", "--no-capture-prompts", prompt="hello").is_recorded
    assert hooks.fire("Stop", "--no-capture-prompts").is_recorded


def test_with_an_allow_list_only_marked_folders_are_recorded(hooks):
    hooks.configure('[capture]\nmode = "allowlist"\n')
    assert not hooks.fire("Stop").is_recorded
    hooks.mark("[capture]\n")
    assert hooks.fire("Stop").is_recorded


def test_a_project_can_leave_out_the_agents_of_agents(hooks):
    inner = {"agent_id": "a1", "agent_type": "Explore"}
    assert hooks.entry("PreToolUse", **CALL, **inner)["subagent"] is True
    hooks.mark(f"{MARKER}drop_subagent_captures = true\n")
    for event in ("PreToolUse", "SubagentStart", "SubagentStop"):
        assert not hooks.fire(event, **CALL, **inner).is_recorded
    assert not hooks.fire("SubagentStop").is_recorded
    assert hooks.fire("PreToolUse", **CALL, agent_type="Explore").is_recorded


def test_a_project_keeps_paths_out_of_what_is_recorded(hooks):
    hooks.mark(f'{MARKER}[capture]\nignore_paths = ["secrets/**"]\n')
    hooks.configure("[capture]\ntool_details = true\n")

    def fire(path):
        return hooks.fire(
            "PostToolUse", tool_name="Read", tool_input={"file_path": path}, tool_response="text"
        )

    assert not fire("secrets/a").is_recorded
    assert fire(7).is_recorded
    assert fire("src/a.py").is_recorded
    unread, read = hooks.entries() if "path" in hooks.entries()[1]["tool"] else hooks.entries()[::-1]
    assert (unread["tool"], unread["body"]) == (
        {"family": "file", "outcome": "unknown"},
        "tool_family: file\noutcome: unknown",
    )
    assert (read["tool"]["path"], read["body"][-4:]) == ("src/a.py", "text")
    assert hooks.fire("UserPromptSubmit", prompt="look into secrets/a").is_recorded


def test_what_an_agent_or_this_memory_remembers_is_not_recorded_again(hooks):
    memory = hooks.home / ".claude/projects/x/memory/MEMORY.md"
    for path in (memory, hooks.data / "wiki/page.md"):
        assert not hooks.fire(
            "PostToolUse", tool_name="Read", tool_input={"file_path": str(path)}
        ).is_recorded
    assert not hooks.fire("UserPromptSubmit", prompt="x", cwd=str(hooks.data / "wiki")).is_recorded
    assert hooks.fire("UserPromptSubmit", prompt="x", cwd=f"{hooks.data}-2").is_recorded


def test_the_policy_can_be_asked_without_recording_anything(hooks):
    hooks.mark('[capture]\nignore_paths = ["secrets/**"]\n')
    call = {"tool_name": "Read", "tool_input": {"file_path": "secrets/a"}}
    taken = hooks.fire("PreToolUse", "--check-capture", **call)
    assert taken.decision == {
        "version": 1,
        "policy_state": "active",
        "tool_family": "file",
        "path_count": 1,
        "extraction_state": "extracted",
        "disposition": "drop",
        "marker_present": True,
        "admits_capture": True,
    }
    hooks.environ["MEMORY_MCP_CAPTURE_OWNER"] = "another program"
    taken = hooks.fire("Stop", "--check-capture")
    assert (taken.decision["disposition"], taken.decision["admits_capture"]) == ("keep", False)
    assert hooks.entries() == []


def test_a_folder_that_a_person_turned_off_is_not_recorded_nor_what_is_below(hooks):
    (hooks.data / "state").mkdir(parents=True)
    (hooks.root / "link").symlink_to(hooks.project)
    (hooks.data / OFF_FILE).write_text(f"/elsewhere\n\n{hooks.root}/link\n", encoding="utf-8")
    assert not hooks.fire("Stop").is_recorded
    assert not hooks.fire("Stop", cwd=f"{hooks.project}/src").is_recorded
    assert hooks.fire("Stop", cwd=f"{hooks.project}-2").is_recorded
    assert hooks.fire("Stop", cwd=str(hooks.home)).is_recorded


def test_a_folder_is_told_without_symbolic_links_and_as_far_as_it_is_one(hooks, monkeypatch):
    (hooks.root / "link").symlink_to(hooks.project)
    assert hooks.fire("Stop", cwd=f"{hooks.root}/link/src/..").cwd == str(hooks.project)
    monkeypatch.chdir(hooks.home)
    for odd in ("", 7, None, "a\0b", "x/" * 5_000, "\ud800"):
        assert hooks.fire("Stop", cwd=odd).cwd == str(hooks.home)
    hooks.environ["CLAUDE_PROJECT_DIR"] = str(hooks.project)
    assert hooks.fire("Stop", cwd="").cwd == str(hooks.project)


def test_an_event_in_a_folder_that_is_gone_is_recorded_all_the_same(hooks, monkeypatch):
    gone = hooks.root / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    taken = hooks.raw("Stop", json.dumps({"session_id": SESSION}).encode())
    assert (taken.cwd, taken.is_recorded) == ("", True)


@pytest.mark.parametrize("native", ["a b", "../../x", KEY, "x" * 129, "a\nb", "ä"])
def test_a_session_id_that_is_no_plain_word_becomes_one_always_the_same(hooks, native):
    first, second = (hooks.fire("Stop", session_id=native).native_id for _ in range(2))
    assert first == second
    assert first == native if native == "../../x" else re.fullmatch("id-[0-9a-f]{32}", first)
    assert hooks.fire("Stop", session_id=f"{native}2").native_id != first


def test_a_start_without_a_session_id_gets_one_and_any_other_event_is_not_recorded(hooks):
    first, second = (hooks.fire("SessionStart", session_id=None) for _ in range(2))
    assert first.is_recorded
    assert re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", first.native_id)
    assert first.native_id != second.native_id
    taken = hooks.fire("Stop", session_id=None)
    assert taken.problem == "nothing was recorded: the client names no session"
    assert len(hooks.entries()) == 2


@pytest.mark.parametrize(
    ("source", "start"), [("clear", "clear"), ("Fork", "fork"), ("x", "startup"), (7, "startup")]
)
def test_how_a_session_started_is_one_of_few_words(hooks, source, start):
    assert hooks.entry("SessionStart", source=source)["start"] == start


@pytest.mark.parametrize(
    ("config", "data", "words"),
    [
        ("", b"not json", []),
        ("", b"[]", []),
        ("[capture", b'{"session_id": "x"}', []),
        ('[sanitise]\nextra_patterns = ["x"]\n', b'{"session_id": "x"}', []),
        ("", b'{"session_id": "x"}', ["--data-dir", "${HOME}/x"]),
        ("", b'{"session_id": "x"}', ["--data-dir", " "]),
        ("", b'{"session_id": "x"}', ["--data-dir", "a\0b"]),
    ],
)
def test_what_cannot_be_understood_is_not_recorded_and_said(hooks, config, data, words):
    hooks.configure(config)
    taken = hooks.raw("Stop", data, *words)
    assert taken.problem.startswith("nothing was recorded: ")
    assert "\n" not in taken.problem
    assert hooks.entries() == []
    assert (taken.agent, taken.event) == ("claude-code", "stop")


def test_an_argument_that_means_nothing_is_said_and_the_event_recorded(hooks):
    taken = hooks.fire("Stop", "--evnt=x")
    assert taken.problem == "an argument means nothing: --evnt=x"
    assert taken.is_recorded


@pytest.mark.parametrize("what", ["file", "read-only"])
def test_a_spool_that_takes_nothing_is_said(hooks, what, monkeypatch):
    hooks.data.mkdir()
    if what == "file":
        (hooks.data / "spool").write_text("", encoding="utf-8")
    else:
        monkeypatch.setattr(os, "open", _refuse)
    taken = hooks.fire("Stop")
    assert taken.problem.startswith("the event was not recorded: ")
    assert taken.native_id == SESSION


def _refuse(*_):
    raise PermissionError(13, "Permission denied")


def test_nothing_but_the_one_file_is_written(hooks):
    hooks.fire("UserPromptSubmit", prompt="hello")
    found = [path.relative_to(hooks.data).parts[0] for path in hooks.data.rglob("*")]
    assert found == ["spool", "spool"]


@pytest.mark.parametrize(
    "event", ["UserPromptSubmit", "PostToolUse", "Stop", "SessionStart", "SessionEnd", "x"]
)
def test_no_secret_reaches_the_disk_whichever_field_holds_it(hooks, event):
    hooks.configure(
        '[capture]\ntool_details = true\nassistant = true\n[sanitize]\nextra_patterns = ["ACME-[0-9]+"]'
    )
    texts = ["prompt", "message", "text", "model", "title", "summary", "reason", "source"]
    fields = {
        **dict.fromkeys(texts, f"x {KEY} ACME-77"),
        "tool_name": KEY,
        "tool_use_id": KEY,
        "tool_input": {"file_path": f"{KEY}/ACME-77/x.py"},
        "tool_response": {"stdout": f"a\n{KEY}\nACME-77"},
        "last_assistant_message": KEY,
        "session_id": KEY,
        "agent_id": KEY,
        "cwd": f"{hooks.project}/{KEY}",
        "hook_event_name": KEY,
    }
    words = ["--capture-assistant", "--caller", KEY]
    for each in ([], ["--extension", "mine", "--source-event", "done"]):
        assert hooks.fire(event, *words, *each, **fields).is_recorded
        assert hooks.fire(event, *words, *each, **{**fields, "tool_name": "Edit"}).is_recorded
    written = "".join(json.dumps(entry) for entry in hooks.entries())
    assert KEY not in written
    assert "ACME-77" not in written
    assert "Ab3dE5gH" not in "".join(os.listdir(hooks.data / "spool"))


def test_a_payload_of_twenty_megabytes_is_recorded_within_the_caps(hooks):
    big = f"{KEY} word " * 500_000
    for event, field in (("UserPromptSubmit", "prompt"), ("PostToolUse", "tool_response")):
        data = json.dumps({"session_id": SESSION, "tool_name": "Bash", field: big}).encode()
        assert len(data) > 20_000_000
        assert hooks.raw(event, data).is_recorded
    for entry in hooks.entries():
        assert len(json.dumps(entry)) < 20_000
        assert "sk-" not in json.dumps(entry)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    PAYLOADS,
    st.sampled_from(
        ["SessionStart", "UserPromptSubmit", "PostToolUse", "Notification", "Stop", "SessionEnd", "x"]
    ),
    st.sampled_from([*_ALIASES, "other"]),
    st.lists(st.sampled_from(["--recall", "--capture-assistant", "--extension", "mine", "--caller=\ud800"])),
)
def test_whatever_a_client_sends_the_hook_understands_or_says_why_not(hooks, payload, event, agent, words):
    taken = hooks.raw(event, json.dumps(payload).encode(), *words, agent=agent)
    assert isinstance(taken, Taken)
    assert taken.is_recorded or taken.problem.startswith("nothing was recorded: the client names no session")
    for entry in hooks.entries():
        assert json.dumps(entry).isascii()
