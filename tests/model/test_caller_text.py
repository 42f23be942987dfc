"""What of a caller's files is form and not text."""

from memory_mcp.callers.profile.profile_text import EMPTY_PROFILE
from memory_mcp.model.caller_text import searched_text


def test_an_empty_profile_has_nothing_to_find():
    assert searched_text(EMPTY_PROFILE).strip() == ""


def test_the_lines_that_divide_a_note_are_not_searched_and_all_others_are():
    text = (
        "# The archive\n\n## Actuel\n\nAsk Rui.\n## Actuelly\n\n## Archive\n\n### [2026-04-16]\nAsk Bo.\n"
        "### [2026-04-16] was a Thursday\n"
    )
    assert searched_text(text).split("\n") == [
        "# The archive",
        "",
        "",
        "",
        "Ask Rui.",
        "## Actuelly",
        "",
        "",
        "",
        "",
        "Ask Bo.",
        "### [2026-04-16] was a Thursday",
        "",
    ]
