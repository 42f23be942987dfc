from __future__ import annotations

import math
import random

from whoosh.codec.whoosh3 import W3Segment

from memory_mcp.search.index.segment_merge import choose_segments
from memory_mcp.search.index.whoosh_codec import PageCodec


def segments(*sizes: int) -> list[W3Segment]:
    return [W3Segment(PageCodec(), "MAIN", doccount=size) for size in sizes]


def test_a_segment_mostly_deleted_is_rewritten() -> None:
    mostly, half = segments(10, 10)
    for number in range(6):
        mostly.delete_document(number)
    for number in range(5):
        half.delete_document(number)
    assert choose_segments([mostly, half]) == {mostly}


def test_few_segments_stay() -> None:
    assert choose_segments(segments(10_000, 60, 50, 10, 1, 1)) == set()


def test_small_ones_are_merged_and_large_ones_stay() -> None:
    large, *small = segments(10_000, 1, 2, 3, 1)
    assert choose_segments([large, *small]) == set(small)


def test_many_single_page_commits_rewrite_each_page_few_times() -> None:
    rand = random.Random(1)
    sizes: list[int] = []
    rewritten = 0
    most = 0
    for _ in range(4000):
        listed = segments(*sizes)
        chosen = choose_segments(listed)
        merged = sum(s.doc_count() for s in chosen)
        rewritten += merged
        sizes = [s.doc_count() for s in listed if s not in chosen] + [merged + 1]
        rand.shuffle(sizes)
        most = max(most, len(sizes))
    assert sum(sizes) == 4000
    assert rewritten / 4000 < math.log(4000, 4)
    assert most <= 3 * math.log(4000, 4) + 2
