"""Print how good the ranking is, on data by path; exit with 1 if a goal is missed.

    python -m bench.retrieval DATA [DATA ...] [--sets NAME ...] [--ab WAY ...] [--vectors]

DATA is a folder or file of LoCoMo, LongMemEval, cookbook or Cranfield data, or a Python file that makes known
items. With `--ab` the default is compared with other ways to rank by a paired test: names of
`bench/retrieval/ablations.py` (`all` for every one), weights, such as `link=0.1` or `page=0.5,passage=0.5`,
or constants of the product, such as `rank.bm25:K1=1.2`.
With `--vectors` pages are found by meaning too; without `--ab` that is printed beside the rest, and judged.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.measure import note
from bench.retrieval import report
from bench.retrieval.ablations import ABLATIONS, NO_VECTORS, ablation
from bench.retrieval.baseline_run import ask_baseline
from bench.retrieval.evaluation_set import EvaluationSet
from bench.retrieval.goals import ALL, Values, Verdict, judge, judge_against, judge_vectors
from bench.retrieval.load import chosen, load_sets
from bench.retrieval.product import AS_IT_IS, Way, ask_product
from bench.retrieval.scored import Scored, score
from memory_mcp.errors import UserError

DEFAULT = "default"
PLAIN, WITH_VECTORS = "memory-mcp", "with vectors"


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.retrieval", description="How good the ranking is.")
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="folders or files of sets")
    parser.add_argument("--sets", nargs="+", default=(), metavar="NAME", help="only these sets")
    parser.add_argument("--vectors", action="store_true", help="find by meaning too")
    ways = f"{', '.join(('all', *ABLATIONS))}, or numbers as in link=0.1 or rank.bm25:K1=1.2"
    parser.add_argument("--ab", nargs="+", default=(), metavar="WAY", help=ways)
    options = parser.parse_args()
    names = [name for given in options.ab for name in (ABLATIONS if given == "all" else [given])]
    try:
        others = {name: ablation(name) for name in names}
        sets = list(chosen(load_sets(options.data), options.sets))
        if not others:
            return _measure(sets, vectors=options.vectors)
        _compare(sets, others, vectors=options.vectors)
        return 0
    except UserError as error:
        parser.error(str(error))


def _measure(sets: Sequence[EvaluationSet], *, vectors: bool) -> int:
    """Every set next to FTS5, then the goals; variants have none."""
    ways = {PLAIN: ABLATIONS[NO_VECTORS], WITH_VECTORS: AS_IT_IS} if vectors else {PLAIN: AS_IT_IS}
    verdicts: list[Verdict] = []
    values: dict[str, dict[str, Values]] = {name: {} for name in ways}
    print(report.HEADING)
    for each in sets:
        note(each.name)
        runs = ask_product(each.spaces, ways, vectors=vectors)
        ours = {name: score(each, run) for name, run in runs.items()}
        baseline = score(each, ask_baseline(each.spaces))
        print("\n".join(report.set_lines(each, ours, baseline)), flush=True)
        if not each.variant_of:
            verdicts += judge(each.name, ours[PLAIN].values)
            verdicts += judge_against(each.name, ours[PLAIN].values[ALL], baseline.values[ALL])
            for name, scored in ours.items():
                values[name][each.name] = scored.values[ALL]
    if vectors and values[PLAIN]:
        verdicts += judge_vectors(values[WITH_VECTORS], values[PLAIN])
    print("\nGoals", *(f"  {verdict.line}" for verdict in verdicts), sep="\n")
    return int(not all(verdict.is_met for verdict in verdicts))


def _compare(sets: Sequence[EvaluationSet], others: Mapping[str, Way], *, vectors: bool) -> None:
    """What the default is better by than each of the other ways; below zero the other way is better."""
    ways = {DEFAULT: AS_IT_IS, **others}
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


if __name__ == "__main__":
    sys.exit(main())
