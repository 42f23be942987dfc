"""Static vectors of the package `wordllama`: the mean of one vector a token.

The package is a container here: its weights and its tokenizer are read from its folder, and none of its
code is imported, which would load networking libraries. Reading opens no socket. A text costs 3 µs a word,
and the weights stay on disk until a token needs them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_MODEL = "l2_supercat"
_DIMENSION = 256
_WEIGHTS = f"weights/{_MODEL}_{_DIMENSION}.safetensors"
_TENSOR = "embedding.weight"
_TOKENIZER = f"tokenizers/{_MODEL}_tokenizer_config.json"


class WordLlama:
    """The embedder whose package lies in `folder`; files are opened by the first text."""

    provider = "wordllama"
    model = _MODEL
    dimension = _DIMENSION

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def is_loaded(self) -> bool:
        """Whether tokenizer and weights are open."""
        return "_tokenizer" in self.__dict__

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The mean vector of the tokens of each text, at length 1.

        Raises:
            OSError, ValueError, KeyError: the files of the package are not what they should be.
        """
        rows: NDArray[np.float32] = np.zeros((len(texts), self.dimension), np.float32)
        table = self._table
        for row, text in zip(rows, texts, strict=True):
            # Not in one batch: that starts threads, and a process with such cannot fork in peace.
            tokens = self._tokenizer.encode(_encodable(text), add_special_tokens=False).ids
            if tokens:
                row[:] = table[tokens].sum(axis=0, dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(lengths > 0, lengths, 1)
        return rows

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer  # noqa: PLC0415 - 70 ms with its file

        return Tokenizer.from_file(str(self._folder / _TOKENIZER))

    @cached_property
    def _table(self) -> NDArray[np.float16]:
        """One row a token, mapped from the safetensors file: a length, a JSON header, the numbers."""
        path = self._folder / _WEIGHTS
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            tensor = json.loads(file.read(size))[_TENSOR]
        rows, columns = tensor["shape"]
        if tensor["dtype"] != "F16" or columns != _DIMENSION:
            raise ValueError(f"{path} holds {tensor['dtype']} vectors of {columns} numbers")
        table: NDArray[np.float16] = np.memmap(path, "<f2", "r", 8 + size, (rows, columns))
        return table


def _encodable(text: str) -> str:
    """The text without lone surrogates, which tokenizers refuse."""
    return text.encode("utf-8", "ignore").decode("utf-8")
