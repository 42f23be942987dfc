"""The factor by which a page counts for what it is."""

from __future__ import annotations

import pytest

from memory_mcp.model.page import PageMeta
from memory_mcp.search.index.page_terms import StoredPage, page_terms
from memory_mcp.search.rank.authority import authority
from tests.search.example_pages import make_page


def stored(
    kind: str = "fact", tier: str = "semantic", tags: tuple[str, ...] = (), pinned: bool = False
) -> StoredPage:
    page = page_terms(make_page(meta=PageMeta(tier=tier, tags=tags, pinned=pinned)))
    return page.stored._replace(kind=kind)


@pytest.mark.parametrize(
    ("page", "path", "factor"),
    [
        (stored(), "notes/a.md", 1.1),
        (stored("rule", tags=("canonical", "active"), pinned=True), "_rules/a.md", 1.5),
        (stored("session", "episodic"), "sessions/a.md", 0.77),
        (stored("decision", tags=("superseded",)), "decisions/a.md", 0.65),
        (stored("decision"), "decisions/a.md", 1.25),
        (stored("procedure", "procedural"), "procedures/a.md", 1.22),
        (stored("gotcha", "working"), "gotchas/a.md", 1.09),
        (stored("concept"), "concepts/a.md", 1.17),
        (stored("report"), "_lint/report.md", 0.9),
        (stored("report"), "investigations/a.md", 1.05),
        (stored("session", "episodic", ("historical",)), "_lint/a.md", 0.57),
        (stored("session", "episodic", ("historical", "do-not-answer-from")), "_lint/a.md", 0.55),
        (stored("rule", tags=("test-fixture", "canonical")), "_rules/a.md", 0.55),
        (stored("rule", tags=("historical", "superseded")), "_rules/a.md", 0.65),
        (stored("rule", tags=("historical",)), "_rules/a.md", 0.8),
        (stored("rule", tags=(" Source_Of_Truth ",)), "_rules/a.md", 1.45),
    ],
)
def test_the_factor_is_the_sum_of_its_reasons_within_bounds(
    page: StoredPage, path: str, factor: float
) -> None:
    assert authority(page, path, 1).factor == factor


def test_only_a_share_of_the_reasons_may_count_but_a_tag_against_a_page_counts_in_full() -> None:
    assert authority(stored("decision"), "decisions/a.md", 0.25).factor == 1.0625
    assert authority(stored("session", "episodic"), "sessions/a.md", 0.25).factor == 0.9425
    assert authority(stored("decision", tags=("superseded",)), "decisions/a.md", 0.25).factor == 0.65
    assert authority(stored("decision"), "decisions/a.md", 0).reasons == ()


def test_the_reasons_are_told() -> None:
    page = stored("rule", tags=("active", "historical"), pinned=True)
    assert authority(page, "_rules/a.md", 1).reasons == (
        "kind rule +0.15",
        "tier semantic +0.1",
        "pinned +0.08",
        "tag active +0.05",
        "tag historical <= 0.80",
    )
