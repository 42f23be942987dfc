"""How far a page may be relied on: by its kind, tier, pin, place and tags.

A bounded factor, never a filter: a page with every tag against it is still found.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory_mcp.search.index.page_terms import StoredPage

LEAST, MOST = 0.55, 1.5

KINDS = {
    "rule": 0.15,
    "decision": 0.15,
    "procedure": 0.12,
    "gotcha": 0.12,
    "concept": 0.07,
    "slot": 0.07,
    "session": -0.15,
}
TIERS = {"semantic": 0.10, "procedural": 0.10, "episodic": -0.08, "working": -0.03}
PINNED = 0.08
FOLDERS = {"_lint/": -0.20, "investigations/": -0.05}
CANONICAL, ACTIVE = 0.20, 0.05
CAPS = (
    (frozenset({"do-not-answer-from", "test-fixture"}), 0.55),
    (frozenset({"superseded"}), 0.65),
    (frozenset({"historical"}), 0.80),
)
"""The most that a page with one of these tags reaches; the first that applies."""


@dataclass(frozen=True, slots=True)
class Authority:
    """The factor and what it is made of: each reason with what it adds, or `<=` with its cap."""

    factor: float
    reasons: tuple[str, ...]


def authority(page: StoredPage, path: str, session_recall: float = 0.0) -> Authority:
    """The authority of a page at a path in its scope, between 0.55 and 1.5.

    `session_recall` above 0 means that the question is about an earlier session: session pages lack nothing
    then and gain so much.
    """
    parts: dict[str, float] = {}
    recalled = session_recall > 0 and page.kind == "session"
    if page.kind in KINDS and not recalled:
        parts[f"kind {page.kind}"] = KINDS[page.kind]
    if page.tier in TIERS and not (recalled and TIERS[page.tier] < 0):
        parts[f"tier {page.tier}"] = TIERS[page.tier]
    if page.pinned:
        parts["pinned"] = PINNED
    if folder := next((each for each in FOLDERS if path.startswith(each)), None):
        parts[f"in {folder}"] = FOLDERS[folder]
    tags = {tag.strip().lower().replace("_", "-") for tag in page.tags}
    if tags & {"canonical", "source-of-truth"}:
        parts["tag canonical"] = CANONICAL
    if "active" in tags:
        parts["tag active"] = ACTIVE
    if recalled:
        parts["session recalled"] = session_recall
    factor = 1.0 + sum(parts.values())
    reasons = [f"{reason} {value:+.2f}" for reason, value in parts.items()]
    for names, cap in CAPS:
        if held := sorted(tags & names):
            factor = min(factor, cap)
            reasons.append(f"tag {held[0]} <= {cap:.2f}")
            break
    return Authority(round(min(MOST, max(LEAST, factor)), 6), tuple(reasons))
