"""The server as a process: how it starts, ends, and what it writes to its pipes."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.journeys.conftest import HANDSHAKE, SERVER
from tests.server.bad_queries import MOMENTS, QUERIES

END_SECONDS = 5.0
"""It takes some 20 ms; this machine may be busy."""
BODY = "# Title\n\nA pangolin eats ants.\n"


def end_of(wire, within=END_SECONDS):
    """The exit code, which must come soon; stdin stays open meanwhile."""
    started = time.monotonic()
    code = wire.process.wait(within)
    return code, time.monotonic() - started


@pytest.mark.parametrize("used", [False, True])
def test_it_ends_when_stdin_ends(start_server, used):
    wire = start_server()
    if used:
        wire.call("memory_write_page", path="notes/a.md", body=BODY)
    wire.close_stdin()
    assert end_of(wire)[0] == 0


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_it_ends_at_a_signal_while_stdin_is_open(start_server, name):
    wire = start_server()
    wire.call("memory_query", query="pangolin")
    wire.process.send_signal(getattr(signal, name))
    assert end_of(wire)[0] == -getattr(signal, name)


def test_it_ends_without_any_input(project, environment):
    done = subprocess.run(
        SERVER,
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=2 * END_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("how", ["stdin", "SIGTERM"])
def test_it_ends_with_a_call_in_flight_and_the_next_process_goes_on(start_server, environment, how):
    wire = start_server()
    wire.call("memory_write_page", path="notes/a.md", body=BODY)
    lock = Path(environment["MEMORY_MCP_DATA_DIR"]) / "locks" / "writer.lock"
    import portalocker

    with lock.open("a+b") as held:
        portalocker.lock(held, portalocker.LOCK_EX)
        arguments = {"name": "memory_write_page", "arguments": {"path": "notes/b.md", "body": BODY}}
        wire.start("tools/call", arguments)
        time.sleep(0.3)
        if how == "stdin":
            wire.close_stdin()
        else:
            wire.process.send_signal(getattr(signal, how))
        end_of(wire)
    following = start_server()
    assert following.call("memory_write_page", path="notes/b.md", body=BODY)["structuredContent"]["outcome"]


def test_nothing_but_protocol_reaches_stdout(start_server):
    wire = start_server(PYTHONWARNINGS="always", LANG="C", LC_ALL="C", PYTHONIOENCODING="latin-1")
    wire.send(b"this is no JSON")
    wire.send(b'{"jsonrpc": "2.0", "id": 90, "method": "no/such/method"}')
    wire.send(b"\xff\xfe not UTF-8")
    wire.call("memory_write_page", path="notes/ünïcode.md", body="# 日本語\n\nEmoji 😀.\n")
    text = wire.text("memory_read_page", path="notes/ünïcode.md")
    assert "日本語" in text
    assert "😀" in text
    wire.call("memory_query", query="日本語", limit=500)
    wire.call("no_such_tool")
    out, err = wire.finish(END_SECONDS)
    assert out == b""
    assert "the memory is in" in err


def test_every_line_of_stdout_is_json_rpc(project, environment):
    requests = [
        *HANDSHAKE,
        {"jsonrpc": "2.0", "id": 3, "method": "resources/templates/list"},
        {"jsonrpc": "2.0", "id": 4, "method": "prompts/list"},
    ]
    with subprocess.Popen(
        SERVER,
        cwd=project,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:
        for request in requests:
            server.stdin.write(json.dumps(request).encode() + b"\n")
        server.stdin.flush()
        lines = [server.stdout.readline() for _ in range(4)]
        server.stdin.close()
        rest = server.stdout.read()
    assert rest == b""
    assert {json.loads(line)["id"] for line in lines} == {1, 2, 3, 4}


def test_half_an_emoji_gets_an_answer(start_server):
    wire = start_server()
    wire.send(
        rb'{"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": '
        rb'{"name": "memory_query", "arguments": {"query": "cut \ud83d"}}}'
    )
    answer = wire.receive()
    assert answer["id"] == 77
    assert not answer["result"].get("isError")


def test_the_data_dir_is_named_once_on_stderr(start_server, environment):
    wire = start_server()
    wire.call("memory_status")
    _, err = wire.finish(END_SECONDS)
    assert err.count(environment["MEMORY_MCP_DATA_DIR"]) == 1


def test_a_wrong_setting_stops_the_start_with_a_sentence(start_server, environment):
    data_dir = Path(environment["MEMORY_MCP_DATA_DIR"])
    data_dir.mkdir()
    (data_dir / "config.toml").write_text('[server]\ntools = ["wikki"]\n', encoding="utf-8")
    wire = start_server(greet=False)
    out, err = wire.finish(2 * END_SECONDS)
    assert (wire.process.returncode, out) == (1, b"")
    [sentence] = err.splitlines()
    for word in (str(data_dir / "config.toml"), "[server] tools", "wikki", "wiki)"):
        assert word in sentence


def test_a_data_dir_that_is_a_file_stops_the_start(start_server, environment):
    Path(environment["MEMORY_MCP_DATA_DIR"]).write_text("", encoding="utf-8")
    wire = start_server(greet=False)
    _, err = wire.finish(2 * END_SECONDS)
    assert wire.process.returncode == 1
    [sentence] = err.splitlines()
    assert "is a file" in sentence


def test_two_servers_share_one_store(start_server):
    first, second = start_server(), start_server()
    for number in range(5):
        first.call("memory_write_page", path=f"notes/first-{number}.md", body=BODY)
        second.call("memory_write_page", path=f"notes/second-{number}.md", body=BODY)
    for wire in (first, second):
        hits = wire.call("memory_query", query="pangolin", limit=50)["structuredContent"]["hits"]
        assert len(hits) == 10


def children_of(pid):
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except FileNotFoundError:
        pytest.skip("needs /proc")


def open_files(wire):
    """How many there are but those of the index, whose number of segments comes and goes."""
    folder = Path(f"/proc/{wire.process.pid}/fd")
    return len([each for each in folder.iterdir() if "/index/" not in os.readlink(each)])


def test_many_calls_leave_no_process_and_no_open_file_behind(start_server, soak):
    wire = start_server()
    wire.call("memory_write_page", path="notes/a.md", body=BODY)
    wire.call("memory_query", query="pangolin")
    files = open_files(wire)
    for number in range(100 if soak else 15):
        wire.call("memory_write_page", path=f"notes/a{number}.md", body=BODY)
        wire.call("memory_query", query="pangolin")
    assert children_of(wire.process.pid) == []
    assert open_files(wire) == files


def test_a_cancelled_call_is_given_up_and_the_next_one_works(start_server, environment):
    wire = start_server()
    wire.call("memory_write_page", path="notes/a.md", body=BODY)
    lock = Path(environment["MEMORY_MCP_DATA_DIR"]) / "locks" / "writer.lock"
    import portalocker

    with lock.open("a+b") as held:
        portalocker.lock(held, portalocker.LOCK_EX)
        arguments = {"path": "notes/b.md", "body": BODY}
        number = wire.start("tools/call", {"name": "memory_write_page", "arguments": arguments})
        time.sleep(0.2)
        wire.notify("notifications/cancelled", {"requestId": number, "reason": "no longer needed"})
        assert wire.ask("ping", {}) == {}
    assert wire.call("memory_query", query="pangolin")["structuredContent"]["hits"]


def test_work_on_many_new_files_reports_progress(start_server, environment):
    notes = Path(environment["MEMORY_MCP_DATA_DIR"]) / "wiki" / "acme" / "importer" / "notes"
    notes.mkdir(parents=True)
    for number in range(900):
        (notes / f"{number}.md").write_text(f"# Note {number}\n\nA pangolin.\n" * 20, encoding="utf-8")
    wire = start_server()
    params = {
        "name": "memory_query",
        "arguments": {"query": "pangolin"},
        "_meta": {"progressToken": "p1"},
    }
    number = wire.start("tools/call", params)
    seen = []
    while (message := wire.receive()).get("id") != number:
        seen.append(message["params"])
    assert seen
    assert all(each["progressToken"] == "p1" for each in seen)
    assert [each["progress"] for each in seen] == sorted(each["progress"] for each in seen)


def test_without_git_a_write_is_refused_with_a_sentence_and_reads_work(start_server, tmp_path, environment):
    wire = start_server(PATH=str(tmp_path))
    answer = wire.call("memory_write_page", path="notes/a.md", body=BODY)
    assert answer["isError"]
    assert "git is not installed" in answer["content"][0]["text"]
    assert not (Path(environment["MEMORY_MCP_DATA_DIR"]) / "wiki" / "acme").exists()
    for tool, arguments in (("memory_query", {"query": "x"}), ("memory_recent", {}), ("memory_status", {})):
        assert not wire.call(tool, **arguments).get("isError"), tool


def test_a_lock_held_too_long_is_told_with_its_holder(start_server, environment):
    wire = start_server(MEMORY_MCP_STORE_LOCK_TIMEOUT="0.2")
    wire.call("memory_write_page", path="notes/a.md", body=BODY)
    locks = Path(environment["MEMORY_MCP_DATA_DIR"]) / "locks"
    import portalocker

    with (locks / "writer.lock").open("a+b") as held:
        portalocker.lock(held, portalocker.LOCK_EX)
        (locks / "writer.json").write_text('{"pid": 4711, "operation": "import"}', encoding="utf-8")
        sentence = wire.text("memory_write_page", path="notes/b.md", body=BODY)
        assert wire.call("memory_query", query="pangolin")["structuredContent"]["hits"]
    assert sentence.startswith("memory_write_page: the store is locked by process 4711 (import)")
    assert wire.call("memory_write_page", path="notes/b.md", body=BODY)["structuredContent"]["outcome"]


def test_no_query_is_an_error_over_the_wire(start_server):
    server = start_server()
    server.call("memory_write_page", path="a.md", body="# Walrus\n\nThe walrus sleeps.\n")
    for query in [*QUERIES, "\ud800walrus\udfff"]:
        result = server.call("memory_query", query=query, explain=True)
        assert not result.get("isError"), (query[:30], result)
    for moment in MOMENTS:
        result = server.call("memory_query", query="walrus", as_of=moment)
        assert result["isError"], moment[:30]
        assert result["content"][0]["text"].startswith("memory_query: as_of")
    out, err = server.finish(10)
    assert (out, "Traceback" in err) == (b"", False)
