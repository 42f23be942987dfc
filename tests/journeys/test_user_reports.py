"""What users of memories like this one have suffered from, each kind of it on the whole product."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.capture.hook_event import take
from memory_mcp.cli.hook import _go_on as go_on
from memory_mcp.config import Settings
from memory_mcp.continuity.handoff import HandoffDraft
from memory_mcp.pages.page_write import PageDraft
from tests.memory import CLAUDE, CODEX, Memory

WORKER = Path(__file__).resolve().parents[1] / "faults" / "worker.py"


def test_a_letterhead_between_dashes_is_text_and_every_file_is_indexed(memory: Memory) -> None:
    for number in range(29):
        memory.put(f"notes/n{number}.md", f"---\ntitle: N{number}\n---\nA walrus.\n")
    memory.put("notes/letter.md", "---\n**ACME LEGAL**\n---\nA walrus.\n")
    status = memory.app.status.report()
    assert status.counts["pages"] == 30
    assert [problem.split(":")[0] for problem in status.problems] == ["acme/importer/notes/letter.md"]
    assert memory.found("acme legal") == ["notes/letter.md"]
    assert len(memory.found("walrus", limit=100)) == 30


def test_a_title_with_a_colon_is_read_and_written_back_in_quotes(memory: Memory) -> None:
    memory.put("notes/a.md", "---\ntitle: Governance: split core\nmine: 1\n---\nA walrus.\n")
    assert memory.app.reader.read(path="notes/a.md").title == "Governance: split core"
    draft = PageDraft("notes/a.md", "An okapi.\n", title="Governance: split the core")
    assert memory.app.writer.write(draft, CODEX).outcome == "updated"
    text = memory.bytes_of("notes/a.md").decode()
    assert "title: 'Governance: split the core'\nmine: 1\n" in text.replace('"', "'")
    assert memory.app.reader.read(path="notes/a.md").problems == ()


def test_an_empty_or_broken_key_costs_neither_its_page_nor_another(memory: Memory) -> None:
    memory.put("notes/empty.md", "---\nkind:\ntags:\npinned:\nexpires_at:\n---\nA walrus.\n")
    memory.put("notes/broken.md", "---\nlist:\n- [\ntitle: x\n---\nA walrus.\n")
    memory.put("notes/good.md", "A walrus.\n")
    assert len(memory.found("walrus")) == 3
    view = memory.app.reader.read(path="notes/empty.md")
    assert (view.kind, view.meta.tags, view.problems) == ("note", (), ())
    assert len(memory.app.status.report().problems) == 1
    before = memory.state()
    memory.app.status.report()
    assert memory.state() == before


def test_tags_with_a_hash_are_tags_and_stay_as_they_are_written(memory: Memory) -> None:
    text = "---\ntags:\n- '#alpha'\n- beta\n---\n# A\n\nText.\n"
    memory.put("notes/a.md", text)
    assert memory.app.reader.read(path="notes/a.md").meta.tags == ("alpha", "beta")
    draft = PageDraft("notes/a.md", "# A\n\nText.\n", tags=["#alpha", "beta"])
    assert memory.app.writer.write(draft, CODEX).outcome == "unchanged"
    assert memory.bytes_of("notes/a.md") == text.encode()


def test_the_file_is_the_truth_for_every_field_and_looking_writes_nothing(memory: Memory) -> None:
    memory.put("notes/a.md", "---\ntier: episodic\npinned: true\n---\n# A\n\nA walrus.\n")
    memory.app.changes.commit_hand_edits("acme/importer")
    before = memory.state()
    for _ in range(3):
        app = memory.open()
        assert app.query.query("walrus", pin_first=True).hits[0].path == "notes/a.md"
        assert app.reindex() == 1
        meta = app.reader.read(path="notes/a.md").meta
        assert (meta.tier, meta.pinned) == ("episodic", True)
        assert app.changes.commit_hand_edits("") == []
    assert memory.state() == before
    assert len(memory.app.history.checkpoints(path="notes/a.md")[1]) == 1


def test_nothing_in_code_or_comments_is_a_link(memory: Memory) -> None:
    memory.write("notes/hub.md")
    memory.write(
        "notes/a.md",
        "# A\n\nsee `part_of [[notes/hub]]` and ``[[x]] ` [[y]]``\n\n```c\n#include [[notes/hub]]\n```\n\n"
        "    [[notes/hub]]\n\n<!-- [[notes/hub]] -->\n\n~~~\n[link](hub.md)\n~~~\n\nBut [this](hub.md).\n",
    )
    assert [link.path for link in memory.app.reader.read(path="notes/a.md").links] == ["notes/hub.md"]
    assert memory.app.status.report().counts["links"] == 1


def test_links_to_a_page_that_was_renamed_are_reported_and_code_is_not_touched(memory: Memory) -> None:
    memory.write("notes/hub.md", "# Hub\n\nA walrus.\n")
    for number in range(3):
        memory.write(
            f"notes/n{number}.md", f"# N{number}\n\n" + ("`[[notes/hub]]`" if number else "[[notes/hub]]")
        )
    assert memory.app.status.report().counts["unresolved_links"] == 0
    before = memory.bytes_of("notes/n1.md")
    (memory.scope / "notes" / "hub.md").rename(memory.scope / "notes" / "centre.md")
    assert memory.found("walrus") == ["notes/centre.md"]
    assert memory.app.status.report().counts["unresolved_links"] == 1
    [link] = memory.app.reader.read(path="notes/n0.md").links
    assert (link.path, link.exists) == ("notes/hub.md", False)
    assert memory.bytes_of("notes/n1.md") == before


def test_what_has_no_project_is_no_page_and_fills_no_log(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nA walrus.\n")
    (memory.wiki / "stray.md").write_text("A walrus.\n", encoding="utf-8")
    (memory.wiki / "acme" / "stray.md").write_text("A walrus.\n", encoding="utf-8")
    (memory.wiki / "Not A Name" / "x").mkdir(parents=True)
    (memory.wiki / "Not A Name" / "x" / "a.md").write_text("A walrus.\n", encoding="utf-8")
    (memory.wiki / "acme" / "dangling").symlink_to("nowhere")
    for _ in range(20):
        assert memory.found("walrus", everywhere=True) == ["notes/a.md"]
    assert memory.app.reindex() == 1
    assert sum(file.stat().st_size for file in (memory.data / "logs").iterdir()) == 0


def test_two_processes_that_write_the_same_page_at_once_both_succeed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    operations = json.dumps([["write", "notes/same.md", "# Same\n\nA walrus.\n"]] * 5)
    environment = {**os.environ, "PYTHONPATH": str(WORKER.parents[2])}
    workers = [
        subprocess.Popen(
            [sys.executable, str(WORKER), str(data), operations, "0"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(2)
    ]
    for worker in workers:
        with worker:
            assert worker.stdout is not None
            assert worker.stdout.read().splitlines()[:-1] == ["0", "1", "2", "3", "4"]
    file = data / "wiki" / "acme" / "importer" / "notes" / "same.md"
    assert file.read_text(encoding="utf-8").endswith("A walrus.\n")
    log = subprocess.run(
        ["git", "-C", str(data / "wiki"), "log", "--format=%s"], capture_output=True, text=True, check=True
    )
    assert log.stdout.splitlines()[:-1] == ["write-page: acme/importer/notes/same.md"]


def test_sessions_that_come_and_go_leave_nothing_behind(
    start_server: Callable[..., object], tmp_path: Path
) -> None:
    for number in range(2):
        wire = start_server()
        body = f"# N\n\nRound {number}.\n"
        assert not wire.call("memory_write_page", path="notes/a.md", body=body).get("isError")
        wire.finish(5)
        assert wire.process.returncode == 0
    assert not list((tmp_path / "data" / "state").iterdir())
    assert not list((tmp_path / "data").rglob(".memory-mcp-tmp.*"))


def test_the_first_call_of_a_server_may_be_a_write(start_server: Callable[..., object]) -> None:
    wire = start_server()
    wire.call("memory_write_page", path="notes/a.md", body="# A\n\nA walrus.\n")
    assert "notes/a.md" in str(wire.call("memory_query", query="walrus"))


def test_an_idle_server_uses_no_cpu(start_server: Callable[..., object]) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs /proc")
    wire = start_server()
    wire.call("memory_query", query="walrus")

    def ticks() -> int:
        fields = Path(f"/proc/{wire.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    time.sleep(0.3)
    before = ticks()
    time.sleep(1)
    assert ticks() - before <= 5


def test_everything_works_without_a_network(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was asked for")

    for name in ("connect", "connect_ex", "bind", "listen"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    memory.write("notes/a.md", "# A\n\nA walrus.\n")
    assert memory.found("where is the walrus") == ["notes/a.md"]
    memory.app.deleter.delete("notes/a.md", CODEX)
    memory.app.maintain()


def test_what_is_written_in_a_worktree_is_read_in_the_main_one(memory: Memory, tmp_path: Path) -> None:
    main, tree = tmp_path / "product", tmp_path / "elsewhere" / "feature"
    tree.parent.mkdir()
    for command in (
        ["init", "-q", str(main)],
        ["-C", str(main), "commit", "-q", "--allow-empty", "-m", "first"],
        ["-C", str(main), "worktree", "add", "-q", str(tree)],
    ):
        subprocess.run(["git", *command], check=True)
    apps = [
        App(Settings(data_dir=memory.data, start_folder=each, home=tmp_path / "home", vectors_enabled=False))
        for each in (main, tree)
    ]
    memory.opened += apps
    written = apps[1].writer.write(PageDraft("notes/a.md", "# A\n\nA walrus.\n"), CLAUDE)
    assert str(written.resolved.scope) == "default/product"
    assert [hit.path for hit in apps[0].query.query("walrus").hits] == ["notes/a.md"]


def test_home_is_no_project(memory: Memory) -> None:
    app = App(
        Settings(data_dir=memory.data, start_folder=memory.root, home=memory.root, vectors_enabled=False)
    )
    memory.opened.append(app)
    memory.write("_rules/tabs.md", "# Tabs\n\nA walrus.\n", workspace="default", project="_global")
    result = app.query.query("walrus")
    assert result.resolved is not None
    assert (str(result.resolved.scope), result.resolved.source) == ("default/_global", "home")
    assert [hit.path for hit in result.hits] == ["_rules/tabs.md"]
    assert result.joined == ()


def test_a_write_lands_in_exactly_the_named_scope(memory: Memory) -> None:
    memory.write("notes/a.md", "# A\n\nA walrus.\n", workspace="w1", project="p")
    written = memory.write("notes/a.md", "# A\n\nAn okapi.\n", workspace="w2", project="p")
    assert written.file == memory.wiki / "w2" / "p" / "notes" / "a.md"
    for workspace, word, other in (("w1", "walrus", "okapi"), ("w2", "okapi", "walrus")):
        where = {"workspace": workspace, "project": "p"}
        app = memory.open()
        assert word in app.reader.read(path="notes/a.md", **where).body
        assert [hit.path for hit in app.query.query(word, **where).hits] == ["notes/a.md"]
        assert app.query.query(other, **where).hits == ()
        assert [page.path for page in app.recent.recent(**where).pages] == ["notes/a.md"]
        assert app.deleter.delete("notes/a.md", CODEX, **where).deleted
        assert app.query.query(word, **where).hits == ()
    assert "give workspace as well" in memory.refusal(
        lambda: memory.app.reader.read(path="x.md", project="p")
    )


@pytest.mark.parametrize("variable", ["", "MEMORY_MCP_RUN_ID", "MEMORY_MCP_CAPTURE_OWNER"])
def test_a_handoff_begun_with_a_tool_reaches_the_next_session_once_whoever_starts_it(
    memory: Memory, variable: str
) -> None:
    memory.app.continuity.handoffs.begin(HandoffDraft("", "Mind the walrus."), CODEX)
    environ = {"HOME": str(memory.root / "home"), variable: "019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4"}

    def start(session: str) -> str:
        arguments = ["--event", "SessionStart", "--agent", "codex", "--data-dir", str(memory.data)]
        payload = {"session_id": session, "cwd": str(memory.project), "source": "startup"}
        return go_on(take(arguments, json.dumps(payload).encode(), environ))

    assert "Mind the walrus." in start("5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10")
    assert "Mind the walrus." not in start("0f6a2c9e-77aa-4b1f-8a30-1f1f6a2f0c11")


def test_a_lock_stays_its_holders_however_long_and_no_release_frees_that_of_another(memory: Memory) -> None:
    one, two = (memory.open(lock_timeout=0).lock for _ in range(2))
    with one.hold("import"):
        holder = {"pid": os.getpid(), "operation": "import", "since": 0}
        (memory.data / "locks" / "writer.json").write_text(json.dumps(holder), encoding="utf-8")
        with two.hold_if_free("fold") as is_held:
            assert not is_held
    with two.hold("fold"):
        with one.hold_if_free("import") as is_held:
            assert not is_held
        with memory.open().lock.hold_if_free("write") as is_held:
            assert not is_held


def test_a_title_may_hold_what_a_file_name_may_not(memory: Memory) -> None:
    for title in ("Con", "A: B?", "x.", "Größe 大小 🦭"):
        draft = PageDraft("notes/portable.md", "Text.\n", title=title)
        memory.app.writer.write(draft, CODEX)
        assert memory.app.reader.read(path="notes/portable.md").title == title
    assert memory.write("notes/Größe 大小.md", "# X\n\nA walrus.\n").outcome == "created"
    assert set(memory.found("大小")) == {"notes/Größe 大小.md", "notes/portable.md"}


def test_an_expiry_that_is_over_hides_a_page_also_when_it_is_pinned(memory: Memory) -> None:
    memory.put("notes/a.md", "---\npinned: true\nexpires_at: 2020-01-01\n---\n# A\n\nA walrus.\n")
    memory.write("notes/b.md", "# B\n\nA walrus.\n")
    assert memory.found("walrus", pin_first=True) == ["notes/b.md"]
