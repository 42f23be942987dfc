"""How much of what a public rule set calls a secret is found, and how much is found that is none."""

from __future__ import annotations

import pytest

from bench.sanitizer import MOST_ALARMS, false_alarms, found_by_rule
from bench.secret_samples import ordinary_lines

LEAST_RECALL = 0.95


def test_nearly_every_secret_of_a_published_shape_is_found() -> None:
    found, total = found_by_rule(each=18)  # each variant of each rule
    assert sum(found.values()) / sum(total.values()) >= LEAST_RECALL
    assert [rule for rule in total if found[rule] < total[rule] * 0.6] == []


@pytest.mark.parametrize("seed", [7, 8])
def test_ordinary_lines_are_left_alone(seed: int) -> None:
    assert len(alarms := false_alarms(ordinary_lines(seed=seed))) <= MOST_ALARMS, alarms
