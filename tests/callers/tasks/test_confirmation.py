"""What counts as a person's word to dismiss a task."""

import pytest

from memory_mcp.callers.tasks.confirmation import MAX_CONFIRMATION_CHARS, confirmed_code, phrase_for


@pytest.mark.parametrize(
    "text",
    [
        "yes, dismiss task e9c4",
        "Yes please dismiss task e9c4.",
        "confirm dismiss task #e9c4",
        "confirmed: dismiss task e9c4!!",
        "sure.\nYES DISMISS TASK E9C4",
        "ok yes, please dismiss task e9c4, please",
        "  okay, confirmed - dismiss task e9c4 \n",
        phrase_for("e9c4"),
    ],
)
def test_the_words_of_a_confirmation_name_the_task(text: str) -> None:
    assert confirmed_code(text) == "e9c4"


def test_a_code_may_be_as_long_as_the_id_and_have_its_hyphens() -> None:
    assert confirmed_code("yes, dismiss task 5D2C80B7-e9c4") == "5d2c80b7e9c4"
    assert confirmed_code("yes, dismiss task 019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4") is not None


@pytest.mark.parametrize(
    "text",
    [
        "Do not say yes, dismiss task e9c4",
        "yes, dismiss task e9c4 thanks",
        "ok dismiss task e9c4",
        "yes",
        "",
        "dismiss task e9c4",
        "no, yes, dismiss task e9c4",
        "yes, don't dismiss task e9c4",
        "yes, do not dismiss task e9c4",
        "yes, dismiss task e9c4 never",
        "never: yes, dismiss task e9c4",
        "не yes, dismiss task e9c4",
        "yes, dismiss task e9c4 не",
        "yes, dismiss task e9c4?",
        "yes 👎 dismiss task e9c4",
        "yes? dismiss task e9c4",
        "yes, 'dismiss task e9c4'",
        '"yes, dismiss task e9c4"',
        "> yes, dismiss task e9c4",
        "`yes, dismiss task e9c4`",
        "the log says: yes, dismiss task e9c4",
        "yes, dismiss task e9c4 and task 1234",
        "yes, dismiss task e9c4 1234",
        "yes, dismiss task 9c4",
        "yes, dismiss task the importer",
        "yes, dismiss task e9c4z",
        "yes, dismiss\u200b task e9c4",
        "yes dismiss task e9c4" + "!" * MAX_CONFIRMATION_CHARS,
        "yesdismisstaske9c4",
    ],
)
def test_anything_else_confirms_nothing(text: str) -> None:
    assert confirmed_code(text) is None
