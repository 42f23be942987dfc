"""`search` and `recent`."""

import json
import os

import pytest


@pytest.fixture
def pages(memory):
    memory("write-page", "decisions/queue.md", stdin=b"# Queue in SQLite\n\nRedis was one more service.\n")
    memory("write-page", "gotchas/locale.md", "--pinned", stdin=b"# Locale\n\nSort in the C locale.\n")
    memory("write-page", "_rules/redis.md", "--scope", "global", stdin=b"# Never Redis\n\nWe run no redis.\n")
    other = ("--workspace", "acme", "--project", "web")
    memory("write-page", "notes/cache.md", *other, stdin=b"# Cache\n\nRedis holds the sessions.\n")


@pytest.mark.usefixtures("pages")
def test_a_question_finds_the_page_and_the_standing_preferences(memory, wiki):
    found = memory("search", "why", "no", "redis?", "--json").json
    assert found["scope"]["project"] == "app"
    assert found["hits"] == [
        {
            "workspace": "default",
            "project": "app",
            "path": "decisions/queue.md",
            "title": "Queue in SQLite",
            "kind": "decision",
            "snippet": found["hits"][0]["snippet"],
            "score": found["hits"][0]["score"],
            "pinned": False,
            "expired": False,
            "file_missing": False,
            "superseded": False,
            "file": str(wiki / "default" / "app" / "decisions" / "queue.md"),
        }
    ]
    assert [hit["path"] for hit in found["global_hits"]] == ["_rules/redis.md"]
    assert (found["behind"], found["notes"]) == ([], [])


@pytest.mark.usefixtures("pages")
def test_people_see_path_title_and_snippet(memory):
    done = memory("search", "redis")
    assert done.out.startswith("decisions/queue.md  Queue in SQLite (decision)\n    ")
    assert "Standing preferences:" in done.out


@pytest.mark.usefixtures("pages")
def test_people_see_every_number_of_an_explanation_by_its_name(memory):
    memory("write-page", "notes/jobs.md", "--fixes", "decisions/queue.md", stdin=b"# Jobs\n\nThree.\n")
    found = memory("search", "redis", "service", "--explain", "--json").json
    lines = [line.strip() for line in memory("search", "redis", "service", "--explain").out.splitlines()]
    why = found["hits"][0]["why"]
    assert (
        f"1. score {why['score']:.10g}: bm25 {why['bm25']:.10g}, passage {why['passage']:.10g}, "
        in "\n".join(lines)
    )
    assert f"authority: {', '.join(why['because'])}" in lines
    assert "link: links to default/app/decisions/queue.md (fixes) 1" in lines
    assert [line for line in lines if line.startswith("score = authority x (")]
    scales = [line for line in lines if line.startswith("scale: bm25 ")]
    assert len(scales) == 2, "those of the standing preferences are others"
    assert set(found["global_explanation"]) == {"scale", "words"}


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    "args",
    [
        ("search", "redis"),
        ("recent",),
        ("checkpoints",),
        ("read-page", "decisions/queue.md"),
        ("read-page", "--query", "redis"),
    ],
)
def test_every_answer_says_apart_from_itself_which_scope_it_used_and_why(memory, place, args):
    done = memory(*args)
    assert done.code == 0
    assert done.err.startswith(f"in default/app (by folder: {place / 'app'})\n")


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    ("args", "places"),
    [
        (["--global"], {"default/app", "default/_global", "acme/web"}),
        (["--scopes", "acme/web", "--scopes", "default/app"], {"default/app", "acme/web"}),
        (["--workspace", "acme", "--project", "web"], {"acme/web"}),
        (["--project", "web", "--workspace", "acme", "--limit", "1"], {"acme/web"}),
    ],
)
def test_the_scope_of_a_search_is_chosen(memory, args, places):
    found = memory("search", "redis", *args, "--json").json
    assert {f"{hit['workspace']}/{hit['project']}" for hit in found["hits"]} == places
    assert found["global_hits"] == []


@pytest.mark.usefixtures("pages")
def test_people_see_the_project_of_a_hit_when_several_were_searched(memory):
    assert "\nacme/web/notes/cache.md  Cache (note)\n" in f"\n{memory('search', 'redis', '--global').out}"


@pytest.mark.usefixtures("pages")
def test_pins_come_first_on_request(memory):
    assert memory("search", "redis", "--pin-first", "--json").json["hits"][0]["path"] == "gotchas/locale.md"


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("name", ["search", "read-page"])
def test_pages_whose_files_vanished_in_bulk_are_marked(memory, wiki, name):
    for number in range(5):
        memory("write-page", f"notes/{number}.md", stdin=b"# Walrus\n")
    assert len(memory("search", "walrus", "--json").json["hits"]) == 5
    for file in (wiki / "default/app/notes").iterdir():
        file.unlink()
    if name == "search":
        done = memory("search", "walrus")
        assert done.out.startswith("notes/0.md  Walrus (note, file missing)\n")
        assert "note: files are missing" in done.err
        assert memory("search", "walrus", "--json").json["hits"][0]["file_missing"]
    else:
        done = memory("read-page", "notes/0.md")
        assert done.code == 1
        assert "is missing, as are many others" in done.err


