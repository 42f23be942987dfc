"""From paths to evaluation sets: whatever known format lies there, and the sets that are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.retrieval.evaluation_set import EvaluationSet, Page, Question, Space
from bench.retrieval.formats import cookbook_code, cookbook_docs, cranfield, known_items, locomo, longmemeval
from bench.retrieval.read_files import DataFile, read_files
from memory_mcp.errors import InvalidInput
from memory_mcp.pages.page_write import PageDraft

FORMATS = (locomo.load, cookbook_code.load, cookbook_docs.load, cranfield.load, longmemeval.load)
MIXED = ("docs", "code-chunks", "locomo-pooled")
"""The sets whose pages together are the memory of one project: concepts, code, and sessions."""
SESSIONS = "locomo-pooled"
WITH_STALE = "docs"
"""The set whose pages once more have an older copy beside them, marked as superseded."""
WITH_BARE = ("locomo", "code-chunks", "docs")
"""The sets that are asked once more over files as plain as can be, so that what is added shows."""


def load_sets(paths: Sequence[Path]) -> list[EvaluationSet]:
    """All sets that lie at the paths; a Python file makes known items.

    Raises:
        InvalidInput: a path does not exist or is damaged, or none of them holds a set.
    """
    files: list[DataFile] = []
    made: list[EvaluationSet] = []
    for path in paths:
        if path.suffix == ".py":
            made += known_items.load(path)
        else:
            files += read_files(path)
    sets = [found for load in FORMATS for found in load(files)]
    by_name = {each.name: each for each in sets}
    if all(name in by_name for name in MIXED):
        mixed = _mixed([by_name[name] for name in MIXED])
        sets += [mixed, _recalled(mixed)]
    if WITH_STALE in by_name:
        sets.append(_with_stale_copies(by_name[WITH_STALE]))
    sets += [_bare(by_name[name]) for name in WITH_BARE if name in by_name]
    if not sets + made:
        raise InvalidInput(
            f"no evaluation set in {', '.join(map(str, paths))}: give a folder with LoCoMo, LongMemEval, "
            "cookbook or Cranfield files, gzipped or not, or a Python file that makes known items."
        )
    return sets + made


def _mixed(sets: Iterable[EvaluationSet]) -> EvaluationSet:
    """One space of all pages; the type of a question is the set that it comes from."""
    pages: list[Page] = []
    questions: list[Question] = []
    for each in sets:
        pages += each.pages
        questions += (replace(question, type=each.name) for question in each.questions)
    return EvaluationSet("mixed", (Space("mixed", tuple(pages), tuple(questions)),))


def _recalled(mixed: EvaluationSet) -> EvaluationSet:
    """The questions about sessions alone, asked by someone who remembers that there was one."""
    [space] = mixed.spaces
    questions = tuple(
        replace(question, text=f"In that session we had: {question.text}")
        for question in space.questions
        if question.type == SESSIONS
    )
    return EvaluationSet("mixed+recall", (replace(space, questions=questions),), mixed.name)


def _with_stale_copies(given: EvaluationSet) -> EvaluationSet:
    """Beside each page what it said before: the same title, two thirds of its lines, the tag `superseded`."""
    spaces = []
    for space in given.spaces:
        stale = []
        for page in space.pages:
            lines = page.draft.body.splitlines(keepends=True)
            body = "".join(lines[: max(2, len(lines) * 2 // 3)])
            draft = replace(page.draft, path=f"notes/{page.path}", body=body, tags=("superseded",))
            stale.append(Page(draft))
        spaces.append(replace(space, pages=(*space.pages, *stale)))
    return EvaluationSet(f"{given.name}+stale", tuple(spaces), given.name)


def _bare(given: EvaluationSet) -> EvaluationSet:
    """Only title and text: no heading, no code fence, no kind, no tier."""
    return given.variant("bare", lambda pages: map(_bare_draft, pages))


def _bare_draft(page: Page) -> PageDraft:
    draft = page.draft
    text = draft.body.removeprefix(f"# {draft.title}\n").strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].rpartition("\n")[0]
    return PageDraft(draft.path, text or draft.body, title=draft.title)


def chosen(sets: Sequence[EvaluationSet], names: Sequence[str]) -> Iterator[EvaluationSet]:
    """The sets of these names, all of them if there is no name.

    Raises:
        InvalidInput: there is no set of a name.
    """
    known = {each.name: each for each in sets}
    for name in names:
        if name not in known:
            raise InvalidInput(f"there is no set {name!r}: the data at hand make {', '.join(known)}.")
    return (known[name] for name in names or known)
