"""Print each hot path as a ratio; exit with 1 if one misses its goal.

    python -m bench [NAME ...] [--pages 10000]

A NAME is that of a module of this package: rebuild, scorer, freshness, query, streams, vectors, first_query,
session_prompt, hook, sanitizer, fold, session_boundary, write, growth, server_start, tool_list. Without one,
all are measured.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench import (
    first_query,
    fold,
    freshness,
    growth,
    hook,
    query,
    rebuild,
    sanitizer,
    scorer,
    server_start,
    session_boundary,
    session_prompt,
    streams,
    tool_list,
    vectors,
    write,
)
from bench.corpus import Corpus
from bench.measure import HEADING, note
from bench.store import Store

PATHS = {
    "rebuild": rebuild.measure,
    "scorer": scorer.measure,
    "freshness": freshness.measure,
    "query": query.measure,
    "streams": streams.measure,
    "vectors": vectors.measure,
    "first_query": first_query.measure,
    "session_prompt": session_prompt.measure,
    "hook": hook.measure,
    "sanitizer": sanitizer.measure,
    "fold": fold.measure,
    "session_boundary": session_boundary.measure,
    "server_start": server_start.measure,
    "tool_list": tool_list.measure,
    "write": write.measure,
    "growth": growth.measure,
}


def main() -> int:
    """Measure what is asked for, on one store."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Hot paths as ratios.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PATHS))
    parser.add_argument("--pages", type=int, default=10_000)
    options = parser.parse_args()
    if unknown := set(options.names) - set(PATHS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(PATHS)}")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="memory-mcp-bench-") as folder:
        store = Store(Path(folder), Corpus(), options.pages)
        print(f"{options.pages:,} pages\n{HEADING}", flush=True)
        for name in options.names or PATHS:
            note(name)
            for row in PATHS[name](store):
                print(row.line(), flush=True)
                missed += not row.is_met
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
