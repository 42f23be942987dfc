"""Bad input gets one sentence with the tool, the argument and the rule; nothing is created or changed."""

import pytest

from memory_mcp.model.page import MAX_BODY_BYTES
from tests.server.answers import ask, refusal, state_of

pytestmark = pytest.mark.anyio

BODY = "# Title\n\nText.\n"
OUTSIDE = [
    "../../x.md",
    "/etc/x.md",
    "a/../../x.md",
    "./x.md",
    "..\\x.md",
    "C:\\x.md",
    "C:/x.md",
    "a//x.md",
    "a\0.md",
    "a\nb.md",
    " ",
]
UNPORTABLE = [
    "con.md",
    "notes/NUL.txt.md",
    "a:b.md",
    "notes/x.",
    "notes/x .md/y.md ",
    "%2e%2e/x.md",
    ".git/x.md",
    ".hidden.md",
    "notes/.md",
    "notes/x.txt",
    "notes",
    "_handoffs/x.md",
    "log-2026-11.md",
    "x" * 300 + ".md",
    "/".join(["deep"] * 300) + ".md",
]
BAD_CALLS = [
    *(("memory_read_page", {"path": path}) for path in OUTSIDE),
    *(("memory_write_page", {"path": path, "body": BODY}) for path in OUTSIDE + UNPORTABLE),
    *(("memory_delete_page", {"path": path}) for path in OUTSIDE + UNPORTABLE),
    ("memory_read_page", {}),
    ("memory_read_page", {"path": "", "query": None}),
    ("memory_read_page", {"path": "notes/kept.md", "query": "text"}),
    ("memory_read_page", {"path": "notes/none.md"}),
    ("memory_read_page", {"path": "notes/kept.md", "related_depth": 4, "include_related": True}),
    ("memory_read_page", {"path": "notes/kept.md", "max_chars": 1}),
    ("memory_query", {}),
    ("memory_query", {"query": "   "}),
    ("memory_query", {"query": "x", "limit": 101}),
    ("memory_query", {"query": "x", "n": 0}),
    ("memory_query", {"query": "x", "global": True, "project": "importer"}),
    ("memory_query", {"query": "x", "global": True, "scopes": ["acme/importer"]}),
    ("memory_query", {"query": "x", "scopes": ["acme/importer"], "workspace": "acme", "project": "importer"}),
    ("memory_query", {"query": "x", "scopes": ["acme"]}),
    ("memory_query", {"query": "x", "scopes": ["acme/none"]}),
    ("memory_query", {"query": "x", "scopes": [f"acme/p{n}" for n in range(26)]}),
    ("memory_query", {"query": "x", "workspace": "acme"}),
    ("memory_query", {"query": "x", "workspace": "acme", "project": "imprter"}),
    ("memory_query", {"query": "x", "workspace": "_callers", "project": "ana"}),
    ("memory_query", {"query": "x", "scopes": ["_callers/ana"]}),
    ("memory_recent", {"limit": -1}),
    ("memory_recent", {"top_k": 3}),
    ("memory_recent", {"query": "x"}),
    ("memory_write_page", {"path": "notes/x.md"}),
    ("memory_write_page", {"path": "notes/x.md", "body": " \n"}),
    ("memory_write_page", {"path": "notes/x.md", "body": "x" * (MAX_BODY_BYTES + 1)}),
    ("memory_write_page", {"path": "notes/x.md", "body": "a\0b"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "title": ""}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "title": "   "}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "tier": "hot"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "scope": "local"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "scope": "global", "project": "importer"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "expires_at": "tomorrow"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "expires_at": "2026-13-01"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "kind": "k" * 65}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "entities": ["e"] * 3 + list("abcdefghij")}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "abstract": "a" * 1025}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "tags": "one"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "pinned": "true"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "causes": ["../../x"]}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "if_match": "0" * 16}),
    ("memory_write_page", {"path": "notes/kept.md", "body": BODY, "if_match": "0" * 16}),
    ("memory_write_page", {"path": "Notes/kept.md", "body": BODY}),
    ("memory_write_page", {"path": "notes/KEPT.md", "body": BODY}),
    ("memory_write_page", {"path": "notes/kept.md/x.md", "body": BODY}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "boddy": "x"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "workspace": "Acme!", "project": "x"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "workspace": "_callers", "project": "ana"}),
    ("memory_write_page", {"path": "notes/x.md", "body": BODY, "project": "acme/importer"}),
    ("memory_delete_page", {}),
    ("memory_delete_page", {"path": "notes/kept.md", "workspace": "acme", "project": "none"}),
    ("memory_status", {"workspace": "acme", "project": "none"}),
    ("memory_status", {"verbose": True}),
]


