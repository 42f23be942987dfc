"""The skills are valid, name real tools, and never replace what a person wrote."""

from __future__ import annotations

import re

import pytest
import yaml

from memory_mcp.app import App
from memory_mcp.config import TOOL_GROUPS, Settings
from memory_mcp.routing.skill_files import MARK, install_skill, load_skills
from memory_mcp.server.surface import MemoryServer

SKILLS = load_skills()
MAX_DESCRIPTION = 1_024
MAX_LINES = 500


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.name)
def test_a_skill_keeps_the_rules_of_agent_skills(skill):
    front = yaml.safe_load(skill.text.split("---\n")[1])
    assert front["name"] == skill.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", skill.name)
    assert len(skill.name) <= 64
    assert front["description"] == skill.description
    assert 0 < len(skill.description) <= MAX_DESCRIPTION
    assert "Use " in skill.description
    assert len(skill.text.splitlines()) < MAX_LINES
    assert MARK in skill.text.splitlines()


@pytest.mark.anyio
async def test_every_tool_that_a_skill_names_exists_and_takes_what_it_says(tmp_path):
    settings = Settings(data_dir=tmp_path, start_folder=tmp_path, home=tmp_path, server_tools=TOOL_GROUPS)
    tools = {tool.name: tool for tool in await MemoryServer(App(settings)).list_tools()}
    for skill in SKILLS:
        for name, arguments in re.findall(r"`([a-z]+(?:_[a-z]+)+)(?:\(([^`]*)\))?`", skill.text):
            if name in ("scope", "expires_at", "consumed_by_hook", "none_pending"):
                continue
            assert name in tools, f"{skill.name}: {name}"
            for argument in re.findall(r"(\w+)=", arguments):
                assert argument in tools[name].input_schema["properties"], f"{skill.name}: {name}({argument})"


def test_a_skill_replaces_only_what_is_ours():
    skill = SKILLS[0]
    assert install_skill("", skill) == skill.text
    assert install_skill(f"{MARK}\nold\n", skill) == skill.text
    with pytest.raises(ValueError, match="a person wrote it"):
        install_skill("# My own\n", skill)
