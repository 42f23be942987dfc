"""Hooks in groups: ours one an event, in its place, and everything of others as it was."""

import json
from pathlib import Path

import pytest

from memory_mcp.clients.hook_command import HookOptions
from memory_mcp.clients.hook_groups import add_hooks, our_hooks, remove_hooks

EVENTS = {"SessionStart": "session-start", "UserPromptSubmit": "user-prompt", "Stop": "stop"}
FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "audit.sh"}]}


def install(text: str, data_dir: str = "/m", **options) -> str:
    return add_hooks(text, HookOptions(Path(data_dir), **options), "codex", EVENTS)


def groups(text: str, event: str) -> list:
    return json.loads(text)["hooks"][event]


def test_a_changed_command_stays_in_its_place_for_trust_goes_by_places():
    old = json.loads(install(""))["hooks"]
    text = json.dumps({"hooks": {**old, "Stop": [FOREIGN, *old["Stop"], FOREIGN]}})
    changed = install(text, "/elsewhere")
    assert [group == FOREIGN for group in groups(changed, "Stop")] == [True, False, True]
    assert len(our_hooks(changed)) == len(EVENTS)


def test_what_others_wrote_keeps_its_layout_through_an_install_and_its_removal():
    text = '{"hooks": {"Stop": [ {"hooks":[{"type":"command",  "command":"audit.sh"}]} ]}, "x":1}\n'
    installed = install(text)
    assert len(our_hooks(installed)) == len(EVENTS)
    assert remove_hooks(installed) == text


def test_a_doubled_hook_becomes_one():
    [ours] = groups(install(""), "Stop")
    text = json.dumps({"hooks": {"Stop": [ours, FOREIGN, ours]}})
    assert groups(install(text), "Stop") == [ours, FOREIGN]


def test_a_hook_of_ours_in_a_group_of_others_gets_a_group_of_its_own():
    [ours] = groups(install(""), "Stop")
    shared = {"matcher": "Bash", "hooks": [*FOREIGN["hooks"], *ours["hooks"]]}
    assert groups(install(json.dumps({"hooks": {"Stop": [shared]}})), "Stop") == [FOREIGN, ours]


def test_an_event_that_is_no_longer_wanted_loses_its_hook():
    [ours] = groups(install(""), "Stop")
    text = install(json.dumps({"hooks": {"Interrupt": [ours, FOREIGN], "Setup": [ours]}}))
    assert groups(text, "Interrupt") == [FOREIGN]
    assert "Setup" not in json.loads(text)["hooks"]


def test_a_prompt_that_is_not_recorded_has_a_hook_only_for_recall():
    assert "UserPromptSubmit" not in json.loads(install("", capture_prompts=False))["hooks"]
    text = install("", capture_prompts=False, recall=True)
    [(_, command)] = [each for each in our_hooks(text) if each[0] == "UserPromptSubmit"]
    assert command.endswith("--recall --no-capture-prompts")
    assert install(text) == text


def test_groups_of_odd_shapes_stay():
    odd = {"hooks": {"Stop": [1, {"hooks": 3}, {"hooks": ["x", FOREIGN["hooks"][0]]}]}, "a": 1}
    text = install(json.dumps(odd))
    assert groups(text, "Stop")[:3] == odd["hooks"]["Stop"]
    assert json.loads(remove_hooks(text)) == odd


@pytest.mark.parametrize("text", ["[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "{"])
def test_a_text_that_is_not_the_clients_is_refused(text):
    with pytest.raises(ValueError):
        install(text)
