"""What the ranking shall reach, on the development halves of the sets and nothing but Whoosh."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.retrieval.measures import mean

ALL = ""
"""The type that stands for all questions of a set."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The least that a measure may be on a set, and what to go for beyond it."""

    set: str
    measure: str
    floor: float | None
    stretch: float | None = None
    type: str = ALL


GOALS = (
    Goal("locomo", "hit@5", 0.95, 0.965),
    Goal("locomo", "MRR", 0.855, 0.88),
    Goal("locomo", "R@10", None, 0.85, "multi-hop"),
    Goal("code-chunks", "hit@5", 0.855, 0.90),
    Goal("code-chunks", "MRR", 0.70, 0.76),
    Goal("docs", "hit@5", 0.98, 1.0),
    Goal("docs", "MRR", 0.90, 0.94),
    *(
        goal
        for size in (200, 1000, 5000)
        for goal in (
            Goal(f"known-item-{size}", "hit@1", 0.98),
            Goal(f"known-item-{size}", "hit@5", 1.0),
        )
    ),
)

SATURATED = ("lme-mini",)
"""Sets on which every system finds all that can be found; a tie is as good as it gets."""

Values = Mapping[str, Sequence[float]]
"""The value of each question, by measure."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a goal is met; `line` says what, how much and against what."""

    line: str
    is_met: bool


def judge(name: str, by_type: Mapping[str, Values]) -> Iterator[Verdict]:
    """The goals of a set against the values of its questions, by type (`ALL` among them)."""
    for goal in GOALS:
        if goal.set != name or goal.type not in by_type:
            continue
        value = mean(by_type[goal.type][goal.measure]).value
        met = goal.floor is None or value >= goal.floor
        floor = "" if goal.floor is None else f"floor {goal.floor:.3f} {'ok' if met else 'MISSED'}"
        reached = goal.stretch is not None and value >= goal.stretch
        stretch = "" if goal.stretch is None else f"aim {goal.stretch:.3f} {'reached' if reached else 'open'}"
        what = f"{name} {goal.type} {goal.measure}".replace("  ", " ")
        yield Verdict(f"{what:32} {value:.3f}   {floor:20} {stretch}", met)


def judge_against(name: str, ours: Values, baseline: Values) -> Iterator[Verdict]:
    """MRR above that of FTS5, and hit@5 not below it by more than one standard error of the difference."""
    gain = mean([a - b for a, b in zip(ours["MRR"], baseline["MRR"], strict=True)])
    met = gain.value > 0 or (name in SATURATED and gain.value == 0)
    yield Verdict(f"{name + ' MRR':32} {gain.value:+.3f} over FTS5 {'ok' if met else 'MISSED'}", met)
    gain = mean([a - b for a, b in zip(ours["hit@5"], baseline["hit@5"], strict=True)])
    met = gain.value >= -gain.error
    verdict = "ok" if met else "MISSED"
    yield Verdict(f"{name + ' hit@5':32} {gain.value:+.3f} ± {gain.error:.3f} over FTS5 {verdict}", met)


def judge_vectors(ours: Mapping[str, Values], without: Mapping[str, Values]) -> Iterator[Verdict]:
    """With vectors hit@5 and MRR gain in the mean of the sets, and lose a standard error on none."""
    for measure in ("hit@5", "MRR"):
        gains = {
            name: mean([a - b for a, b in zip(ours[name][measure], without[name][measure], strict=True)])
            for name in ours
        }
        total = sum(gain.value for gain in gains.values()) / len(gains)
        verdict = "ok" if total > 0 else "MISSED"
        yield Verdict(f"{'mean of sets ' + measure:32} {total:+.4f} by vectors {verdict}", total > 0)
        for name, gain in gains.items():
            if gain.value < -gain.error:
                line = f"{name + ' ' + measure:32} {gain.value:+.4f} ± {gain.error:.4f} by vectors MISSED"
                yield Verdict(line, False)
