"""The tools of the caller's memory, called as a client calls them."""

import pytest

from memory_mcp.callers.caller_folder import CallerFolder
from tests.server.answers import ask, refusal, state_of, text_of

pytestmark = pytest.mark.anyio

TOPIC_TOOLS = ["memory_write", "skill_write", "memory_append_log", "memory_maintain"]
TOPIC_BYTES = 2_050
MERGE = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"


@pytest.fixture
def root(settings):
    return CallerFolder(settings.data_dir / "wiki", "default").root


async def note(client, topic="Retries", content="Three times.", **more):
    return await ask(client, "memory_write", topic=topic, content=content, **more)


async def test_the_tools_of_topics_fit_their_budget(client):
    from tests.server.test_tool_list import listed_bytes

    tools = [tool for tool in (await client.list_tools()).tools if tool.name in TOPIC_TOOLS]
    assert [tool.name for tool in tools] == TOPIC_TOOLS
    assert listed_bytes(tools) <= TOPIC_BYTES


async def test_a_note_is_saved_and_the_index_shown(client, root):
    result = await note(client, hook="when the importer fails")
    text = text_of(result)
    assert text.startswith(
        f"Saved to memory/notes/retries.md.\nfile: {root}/memory/notes/retries.md\ncommit: "
    )
    assert "\n\n--- Updated MEMORY.md ---\n" in text
    assert "\n- [retries](notes/retries.md): when the importer fails\n" in text
    facts = result.structured_content
    assert len(facts.pop("commit")) == 40
    assert text.endswith(f"\nprompt_version: {facts.pop('prompt_version')}")
    assert facts == {
        "path": "memory/notes/retries.md",
        "outcome": "created",
        "slug": "retries",
        "mode": "replace",
        "index_path": "memory/MEMORY.md",
        "file": str(root / "memory/notes/retries.md"),
    }
    assert (root / "memory/notes/retries.md").is_file()


async def test_the_same_note_again_says_so(client):
    await note(client)
    again = await note(client)
    assert text_of(again).startswith("memory/notes/retries.md said so already.")
    assert again.structured_content["outcome"] == "unchanged"
    assert "commit" not in again.structured_content


async def test_rotating_keeps_the_former_text(client, root):
    await note(client)
    result = await note(client, content="Four times.", mode="rotate_actuel")
    assert result.structured_content["mode"] == "rotate_actuel"
    assert "Three times." in (root / "memory/notes/retries.md").read_text(encoding="utf-8")


async def test_a_large_index_is_told_by_its_count(client, root):
    notes = root / "memory" / "notes"
    notes.mkdir(parents=True)
    for number in range(200):
        (notes / f"topic-{number}.md").write_text(f"# Topic number {number}\n", encoding="utf-8")
    text = text_of(await note(client, hook="h"))
    assert "- [retries](notes/retries.md): h\n(201 entries in all)\n" in text
    assert len(text) < 1_500


async def test_warnings_and_redactions_are_told(client):
    await note(client, topic="C++")
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    result = await note(client, topic="C#", content=f"x {token}")
    assert "memory/notes/c-951a.md" in result.structured_content["warnings"][0]
    assert "\nnote: Text that looked like a secret was replaced by [REDACTED].\nwarning: " in text_of(result)
    assert token not in text_of(result)


async def test_an_answer_stays_short_whatever_is_in_the_index(client, root):
    await note(client)
    index = root / "memory" / "MEMORY.md"
    index.write_text(index.read_text(encoding="utf-8") + "words " * 400 + "\n" * 3, encoding="utf-8")
    result = await note(client, topic="x" * 299, hook="y" * 499)
    assert len(text_of(result)) < 9_000


async def test_the_text_of_an_index_cannot_end_its_own_quotation(client):
    result = await note(client, hook="----- end of the recalled index -----")
    text = text_of(result)
    first = text.index("----- ")
    token = text[first + 6 : first + 18]
    last = text.splitlines()[-2]
    assert last == f"----- {token}: end of the recalled index -----"


async def test_a_skill_is_saved(client, root):
    result = await ask(client, "skill_write", name="Deploy", content="1. Push.", hook="when releasing")
    assert text_of(result).startswith("Saved skill to skills/deploy.md.")
    assert "--- Updated SKILLS.md ---" in text_of(result)
    assert result.structured_content["index_path"] == "skills/SKILLS.md"
    assert (root / "skills/deploy.md").is_file()


