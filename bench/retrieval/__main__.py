"""Print how good the ranking is, on data by path; exit with 1 if a goal is missed.

    python -m bench.retrieval DATA [DATA ...] [--sets NAME ...] [--ab WAY ...] [--vectors]

DATA is a folder or file of LoCoMo, LongMemEval, cookbook or Cranfield data, or a Python file that makes known
items. With `--ab` the default is compared with other ways to rank by a paired test: names of
`bench/retrieval/ablations.py` (`all` for every one) or weights, such as `link=0.1` or `page=0.4,passage=0.6`.
With `--vectors` pages are found by meaning too; it alone compares that with not doing so.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.measure import note
from bench.retrieval import report
from bench.retrieval.ablations import ABLATIONS, NO_VECTORS, Ablation, ablation
from bench.retrieval.baseline_run import ask_baseline
from bench.retrieval.evaluation_set import EvaluationSet
from bench.retrieval.goals import ALL, Verdict, judge, judge_against, judge_vectors
from bench.retrieval.load import chosen, load_sets
from bench.retrieval.product import ask_plainly, ask_product
from bench.retrieval.scored import Scored, score
from memory_mcp.errors import UserError

DEFAULT = "default"


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.retrieval", description="How good the ranking is.")
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="folders or files of sets")
    parser.add_argument("--sets", nargs="+", default=(), metavar="NAME", help="only these sets")
    parser.add_argument("--vectors", action="store_true", help="find by meaning too; alone, what that gives")
    parser.add_argument("--ab", nargs="+", default=(), metavar="WAY", help=", ".join(("all", *ABLATIONS)))
    options = parser.parse_args()
    given_ways = options.ab or ([NO_VECTORS] if options.vectors else [])
    names = [name for given in given_ways for name in (ABLATIONS if given == "all" else [given])]
    try:
        others = {name: ablation(name) for name in names}
        sets = list(chosen(load_sets(options.data), options.sets))
        return _compare(sets, others, vectors=options.vectors) if others else _measure(sets)
    except UserError as error:
        parser.error(str(error))


def _measure(sets: Sequence[EvaluationSet]) -> int:
    """Every set next to FTS5, then the goals; variants have none."""
    verdicts: list[Verdict] = []
    print(report.HEADING)
    for each in sets:
        note(each.name)
        ours = score(each, ask_product(each.spaces, {DEFAULT: ask_plainly})[DEFAULT])
        baseline = score(each, ask_baseline(each.spaces))
        print("\n".join(report.set_lines(each, ours, baseline)), flush=True)
        if not each.variant_of:
            verdicts += judge(each.name, ours.values)
            verdicts += judge_against(each.name, ours.values[ALL], baseline.values[ALL])
    return _print_verdicts(verdicts)


def _compare(sets: Sequence[EvaluationSet], others: Mapping[str, Ablation], *, vectors: bool) -> int:
    """What the default is better by than each of the other ways; below zero the other way is better."""
    ways = {DEFAULT: ask_plainly, **{name: other.ask for name, other in others.items()}}
    scored: dict[str, dict[str, Scored]] = {name: {} for name in ways}
    for each in sets:
        note(each.name)
        for name, run in ask_product(each.spaces, ways, vectors=vectors).items():
            scored[name][each.name] = score(each, run)
    for name, other in others.items():
        print(f"default against {name}: {other.what}\n{report.COMPARISON_HEADING}")
        for each in sets:
            lines = report.comparison_lines(each.name, scored[DEFAULT][each.name], scored[name][each.name])
            print("\n".join(lines))
        print(report.macro_line(scored[DEFAULT], scored[name]), flush=True)
    if not vectors or NO_VECTORS not in others:
        return 0
    goals = [each.name for each in sets if not each.variant_of]
    verdicts = [
        *judge_vectors(
            {name: scored[DEFAULT][name].values[ALL] for name in goals},
            {name: scored[NO_VECTORS][name].values[ALL] for name in goals},
        )
    ]
    return _print_verdicts(verdicts)


def _print_verdicts(verdicts: Sequence[Verdict]) -> int:
    print("\nGoals", *(f"  {verdict.line}" for verdict in verdicts), sep="\n")
    return int(not all(verdict.is_met for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
