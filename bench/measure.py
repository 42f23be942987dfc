"""Measuring: CPU rather than wall time, minima of interleaved runs, and one line for each result.

CPU seconds are user and system, children included, so that a busy machine disturbs a ratio little.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Row:
    """One result. What is compared with `goal` is the ratio, or `ours` where there is no baseline."""

    name: str
    ours: float
    unit: str
    goal: float
    baseline: float | None = None

    @property
    def compared(self) -> float:
        """The number that the goal is about."""
        return self.ours / self.baseline if self.baseline else self.ours

    @property
    def is_met(self) -> bool:
        """Whether it is within the goal."""
        return self.compared <= self.goal

    def line(self) -> str:
        """The row as text, in the columns of `HEADING`."""
        baseline = f"{self.baseline:,.2f} {self.unit}" if self.baseline else ""
        ratio = f"{self.compared:.2f} x" if self.baseline else ""
        goal = f"{self.goal:g} x" if self.baseline else f"{self.goal:,g} {self.unit}"
        verdict = "ok" if self.is_met else "MISSED"
        return f"{self.name:44}{self.ours:>10,.2f} {self.unit:5}{baseline:>14}{ratio:>9}{goal:>11}  {verdict}"


HEADING = f"{'':44}{'ours':>10}{'baseline':>20}{'ratio':>9}{'goal':>11}"


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of a call, with those of the processes it started and waited for."""
    start = time.process_time() + children_cpu()
    work()
    return time.process_time() + children_cpu() - start


def children_cpu() -> float:
    """CPU seconds of all ended child processes so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass(frozen=True, slots=True)
class Ran:
    """What a process took: CPU seconds, and megabytes resident at most."""

    cpu: float
    memory: float


def run_python(code: str, cwd: Path, environ: Mapping[str, str]) -> Ran:
    """Run code in a new interpreter, which must succeed."""
    process = subprocess.Popen([sys.executable, "-c", code], cwd=cwd, env=environ)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"exit {process.returncode} of: {code}")
    # Linux counts in kilobytes, macOS in bytes.
    return Ran(
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024),
    )


def interleaved(ways: Sequence[Callable[[], float]], rounds: int) -> list[float]:
    """The least that each way measures; they take turns, so that a disturbance hits all of them."""
    least = [float("inf")] * len(ways)
    for _ in range(rounds):
        least = [min(best, way()) for best, way in zip(least, ways, strict=True)]
    return least


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that so many percent do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def note(text: str) -> None:
    """Tell a person who waits what goes on."""
    print(f"  {text}", file=sys.stderr, flush=True)
