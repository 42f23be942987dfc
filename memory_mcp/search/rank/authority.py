"""How far a page may be relied on: by its kind, tier, pin, place and tags.

A bounded factor, never a filter: a page with every tag against it is still found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

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


def authority(page: StoredPage, path: str, share: float) -> Authority:
    """The authority of a page at a path in its scope, between 0.55 and 1.5.

    `share` is how much of the reasons counts; what people say with a tag against a page counts in full.
    """
    folder = next((each for each in FOLDERS if path.startswith(each)), "")
    return _authority(page.kind, page.tier, page.pinned, page.tags, folder, share)


@lru_cache(maxsize=1024)
def _authority(
    kind: str, tier: str, pinned: bool, tags: tuple[str, ...], folder: str, share: float
) -> Authority:
    parts: dict[str, float] = {}
    if kind in KINDS:
        parts[f"kind {kind}"] = KINDS[kind]
    if tier in TIERS:
        parts[f"tier {tier}"] = TIERS[tier]
    if pinned:
        parts["pinned"] = PINNED
    if folder:
        parts[f"in {folder}"] = FOLDERS[folder]
    plain = {tag.strip().lower().replace("_", "-") for tag in tags}
    if plain & {"canonical", "source-of-truth"}:
        parts["tag canonical"] = CANONICAL
    if "active" in plain:
        parts["tag active"] = ACTIVE
    parts = {reason: value * share for reason, value in parts.items() if share}
    factor = 1.0 + sum(parts.values())
    reasons = [f"{reason} {value:+.4g}" for reason, value in parts.items()]
    for names, cap in CAPS:
        if held := sorted(plain & names):
            factor = min(factor, cap)
            reasons.append(f"tag {held[0]} <= {cap:.2f}")
            break
    return Authority(round(min(MOST, max(LEAST, factor)), 6), tuple(reasons))
