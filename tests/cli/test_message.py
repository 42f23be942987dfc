"""`memory-mcp message`: what a person sends, reads and withdraws for a project."""

from __future__ import annotations

import pytest

HERE = ("--workspace", "acme", "--project", "importer")
THERE = ("--workspace", "acme", "--project", "warehouse")


@pytest.fixture(autouse=True)
def _projects(memory):
    for scope in (HERE, THERE):
        assert memory("write-page", "notes/a.md", *scope, stdin=b"# A\n").code == 0


def send(memory, *args, **how):
    return memory("message", "send", "acme/warehouse", *args, *HERE, "--json", **how).json["code"]


def test_a_message_is_sent_listed_and_taken(memory):
    code = send(memory, "The importer \x1b[2Jretries now.", "--subject", "Retries")
    [listed] = memory("message", "list", *THERE, "--json").json["messages"]
    assert (listed["code"], listed["subject"], listed["from"]) == (code, "Retries", "acme/importer")
    assert "retries now" not in memory("message", "list", *THERE).out
    assert "Retries" in memory("message", "list", "--outbox", *HERE).out
    out = memory("message", "pop", *THERE).out
    assert out.endswith("The importer [2Jretries now.\n")
    assert "\x1b" not in out
    assert memory("message", "pop", *THERE).out == "No message waits.\n"
    assert memory("message", "list", *THERE).out == "Nothing waits in the inbox.\n"


def test_a_body_may_come_from_stdin(memory):
    send(memory, stdin="Ünïcode\nin lines\n".encode())
    assert memory("message", "pop", *THERE, "--json").json["message"]["body"] == "Ünïcode\nin lines"


def test_a_message_is_withdrawn_by_code_or_all_together(memory):
    codes = [send(memory, f"Message {number}") for number in range(3)]
    assert memory("message", "cancel", "--id", codes[0], *HERE).out == "1 cancelled.\n"
    again = memory("message", "cancel", "--id", codes[0], *HERE)
    assert again.out == "Nothing was cancelled: the message is cancelled already.\n"
    assert memory("message", "cancel", "--all", *HERE, "--json").json == {"cancelled": 2}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("send", "warehouse", "x"), "names no project"),
        (("send", "acme/warehous", "x"), "acme/warehouse"),
        (("send", "acme/warehouse", " "), "body is blank"),
        (("cancel",), "either --id CODE or --all"),
        (("cancel", "--all", "--id", "abcd"), "either --id CODE or --all"),
        (("pop", "--id", "zz"), "is no code of a message"),
    ],
)
def test_wrong_options_are_one_sentence(memory, arguments, words):
    refused = memory("message", *arguments, *HERE)
    assert refused.code == 1
    assert words in refused.err


def test_a_folder_that_is_only_a_guess_sends_and_takes_nothing(memory):
    for arguments in (("send", "acme/warehouse", "x"), ("pop",), ("cancel", "--all")):
        refused = memory("message", *arguments)
        assert refused.code == 1
        assert "is only a guess by the folder" in refused.err
