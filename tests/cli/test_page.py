"""`write-page`, `read-page` and `delete-page`."""

import os
import subprocess

import pytest

BODY = b"# Queue in SQLite\n\nRedis was one more service; see [[gotchas/locked]].\n"


def git(folder, *args) -> str:
    return subprocess.run(["git", "-C", folder, *args], capture_output=True, text=True, check=True).stdout


def test_a_page_is_written_from_standard_input_and_read_back_byte_for_byte(memory, wiki):
    done = memory("write-page", "decisions/queue.md", "--tag", "db", "--json", stdin=BODY).json
    file = wiki / "default" / "app" / "decisions" / "queue.md"
    assert done == {
        "scope": {"workspace": "default", "project": "app", "source": "folder", "detail": os.getcwd()},
        "path": "decisions/queue.md",
        "file": str(file),
        "outcome": "created",
        "version": done["version"],
        "commit": git(wiki, "rev-parse", "HEAD").strip(),
        "redacted": False,
    }
    assert memory("read-page", "decisions/queue.md").out.encode() == file.read_bytes()
    assert file.read_bytes().endswith(BODY)


def test_the_commit_of_a_write_names_the_command_line(memory, wiki):
    memory("write-page", "a.md", stdin=b"# A\n")
    message = git(wiki, "log", "-1", "--format=%B")
    assert "Memory-Operation: write-page" in message
    assert "Memory-Actor: cli" in message


def test_a_page_is_written_from_a_file_with_everything_that_the_tool_takes(memory, place):
    (place / "body.md").write_bytes(b"\xef\xbb\xbf# Locked\n\nSet busy_timeout.\n")
    args = [
        "--file",
        str(place / "body.md"),
        "--title",
        "Locked database",
        "--kind",
        "gotcha",
        "--tier",
        "procedural",
    ]
    args += [
        "--tag",
        "db",
        "--tag",
        "sqlite",
        "--pinned",
        "--entity",
        "SQLite",
        "--abstract",
        "Set it first.",
    ]
    args += ["--expires-at", "2031-01-01", "--fixes", "decisions/queue.md"]
    assert memory("write-page", "gotchas/locked.md", *args).code == 0
    page = memory("read-page", "gotchas/locked.md", "--json").json
    assert (page["title"], page["kind"], page["tier"]) == ("Locked database", "gotcha", "procedural")
    assert (page["tags"], page["pinned"]) == (["db", "sqlite"], True)
    assert page["frontmatter"]["entities"] == ["sqlite"]
    assert page["body"] == "# Locked\n\nSet busy_timeout.\n"
    assert page["links"] == [
        {
            "workspace": "default",
            "project": "app",
            "path": "decisions/queue.md",
            "exists": False,
            "relation": "fixes",
        }
    ]


def test_links_are_shown_both_ways(memory):
    memory("write-page", "decisions/queue.md", stdin=BODY)
    memory("write-page", "gotchas/locked.md", stdin=b"# Locked\n")
    place = {"workspace": "default", "project": "app"}
    queue = memory("read-page", "decisions/queue.md", "--json", "--related-depth", "1").json
    locked = memory("read-page", "gotchas/locked.md", "--json").json
    assert queue["links"] == [{**place, "path": "gotchas/locked.md", "exists": True}]
    assert locked["backlinks"] == [{**place, "path": "decisions/queue.md", "exists": True}]
    assert [each["path"] for each in queue["related"]] == ["gotchas/locked.md"]
    read = memory("read-page", "decisions/queue.md", "--related-depth", "1")
    assert "related: gotchas/locked.md " in read.err
    assert "gotchas/locked.md" not in memory("read-page", "decisions/queue.md").err


def test_the_best_match_of_a_query_is_read(memory):
    memory("write-page", "decisions/queue.md", stdin=BODY)
    assert memory("read-page", "--query", "redis", "--json").json["path"] == "decisions/queue.md"


