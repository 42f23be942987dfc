"""What the list of tools costs a model."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bench.measure import Row
from bench.server import OURS, started
from bench.store import Store


def measure(store: Store) -> Iterator[Row]:
    """Bytes of name, description and input schema as compact JSON."""
    with started(OURS, store) as server:
        tools = server.ask("tools/list", {})["tools"]
    read = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools]
    texts = [json.dumps(each, separators=(",", ":"), ensure_ascii=False).encode() for each in read]
    yield Row(f"list of {len(tools)} tools", sum(map(len, texts)), "bytes", 20_480)
