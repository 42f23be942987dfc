"""Full YAML, bounded, with the place of every entry."""

import pytest
import yaml

from memory_mcp.wiki import yaml_entries
from memory_mcp.wiki.front_map import NotYaml
from memory_mcp.wiki.yaml_entries import MAX_DEPTH, read_entries

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize(
    ("front", "reason"),
    [
        ("a: [b", "flow|expected"),
        ("a: b: c\n", "mapping values"),
        ("- a\n- b\n", "key: value"),
        ("text\n", "key: value"),
        ("a: b\n...\nc: d\n", "more than one|expected"),
        ("a: *b\n", "not defined|undefined"),
        ("a: &b [*b]\n", "not defined|undefined"),
        ("a: " + "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2), "nested"),
        ("a: " + "[" * 30_000, "nest|expected"),
        (BOMB, "values"),
        ("a: \x07\n", "forbids|not allowed"),
    ],
)
def test_what_is_not_a_bounded_yaml_mapping_is_refused(monkeypatch, loader, front, reason):
    monkeypatch.setattr(yaml_entries, "_LOADER", getattr(yaml, loader))
    with pytest.raises(NotYaml, match=reason):
        read_entries(front)


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_entries_know_their_lines(monkeypatch, loader, eol):
    monkeypatch.setattr(yaml_entries, "_LOADER", getattr(yaml, loader))
    pieces = [
        "# head\n",
        "title: é  # why\n",
        "\n# about tags\n",
        "tags:  # list\n- a\n# inside\n- b # last\n  # indented\n",
        "# gap\n",
        'multi: "a\n  # no comment"\n',
        "block: |\n  text\n  # text\n",
        "# gap\n",
        "flow: {a: [1,\n 2]} # x\n",
        "empty:\n",
        "'quoted key': x\n",
        "? odd\n: y\n",
        "nested:\n  a:\n    - b\n",
        "\n# end\n",
    ]
    pieces = [piece.replace("\n", eol) for piece in pieces]
    front = "".join(pieces)
    found = read_entries(front)
    entries = [front[entry.start : entry.end] for entry in found.entries]
    gaps = ("# head", f"{eol}#", "# gap")
    assert entries == [piece for piece in pieces if not piece.startswith(gaps)]
    assert [front.count("\n", 0, e.start) for e in found.entries] == [e.line for e in found.entries]
    comments = [front[e.value_end : e.end].strip() for e in found.entries]
    assert comments[:2] == ["# why", f"# last{eol}  # indented"]
    assert found.values()["tags"] == ["a", "b"]
    assert found.values()["nested"] == {"a": ["b"]}


def test_aliases_of_small_values_are_followed():
    assert read_entries("a: &x [1, two]\nb: *x\n").values() == {"a": [1, "two"], "b": [1, "two"]}


def test_unknown_tags_are_ignored():
    assert read_entries("a: !wiki page\nb: !!python/object:os.system {}\n").values() == {"a": "page", "b": {}}
