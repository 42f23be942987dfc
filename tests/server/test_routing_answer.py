"""What `memory_install_self_routing` answers: enough to do it, little enough to read."""

import json

import pytest

from memory_mcp.errors import NotFound
from memory_mcp.routing.routing_block import routing_block, set_block
from memory_mcp.routing.skill_files import load_skills
from memory_mcp.server.routing_answer import routing_answer

MAX_CHARS = 9_000


@pytest.mark.parametrize("compact", [False, True])
def test_the_answer_holds_the_block_and_what_to_do_with_it(compact):
    text, facts = routing_answer(compact=compact, skill="")
    assert facts["block"] == routing_block(compact=compact)
    assert facts["block"].splitlines()[0] == facts["marker_start"]
    assert facts["block"].splitlines()[-1] == facts["marker_end"]
    assert set_block("", facts["block"]) == facts["block"] + "\n"
    assert [each["name"] for each in facts["skills"]] == [each.name for each in load_skills()]
    assert all(note in text for note in facts["notes"])
    assert len(text) < MAX_CHARS
    assert len(json.dumps(facts)) < MAX_CHARS


@pytest.mark.parametrize("skill", load_skills(), ids=lambda skill: skill.name)
def test_one_skill_is_given_whole(skill):
    text, facts = routing_answer(compact=False, skill=skill.name)
    assert text == facts["content"] == skill.text
    assert facts["relative_path"] == f"{skill.name}/SKILL.md"
    assert len(text) + len(json.dumps(facts)) < MAX_CHARS


def test_a_skill_of_another_name_is_refused_with_those_there_are():
    with pytest.raises(NotFound, match="there is no skill 'nope'; there are memory-durable-pages, "):
        routing_answer(compact=False, skill="nope")
