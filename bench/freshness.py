"""What it costs to see that no file has changed."""

from __future__ import annotations

from collections.abc import Iterator

from bench.baseline import bare_walk
from bench.measure import Row, cpu, interleaved
from bench.store import SCOPE, Store
from memory_mcp.search.index.freshness import look
from memory_mcp.search.index.manifest import Manifest, ManifestChange

ROUNDS = 30


def measure(store: Store) -> Iterator[Row]:
    """Against a bare walk that stats every file."""
    wiki = store.data_dir / "wiki"
    manifest = Manifest()
    manifest.apply(ManifestChange(1, look(wiki, manifest, (SCOPE,), lambda paths: False).changed))

    def check() -> None:
        stale = look(wiki, manifest, (SCOPE,), lambda paths: False)
        assert not stale.changed and not stale.gone

    folder = str(store.folder)
    ours, walk = interleaved([lambda: cpu(check), lambda: cpu(lambda: bare_walk(folder))], ROUNDS)
    yield Row("freshness / bare walk", ours * 1e3, "ms", 1.3, walk * 1e3)
