"""Texts that YAML readers disagree about."""

from hypothesis import strategies as st

NASTY = [
    "yes", "no", "on", "Off", "null", "~", "true", "True", "1.0", "1.10", "010", "0x1f", "1_000", "1:30",
    "1e3", ".inf", ".nan", "-1", "-0", "--", "---", "-", "- a", "?", "? a", ":", ": a", "a:", "a: b", "a:b",
    "#a", "a #b", "a#b", "=", "<<", "2026-11-30", "2026-11-30T12:00:00Z", "2026-11-30 12:00:00", "'a'", '"a"',
    "'it''s'",
    '"a\\"b"', "'a' b", "[a, b]", "['a', \"b\"]", "[a, ]", "[]", "[ ]", "[a: b]", "[a:b]", "[a, [b]]",
    "[a #b]", "{}", "{a: b}", "&a", "&a b", "*a", "!a", "!!str 1", "|", ">", "%a", "@a", "`a`", "a, b", "a]b",
    "C# is",
    "été", "naïve  text", "日本語", "a\u00a0: b", "🦔", "x" * 200,
    "a\tb", "a\x85b", "a\u2028b", "a\x07b", "a\x0bb", "'a' 'b'", '"a\\nb"', "a: ", "a :", "a # b",
    "\\", "a\\nb", "", " ", "...",
]  # fmt: skip
TEXTS = st.one_of(
    st.sampled_from(NASTY), st.text("ab:-#'\"[]{},&*!|>%@`?= \t.0123456789\n\\é日\u2028\x85\x07", max_size=12)
)
