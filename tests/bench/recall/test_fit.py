"""Learning the weights, and the prompts that they are learned on."""

import pytest

from bench.recall.evidence_rows import LATER, ORDINARY, QUESTION, Row
from bench.recall.fit import learn
from bench.recall.prompts import later_prompts, ordinary_prompts
from memory_mcp.prompt_recall.confidence import Evidence, facts_of


def row(kind, scores, asked, matched, *, is_right):
    return Row("set", "space", kind, Evidence(scores, asked, matched), is_right)


ROWS = [
    *(row(QUESTION, [1.0, 0.3], 6, matched, is_right=True) for matched in (3, 4, 5, 6)),
    *(row(QUESTION, [1.0, 0.95], 9, matched, is_right=False) for matched in (3, 4, 5)),
    *(row(ORDINARY, [1.0, 0.9], 4, matched, is_right=False) for matched in (1, 2, 3)),
    row(QUESTION, [1.0, 0.9], 9, 4, is_right=True),
    Row("set", "space", QUESTION, None, False),
]


def test_what_is_learned_tells_right_from_wrong():
    weights = learn(ROWS)
    odds = [
        sum(w * x for w, x in zip(weights, [*facts_of(each.evidence), 1.0], strict=True))
        for each in (ROWS[0], ROWS[4])
    ]
    assert odds[0] > 0 > odds[1]


def test_nothing_is_learned_from_the_later_prompts():
    later = [row(LATER, [1.0, 0.1], 6, 6, is_right=False)] * 50
    assert learn([*ROWS, *later]) == pytest.approx(learn(ROWS))


def test_the_prompts_are_as_many_as_is_said_and_all_different():
    assert (len(ordinary_prompts()), len(later_prompts())) == (200, 102)
    assert len({*ordinary_prompts(), *later_prompts()}) == 302
