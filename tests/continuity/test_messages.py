"""Messages between projects: taken once, by the recipient alone, withdrawn by the sender alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from memory_mcp.app import App
from memory_mcp.errors import InvalidInput, NotFound
from tests.memory import CLAUDE, CODEX, Memory

HERE = {"workspace": "acme", "project": "importer"}
THERE = {"workspace": "acme", "project": "warehouse"}


@pytest.fixture
def app(memory: Memory) -> App:
    """The services of a process in acme/importer; acme/warehouse and other/warehouse exist too."""
    memory.write("notes/a.md")
    memory.write("notes/a.md", **THERE)
    memory.write("notes/a.md", workspace="other", project="warehouse")
    return memory.app


def send(app: App, body: str = "The importer retries now.", **how: str) -> str:
    return app.continuity.messages.send("acme", "warehouse", body, CODEX, **how).code


def test_the_recipient_takes_the_oldest_first_and_each_once(app: App) -> None:
    send(app, "First")
    send(app, "Second")
    messages = app.continuity.messages
    taken = messages.pop("", CLAUDE, **THERE)
    assert taken.message is not None
    assert (taken.message.body, taken.message.sender, taken.waiting) == ("First", "acme/importer", 1)
    assert messages.pop("", CLAUDE, **THERE).message.body == "Second"
    assert messages.pop("", CLAUDE, **THERE).message is None


def test_of_two_processes_one_gets_it(memory: Memory, app: App) -> None:
    send(app)
    apps = [memory.open(lock_timeout=30) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        got = list(pool.map(lambda each: each.continuity.messages.pop("", CLAUDE, **THERE).message, apps))
    assert sum(message is not None for message in got) == 1


def test_a_project_of_the_same_name_in_another_workspace_gets_nothing(app: App) -> None:
    code = send(app)
    other = {"workspace": "other", "project": "warehouse"}
    assert app.continuity.messages.pop("", CLAUDE, **other).message is None
    with pytest.raises(NotFound):
        app.continuity.messages.pop(code, CLAUDE, **other)
    assert len(app.continuity.messages.look(**THERE).messages) == 1


def test_the_sender_alone_withdraws_it(app: App) -> None:
    code = send(app)
    with pytest.raises(NotFound):
        app.continuity.messages.cancel(code, CLAUDE, **THERE)
    assert app.continuity.messages.cancel(code, CODEX, **HERE).count == 1
    assert app.continuity.messages.pop("", CLAUDE, **THERE).message is None
    assert app.continuity.messages.cancel("", CODEX, **HERE).count == 0


def test_listing_takes_nothing_and_shows_each_side_its_own(app: App) -> None:
    send(app, subject="Retries")
    messages = app.continuity.messages
    assert [each.subject for each in messages.look(**THERE).messages] == ["Retries"]
    assert [each.subject for each in messages.look("outbox", **HERE).messages] == ["Retries"]
    assert messages.look(**HERE).messages == ()
    assert messages.look("outbox", **THERE).messages == ()
    assert len(messages.look(**THERE).messages) == 1


def test_a_project_that_does_not_exist_is_refused_with_the_nearest(memory: Memory, app: App) -> None:
    refused = memory.refusal(lambda: app.continuity.messages.send("acme", "warehous", "Hi", CODEX))
    assert "acme/warehouse" in refused


def test_a_project_that_is_a_guess_sends_and_takes_nothing(memory: Memory, app: App) -> None:
    (memory.project / ".memory-mcp.toml").unlink()
    guessing = memory.open()
    for call in (
        lambda: guessing.continuity.messages.send("acme", "warehouse", "Hi", CODEX),
        lambda: guessing.continuity.messages.pop("", CODEX),
        lambda: guessing.continuity.messages.cancel("", CODEX),
    ):
        assert "is only a guess" in memory.refusal(call)
    assert guessing.continuity.messages.send("acme", "warehouse", "Hi", CODEX, **HERE).code


def test_long_texts_are_cut_and_say_so(app: App) -> None:
    send(app, "x" * 9_000, subject="s" * 300)
    [message] = app.continuity.messages.look(**THERE).messages
    assert len(message.body) == 8_000
    assert message.body.endswith("[…]")
    assert len(message.subject) == 200


def test_secrets_do_not_get_into_a_message(memory: Memory, app: App) -> None:
    secret = "ghp_" + "Zx9" * 12
    sent = app.continuity.messages.send("acme", "warehouse", f"Use {secret}", CODEX, subject=secret)
    assert sent.redacted
    assert secret not in memory.git("log", "-p")


def test_a_full_inbox_takes_no_more(memory: Memory, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_mcp.continuity.message_service.MAX_PENDING", 2)
    send(app, "1")
    send(app, "2")
    assert "2 messages wait in acme/warehouse already" in memory.refusal(lambda: send(app, "3"))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: m.send("acme", "warehouse", " \n", CODEX), "body is blank"),
        (lambda m: m.send("acme", "warehouse", "\0\u202e", CODEX), "body is blank"),
        (lambda m: m.send("", "warehouse", "x", CODEX), "give both"),
        (lambda m: m.send("acme", "importer", "x", CODEX), "your own project"),
        (lambda m: m.look("drafts"), "inbox or outbox"),
        (lambda m: m.pop("zzzz", CODEX), "no code of a message"),
    ],
)
def test_wrong_arguments_are_one_sentence(memory: Memory, app: App, call, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        call(app.continuity.messages)
