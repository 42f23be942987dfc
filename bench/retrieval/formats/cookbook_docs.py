"""The documentation retrieval set of the Anthropic cookbook: sections of web pages, each a page here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from bench.retrieval.evaluation_set import EvaluationSet, Page, Question, Space
from bench.retrieval.read_files import DataFile, records_with
from memory_mcp.pages.page_write import PageDraft


def load(files: Sequence[DataFile]) -> Iterator[EvaluationSet]:
    """`docs`, and `docs+links`: tagged by their web page and linked to the sections beside them."""
    sections = records_with(files, "chunk_link", "chunk_heading", "text")
    asked = records_with(files, "question", "correct_chunks")
    if not sections or not asked:
        return
    pages: dict[str, Page] = {}
    for number, section in enumerate(sections):
        pages[section["chunk_link"]] = _section_page(number, section["chunk_heading"], section["text"])
    questions = []
    for record in asked:
        answers = frozenset(pages[link].path for link in record["correct_chunks"] if link in pages)
        if answers:
            questions.append(Question(record["question"], answers))
    docs = EvaluationSet("docs", (Space("docs", tuple(pages.values()), tuple(questions)),))
    yield docs
    addresses = {page.path: link for link, page in pages.items()}
    yield docs.variant("links", lambda pages: _linked(pages, addresses))


def _section_page(number: int, heading: str, text: str) -> Page:
    """A concept. Its text is left as it is: it begins with the heading, as a plain line."""
    title = " ".join(heading.split()) or f"Section {number}"
    body = f"{text.strip()}\n"
    return Page(PageDraft(f"concepts/section-{number:03d}.md", body, title=title, kind="concept"))


def _linked(pages: tuple[Page, ...], addresses: dict[str, str]) -> Iterator[PageDraft]:
    """Each section tagged by its web page's address, linked to the first section there and to the next."""
    places = [_place(addresses[page.path]) for page in pages]
    for count, page in enumerate(pages):
        first = places.index(places[count])
        others = [("Part of", first), ("Next", count + 1)]
        links = [
            f"{name}: [[{pages[other].path}|{pages[other].draft.title}]]"
            for name, other in others
            if other != count and other < len(pages) and places[other] == places[count]
        ]
        body = page.draft.body + "".join(f"\n{link}\n" for link in links)
        yield replace(page.draft, body=body, tags=places[count])


def _place(address: str) -> tuple[str, ...]:
    """The parts of the address of a web page, without the section's."""
    return tuple(dict.fromkeys(part for part in urlsplit(address).path.split("/") if part))
