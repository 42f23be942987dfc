"""Which segments a commit takes into the segment it writes.

Few segments keep searches fast; rewriting large ones makes commits slow. Here at most three segments stay
below each power of four of live documents, so that a page is rewritten about log4(pages) times, and a
segment is rewritten once more than half of its documents are deleted.
"""

from __future__ import annotations

from collections.abc import Sequence

from whoosh.codec.whoosh3 import W3Segment

_FACTOR = 4
_KEPT_PER_CLASS = 3


def choose_segments(segments: Sequence[W3Segment]) -> set[W3Segment]:
    """The segments to rewrite, those without live documents among them."""
    chosen = {s for s in segments if s.doc_count() * 2 < s.doc_count_all()}
    live = sorted((s for s in segments if s not in chosen), key=lambda s: int(s.doc_count()))
    limit, allowed = _FACTOR, _KEPT_PER_CLASS
    while live and limit <= live[-1].doc_count() * _FACTOR:
        small = [s for s in live if s.doc_count() < limit]
        if len(small) > allowed:
            return chosen | set(small)
        limit, allowed = limit * _FACTOR, allowed + _KEPT_PER_CLASS
    return chosen
