"""USER.md: five sections in order, and nothing that stood in the file is lost."""

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.callers.profile.profile_text import (
    EMPTY_PROFILE,
    Profile,
    demote_headings,
    format_profile,
    is_empty,
    is_structured,
    parse_profile,
)
from memory_mcp.model.caller_text import NOTHING, SECTIONS
from memory_mcp.wiki.prose import open_block

FULL = """\
# USER.md

## Profile
Ana, chemist in Lyon.

## Preferences
- terse

### Code
- tabs

## Environment
Debian.

## Constraints
_No durable facts recorded yet._

## Open Questions
_No durable facts recorded yet._
"""

LINES = [
    *(f"## {title}" for title in ("Profile", "Preferences", "Environment", "Hobbies", "profile", "Actuel")),
    *("## Archive", "##", "## ", "##Profile", " ## Profile", "### sub", "\t## Profile", "## `a`", "## <!--"),
    *("# USER.md", "# user.md ", "# Other", "```", "````", "~~~", "<!--", "-->", "> ```", "1. ```", "2. ~~~"),
    *(
        "",
        "",
        " ",
        "likes tea",
        "    indented",
        "a `b",
        "```x```",
        "---",
        "===",
        "- item",
        "\\",
        "&",
        "&#x20;",
    ),
    *(NOTHING, "_No profile yet. Ask._", "\x0b", "\x1c", "\u2028", "\r", "\r\r", "a\rb", "\ufeff", "x\u00a0"),
]
texts = st.lists(st.sampled_from(LINES) | st.text(max_size=8), max_size=14).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n"]).map(lambda eol: eol.join(lines))
)


def normal(text):
    return format_profile(parse_profile(text))


def sections(**bodies):
    """The bodies of all five, "" but for these."""
    return {title: bodies.get(title.replace(" ", "_"), "") for title in SECTIONS}


def test_an_empty_profile_has_the_five_sections_in_order():
    assert normal("") == normal(" \n\n") == normal("# USER.md\n") == EMPTY_PROFILE == normal(EMPTY_PROFILE)
    assert parse_profile(EMPTY_PROFILE) == Profile("", sections(), ())
    assert "".join(["# USER.md\n", *(f"\n## {title}\n{NOTHING}\n" for title in SECTIONS)]) == EMPTY_PROFILE


def test_a_profile_in_order_stays_byte_for_byte():
    assert normal(FULL) == FULL
    assert parse_profile(FULL).sections == sections(
        Profile="Ana, chemist in Lyon.", Preferences="- terse\n\n### Code\n- tabs", Environment="Debian."
    )


@pytest.mark.parametrize(
    ("text", "preamble", "bodies", "others"),
    [
        ("# USER.md\nlikes tea", "", {"Profile": "likes tea"}, []),
        ("\n# USER.md\n# user.md\n\nlikes tea", "", {"Profile": "likes tea"}, []),
        ("# user.MD\n\nlikes tea\n", "", {"Profile": "likes tea"}, []),
        (
            "# USER.md\n\n## Actuel\nnew\n\n## Archive\n\n### [2026-04-10]\nold\n",
            "",
            {"Profile": "new"},
            [("Archive", "### [2026-04-10]\nold")],
        ),
        (
            "# About Ana\n\n## Actuel\n\nnew\n## Misc\nx",
            "# About Ana",
            {"Profile": "new"},
            [("Misc", "x")],
        ),
        ("hello\n## Actuel\n\n## Archive\nold", "", {"Profile": "hello"}, [("Archive", "old")]),
        ("tea\n## Misc\nx\n### y", "", {"Profile": "tea"}, [("Misc", "x\n### y")]),
        ("# USER.md\n## Actuel\n_No profile yet. Ask for it._\n", "", {}, []),
        (
            "## Actuel\n_No profile yet._\nlikes tea\n",
            "",
            {"Profile": "_No profile yet._\nlikes tea"},
            [],
        ),
        ("## Profile\na\n## Profile\nb", "", {"Profile": "b"}, [("Profile (earlier)", "a")]),
        ("## Profile\na\n## Profile\n", "", {"Profile": "a"}, []),
        (
            "before\n## Hobbies\nchess\n## Preferences\nterse\n### sub\nx\n## profile\ny\n",
            "before",
            {"Preferences": "terse\n### sub\nx"},
            [("Hobbies", "chess"), ("profile", "y")],
        ),
        (f"## Profile\n{NOTHING}\n- tea", "", {"Profile": "- tea"}, []),
        ("##  Profile  \n\n\n    code\n\n", "", {"Profile": "    code"}, []),
    ],
)
def test_a_profile_is_read_with_everything_in_it(text, preamble, bodies, others):
    for given_text in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        assert parse_profile(given_text) == Profile(preamble, {**sections(), **bodies}, tuple(others))


