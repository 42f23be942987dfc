"""The data of a Kubernetes Secret, whose values are base64 under names of any kind.

In YAML and JSON the data may stand before `kind: Secret` or after it, so the neighbourhood decides.
"""

from __future__ import annotations

import re

from memory_mcp.capture.secret_pattern import WORD, SecretPattern

_KINDS = ("kind: Secret\n", 'kind: "Secret"', '"kind": "Secret"', '"kind":"Secret"')
_AROUND = 2_000


def _of_secret(head: str, match: re.Match[str]) -> bool:
    if head not in ("d", "stringD"):
        return False  # metadata
    text = match.string
    before = text[max(0, match.start() - _AROUND) : match.start()].rpartition("\n---")[2]
    after = text[match.end() : match.end() + _AROUND].partition("\n---")[0] + "\n"
    return any(kind in before or kind in after for kind in _KINDS)


KUBERNETES_SECRETS = (
    SecretPattern(
        "kubernetes-secret",
        ("ata:",),
        r"ata:[ \t]*\r?\n(?P<indent>[ \t]+)[^\s#-][^\n]*(?:\n(?P=indent)[^\n]+){0,200}",
        in_head=WORD.__contains__,
        accept=_of_secret,
    ),
    SecretPattern(
        "kubernetes-secret",
        ('ata":',),
        r"ata\":\s{0,8}\{[^{}]*[^\s{}][^{}]*",
        in_head=WORD.__contains__,
        accept=_of_secret,
    ),
)
