"""The Cranfield collection (Cleverdon, 1960s): 1,400 abstracts and queries with many answers each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bench.retrieval.evaluation_set import EvaluationSet, Page, Question, Space
from bench.retrieval.read_files import DataFile, Record, records_with
from memory_mcp.model.page import MAX_TITLE_CHARS
from memory_mcp.pages.page_write import PageDraft


def load(files: Sequence[DataFile]) -> Iterator[EvaluationSet]:
    """`cranfield`."""
    documents = records_with(files, "docno", "text")
    asked = records_with(files, "query", "relevant")
    if not documents or not asked:
        return
    pages = {document["docno"]: _page(document) for document in documents if document["text"]}
    questions = []
    for record in asked:
        answers = frozenset(pages[number].path for number in map(str, record["relevant"]) if number in pages)
        if answers:
            questions.append(Question(record["query"], answers))
    yield EvaluationSet("cranfield", (Space("cranfield", tuple(pages.values()), tuple(questions)),))


def _page(document: Record) -> Page:
    """The abstract begins with its title, which is written once, as a heading."""
    title = " ".join(document.get("title", "").split())[:MAX_TITLE_CHARS] or document["docno"]
    text = " ".join(document["text"].split()).removeprefix(title).strip()
    return Page(
        PageDraft(f"abstracts/{document['docno']}.md", f"# {title}\n\n{text or title}\n", title=title)
    )
