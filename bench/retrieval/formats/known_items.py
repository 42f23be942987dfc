"""Known items: a Python file that makes notes and asks for them, each question with its one right note.

The file offers `corpus(count)`, notes with `key`, `path`, `title`, `body` and `file_text()`, and
`queries(notes)`, mappings with `q`, `kind` and `right`, the keys of the notes that answer.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.retrieval.evaluation_set import EvaluationSet, Page, Question, Space
from memory_mcp.errors import InvalidInput
from memory_mcp.pages.page_write import PageDraft

SIZES = (200, 1000, 5000)


def load(file: Path) -> Iterator[EvaluationSet]:
    """`known-item-200`, `known-item-1000` and `known-item-5000`.

    Raises:
        InvalidInput: the file cannot be imported or lacks one of the two functions.
    """
    spec = importlib.util.spec_from_file_location(f"known_items_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise InvalidInput(f"{file} is no Python file that can be imported.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look their module up
    spec.loader.exec_module(module)
    for name in ("corpus", "queries"):
        if not callable(getattr(module, name, None)):
            raise InvalidInput(
                f"{file} has no function {name}: known items need corpus(count) and queries(notes)."
            )
    for size in SIZES:
        notes = module.corpus(size)
        paths = {note.key: note.path for note in notes}
        pages = tuple(
            Page(PageDraft(note.path, note.body, title=note.title), note.file_text()) for note in notes
        )
        questions = tuple(
            Question(each["q"], frozenset(paths[key] for key in each["right"]), each["kind"])
            for each in module.queries(notes)
        )
        yield EvaluationSet(f"known-item-{size}", (Space("notes", pages, questions),))
