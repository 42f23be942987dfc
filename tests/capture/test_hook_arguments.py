"""The command line and the environment of a hook."""

import pytest

from memory_mcp.capture.hook_arguments import HookArguments


def test_every_option_is_read_in_both_forms():
    words = ["--event", "stop", "--agent=codex", "--data-dir", "/d", "--caller", "ana"]
    words += ["--extension=x", "--source-event", "y"]
    flags = ["--capture-assistant", "--no-capture-prompts", "--recall", "--check-capture"]
    given = HookArguments([*words, *flags], {})
    assert (given.event, given.agent, given.data_dir, given.caller) == ("stop", "codex", "/d", "ana")
    assert (given.extension, given.source_event) == ("x", "y")
    assert given.capture_assistant
    assert not given.capture_prompts
    assert given.recall
    assert given.check_capture
    assert given.problems == []


def test_what_is_not_said_is_read_from_the_environment_or_off():
    environ = {
        "MEMORY_MCP_DATA_DIR": "/e",
        "MEMORY_MCP_CALLER": " ana ",
        "MEMORY_MCP_CAPTURE_OWNER": "another program",
        "MEMORY_MCP_RUN_ID": "A-RUN",
        "HOME": "/home/ana",
        "CLAUDE_PROJECT_DIR": "/p",
    }
    given = HookArguments([], environ)
    assert (given.event, given.agent, given.data_dir, given.caller) == ("", "", "/e", "ana")
    assert (given.has_owner, given.run, given.home, given.project_folder) == (
        True,
        "a-run",
        "/home/ana",
        "/p",
    )
    assert (given.recall, given.capture_prompts, given.capture_assistant) == (False, True, False)
    assert not HookArguments([], {"MEMORY_MCP_CAPTURE_OWNER": "  "}).has_owner


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["stop", "--agent", "codex"], "stop"),
        (["--agent", "codex", "--events", "stop"], "--events"),
        (["--agent", "codex", "--event"], "--event"),
        (["--event", "--agent", "codex"], "--event"),
        (["--agent", "codex", "--recall=no"], "--recall=no"),
        (["-e", "--agent", "codex"], "-e"),
    ],
)
def test_an_argument_that_means_nothing_is_named_and_the_others_count(words, problem):
    given = HookArguments(words, {})
    assert given.problems[0] == problem
    assert given.agent == "codex"
    assert not given.recall
