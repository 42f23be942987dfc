import json
from datetime import datetime, timezone

import pytest

from bench.retrieval.load import chosen, load_sets
from memory_mcp.errors import InvalidInput
from memory_mcp.model.scope import Scope
from memory_mcp.wiki.page_parse import parse_page
from tests.bench.retrieval.conftest import HAYSTACK, KNOWN_ITEMS


def only_space(given):
    (space,) = given.spaces
    return space


def draft(given, path):
    return next(page.draft for page in given.pages if page.path == path)


def test_a_folder_gives_every_set_that_it_holds(sets):
    assert set(sets) == {
        "locomo",
        "locomo-pooled",
        "locomo+links",
        "locomo+iso-dates",
        "locomo+abstract",
        "locomo+bare",
        "code-chunks",
        "code-files",
        "code-chunks+entities",
        "code-chunks+links",
        "code-chunks+bare",
        "docs",
        "docs+links",
        "docs+stale",
        "docs+bare",
        "cranfield",
        "longmemeval-s",
        "mixed",
        "mixed+recall",
    }
    assert {name for name, each in sets.items() if each.variant_of} == {name for name in sets if "+" in name}


def test_a_session_is_a_page_with_its_people_and_its_day_in_words_in_the_title(sets):
    session = draft(sets["locomo"], "sessions/conv-1-session-1.md")
    assert session.title == "Ana and Bo, 8 May 2023"
    assert session.body == (
        "# Ana and Bo, 8 May 2023\n\nAna: I adopted a beagle.\n\nBo: Lovely! [a dog on a sofa]\n"
    )
    assert (session.kind, session.tier) == ("session", "episodic")


def test_the_sessions_of_the_evidence_answer_and_questions_without_any_are_left_out(sets):
    space = only_space(sets["locomo"])
    first, second = (f"sessions/conv-1-session-{number}.md" for number in (1, 2))
    assert [(q.type, q.answers) for q in space.questions] == [
        ("single-hop", {first}),
        ("multi-hop", {first, second}),
    ]
    assert [page.path for page in space.pages] == [first, second]
    assert space.questions[0].asked_at == datetime(2023, 6, 1, 9, tzinfo=timezone.utc)


def test_a_session_may_link_to_the_one_before_it_and_carry_its_summary(sets):
    linked = draft(sets["locomo+links"], "sessions/conv-1-session-2.md")
    assert linked.body.endswith("\nPrevious: [[sessions/conv-1-session-1.md]]\n")
    summed = draft(sets["locomo+abstract"], "sessions/conv-1-session-1.md")
    assert 900 < len(summed.abstract) <= 1000 and ("Ana adopts a dog. " * 100).startswith(summed.abstract)


def test_a_session_may_be_titled_by_its_day_in_digits(sets):
    session = draft(sets["locomo+iso-dates"], "sessions/conv-1-session-2.md")
    assert session.title == "Ana and Bo, 2023-06-01"
    assert session.body == "# Ana and Bo, 2023-06-01\n\nBo: I moved to Lisbon.\n"


def test_a_haystack_is_a_space_and_its_question_is_asked_on_its_day(sets):
    space = only_space(sets["longmemeval-s"])
    (question,) = space.questions
    assert question.answers == {space.pages[1].path} and question.type == "multi-session"
    assert question.asked_at == datetime(2023, 6, 30, 10, tzinfo=timezone.utc)
    assert space.pages[1].draft.title == "Conversation, 2 June 2023"
    assert "User: I bought a kayak\n\nAssistant: Nice" in space.pages[1].draft.body


def test_haystacks_with_questions_of_their_own_are_not_called_longmemeval(tmp_path):
    more = {
        "questions": ["Which kayak is mine?", "What was said?"],
        "answer_session_ids": [["answer_1"], ["s1"]],
    }
    file = tmp_path / "longmemeval_s.json"
    file.write_text(json.dumps([HAYSTACK | more]), encoding="utf-8")
    (given,) = load_sets([file])
    assert given.name == "lme-mini"
    assert [(q.text, q.type) for q in given.questions] == [
        ("Which kayak is mine?", "multi-session"),
        ("What was said?", "added"),
    ]


def test_code_is_fenced_and_its_fence_is_longer_than_any_in_it(sets):
    chunk = draft(sets["code-chunks"], "code/doc_1_chunk_1.md")
    assert chunk.body == "# doc_1_chunk_1\n\n````\n/**\n```\n*/\nfn paddle() {}\n````\n"
    assert only_space(sets["code-chunks"]).questions[0].answers == {"code/doc_1_chunk_1.md"}
    assert only_space(sets["code-files"]).questions[0].answers == {"code/doc_1.md"}


