"""How much of what a public rule set calls a secret is found, and how much is found that is none."""

from __future__ import annotations

from bench.secret_samples import ordinary_lines, samples, survives
from memory_mcp.capture.sanitizer import Sanitizer

LEAST_RECALL = 0.95
MOST_ALARMS = 5


def test_nearly_every_secret_of_a_published_shape_is_found() -> None:
    clean = Sanitizer().clean
    found = [not survives(core, clean(line)) for _, core, line in samples(each=8)]
    assert sum(found) / len(found) >= LEAST_RECALL


def test_ordinary_lines_are_left_alone() -> None:
    clean = Sanitizer().clean
    alarms = [line for line in ordinary_lines() if clean(line) != line]
    assert len(alarms) <= MOST_ALARMS, alarms
