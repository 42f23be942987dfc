"""A write changes what it speaks of, and leaves the rest of the profile as it was."""

from datetime import datetime, timezone

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memory_mcp.callers.profile.preference_change import PreferenceChange
from memory_mcp.callers.profile.preferences import Preferences, read_preferences, with_preferences
from memory_mcp.callers.profile.profile_merge import merge, merge_preferences
from memory_mcp.callers.profile.profile_text import (
    EMPTY_PROFILE,
    format_profile,
    is_structured,
    parse_profile,
)
from memory_mcp.errors import Conflict, InvalidInput
from memory_mcp.model.caller_text import NOTHING, SECTIONS
from memory_mcp.wiki.prose import open_block

NOW = datetime(2026, 5, 1, tzinfo=timezone.utc)
OLD = """\
# USER.md

written by hand

## Profile
Ana, chemist.

## Preferences
- terse

## Environment
Debian.

## Constraints
no cloud

## Open Questions
which shell?

## Hobbies
chess

## Pets
a cat
"""
TYPED = with_preferences(OLD, Preferences(timezone="Europe/Paris"))


def bodies(text):
    return dict(parse_profile(text).sections)


def refusal(old, content, section=""):
    with pytest.raises((InvalidInput, Conflict)) as refused:
        merge(old, content, section)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 300
    return sentence


@pytest.mark.parametrize("title", SECTIONS)
def test_a_write_to_a_section_changes_that_section_alone(title):
    merged = merge(OLD, "  new\n", title)
    assert merged.text == OLD.replace(f"{bodies(OLD)[title]}\n", "  new\n")
    assert merged.warnings == ()


def test_the_first_write_makes_the_five_sections():
    assert merge("", "likes tea", "Profile").text == EMPTY_PROFILE.replace(NOTHING, "likes tea", 1)
    assert merge(EMPTY_PROFILE, "likes tea").text == EMPTY_PROFILE.replace(NOTHING, "likes tea", 1)


def test_the_name_of_a_section_is_taken_in_any_case():
    assert merge(OLD, "new", " open questions ").text == merge(OLD, "new", "Open Questions").text
    assert merge(OLD, "new", "pets").text == OLD.replace("a cat", "new")
    two = OLD + "\n## profile\nb\n"
    assert merge(two, "new", "profile").text == OLD + "\n## profile\nnew\n"


def test_a_further_section_that_exists_can_be_written_and_removed():
    assert merge(OLD, "go", "Hobbies").text == OLD.replace("chess", "go")
    assert merge(OLD, NOTHING, "Hobbies").text == OLD.replace("## Hobbies\nchess\n\n", "")


def test_a_section_is_emptied_by_its_placeholder():
    assert merge(OLD, NOTHING, "Constraints").text == OLD.replace("no cloud", NOTHING)


@pytest.mark.parametrize("content", ["## Profile\nnew", "# USER.md\n\n## Profile\n\nnew\n", "# user.md\nnew"])
def test_the_heading_of_the_section_itself_is_no_part_of_its_text(content):
    merged = merge(OLD, content, "Profile")
    assert merged.text == OLD.replace("Ana, chemist.", "new")
    assert merged.warnings == ()


def test_a_heading_further_down_is_text_of_the_section():
    merged = merge(OLD, "x\n## Profile\ny", "Profile")
    assert merged.text == OLD.replace("Ana, chemist.", "x\n### Profile\ny")


def test_headings_inside_a_section_go_one_level_down_and_break_nothing():
    merged = merge(OLD, "x\n## Preferences\nspoofed\n## Pets\n```\n## code\n```\n### deep", "Profile")
    body = "x\n### Preferences\nspoofed\n### Pets\n```\n## code\n```\n### deep"
    assert merged.text == OLD.replace("Ana, chemist.", body)
    assert merged.warnings == ("Headings inside a section are one level lower now: Preferences, Pets.",)


def test_a_whole_write_replaces_the_sections_that_it_gives_and_keeps_the_others():
    merged = merge(OLD, "# USER.md\n\n## Constraints\nnone\n\n## Profile\nAna, retired.\n")
    assert merged.text == OLD.replace("no cloud", "none").replace("Ana, chemist.", "Ana, retired.")
    assert merged.warnings == ()