def test_no_hit_says_where_it_looked(memory):
    done = memory("search", "unheardof")
    assert done.code == 0
    assert done.out.startswith("No page matches in default/app (by folder: ")
    proposal = "try other words, or --include-superseded\n"
    assert done.out.endswith(f"  searched: unheardof\n  no other project has a page that matches: {proposal}")
    assert memory("search", "unheardof", "--global").out.endswith(f"  searched: unheardof\n  {proposal}")
    assert memory("search", "unheardof", "--include-superseded").out.endswith(": try other words\n")


@pytest.mark.usefixtures("pages")
def test_no_hit_says_what_would_find_something_and_what_sessions_have(memory, place, wiki):
    other = wiki / "acme" / "web" / "notes"
    (other / "a.md").write_text("# A\n\nUnheardof.\n", encoding="utf-8")
    old = wiki / "default" / "app" / "old.md"
    old.write_text("---\nexpires_at: 2020-01-01\n---\nUnheardof.\n", encoding="utf-8")
    observation = {"v": 1, "type": "observation", "id": "019a", "at": "2026-11-30T11:20:09.120Z"}
    observation |= {"kind": "stop", "title": "Unheardof\x1b[31m", "body": "Of unheardof things."}
    sessions = wiki.parent / "raw" / "default" / "app" / "sessions"
    sessions.mkdir(parents=True)
    (sessions / "s1.jsonl").write_text(json.dumps(observation) + "\n", encoding="utf-8")
    done = memory("search", "unheardof")
    assert done.out.splitlines()[1:] == [
        "  searched: unheardof",
        "  with --include-expired: 1 page matches",
        "  with --workspace acme --project web: 1 page matches",
        "",
        "Captured in agent sessions, and on no page:",
        "",
        "Unheardof [31m  (stop, 2026-11-30T11:20:09Z, session s1)",
        "    Of unheardof things.",
    ]
    found = memory("search", "unheardof", "--json").json
    assert found["zero_hits"]["elsewhere"] == [{"workspace": "acme", "project": "web", "pages": 1}]
    assert [hit["id"] for hit in found["raw_hits"]] == ["019a"]
    assert "zero_hits" not in memory("search", "redis", "--json").json


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([" "], "query"),
        (["redis", "--global", "--project", "app"], "exclude each other"),
        (["redis", "--scopes", "acme"], "workspace/project"),
        (["redis", "--scopes", "acme/wev"], "acme/web"),
        (["redis", "--project", "wev", "--workspace", "acme"], "acme/web"),
    ],
)
def test_bad_input_is_one_sentence_and_changes_nothing(memory, unchanged, args, words):
    unchanged()
    done = memory("search", *args)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert words in done.err


@pytest.mark.usefixtures("pages")
def test_recent_lists_the_newest_first(memory, wiki):
    file = wiki / "default" / "app" / "decisions" / "queue.md"
    file.write_bytes(file.read_bytes() + b"\nEdited by hand.\n")
    os.utime(file, (4_000_000_000, 4_000_000_000))
    recent = memory("recent", "--json").json
    pages = recent["pages"]
    assert recent["counts"]["pages"] == len(pages)
    assert "missing_vectors" not in recent["counts"], "a key whose value is not known is left out"
    assert [page["path"] for page in pages] == ["decisions/queue.md", "gotchas/locale.md"]
    assert pages[0]["changed"] == "2096-10-02T07:06:40Z"
    assert pages[0]["file"] == str(file)
    text = memory("recent", "--limit", "1").out.splitlines()
    assert text[0].split() == ["changed", "page", "kind", "title"]
    assert text[1].split() == [
        "2096-10-02T07:06:40Z",
        "decisions/queue.md",
        "decision",
        "Queue",
        "in",
        "SQLite",
    ]


def test_an_empty_store_answers(memory):
    assert memory("search", "anything").code == 0
    assert memory("recent").out.startswith("No pages yet in default/app")


@pytest.mark.usefixtures("pages")
def test_a_broken_index_is_built_anew_with_one_line_about_it(memory, place):
    assert "decisions/queue.md" in memory("search", "sqlite").out
    for part in (place / "data" / "index").rglob("*.pst"):
        part.write_bytes(b"torn")
    done = memory("search", "sqlite")
    assert "decisions/queue.md" in done.out
    assert "memory-mcp: the index cannot be used and is built anew" in done.err
    assert "Traceback" not in done.err
    assert "CorruptIndex" in (place / "data" / "logs" / "cli.log").read_text(encoding="utf-8")
    assert "built anew" not in memory("search", "sqlite").err


@pytest.mark.usefixtures("pages")
def test_old_versions_are_shown_with_their_times(memory):
    memory("write-page", "decisions/queue.md", stdin=b"# Queue\n\nWe moved to RabbitMQ.\n")
    done = memory("search", "sqlite", "--include-superseded")
    assert "(decision, superseded, from 20" in done.out
    [hit] = memory("search", "sqlite", "--include-superseded", "--json").json["hits"]
    assert hit["superseded"] is True
    past = memory("search", "rabbitmq", "--as-of", hit["valid_to"], "--json").json
    assert past["as_of"] == hit["valid_to"]
    assert [(each["path"], each["superseded"]) for each in past["hits"]] == [("decisions/queue.md", False)]
    assert "valid_to" not in past["hits"][0]
    nothing = memory("search", "rabbitmq", "--as-of", "2001-01-01")
    assert "as of 2001-01-01T23:59:59Z." in nothing.out
