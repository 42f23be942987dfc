"""What the sanitizer finds of secrets of published shapes, and what it takes for one in ordinary lines.

python -m bench.sanitizer
"""

from __future__ import annotations

from collections import Counter

from bench.secret_samples import SHAPES, ordinary_lines, samples, survives
from memory_mcp.capture.sanitizer import Sanitizer


def main() -> None:
    """Print recall by rule where it is not whole, recall of all, and false alarms."""
    clean = Sanitizer().clean
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for rule, core, line in samples():
        total[rule] += 1
        found[rule] += not survives(core, clean(line))
    for rule in SHAPES:
        if found[rule] < total[rule]:
            print(f"{rule}: {found[rule]} of {total[rule]}")
    recall = sum(found.values()) / sum(total.values())
    print(f"recall: {recall:.4f} of {sum(total.values())} secrets of {len(SHAPES)} rules")
    lines = ordinary_lines()
    alarms = [line for line in lines if clean(line) != line]
    print(f"false alarms: {len(alarms)} in {len(lines)} ordinary lines")
    for line in alarms:
        print(f"    {line.strip()[:100]}")


if __name__ == "__main__":
    main()