def test_a_section_given_without_text_is_emptied_and_a_further_one_is_removed():
    merged = merge(OLD, f"## Constraints\n\n## Hobbies\n\n## Pets\n{NOTHING}\n## New\n")
    expected = OLD.replace("no cloud", NOTHING).replace("\n## Hobbies\nchess\n\n## Pets\na cat\n", "")
    assert merged.text == expected


def test_further_sections_stay_in_their_order_and_new_ones_come_last():
    merged = merge(OLD, "## Profile\nx\n## Cars\nnone\n## Hobbies\ngo\n## Cars\ntwo\n")
    assert parse_profile(merged.text).others == (
        ("Hobbies", "go"),
        ("Pets", "a cat"),
        ("Cars", "none"),
        ("Cars", "two"),
    )
    assert merged.warnings == (
        "Kept after the five sections, for it is none of them: Cars. "
        "The five are Profile, Preferences, Environment, Constraints, Open Questions.",
    )
    repeated = merge(merged.text, "## Cars\none")
    assert parse_profile(repeated.text).others[2:] == (("Cars", "one"),)
    assert repeated.warnings == ()


def test_a_section_that_is_given_twice_replaces_nothing_that_it_does_not_name():
    old = parse_profile("## Profile\nfirst\n## Profile\nsecond\n")
    assert old.others == (("Profile (earlier)", "first"),)
    content = "## Profile\nthird\n## Profile\nfourth\n"
    text = merge(format_profile(old), content).text
    assert bodies(text)["Profile"] == "fourth"
    assert parse_profile(text).others == (("Profile (earlier)", "first"), ("Profile (earlier)", "third"))
    assert merge(text, content).text == text
    named = merge(text, "## Profile (earlier)\nboth\n")
    assert parse_profile(named.text).others == (("Profile (earlier)", "both"),)


def test_a_text_without_any_section_replaces_the_section_profile():
    assert merge(OLD, "Ana, retired.\n").text == OLD.replace("Ana, chemist.", "Ana, retired.")
    merged = merge(OLD, "Ana, retired.\n## Pets\na dog")
    assert merged.text == OLD.replace("Ana, chemist.", "Ana, retired.").replace("a cat", "a dog")
    assert merge(OLD, "## Pets\na dog").text == OLD.replace("a cat", "a dog")


def test_what_stands_before_the_sections_stays_unless_it_is_given():
    assert merge(OLD, "by a tool\n\n## Pets\na dog\n\n## Profile\nx").text == OLD.replace(
        "written by hand", "by a tool"
    ).replace("a cat", "a dog").replace("Ana, chemist.", "x")


def test_a_profile_from_before_the_sections_is_brought_into_them_and_keeps_everything():
    old = "# USER.md\n\n## Actuel\n\nlikes tea\n\n## Archive\n\n### [2026-04-10]\nliked coffee\n"
    text = merge(old, "- terse", "Preferences").text
    assert is_structured(text)
    assert bodies(text)["Profile"] == "likes tea"
    assert bodies(text)["Preferences"] == "- terse"
    assert parse_profile(text).others == (("Archive", "### [2026-04-10]\nliked coffee"),)


def test_the_preferences_block_outlives_every_write_that_does_not_carry_one():
    block = TYPED[TYPED.index("<!-- pro") : TYPED.index(":end -->") + 8]
    whole = f"## Preferences\n- formal\n\n{block}\n"
    for content, section in [
        ("- formal", "Preferences"),
        ("## Preferences\n- formal", ""),
        ("# USER.md\n\n## Preferences\n- formal\n", ""),
    ]:
        assert whole in merge(TYPED, content, section).text
    assert f"## Preferences\n{block}\n" in merge(TYPED, NOTHING, "Preferences").text
    assert block in merge(TYPED, "## Preferences\n").text
    assert block in merge(TYPED, "hello").text


def test_a_block_that_cannot_be_read_outlives_a_write_as_it_is():
    broken = TYPED.replace('"timezone":', "timezone:")
    block = broken[broken.index("<!-- pro") : broken.index(":end -->") + 8]
    assert f"- formal\n\n{block}" in merge(broken, "- formal", "Preferences").text


def test_a_block_in_the_content_replaces_the_old_one_typed_and_in_order():
    content = '- formal\n\n<!-- proactive-preferences:start -->{"x": 1, "pushiness": "standard"}'
    content += "<!-- proactive-preferences:end -->\n\n- more"
    for merged in (merge(TYPED, content, "Preferences"), merge(TYPED, f"## Preferences\n{content}")):
        assert read_preferences(merged.text) == Preferences(pushiness="standard")
        assert '"x"' not in merged.text
        assert '\n\t"timezone": null,' in merged.text
        assert bodies(merged.text)["Preferences"].endswith("\n\n- more")