def test_what_is_no_section_stands_before_and_after_the_five():
    text = "before\n## Hobbies\nchess\n## Hobbies\n\n## Profile\na\n"
    rest = "".join(f"## {title}\n{NOTHING}\n\n" for title in SECTIONS[1:])
    assert normal(text) == f"# USER.md\n\nbefore\n\n## Profile\na\n\n{rest}## Hobbies\nchess\n\n## Hobbies\n"


@pytest.mark.parametrize(
    "code", ["```\n## Preferences\nx\n```", "~~~ md\n## Preferences\n~~~", "<!--\n## Preferences\n-->"]
)
def test_a_heading_in_code_or_in_a_comment_begins_no_section(code):
    assert parse_profile(f"## Profile\n{code}\n## Environment\ny").sections == sections(
        Profile=code, Environment="y"
    )
    assert demote_headings(f"## A\n{code}\n##\tB") == f"### A\n{code}\n###\tB"


@given(texts)
def test_reading_and_writing_again_changes_nothing_more(text):
    once = normal(text)
    assert normal(once) == once
    assert is_structured(once)
    assert open_block(once) is None
    assert is_empty(once) == is_empty(text)


@given(texts)
def test_every_line_with_text_is_still_there(text):
    def lines(of):
        return Counter(flat for line in of.split("\n") if (flat := " ".join(line.split())))

    lost = lines(text.removeprefix("\ufeff").replace("\r\n", "\n")) - lines(normal(text))
    for line in lost:
        title = line.removeprefix("## ")
        assert (
            line.lower() == "# user.md"  # the title of the file
            or line in (NOTHING, "## Actuel")
            or line.startswith("_No profile yet.")
            or (line.startswith("## ") and title in SECTIONS)  # a second heading of a title
        )


@pytest.mark.parametrize(("opening", "closing"), [("```", "```"), ("~~~~ md", "~~~~"), ("<!-- a", "-->")])
def test_code_that_is_never_closed_ends_with_its_section(opening, closing):
    text = f"## Profile\n{opening}\n\n## Hobbies\nchess\n## Preferences\n- terse"
    read = parse_profile(text)
    assert read.sections == sections(Profile=f"{opening}\n{closing}", Preferences="- terse")
    assert read.others == (("Hobbies", "chess"),)
    assert demote_headings(text) == text.replace("## ", "### ")


@pytest.mark.parametrize(
    "text", ["", "\n", "# USER.md", NOTHING, EMPTY_PROFILE, "## Actuel\n_No profile yet. x_"]
)
def test_a_profile_without_facts_is_empty(text):
    assert is_empty(text)


@pytest.mark.parametrize(
    "text",
    [
        "likes tea",
        "# USER.md\n\n## Actuel\nx",
        EMPTY_PROFILE.replace(NOTHING, "x", 1),
        EMPTY_PROFILE + "\n## Hobbies\nchess\n",
        EMPTY_PROFILE.replace("\n## Profile", "\nbefore\n\n## Profile"),
    ],
)
def test_a_profile_with_facts_is_not_empty(text):
    assert not is_empty(text)


def test_a_profile_with_its_title_and_five_sections_is_structured():
    assert is_structured(FULL)
    assert is_structured("\ufeff\n" + FULL.replace("\n", "\r\n"))
    assert not is_structured(FULL.removeprefix("# USER.md\n"))
    assert not is_structured(FULL.replace("## Environment", "## environment"))
    assert not is_structured("")


@pytest.mark.parametrize("piece", ["## Profile\nx\n", "## \n", "```\n", "## Hobbies\n`", "\n", "<!-- ", "> "])
def test_a_large_profile_is_read_in_time_linear_in_its_size(piece):
    started = time.process_time()
    normal(piece * (100_000 // len(piece)))
    assert time.process_time() - started < 3