async def test_every_bad_call_gets_one_sentence_and_changes_nothing(client, settings):
    await ask(client, "memory_write_page", path="notes/kept.md", body=BODY)
    before = state_of(settings.data_dir)
    for tool, arguments in BAD_CALLS:
        sentence = await refusal(client, tool, **arguments)
        shown = {name: str(value)[:60] for name, value in arguments.items()}
        assert sentence.startswith(f"{tool}: "), (tool, shown, sentence)
        assert "\n" not in sentence, (tool, shown, sentence)
        assert len(sentence) < 600, (tool, shown, sentence)
        for leaked in ("internal error", "Traceback", "pydantic", "Error executing"):
            assert leaked not in sentence, (tool, shown, sentence)
        assert state_of(settings.data_dir) == before, (tool, shown)


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        (
            "memory_query",
            {"query": "x", "limit": 500},
            "memory_query: limit = 500 is out of range: 1 to 100.",
        ),
        ("memory_query", {"qery": "x"}, "memory_query: there is no argument 'qery'; did you mean 'query'?"),
        ("memory_query", {}, "memory_query: query is missing."),
        (
            "memory_write_page",
            {"path": "a.md", "body": "x", "tier": "hot"},
            "memory_write_page: tier = 'hot' is not one of: working, episodic, semantic, procedural.",
        ),
        (
            "memory_write_page",
            {"path": "a.md", "body": BODY, "title": " "},
            "memory_write_page: title is blank: leave it out or give a text.",
        ),
        ("memory_qery", {"query": "x"}, "There is no tool 'memory_qery'; did you mean memory_query?"),
    ],
)
async def test_the_sentence_names_argument_value_and_rule(client, tool, arguments, sentence):
    assert await refusal(client, tool, **arguments) == sentence


async def test_a_symbolic_link_out_of_the_scope_is_refused(client, settings, tmp_path):
    await ask(client, "memory_write_page", path="notes/kept.md", body=BODY)
    scope = settings.data_dir / "wiki" / "acme" / "importer"
    (tmp_path / "secret.md").write_text("# Secret\n", encoding="utf-8")
    (scope / "out").symlink_to(tmp_path)
    (scope / "dangling").symlink_to(tmp_path / "not-yet")
    for path in ("out/secret.md", "out/new.md", "dangling/new.md"):
        assert "symbolic link" in await refusal(client, "memory_read_page", path=path)
        assert "symbolic link" in await refusal(client, "memory_write_page", path=path, body=BODY)
        assert "symbolic link" in await refusal(client, "memory_delete_page", path=path)
    assert (tmp_path / "secret.md").read_text(encoding="utf-8") == "# Secret\n"
    assert not (tmp_path / "new.md").exists()


async def test_a_page_that_is_not_utf8_is_refused_and_others_are_found(client, settings):
    await ask(client, "memory_write_page", path="notes/kept.md", body=BODY)
    (settings.data_dir / "wiki/acme/importer/notes/latin.md").write_bytes(b"# caf\xe9\n")
    assert "UTF-8" in await refusal(client, "memory_read_page", path="notes/latin.md")
    assert (await ask(client, "memory_query", query="text title")).structured_content["hits"]


async def test_a_bug_is_told_without_its_text_and_logged(client, app, settings, caplog):
    (settings.data_dir / "wiki").mkdir(parents=True, exist_ok=True)

    class Broken:
        def query(self, text, **_):
            raise KeyError(text)

    app.__dict__["query"] = Broken()
    sentence = await refusal(client, "memory_query", query="my private question")
    assert sentence == f"memory_query: internal error; {settings.data_dir / 'logs' / 'server.log'} says more."
    assert "memory_query failed" in caplog.text
