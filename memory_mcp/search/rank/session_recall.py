"""Whether a question is about an earlier session: "what did we do last time", 上次."""

from __future__ import annotations

import re
from functools import lru_cache

_ENGLISH = (
    "last time", "last session", "previous session", "earlier session", "that session", "the session where",
    "yesterday", "the other day", "last week", "when we", "we did", "did we", "what did we", "how did we",
    "back then", "earlier we", "previously",
)  # fmt: skip
_CHINESE = (
    "之前", "上次", "上回", "上一次", "那次", "那回", "前几天", "前天", "昨天", "那天",
    "上周", "上星期", "上个月", "的会话",
    "次会话", "个会话", "会话里", "会话中", "历史会话", "当时我们", "我们当时",
)  # fmt: skip


@lru_cache(maxsize=1)
def _phrases() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_ENGLISH)})\b|{'|'.join(_CHINESE)}")


def recalls_session(question: str) -> bool:
    """Whether the words of a question point at an earlier session; English and Chinese."""
    return bool(_phrases().search(" ".join(question.lower().split())))
