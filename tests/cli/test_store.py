"""`init`, `status`, `reindex` and `serve`."""

import subprocess
import sys

import pytest


def test_init_makes_a_private_store_and_says_where(memory, place):
    done = memory("init", "--json").json
    data = place / "data"
    assert done == {
        "data_dir": str(data),
        "wiki": str(data / "wiki"),
        "config_file": str(data / "config.toml"),
    }
    assert (data / "wiki" / ".git").is_dir()
    assert data.stat().st_mode & 0o777 == 0o700
    assert memory("init").out.splitlines()[0] == f"data dir  {data}"


def test_status_tells_where_things_are_and_what_to_mend(memory, wiki):
    memory("write-page", "a.md", stdin=b"# A\n\n[[b]]\n")
    (wiki / "default" / "app" / "bad.md").write_bytes(b"\xff")
    status = memory("status", "--json").json
    assert status["scope"]["project"] == "app"
    assert status["folder"] == str(wiki / "default" / "app")
    assert status["scopes"] == ["default/app"]
    assert status["counts"]["pages"] == 1
    assert status["counts"]["unresolved_links"] == 1
    assert status["git"]["branch"] == "main"
    assert any("bad.md" in problem for problem in status["problems"])
    text = memory("status").out
    assert f"folder     {wiki / 'default' / 'app'}\n" in text
    assert "problem: default/app/bad.md" in text


def test_reindex_counts_the_pages_and_finds_them(memory):
    for name in ("a", "b"):
        memory("write-page", f"{name}.md", stdin=b"# Pangolin\n")
    assert memory("reindex", "--json").json["pages"] == 2
    assert memory("reindex").out.startswith("indexed 2 pages in ")
    assert len(memory("search", "pangolin", "--json").json["hits"]) == 2


@pytest.mark.parametrize("command", ["status", "search", "recent", "write-page", "reindex", "commit"])
def test_a_store_of_a_newer_format_is_refused(memory, place, unchanged, command):
    memory("init")
    (place / "data" / "format").write_text("99\n", encoding="utf-8")
    unchanged()
    args = {"search": ["x"], "write-page": ["a.md"]}.get(command, [])
    done = memory(command, *args, stdin=b"# A\n")
    assert done.code == 1
    assert "has format 99" in done.err


def test_without_git_a_write_is_refused_with_a_sentence(memory, place, monkeypatch):
    (place / "bin").mkdir()
    monkeypatch.setenv("PATH", str(place / "bin"))
    done = memory("write-page", "a.md", stdin=b"# A\n")
    assert done.code == 1
    assert "git" in done.err
    assert not (place / "data" / "wiki" / "default").exists()


def test_serve_ends_with_its_input_and_prints_nothing_but_protocol(place, process):
    done = process("serve")
    assert (done.returncode, done.stdout) == (0, b"")
    assert str(place / "data") in done.stderr.decode()


def test_serve_refuses_a_wrong_setting_with_a_sentence(place):
    done = subprocess.run(
        [sys.executable, "-m", "memory_mcp", "serve", "--data-dir", " "],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: --data-dir = ' '")
