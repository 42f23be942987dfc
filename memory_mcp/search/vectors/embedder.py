"""What turns texts into vectors, and which one this installation has."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NEEDED = ("numpy", "tokenizers", "wordllama")


class Embedder(Protocol):
    """A model of text. Vectors of two embedders with the same identity compare, others do not."""

    @property
    def provider(self) -> str:
        """Who computes: a word that can be part of a folder's name."""

    @property
    def model(self) -> str:
        """Which model: a word that can be part of a folder's name."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    @property
    def is_loaded(self) -> bool:
        """Whether the next text costs no start-up any more."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, or of zeros for a text that the model knows nothing of.

        Raises:
            Exception: whatever keeps the model from answering.
        """


def find_embedder() -> Embedder | str:
    """The embedder of this installation, or one sentence why there is none. Imports nothing heavy."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        return (
            f"Pages are not found by meaning, only by words and links: {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not installed (the extra `vectors` of memory-mcp)."
        )
    from memory_mcp.search.vectors.wordllama_embedder import WordLlama  # noqa: PLC0415 - numpy

    spec = find_spec("wordllama")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return WordLlama(Path(folders[0]))
