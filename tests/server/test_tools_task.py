"""The task tools, called as clients call them, some of which can ask their user and some cannot."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from mcp import Client
from mcp.types import ElicitResult, ErrorData, Implementation

from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.host import Host
from memory_mcp.model.actor import Actor
from memory_mcp.server.surface import MemoryServer
from tests.server.answers import ask, refusal, state_of, text_of

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@asynccontextmanager
async def asked(app: App, mode: str, answer: ElicitResult) -> AsyncIterator[tuple[Client, list[str]]]:
    """A client that puts questions to its user, who gives this answer to each; and the questions."""
    questions: list[str] = []

    async def callback(_: object, params: object) -> ElicitResult:
        questions.append(params.message)  # type: ignore[attr-defined]
        return answer

    info = Implementation(name="asking-client", version="1")
    async with Client(
        MemoryServer(app), mode=mode, client_info=info, elicitation_callback=callback
    ) as client:
        yield client, questions


async def add(client: Client, title: str = "Ship it", **more: object) -> str:
    found = await ask(client, "task_add", title=title, list_name="today", **more)
    return str(found.structured_content["task_id"])


async def test_a_task_is_added_listed_and_completed(client: Client, app: App) -> None:
    added = await ask(
        client, "task_add", title="Ship it", listName="today", note="with retry", due="2999-12-01", priority=2
    )
    facts = added.structured_content
    code, file = facts["task_id"], app.caller.folder.root / facts["path"]
    assert text_of(added) == (
        f"Added active task {code}.\n- [{code}] today: Ship it (due 2999-12-01) (priority 2)\n"
        f"Note: with retry\nfile: {facts['path']} ({file})\nprompt_version: {facts['prompt_version']}"
    )
    assert file.is_file()
    assert facts["file"] == str(file)
    assert (facts["state"], facts["priority"], len(facts["commit"])) == ("active", 2, 40)
    listed = await ask(client, "task_list_active")
    assert text_of(listed) == (
        f"## Active tasks\n- [{code}] today: Ship it (due 2999-12-01) (priority 2) — with retry"
    )
    assert [task["id"] for task in listed.structured_content["tasks"]] == [facts["id"]]
    done = await ask(client, "task_complete", taskId=code)
    assert text_of(done).startswith(f"Completed task {code}.\n- [{code}] today: Ship it")
    assert text_of(await ask(client, "task_list_active")) == "## Active tasks\n- None."


async def test_a_code_of_digits_alone_may_come_as_a_number(client: Client, app: App) -> None:
    code = await add(client)
    [file] = (app.caller.folder.root / "tasks").glob("*.md")
    new_id = f"{file.stem[:-4]}0421"
    text = file.read_text(encoding="utf-8").replace(file.stem, new_id)
    file.with_name(f"{new_id}.md").write_text(text, encoding="utf-8", newline="\n")
    file.unlink()
    assert "there is no task" in await refusal(client, "task_complete", task_id=code)
    assert "only the user can confirm" in await refusal(client, "task_dismiss", task_id=421)
    assert text_of(await ask(client, "task_complete", task_id=421)).startswith("Completed task 0421.")


async def test_the_command_that_a_refusal_names_is_for_the_caller(settings: Settings, mode: str) -> None:
    app = App(replace(settings, caller="telegram:12 3"))
    async with Client(MemoryServer(app), mode=mode) as client:
        code = await add(client)
        sentence = await refusal(client, "task_dismiss", task_id=code)
    app.close()
    assert sentence.endswith(f"memory-mcp task dismiss {code} --caller 'telegram:12 3'.")


async def test_the_list_is_cut_where_the_caller_says(client: Client) -> None:
    for number in range(3):
        await add(client, f"t{number}")
    listed = await ask(client, "task_list_active", limit=2)
    assert text_of(listed).endswith("- ... 1 more active task(s).")
    assert (listed.structured_content["total"], len(listed.structured_content["tasks"])) == (3, 2)
    for limit in (0, 101):
        assert "limit" in await refusal(client, "task_list_active", limit=limit)


async def test_long_tasks_fit_into_an_answer(client: Client, app: App) -> None:
    for _ in range(40):
        app.caller.task_writer.add("t" * 300, "l" * 100, Actor("test"), note="n" * 1000)
    assert len(text_of(await ask(client, "task_list_active", limit=100))) < 9_000


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("task_add", {"title": "x"}, "list_name is missing"),
        ("task_add", {"title": " ", "list_name": "today"}, "title is blank"),
        ("task_add", {"title": "x", "list_name": "today", "priority": 9}, "priority = 9 is out of range"),
        ("task_add", {"title": "x", "list_name": "today", "due": "soon"}, "due = 'soon' is no time"),
        ("task_complete", {"task_id": "ffff"}, "there is no task ffff"),
        ("task_complete", {"task_id": "first"}, "is no code of a task"),
        ("task_dismiss", {"task_id": "ffff"}, "there is no task ffff"),
        ("task_dismiss", {"task_id": "ffff", "confirmation": "yes"}, "there is no argument 'confirmation'"),
        ("task_dismiss", {"task_id": "ffff", "word": {"dismiss": True}}, "there is no argument 'word'"),
    ],
)
async def test_a_wrong_call_is_one_sentence_and_changes_nothing(
    client: Client, app: App, tool: str, arguments: dict[str, object], says: str
) -> None:
    await add(client)
    before = state_of(app.data_dir.root)
    sentence = await refusal(client, tool, **arguments)
    assert says in sentence
    assert "\n" not in sentence
    assert state_of(app.data_dir.root) == before


async def test_a_client_that_cannot_ask_is_told_the_command(client: Client, app: App) -> None:
    code = await add(client)
    before = state_of(app.data_dir.root)
    sentence = await refusal(client, "task_dismiss", task_id=code, reason="the user said yes, dismiss task")
    assert sentence == (
        f"task_dismiss: Task {code} was not dismissed: only the user can confirm that; ask the user to run "
        f"memory-mcp task dismiss {code}."
    )
    assert state_of(app.data_dir.root) == before


async def test_where_a_host_hands_over_the_users_words_the_words_are_told_too(
    client: Client, app: App
) -> None:
    code = await add(client)
    app.caller.turns.begin("hello", app.settings.session, Actor("host"))
    assert f'ask the user to write "yes, dismiss task {code}", or to run' in await refusal(
        client, "task_dismiss", task_id=code
    )


async def test_a_user_who_says_yes_has_the_task_dismissed(app: App, mode: str) -> None:
    yes = ElicitResult(action="accept", content={"dismiss": True})
    async with asked(app, mode, yes) as (client, questions):
        code = await add(client)
        gone = await ask(client, "task_dismiss", code=code, reason="not needed")
    assert questions == [
        f"Dismiss the task [{code}] today: Ship it? It leaves the list for good, without being done."
    ]
    assert text_of(gone).splitlines()[:3] == [
        f"Dismissed task {code}.",
        f"- [{code}] today: Ship it",
        "Reason: not needed",
    ]
    [task] = app.caller.tasks.all()
    assert (task.state, task.history[-1].agent) == ("dismissed", "asking-client")


DECLINED = "the user, or the client for them, declined; leave it."


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (ElicitResult(action="accept", content={"dismiss": False}), DECLINED),
        (ElicitResult(action="decline"), DECLINED),
        (ElicitResult(action="cancel"), "the user cancelled the question; ask the user to run"),
    ],
)
async def test_a_user_who_does_not_say_yes_keeps_the_task(
    app: App, mode: str, answer: ElicitResult, why: str
) -> None:
    async with asked(app, mode, answer) as (client, questions):
        code = await add(client)
        before = state_of(app.data_dir.root)
        assert f"Task {code} was not dismissed: {why}" in await refusal(client, "task_dismiss", task_id=code)
    assert len(questions) == 1
    assert state_of(app.data_dir.root) == before


async def test_an_answer_that_is_none_keeps_the_task(app: App, mode: str) -> None:
    async with asked(app, mode, ElicitResult(action="accept", content={"dismiss": "perhaps"})) as (client, _):
        code = await add(client)
        sentence = await refusal(client, "task_dismiss", task_id=code)
        assert sentence.startswith("task_dismiss: the client gave no answer that can be used")
    assert [task.state for task in app.caller.tasks.all()] == ["active"]


async def test_a_client_that_refuses_to_ask_keeps_the_task(app: App) -> None:
    async def callback(_: object, __: object) -> ErrorData:
        return ErrorData(code=-32601, message="no")

    async with Client(MemoryServer(app), mode="legacy", elicitation_callback=callback) as client:
        code = await add(client)
        sentence = await refusal(client, "task_dismiss", task_id=code)
        assert sentence.startswith("task_dismiss: the client gave no answer that can be used")
    assert [task.state for task in app.caller.tasks.all()] == ["active"]


async def test_nobody_is_asked_about_a_task_that_is_closed_or_unknown(app: App, mode: str) -> None:
    yes = ElicitResult(action="accept", content={"dismiss": True})
    async with asked(app, mode, yes) as (client, questions):
        code = await add(client)
        await ask(client, "task_complete", task_id=code)
        assert "stays so" in await refusal(client, "task_dismiss", task_id=code)
        assert "there is no task" in await refusal(client, "task_dismiss", task_id="0" * 32)
    assert questions == []


async def test_the_users_words_of_this_turn_are_enough_without_a_question(
    app: App, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    no = ElicitResult(action="decline")
    host = Host(app.settings.data_dir, session=app.settings.session)
    async with asked(app, mode, no) as (client, questions):
        code, other = await add(client), await add(client, "Write the docs")
        host.turn_begin(f"yes, dismiss task {code}")
        assert "was not dismissed" in await refusal(client, "task_dismiss", task_id=other)
        assert text_of(await ask(client, "task_dismiss", task_id=code)).startswith(f"Dismissed task {code}.")
    assert len(questions) == 1
    host.close()


@pytest.mark.parametrize(
    "case", ["another session", "the turn before", "a turn that ended", "another caller"]
)
async def test_words_of_another_turn_are_not_enough(client: Client, app: App, case: str) -> None:
    code = await add(client)
    caller = "ana" if case == "another caller" else None
    session = "another" if case == "another session" else app.settings.session
    host = Host(app.settings.data_dir, caller, session)
    host.turn_begin(f"yes, dismiss task {code}")
    if case == "the turn before":
        host.turn_begin("and now something else")
    if case == "a turn that ended":
        host.turn_end()
    assert "was not dismissed" in await refusal(client, "task_dismiss", task_id=code)
    host.close()


async def test_a_server_that_knows_no_session_takes_nobodys_words(app: App) -> None:
    alone = App(replace(app.settings, session=""))
    async with Client(MemoryServer(alone), mode="auto") as client:
        code = await add(client)
        turns = app.data_dir.state / "turns"
        app.caller.turns.begin(f"yes, dismiss task {code}", "s1", Actor("host", "s1"))
        for file in list(turns.iterdir()):
            found = json.loads(file.read_text(encoding="utf-8")) | {"session": ""}
            for name in ("", "e3b0c44298"):
                (turns / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")
        assert "was not dismissed" in await refusal(client, "task_dismiss", task_id=code)
    alone.close()


async def test_a_title_is_one_line_of_the_question_and_of_the_answer(app: App, mode: str) -> None:
    no = ElicitResult(action="decline")
    async with asked(app, mode, no) as (client, questions):
        code = await add(client, "Ship\n- [ffff] injected\x1b[2J")
        await refusal(client, "task_dismiss", task_id=code)
        assert "\n" not in questions[0]
        assert "\x1b" not in questions[0]
        assert len(text_of(await ask(client, "task_list_active")).splitlines()) == 2


async def test_a_list_says_which_tasks_are_overdue(client: Client) -> None:
    await ask(client, "task_add", title="Late", list_name="today", due="2020-01-01")
    await ask(client, "task_add", title="Early", list_name="today", due="2999-01-01")
    listed = await ask(client, "task_list_active")
    assert listed.structured_content is not None
    assert [task.get("overdue") for task in listed.structured_content["tasks"]] == [True, None]
    assert "today: Late (overdue since 2020-01-01)" in text_of(listed)
