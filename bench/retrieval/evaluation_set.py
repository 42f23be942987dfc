"""What a set of questions is: pages in their spaces, and for each question the pages that answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from memory_mcp.pages.page_write import PageDraft
from memory_mcp.wiki.page_compose import compose_page
from memory_mcp.wiki.page_draft import make_meta

ASKED_AT = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""The clock of questions whose set does not say when they are asked."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as an agent would write it; `file` is its whole text where the set brings files of its own."""

    draft: PageDraft
    file: str = ""

    @property
    def path(self) -> str:
        """Its path in the scope."""
        return self.draft.path

    def data(self) -> bytes:
        """The bytes of the file, frontmatter and all, as the product's writer composes them."""
        if self.file:
            return self.file.encode()
        draft = self.draft
        meta = make_meta(
            path=draft.path,
            title=draft.title,
            kind=draft.kind,
            tier=draft.tier,
            tags=draft.tags,
            entities=draft.entities,
            abstract=draft.abstract,
            relations=draft.relations,
        )
        return compose_page(None, draft.body, meta)


Rewrite = Callable[[tuple[Page, ...]], Iterable[PageDraft]]
"""The pages of a space, written otherwise."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, when, and the paths of all pages that answer; `type` is "" where the set has none."""

    text: str
    answers: frozenset[str]
    type: str = ""
    asked_at: datetime = ASKED_AT


@dataclass(frozen=True, slots=True)
class Space:
    """Pages that are searched together: they become one scope of the store, by this name."""

    name: str
    pages: tuple[Page, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """All spaces of a set. `variant_of` names the set whose pages were written otherwise, if any."""

    name: str
    spaces: tuple[Space, ...]
    variant_of: str = ""

    @property
    def questions(self) -> Iterator[Question]:
        """All questions, space by space."""
        return (question for space in self.spaces for question in space.questions)

    @property
    def pages(self) -> Iterator[Page]:
        """All pages, space by space."""
        return (page for space in self.spaces for page in space.pages)

    def variant(self, suffix: str, rewrite: Rewrite) -> EvaluationSet:
        """The same questions over pages that were written otherwise; the paths must stay."""
        spaces = []
        for space in self.spaces:
            pages = tuple(Page(draft) for draft in rewrite(space.pages))
            assert [page.path for page in pages] == [page.path for page in space.pages]
            spaces.append(replace(space, pages=pages))
        return EvaluationSet(f"{self.name}+{suffix}", tuple(spaces), self.name)
