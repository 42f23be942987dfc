"""Print how often a prompt brings a passage, how often the first is right, and how often none was wanted.

    python -m bench.recall DATA [DATA ...] [--learn]

DATA as for `bench.retrieval`. Each question is a prompt to the wiki of its own pages, and right is a first
passage of a page that answers it; each of the 200 ordinary prompts is put to every wiki, and so are the 102
later ones. With `--learn` the weights are learned anew and printed, also with each set left out."""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.recall.evidence_rows import LATER, ORDINARY, QUESTION, Row, rows_of
from bench.recall.fit import learn
from bench.retrieval.load import chosen, load_sets
from memory_mcp.prompt_recall.confidence import (
    LEAST_MATCHED,
    THRESHOLD,
    Evidence,
    facts_of,
    is_worth_showing,
)

LEARNED_ON = ("locomo", "code-chunks", "code-files", "docs", "cranfield", "lme-mini")
ALSO = ("locomo-pooled", "mixed")
"""The same questions again, to one wiki of all pages."""

Decide = Callable[[Evidence], bool]


def main() -> None:
    """Measure, and learn if asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.recall", description="Recall at the prompt.")
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA")
    parser.add_argument("--learn", action="store_true", help="learn the weights anew")
    options = parser.parse_args()
    sets = list(chosen(load_sets(options.data), [*LEARNED_ON, *ALSO]))
    rows = [row for each in sets for row in rows_of(each)]
    report(rows, is_worth_showing)
    if options.learn:
        learned = [row for row in rows if row.set_name in LEARNED_ON]
        print("\nlearned on all:", _shown(learn(learned)))
        for left_out in LEARNED_ON:
            weights = learn([row for row in learned if row.set_name != left_out])
            print(f"without {left_out}: {_shown(weights)}")
            report([row for row in rows if row.set_name == left_out], _decider(weights))


def report(rows: Sequence[Row], decide: Decide) -> None:
    """One line a set, and one for the questions of all that were learned on."""
    print(f"{'set':14} questions injected  right   {ORDINARY:14} {LATER} (mean, and most of a wiki)")
    for name in dict.fromkeys(row.set_name for row in rows):
        _line(name, [row for row in rows if row.set_name == name], decide)
    learned = [row for row in rows if row.set_name in LEARNED_ON]
    if learned:
        _line("all of them", learned, decide)


def _line(name: str, rows: Sequence[Row], decide: Decide) -> None:
    questions = sum(row.kind == QUESTION for row in rows)
    injected = [row for row in rows if row.evidence and decide(row.evidence)]
    shown = [row for row in injected if row.kind == QUESTION]
    right = sum(row.is_right for row in shown) / len(shown) if shown else math.nan
    wikis = dict.fromkeys((row.set_name, row.space) for row in rows)
    alarms = []
    for kind in (ORDINARY, LATER):
        counts = Counter((row.set_name, row.space) for row in injected if row.kind == kind)
        alarms.append(f"{sum(counts.values()) / len(wikis):.1f}, {max(counts.values(), default=0)}")
    print(f"{name:14} {questions:9} {len(shown) / questions:8.3f} {right:6.3f}   {alarms[0]:14} {alarms[1]}")


def _decider(weights: Sequence[float]) -> Decide:
    def decide(evidence: Evidence) -> bool:
        total = sum(w * x for w, x in zip(weights, [*facts_of(evidence), 1.0], strict=True))
        return evidence.matched >= LEAST_MATCHED and total >= THRESHOLD

    return decide


def _shown(weights: Sequence[float]) -> str:
    return ", ".join(f"{weight:.3f}" for weight in weights)


if __name__ == "__main__":
    main()
