"""What people and programs paste into a query, and what they take for a moment."""

QUERIES = [
    "AND OR NOT title:walrus NEAR/3 (a OR b) ^2 ~3 +x -y [a TO b] {x} \\ /regex/",
    '"walrus',
    '" " walrus " "',
    "walrus " * 15_000,
    "?!.,;:" * 5_000,
    "the of and to",
    "wal\0rus",
    "walrus 猫 кот café 고양이 नमस्ते",
    "a*",
    "w* b* c*",
    " ".join(f"wa{letter}*" for letter in "abcdefghijklmnopqrstuvwxyz" * 2),
    "x" * 100_000,
    "ab." * 30_000,
    "猫" * 100_000,
    '"' * 10_000,
    '"a b" ' * 3_000,
    "2024-01-01 " * 5_000,
    "\ufdfa" * 20_000,
    "e" + "\u0301" * 50_000,
    " ".join(f"walrus-{number}" for number in range(800)),
]

MOMENTS = [
    "yesterday",
    "2026-13-01",
    "0000-01-01",
    "99999-01-01",
    "2999-01-01",
    "2026-01-01T25:00:00Z",
    "\0",
    "1" * 9_000,
]
