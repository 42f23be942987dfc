"""The code retrieval set of the Anthropic cookbook: files of open-source projects, cut into chunks.

A chunk becomes a page (`code-chunks`), or a whole file does (`code-files`). The set names the repository and
path only of files that a question is about, so no page is told them: it would give the answers away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bench.retrieval.evaluation_set import EvaluationSet, Page, Question, Space
from bench.retrieval.read_files import DataFile, Record, records_with
from memory_mcp.pages.page_write import PageDraft

_FENCE = re.compile(r"^\s*(`{3,})", re.MULTILINE)
_DECLARED = re.compile(
    r"^[ \t]*(?:(?:pub(?:\([a-z ]+\))?|public|private|protected|internal|export|default|static|abstract|final"
    r"|async|unsafe|sealed|override|virtual|inline|constexpr)\s+)*"
    r"(?:class|struct|enum|trait|interface|fn|func|def|function|type|mod|namespace|module|impl(?:<[^>\n]*>)?"
    r"|macro_rules!|#define)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_]\w{2,63})",
    re.MULTILINE,
)
"""What a line declares: the keyword of most languages and the name after it."""
MAX_ENTITIES = 10


def load(files: Sequence[DataFile]) -> Iterator[EvaluationSet]:
    """`code-chunks`, `code-files`, and the chunks with their declared names or links to their neighbours."""
    documents = records_with(files, "original_uuid", "chunks")
    asked = records_with(files, "query", "golden_chunk_uuids")
    if not documents or not asked:
        return
    chunks: dict[tuple[str, int], Page] = {}
    whole: dict[str, Page] = {}
    for document in documents:
        name = document["doc_id"]
        whole[document["original_uuid"]] = _code_page(f"code/{name}.md", name, document["content"])
        for chunk in document["chunks"]:
            page = _code_page(f"code/{chunk['chunk_id']}.md", chunk["chunk_id"], chunk["content"])
            chunks[document["original_uuid"], chunk["original_index"]] = page
    by_chunk, by_file = [], []
    for record in asked:
        by_chunk += _question(record, [chunks.get(tuple(key)) for key in record["golden_chunk_uuids"]])
        by_file += _question(record, [whole.get(key) for key in record["golden_doc_uuids"]])
    apart = EvaluationSet("code-chunks", (Space("chunks", tuple(chunks.values()), tuple(by_chunk)),))
    yield apart
    yield EvaluationSet("code-files", (Space("files", tuple(whole.values()), tuple(by_file)),))
    yield apart.variant("entities", lambda pages: map(_with_entities, pages))
    yield apart.variant("links", _with_links)


def declared_names(code: str) -> tuple[str, ...]:
    """The names that a piece of code declares, at most ten, in their order."""
    return tuple(dict.fromkeys(_DECLARED.findall(code)))[:MAX_ENTITIES]


def _question(record: Record, answers: Sequence[Page | None]) -> list[Question]:
    found = frozenset(page.path for page in answers if page)
    return [Question(record["query"], found)] if found else []


def _code_page(path: str, title: str, code: str) -> Page:
    """The code in a fence that is longer than any inside it."""
    fence = "`" * max([3, *(len(each) + 1 for each in _FENCE.findall(code))])
    return Page(PageDraft(path, f"# {title}\n\n{fence}\n{code.rstrip()}\n{fence}\n", title=title))


def _with_entities(page: Page) -> PageDraft:
    return replace(page.draft, entities=declared_names(page.draft.body))


def _with_links(pages: tuple[Page, ...]) -> Iterator[PageDraft]:
    """Each part of a file with links to the one before and the one after it."""
    last = len(pages) - 1
    for count, page in enumerate(pages):
        links = [
            f"{name}: [[{pages[other].path}]]"
            for name, other in (("Previous", count - 1), ("Next", count + 1))
            if 0 <= other <= last and _file(pages[other]) == _file(page)
        ]
        yield replace(page.draft, body=page.draft.body + "".join(f"\n{link}\n" for link in links))


def _file(page: Page) -> str:
    return page.path.rpartition("_")[0]
