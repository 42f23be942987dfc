"""Two clones of one wiki, as two machines have them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.memory import Memory

LEFT = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"
"""The session of the first clone that left its work to others."""


class Clones:
    """Two data dirs whose wikis push to and pull from one bare repository."""

    def __init__(self, one: Memory, two: Memory, way: str) -> None:
        self.one = one
        self.two = two
        self.way = way

    def sync(self) -> None:
        """Let both have what the other did."""
        self.one.git("push", "-q")
        self.two.git("pull", "-q", self.way)
        self.two.git("push", "-q")
        self.one.git("pull", "-q", self.way)


@pytest.fixture(params=["--no-rebase", "--rebase"])
def clones(memory: Memory, request: pytest.FixtureRequest) -> Iterator[Clones]:
    """A handoff of the first waits in both."""
    memory.session(LEFT, "Shared work")
    memory.fold()
    other = memory.clone()
    yield Clones(memory, other, request.param)
    for app in other.opened:
        app.close()
