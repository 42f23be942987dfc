"""What the sanitizer finds of published shapes, what it takes for a secret in ordinary lines, and its time.

`python -m bench sanitizer` prints the numbers, `python -m bench.sanitizer` each rule of which one is missed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial

from bench.measure import Row, cpu, interleaved
from bench.secret_samples import SHAPES, ordinary_lines, samples, survives
from bench.store import Store
from memory_mcp.capture.sanitizer import Sanitizer

MOST_MISSED = 5.0
"""Per cent."""
MOST_ALARMS = 5
MOST_WORDS = 4
"""Cleaning a text may take so much longer than finding its words."""
ROUNDS = 40


def measure(store: Store) -> Iterator[Row]:
    """Secrets that are missed, lines that are taken for one, and CPU beside that of a simple expression."""
    found, total = found_by_rule()
    missed = 100 * (1 - sum(found.values()) / sum(total.values()))
    yield Row(f"missed of {sum(total.values())} secrets, {len(total)} rules", missed, "%", MOST_MISSED)
    lines = ordinary_lines()
    yield Row(f"alarms in {len(lines)} ordinary lines", len(false_alarms(lines)), "", MOST_ALARMS)
    text = "\n".join(lines)[:16_384]
    find_words = partial(re.compile(r"\w+").findall, text)
    clean = partial(Sanitizer().clean, text)
    base, ours = interleaved([partial(cpu, find_words), partial(cpu, clean)], ROUNDS)
    yield Row("clean 16 kB / find its words", ours * 1e3, "ms", MOST_WORDS, base * 1e3)


def found_by_rule(each: int = 25) -> tuple[Counter[str], Counter[str]]:
    """How many secrets of each rule are found, and how many there are."""
    clean = Sanitizer().clean
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for rule, core, line in samples(each):
        total[rule] += 1
        found[rule] += not survives(core, clean(line))
    return found, total


def false_alarms(lines: list[str]) -> list[str]:
    """The lines in which something is taken for a secret."""
    clean = Sanitizer().clean
    return [line for line in lines if clean(line) != line]


def main() -> None:
    """Print each rule of which a secret is missed, and each line that is taken for one."""
    found, total = found_by_rule()
    for rule in SHAPES:
        if found[rule] < total[rule]:
            print(f"{rule}: {found[rule]} of {total[rule]}")
    lines = ordinary_lines()
    alarms = false_alarms(lines)
    recall = sum(found.values()) / sum(total.values())
    print(f"recall: {recall:.4f} of {sum(total.values())} secrets of {len(total)} rules")
    print(f"false alarms: {len(alarms)} in {len(lines)} ordinary lines", *alarms, sep="\n    ")


if __name__ == "__main__":
    main()
