"""SQLite FTS5 over the same pages: Porter stemming, any word matches, BM25, and Whoosh's 35 stop words."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.baseline import Fts, build_fts
from bench.measure import cpu
from bench.retrieval.evaluation_set import Space
from bench.retrieval.product import Run

_WORD = re.compile(r"\w+")


def ask_baseline(spaces: Sequence[Space]) -> Run:
    """Put all questions to a table a space; title and body are what the product is given."""
    from whoosh.analysis import STOP_WORDS

    run = Run()
    with tempfile.TemporaryDirectory(prefix="memory-mcp-retrieval-") as folder:
        database = Path(folder) / "fts.db"
        for space in spaces:
            drafts = [page.draft for page in space.pages]
            rows = [(draft.path, draft.title or "", draft.body) for draft in drafts]
            run.index_cpu += cpu(partial(build_fts, database, rows))
            fts = Fts(database)
            for question in space.questions:
                start = time.process_time()
                words = _WORD.findall(question.text.lower())
                words = [word for word in words if word not in STOP_WORDS] or words
                found = fts.query(words) if words else []
                run.query_ms.append((time.process_time() - start) * 1e3)
                run.found.append([drafts[row - 1].path for (row,) in found])
            fts.close()
    return run