def test_writing_what_the_file_says_changes_nothing():
    for text in (OLD, TYPED, EMPTY_PROFILE):
        assert merge(text, text).text == text
        assert merge(text, text).warnings == ()


START = "<!-- proactive-preferences:start -->"
END = "<!-- proactive-preferences:end -->"


@pytest.mark.parametrize(
    ("content", "section", "words"),
    [
        ("x", "Hobby", "give one of Profile, Preferences, Environment, Constraints, Open Questions"),
        ("x", "## Profile", "no section"),
        ("# USER.md\n", "", "blank"),
        ("# USER.md", "Profile", NOTHING),
        ("## Profile\n\n", "Profile", NOTHING),
        (f"{START}\n{{,}}\n{END}", "Preferences", "no JSON object"),
        (f"{START}\n[]\n{END}", "Preferences", "no JSON object"),
        (f"## Preferences\n{START}\n{'[' * 50_000}\n{END}", "", "no JSON object"),
        (f"{START}\n{{}}\n", "Preferences", "without its end"),
        (f"{START}\n{{}}\n{END}", "Profile", "outside"),
        (f"{START}\n{{}}\n{END}", "", "outside"),
        (f"{START}\n{{}}\n{END}\n## Profile\nx", "", "outside"),
    ],
)
def test_a_write_that_would_do_harm_is_refused_in_one_sentence(content, section, words):
    assert words in refusal(TYPED, content, section)


def test_code_that_the_content_leaves_open_is_closed():
    for merged in (merge(OLD, "x\n```\n## y", "Profile"), merge(OLD, "## Profile\nx\n```\n## y")):
        assert merged.text == OLD.replace("Ana, chemist.", "x\n```\n## y\n```")
        assert merged.warnings == ("content ended inside of a code block or comment, which was closed.",)


def test_code_that_the_file_leaves_open_hides_no_section_from_a_write():
    old = TYPED.replace("Ana, chemist.", "Ana, chemist.\n```")
    assert merge(old, "Ana.", "Profile").text == TYPED.replace("Ana, chemist.", "Ana.")
    assert merge(old, "no", "Constraints").text == old.replace("chemist.\n```", "chemist.\n```\n```").replace(
        "no cloud", "no"
    )


def test_a_change_of_preferences_changes_the_block_alone():
    text = merge_preferences(TYPED, PreferenceChange(digest="10:00"), NOW).text
    assert text == TYPED.replace('"digestLocalTime": "09:00"', '"digestLocalTime": "10:00"')
    assert merge_preferences(OLD, PreferenceChange(timezone="Europe/Paris"), NOW).text == TYPED


def test_preferences_that_cannot_be_read_are_not_overwritten():
    with pytest.raises(Conflict, match="no JSON object: mend it by hand"):
        merge_preferences(TYPED.replace('"timezone":', "timezone:"), PreferenceChange(max_nudges=0), NOW)


LINES = [f"## {title}" for title in (*SECTIONS, "Hobbies", "Pets", "Actuel")]
LINES += ["# USER.md", "", "", "tea", "    code", "```", "~~~", "<!--", "-->", "### deep", NOTHING, "- x\r"]
texts = st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)


@example("## Hobbies", f"{NOTHING}\n## Profile", "Hobbies")
@given(texts, texts, st.sampled_from(["", *SECTIONS, "Hobbies"]))
def test_no_content_breaks_out_of_what_it_is_written_to(old, content, section):
    try:
        merged = merge(old, content, section)
    except (InvalidInput, Conflict):
        return
    text = merged.text
    assert format_profile(parse_profile(text)) == text
    assert open_block(text) is None
    before, after = parse_profile(old), parse_profile(text)
    if section in SECTIONS:
        others = {title: body for title, body in before.sections.items() if title != section}
        assert others == {title: body for title, body in after.sections.items() if title != section}
        assert (before.preamble, before.others) == (after.preamble, after.others)
    elif section:
        assert before.sections == after.sections
    else:
        given_titles = {title for title in SECTIONS if f"## {title}" in content}
        for title in set(SECTIONS[1:]) - given_titles:
            assert after.sections[title] == before.sections[title]
        assume(given_titles)
        again = merge(text, content)
        assert again.text == text
