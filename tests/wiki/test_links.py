"""Which links a page has, and what each of them names."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.model.link import Link
from memory_mcp.wiki.links import extract_links, parse_target


def paths(body, path="notes/here.md"):
    return [link.path for link in extract_links(body, path)]


@pytest.mark.parametrize(
    ("body", "link"),
    [
        ("[[page]]", Link(None, None, "page.md", bare=True)),
        ("[[page.md]]", Link(None, None, "page.md", bare=True)),
        ("[[Some page|its label]]", Link(None, None, "Some page.md", bare=True)),
        ("| [[page\\|label]] |", Link(None, None, "page.md", bare=True)),
        ("[[decisions/page#Heading]]", Link(None, None, "decisions/page.md")),
        ("[[page#^block|label]]", Link(None, None, "page.md", bare=True)),
        ("![[embedded]]", Link(None, None, "embedded.md", bare=True)),
        ("[[/top]]", Link(None, None, "top.md")),
        ("[[./beside]]", Link(None, None, "notes/beside.md")),
        ("[[../up]]", Link(None, None, "up.md")),
        ("[[v1.2 notes]]", Link(None, None, "v1.2 notes.md", bare=True)),
        ("[[v1.2]]", Link(None, None, "v1.2.md", bare=True)),
        ("[[Node.js]]", Link(None, None, "Node.js.md", bare=True)),
        ("[[What is C#?|x]]", Link(None, None, "What is C.md", bare=True)),
        ("[[日本/語]]", Link(None, None, "日本/語.md")),
        ("[[importer:gotchas/x]]", Link(None, "importer", "gotchas/x.md")),
        ("[[acme/importer:x]]", Link("acme", "importer", "x.md", bare=True)),
        ("[[_global:rules/x|label]]", Link("default", "_global", "rules/x.md")),
        ("[[Note: a title]]", Link(None, None, "Note: a title.md", bare=True)),
    ],
)
def test_a_wikilink_names_a_path_from_the_top_of_a_scope(body, link):
    assert extract_links(f"text {body} text", "notes/here.md") == (link,)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ("[a](page.md)", "notes/page.md"),
        ("[a](page)", "notes/page.md"),
        ("[a](./page.md)", "notes/page.md"),
        ("[a](../decisions/page.md#part)", "decisions/page.md"),
        ("[a](/top.md?plain=1)", "top.md"),
        ("[a]( page.md )", "notes/page.md"),
        ("[a](<my page.md>)", "notes/my page.md"),
        ("[a](my%20page.md)", "notes/my page.md"),
        ("[a](caf%C3%A9.md)", "notes/café.md"),
        ('[a](page.md "title")', "notes/page.md"),
        ("[a](page.md 'title')", "notes/page.md"),
        ("[a](page.md\n  (title))", "notes/page.md"),
        ("[a](\npage.md)", "notes/page.md"),
        ("[a](page_(draft).md)", "notes/page_(draft).md"),
        ("[a](my\\_page.md)", "notes/my_page.md"),
        ("[a [nested] label](page.md)", "notes/page.md"),
        ("[`code`](page.md)", "notes/page.md"),
        ("[![image](x.png)](page.md)", "notes/page.md"),
        ("\\![a](page.md)", "notes/page.md"),
        ("[a]: page.md", "notes/page.md"),
        ("text [a][1]\n\n  [1]: <page.md> 'title'\n", "notes/page.md"),
        ("> [1]: page.md\r\n", "notes/page.md"),
        ("[a](page.md).", "notes/page.md"),
    ],
)
def test_a_markdown_link_is_relative_to_the_folder_of_its_page(body, path):
    assert extract_links(body, "notes/here.md") == (Link(None, None, path),)


@pytest.mark.parametrize(
    "body",
    [
        "`[[x]]`",
        "see `part_of [[Hub]]` here",
        "```\n[[x]] [a](b.md)\n```",
        "~~~\n[[x]]\n~~~",
        "- ```\n  [[x]]\n  ```",
        "> ```\n> [[x]]\n> ```",
        "text\n\n    [[x]]\n",
        "<!-- [[x]]\n[a](b.md) -->",
        "\\[[x]]",
        "\\[a](b.md)",
        "![image](b.md)",
        "![alt [nested]](b.md)",
        "[[pic.png]]",
        "![[pic.PNG]]",
        "[[#heading]]",
        "[[|x]]",
        "[[]]",
        "[[.md]]",
        "[[folder/]]",
        "[[../../outside]]",
        "[[a\nb]]",
        "[[https://example.org/x]]",
        "[[mailto:ana]]",
        "[a](https://example.org/x.md)",
        "[a](//example.org/x.md)",
        "[a](mailto:ana@example.org)",
        "[a](#part)",
        "[a](?q)",
        "[a](code.py)",
        "[a](LICENSE.txt)",
        "[a](folder/)",
        "[a](../../outside.md)",
        "[a](/../outside.md)",
        "[a](%2e%2e/%2e%2e/outside.md)",
        "[a](x%00.md)",
        "[a](..%5C..%5Cx.md)",
        "[a](C:%5Cx.md)",
        "[a](b.md",
        "[a] (b.md)",
        "a](b.md)",
        "[a](b c.md)",
        "[^1]: page.md",
        "[note]: see the page",
        "text [a]: page.md",
    ],
)
def test_what_names_no_other_page_is_no_link(body):
    assert extract_links(body, "notes/here.md") == ()


def test_each_link_comes_once_in_order():
    body = "[[b]] [[a]] [[b|again]] [x](/a.md) [[other:a]] [[acme/other:a]] [y](/b/c.md)"
    assert extract_links(body, "here.md") == (
        Link(None, None, "a.md"),
        Link(None, None, "a.md", bare=True),
        Link(None, None, "b.md", bare=True),
        Link(None, None, "b/c.md"),
        Link(None, "other", "a.md", bare=True),
        Link("acme", "other", "a.md", bare=True),
    )


def test_links_of_a_page_at_the_top_are_relative_to_the_top():
    assert paths("[a](x.md) [b](sub/y.md)", "here.md") == ["sub/y.md", "x.md"]


@pytest.mark.parametrize("text", ["[[gotchas/x]]", " gotchas/x.md ", "gotchas/x", "[[gotchas/x#part|label]]"])
def test_a_relation_takes_a_target_with_or_without_brackets(text):
    assert parse_target(text, relation="fixes") == Link(None, None, "gotchas/x.md", "fixes")


@given(st.text("[]()<>!`\\#|:/. ab\n\"'%?", max_size=40))
def test_links_never_leave_the_scope_whatever_the_text(body):
    for link in extract_links(body, "notes/here.md"):
        assert link.path.endswith(".md")
        assert not link.path.startswith("/")
        assert not {"", ".", ".."} & set(link.path.split("/"))


N = 50_000
LINES = {
    "brackets": "[" * N + "](x)",
    "double brackets": "[[" * N + "]]",
    "closing": "](" * N,
    "open links": "[a](" * N,
    "open links with text": "[a](b " * N,
    "open links with breaks": "[a](b\n \n" * N,
    "angles": "[a](<" * N,
    "long target": "[a](" + "a" * N,
    "parentheses": "[a](" + "(" * N,
    "words in parentheses": "[a](" + "(a" * N,
    "escapes": "[a](" + "\\a" * N,
    "backslashes": "[[x]]" + "\\" * N,
    "definitions": "[x]: \n" * N,
    "definition and spaces": "[x]:" + " " * N,
    "definitions with angles": "[x]:<a\n" * N,
    "one word": "[[x]] " + "word " * N,
}


@pytest.mark.parametrize("body", LINES.values(), ids=LINES)
def test_time_is_linear_in_the_body(body):
    start = time.process_time()
    extract_links(body, "notes/here.md")
    assert time.process_time() - start < 3  # a quadratic step would take minutes