def test_code_may_carry_what_it_declares_and_link_to_its_neighbours(sets):
    named = sets["code-chunks+entities"]
    assert [page.draft.entities for page in named.pages] == [("Kayak",), ("paddle",), ("sail",)]
    first, second, other = (page.draft.body for page in sets["code-chunks+links"].pages)
    assert first.endswith("\nNext: [[code/doc_1_chunk_1.md]]\n") and "Previous" not in first
    assert second.endswith("\nPrevious: [[code/doc_1_chunk_0.md]]\n") and "[[" not in other


def test_a_section_is_as_it_was_and_answers_that_are_not_there_do_not_count(sets):
    section = draft(sets["docs"], "concepts/section-001.md")
    assert (section.title, section.body) == ("Oars", "Oars\n\nLong.\nWet.\n")
    assert draft(sets["docs"], "concepts/section-002.md").title == "Section 2"
    assert [q.answers for q in sets["docs"].questions] == [{"concepts/section-001.md"}]


def test_sections_may_be_tagged_and_linked_by_their_web_page(sets):
    first, second, other = (page.draft for page in sets["docs+links"].pages)
    assert first.tags == ("docs", "boats") and other.tags == ("docs", "sails")
    assert first.body.endswith("\nNext: [[concepts/section-001.md|Oars]]\n")
    assert second.body.endswith("\nPart of: [[concepts/section-000.md|Kayaks]]\n")
    assert "[[" not in other.body


def test_stale_copies_stand_beside_the_pages_and_answer_nothing(sets):
    space = only_space(sets["docs+stale"])
    stale = draft(sets["docs+stale"], "notes/concepts/section-001.md")
    assert len(space.pages) == 6
    assert stale.tags == ("superseded",) and stale.body == "Oars\n\n"
    assert space.questions == only_space(sets["docs"]).questions


def test_bare_pages_hold_title_and_text_alone(sets):
    session = draft(sets["locomo+bare"], "sessions/conv-1-session-2.md")
    assert session.body == "Bo: I moved to Lisbon." and not session.kind and not session.tier
    assert draft(sets["code-chunks+bare"], "code/doc_1_chunk_1.md").body == "/**\n```\n*/\nfn paddle() {}"


def test_the_mixed_space_holds_docs_code_and_sessions(sets):
    space = only_space(sets["mixed"])
    assert [q.type for q in space.questions] == ["docs", "code-chunks", "locomo-pooled", "locomo-pooled"]
    assert len(space.pages) == 3 + 3 + 2


def test_cranfield_is_read_though_it_is_no_xml(sets):
    (page,) = sets["cranfield"].pages
    assert page.draft.title == "slip & stream of wings ."
    assert page.draft.body == "# slip & stream of wings .\n\nlift of a < b wing\n"
    assert [q.answers for q in sets["cranfield"].questions] == [{"abstracts/7.md"}]


def test_every_page_is_one_that_the_product_reads_without_complaint(sets):
    for given in sets.values():
        for page in given.pages:
            parsed = parse_page(Scope("bench", "space"), page.path, page.data())
            assert not parsed.problems and parsed.title == page.draft.title, page.path


def test_a_python_file_makes_known_items_with_files_of_its_own(tmp_path):
    file = tmp_path / "notes.py"
    file.write_text(KNOWN_ITEMS, encoding="utf-8")
    sets = load_sets([file])
    assert [each.name for each in sets] == ["known-item-200", "known-item-1000", "known-item-5000"]
    assert [(q.text, q.type, q.answers) for q in sets[0].questions] == [("T3", "ident", {"notes/n3.md"})]
    assert next(sets[0].pages).data().startswith(b"---\ntitle: Note 0\ncreated: 2026-01-01\n---\n")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (None, "", "does not exist"),
        ("a.json", "[{", "a.json cannot be read"),
        ("a.json.gz", "no gzip", "a.json.gz cannot be read"),
        ("a.json", "[1]", "no evaluation set in"),
        ("a.py", "corpus = 1", "a.py has no function corpus"),
    ],
)
def test_a_path_without_a_set_is_one_sentence(tmp_path, name, content, said):
    path = tmp_path / (name or "gone")
    if name:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput, match=said):
        load_sets([path])


def test_sets_are_chosen_by_name(sets):
    assert [each.name for each in chosen(list(sets.values()), ["docs"])] == ["docs"]
    assert list(chosen(list(sets.values()), [])) == list(sets.values())
    with pytest.raises(InvalidInput, match="there is no set 'dogs': the data at hand make locomo, "):
        chosen(list(sets.values()), ["dogs"])
