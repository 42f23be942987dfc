import pytest

from bench.retrieval import __main__ as command
from bench.retrieval.ablations import ABLATIONS


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr("sys.argv", ["bench.retrieval", *map(str, arguments)])
    code = command.main()
    return code, capsys.readouterr().out


def test_each_set_is_printed_with_its_types_beside_fts5_and_judged(monkeypatch, capsys, data):
    code, out = run(monkeypatch, capsys, data, "--sets", "locomo", "docs", "docs+links")
    lines = out.splitlines()
    assert "locomo: 2 pages" in lines and "docs+links: 3 pages" in lines
    rows = {
        line[:26].strip(): line[26:].split() for line in lines if "±" in line and "FTS5 " not in line[26:]
    }
    assert rows["single-hop"][:2] == ["1", "1.000"] and rows["multi-hop"][0] == "1"
    goals = out.partition("\nGoals\n")[2]
    assert "locomo hit@5" in goals and "over FTS5" in goals and "docs+links" not in goals
    assert code == int("MISSED" in goals)


def test_with_vectors_each_set_is_asked_both_ways_and_the_gain_is_judged(monkeypatch, capsys, data):
    pytest.importorskip("wordllama")
    _, out = run(monkeypatch, capsys, data, "--sets", "docs", "docs+links", "--vectors")
    rows = [line[:26].strip() for line in out.splitlines() if line.startswith("  ") and "±" in line[26:]]
    assert rows[:6] == ["memory-mcp", "with vectors", "FTS5"] * 2
    assert out.count("by vectors") == 2 and "mean of sets hit@5" in out


def test_with_vectors_variants_alone_have_nothing_to_judge(monkeypatch, capsys, data):
    pytest.importorskip("wordllama")
    code, out = run(monkeypatch, capsys, data, "--sets", "docs+links", "--vectors")
    assert code == 0 and "by vectors" not in out


def test_every_ablation_answers_and_is_compared(monkeypatch, capsys, data):
    code, out = run(monkeypatch, capsys, data, "--sets", "mixed", "--ab", "all", "link=0,entity=0.2")
    assert code == 0
    for name in (*ABLATIONS, "link=0,entity=0.2"):
        assert f"default against {name}: " in out
    assert out.count("  mean of sets") == out.count("    code-chunks  ") == len(ABLATIONS) + 1


def test_a_command_with_a_wrong_path_says_so(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.argv", ["bench.retrieval", str(tmp_path / "gone")])
    with pytest.raises(SystemExit):
        command.main()
    assert "gone does not exist" in capsys.readouterr().err