async def test_the_profile_is_another_target(client, root):
    await note(client)
    index = (root / "memory/MEMORY.md").read_bytes()
    result = await ask(
        client, "memory_write", target="user", section="Preferences", content="- Likes short answers."
    )
    assert result.structured_content["path"] == "memory/USER.md"
    assert "--- Updated USER.md ---" in text_of(result)
    assert "Likes short answers." in (root / "memory/USER.md").read_text(encoding="utf-8")
    assert (root / "memory/MEMORY.md").read_bytes() == index


async def test_an_event_is_logged_once_a_day(client, root):
    result = await ask(client, "memory_append_log", op="decision made", detail="Use WAL.")
    line = result.structured_content["line"]
    assert line.endswith("] decision_made | Use WAL.")
    assert text_of(result).startswith(f"Logged: {line}\nfile: {root}/memory/log.md\n")
    again = await ask(client, "memory_append_log", op="decision made", detail="Use WAL.")
    assert again.structured_content["logged"] is False
    assert text_of(again).startswith("Logged today already: ")


async def test_a_note_is_maintained(client, root):
    await note(client)
    path = "memory/notes/retries.md"
    touched = await ask(client, "memory_maintain", action="touch", path=f"/{path}")
    assert text_of(touched).startswith(f"Touched {path}.")
    kept = await ask(client, "memory_maintain", action="mark_permanent", path=path)
    assert text_of(kept).startswith(f"Made permanent: {path}.")
    again = await ask(client, "memory_maintain", action="mark_permanent", path=path)
    assert text_of(again).startswith(f"{path} is permanent already.")
    archived = await ask(client, "memory_maintain", action="archive", path=path)
    assert text_of(archived).startswith(f"Archived {path}.")
    assert archived.structured_content["changed"] is True
    (root / path).unlink()
    missing = await refusal(client, "memory_maintain", action="touch", path=path)
    assert missing.startswith(f"memory_maintain: path = '{path}' does not exist")


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("memory_write", {"content": "x"}, "topic is blank"),
        ("memory_write", {"content": "x", "topic": "!!!"}, "no ASCII letter or digit"),
        ("memory_write", {"content": " ", "topic": "x"}, "content is blank"),
        ("memory_write", {"content": "x" * 1_000_001, "topic": "x"}, "the limit is 100,000"),
        (
            "memory_write",
            {"content": "x", "topic": "x", "mode": "append"},
            "not one of: replace, rotate_actuel",
        ),
        ("memory_write", {"content": "x", "topic": "x", "target": "other"}, "not one of: notes, user"),
        ("memory_write", {"content": "x", "topic": "x", "section": "Profile"}, "give target='user'"),
        ("memory_write", {"content": "x", "section": "Profile"}, "give target='user'"),
        ("memory_write", {"content": "x", "topic": "x", "target": "user"}, "topic = 'x' is for notes"),
        ("memory_write", {"content": MERGE, "topic": "x"}, "notes/x.md merge conflict markers at line"),
        ("memory_write", {"content": MERGE, "target": "user"}, "would give memory/USER.md merge conflict"),
        ("skill_write", {"content": MERGE, "name": "x"}, "put them into a code block"),
        ("skill_write", {"content": "x", "name": "SKILLS"}, "reserved"),
        ("memory_append_log", {"op": "x", "detail": "a\nb"}, "more than one line"),
        ("memory_append_log", {"op": " ", "detail": "a"}, "op is blank"),
        ("memory_maintain", {"action": "touch", "path": "../x.md"}, "memory/notes/<slug>.md"),
        ("memory_maintain", {"action": "delete", "path": "memory/notes/x.md"}, "not one of: touch"),
    ],
)
async def test_bad_input_is_one_sentence_and_changes_nothing(client, settings, tool, arguments, says):
    await note(client)
    before = state_of(settings.data_dir)
    sentence = await refusal(client, tool, **arguments)
    assert sentence.startswith(f"{tool}: ")
    assert says in sentence
    assert "\n" not in sentence
    assert state_of(settings.data_dir) == before


async def test_the_markers_of_a_merge_can_be_told_in_a_code_block(client):
    for _ in range(2):
        await note(client, content=f"Git writes\n\n```\n{MERGE}```\n", mode="rotate_actuel")
        await ask(client, "memory_write", target="user", section="Profile", content=f"```\n{MERGE}```")


async def test_a_note_of_the_caller_is_found_by_a_query_of_any_project(client):
    await note(client, topic="Pangolins", content="They roll up.")
    answer = await ask(client, "memory_query", query="pangolins")
    assert answer.structured_content["caller_hits"][0]["path"] == "memory/notes/pangolins.md"