def test_a_write_over_a_version_that_nobody_read_is_refused(memory, unchanged):
    memory("write-page", "a.md", stdin=b"# One\n")
    version = memory("read-page", "a.md", "--json").json["version"]
    assert memory("write-page", "a.md", "--if-match", version, stdin=b"# Two\n").code == 0
    unchanged()
    done = memory("write-page", "a.md", "--if-match", version, stdin=b"# Three\n")
    assert done.code == 1
    assert f"if_match = '{version}'" in done.err


def test_standing_preferences_are_written_with_scope_global(memory, wiki):
    memory("write-page", "_rules/tabs.md", "--scope", "global", stdin=b"# Tabs\n")
    assert (wiki / "default" / "_global" / "_rules" / "tabs.md").exists()


def test_a_secret_is_replaced_and_the_person_is_told(memory, wiki):
    secret = b"ghp_" + b"a1B2" * 9
    done = memory("write-page", "a.md", stdin=b"# A\n\ntoken " + secret + b"\n")
    assert "[REDACTED]" in done.err
    assert secret not in (wiki / "default" / "app" / "a.md").read_bytes()


def test_a_page_is_deleted_and_git_keeps_it(memory, wiki):
    memory("write-page", "a.md", stdin=b"# A\n")
    done = memory("delete-page", "a.md", "--json").json
    assert done["deleted"] is True
    assert not (wiki / "default" / "app" / "a.md").exists()
    assert git(wiki, "show", f"{done['commit']}^:default/app/a.md").endswith("# A\n")


def test_deleting_what_is_not_there_changes_nothing_and_says_so(memory, unchanged):
    memory("write-page", "a.md", stdin=b"# A\n")
    unchanged()
    done = memory("delete-page", "b.md")
    assert done.code == 0
    assert done.out.startswith("there is no page b.md in default/app")
    assert memory("delete-page", "b.md", "--json").json["deleted"] is False


@pytest.mark.parametrize(
    ("args", "stdin", "words"),
    [
        (["write-page", "../a.md"], b"# A\n", "path = '../a.md'"),
        (["write-page", "/etc/a.md"], b"# A\n", "path = '/etc/a.md'"),
        (["write-page", "a.txt"], b"# A\n", "must end with '.md'"),
        (["write-page", "con.md"], b"# A\n", "device name"),
        (["write-page", "a\nb.md"], b"# A\n", "control characters"),
        (["write-page", "_handoffs/a.md"], b"# A\n", "records"),
        (["write-page", "b.md"], b" \n", "body"),
        (["write-page", "b.md"], b"\xff", "not UTF-8 (byte 0)"),
        (["write-page", "b.md"], b"# A\n" + b"x" * 1_000_001, "body"),
        (["write-page", "b.md", "--title", " "], b"# A\n", "title"),
        (["write-page", "b.md", "--tier", "gold"], b"# A\n", "tier = 'gold'"),
        (["write-page", "b.md", "--expires-at", "soon"], b"# A\n", "expires_at = 'soon'"),
        (["write-page", "b.md", "--if-match", "0"], b"# A\n", "if_match = '0'"),
        (["write-page", "A.md"], b"# A\n", "differs only by case"),
        (["write-page", "b.md", "--file", "/nowhere/b.md"], b"", "/nowhere/b.md"),
        (["write-page", "b.md", "--workspace", "acme"], b"# A\n", "workspace"),
        (["write-page", "b.md", "--workspace", "_callers", "--project", "x"], b"# A\n", "_callers"),
        (["read-page", "none.md"], b"", "there is no page 'none.md'"),
        (["read-page"], b"", "give path or query"),
        (["read-page", "../../../etc/passwd"], b"", "not a page path"),
        (["read-page", "a.md", "--project", "apq"], b"", "app"),
        (["delete-page", "../a.md"], b"", "path = '../a.md'"),
    ],
)
def test_bad_input_is_one_sentence_and_changes_nothing(memory, unchanged, args, stdin, words):
    memory("write-page", "a.md", stdin=b"# A\n")
    unchanged()
    done = memory(*args, stdin=stdin)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert words in done.err
