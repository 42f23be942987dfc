import pytest

from bench.retrieval import __main__ as command
from bench.retrieval.ablations import ABLATIONS, ablation
from bench.retrieval.product import Run, ask_plainly, ask_product
from memory_mcp.errors import InvalidInput
from memory_mcp.search.rank.weights import Weights


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


def test_every_ablation_answers_and_is_compared(monkeypatch, capsys, data):
    code, out = run(monkeypatch, capsys, data, "--sets", "docs", "mixed", "--ab", "all", "link=0,entity=0.2")
    assert code == 0
    for name in (*ABLATIONS, "link=0,entity=0.2"):
        assert f"default against {name}: " in out
    assert out.count("  mean of sets") == out.count("    code-chunks  ") == len(ABLATIONS) + 1


@pytest.mark.parametrize("name", ["nothing", "link", "link=much", "relations=1", "link=1,nothing=2"])
def test_an_unknown_way_to_rank_is_one_sentence(name):
    with pytest.raises(InvalidInput, match=rf"--ab {name}: give one of no-passages, .* entity, link, time"):
        ablation(name)


def test_a_command_with_a_wrong_path_says_so(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.argv", ["bench.retrieval", str(tmp_path / "gone")])
    with pytest.raises(SystemExit):
        command.main()
    assert "gone does not exist" in capsys.readouterr().err


def test_an_ablation_leaves_the_weights_as_they_were(sets):
    seen = []

    def watch(product, space, question):
        seen.append(product.app.search.weights)
        return ask_plainly(product, space, question)

    runs = ask_product(sets["docs"].spaces, {"a": ablation("link=0").ask, "b": watch})
    assert set(seen) == {Weights()}
    assert isinstance(runs["a"], Run) and len(runs["a"].found) == len(runs["a"].query_ms) == 1
