"""The tables that are printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bench.retrieval.evaluation_set import EvaluationSet
from bench.retrieval.goals import ALL
from bench.retrieval.measures import MEASURES, Mean, mean
from bench.retrieval.paired_test import Comparison, compare
from bench.retrieval.scored import Scored, types

_NAME = 26
HEADING = f"{'':{_NAME}}{'n':>6}" + "".join(f"{name:>14}" for name in MEASURES)


def set_lines(given: EvaluationSet, ours: Mapping[str, Scored], baseline: Scored) -> Iterator[str]:
    """A set: the product with each type of question, in one way or several, and FTS5; then what they cost."""
    pages = sum(1 for _ in given.pages)
    yield f"{given.name}: {pages:,} pages"
    for name, scored in ours.items():
        yield _values(f"  {name}", scored.values[ALL])
        for kind in types(scored):
            yield _values(f"    {kind}", scored.values[kind])
    yield _values("  FTS5", baseline.values[ALL])
    for name, scored in {**ours, "FTS5": baseline}.items():
        times = f"query p50 {scored.median_ms:.2f} ms, mean {scored.mean_ms:.2f} ms"
        yield f"  CPU of {name}: index {scored.index_cpu:.2f} s, {times}"


def _values(name: str, values: Mapping[str, Sequence[float]]) -> str:
    count = len(values["MRR"])
    cells = "".join(f"{_mean(mean(values[name])):>14}" for name in MEASURES)
    return f"{name:{_NAME}}{count:>6}{cells}"


def _mean(value: Mean) -> str:
    return f"{value.value:.3f} ±{value.error:.3f}".replace("±0.", "±.")


COMPARED = ("hit@1", "hit@5", "R@10", "MRR")
COMPARISON_HEADING = f"{'':{_NAME}}{'n':>6}" + "".join(f"{'Δ ' + name:>24}" for name in COMPARED)


def comparison_lines(name: str, default: Scored, other: Scored) -> Iterator[str]:
    """A set: what the default is better by than another way, in all and by type, with its cost."""
    for kind in (ALL, *types(default)):
        before, after = other.values[kind], default.values[kind]
        cells = "".join(f"{_difference(compare(before[each], after[each])):>24}" for each in COMPARED)
        yield f"{f'    {kind}' if kind else f'  {name}':{_NAME}}{len(after['MRR']):>6}{cells}"


def macro_line(default: Mapping[str, Scored], other: Mapping[str, Scored]) -> str:
    """The mean difference over the sets, each set counting the same."""
    cells = ""
    for measure in COMPARED:
        gains = [
            mean(default[name].values[ALL][measure]).value - mean(other[name].values[ALL][measure]).value
            for name in default
        ]
        cells += f"{sum(gains) / len(gains):>+17.4f}{'':7}"
    return f"{'  mean of sets':{_NAME}}{len(default):>6}{cells}"


def _difference(compared: Comparison) -> str:
    """The mean difference, its standard error and p; `same` where no question is answered otherwise."""
    difference = compared.difference
    if not difference.error:
        return f"{difference.value:+.4f}" if difference.value else "same"
    p = "p<.001" if compared.p < 0.001 else f"p={compared.p:.3f}"
    return f"{difference.value:+.4f} ±{difference.error:.4f} {p}".replace("0.", ".")
