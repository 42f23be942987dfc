"""The classes of secrets: shapes that practically nothing else has.

Random text without a shape is not here on purpose: it would take hashes, ids and words with it. Every
pattern has a left boundary, so that `task-…` is no `sk-…`, and starts with a literal where it can, which `re`
skips to. None is compiled or tried unless one of its `needles` is in the text.

Each takes linear time: what a pattern matched and `accept` then refused must be short, or end where no other
match begins, since the search goes on inside it.
"""

from __future__ import annotations

import re

from memory_mcp.capture.secret_value import (
    is_value_after_scheme,
    is_value_of_header,
    is_value_of_variable,
    is_words,
)
from memory_mcp.capture.vendor_tokens import VENDOR_TOKENS

_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_DIGITS = frozenset("0123456789")
_SCHEME = _WORD - {"_"} | frozenset("+.-")
_NOT_PATH = frozenset(" \t\r\n\f\v\"'`<>()[]|;,=")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _always(head: str, match: re.Match[str]) -> bool:
    return True


class SecretPattern:
    """One class of secrets.

    `needles` are lower-case texts of which one is in every text with such a secret. A match begins with the
    characters to its left as long as `in_head` accepts them: a pattern that began with "any name" would try
    one at every character. `accept` sees that head and the match and says whether it is a secret.
    """

    __slots__ = ("accept", "flags", "in_head", "kind", "needles", "regex")

    def __init__(
        self,
        kind: str,
        needles: tuple[str, ...],
        regex: str,
        flags: int = 0,
        in_head: Callable[[str], bool] | None = None,
        accept: Callable[[str, re.Match[str]], bool] = _always,
    ) -> None:
        self.kind = kind
        self.needles = needles
        self.regex = regex
        self.flags = flags
        self.in_head = in_head
        self.accept = accept


_ESCAPE = r"\\[nrtbf]"


def _bounded(prefix: str, before: str = "A-Za-z0-9") -> str:
    """`prefix`, of fixed width, where none of the characters `before` precedes it.

    The letter of an escape in JSON or code, such as that of `\\n`, precedes nothing.
    """
    return f"{prefix}(?:(?<![{before}]{prefix})|(?<={_ESCAPE}{prefix}))"


def _not_words(head: str, match: re.Match[str]) -> bool:
    return not is_words(match[1])


def _telegram(head: str, match: re.Match[str]) -> bool:
    start = match.start() - len(head)
    return 6 <= len(head) <= 10 and (start == 0 or match.string[start - 1] not in _WORD)


def _header(head: str, match: re.Match[str]) -> bool:
    if match["scheme"]:
        return is_value_after_scheme(match["value"], _tail(match))
    return is_value_of_header(match["name"], match["value"], _tail(match))


def _named_variable(head: str, match: re.Match[str]) -> bool:
    return is_value_of_variable(head + match["name"], match["value"], _tail(match), least=1)


def _variable(head: str, match: re.Match[str]) -> bool:
    return bool(head) and is_value_of_variable(head + match["name"], match["value"], _tail(match), least=6)


def _tail(match: re.Match[str]) -> str:
    return match.string[match.end() : match.end() + 8]


_BASE64URL = "[A-Za-z0-9_-]"
_UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

_NAME_END = r"[\"'\]\\]{0,3}[ \t]*"  # of a quoted or indexed name
_ASSIGN = rf"{_NAME_END}(?::=|=>|==?|:)\*{{0,2}}[ \t]*"
_ASSIGN_TYPED = rf"{_NAME_END}:[ \t]*&?[A-Za-z_][\w.|\[\]]{{0,40}}[ \t]*=[ \t]*"
_VALUE = (
    r"(?P<value>\"(?:[^\"\\\n]|\\.)+\"|'(?:[^'\\\n]|\\.)+'|`[^`\n]+`"
    r"|[\"'`]?[^\s\"'`]\S*(?<![`'\"),.;>}\]\\]))"  # without the punctuation that follows it
)
_QUALIFIER = "api|auth|access|secret|security|private|session|refresh|client|consumer|subscription|app|bearer"
_HEADER_NAME = (
    r"(?P<name>authentication|authorization|credentials?|password|(?<!no)passwd|apikey"
    rf"|(?<![A-Za-z0-9])(?:{_QUALIFIER})-(?:key|token))"
)
_VARIABLE_NAME = (
    r"(?P<name>(?:ANTHROPIC|OPENAI|OPENROUTER|VOYAGE|MISTRAL|GROQ|GOOGLE|GEMINI|OLLAMA)_API_KEY"
    r"|HF_TOKEN|HUGGINGFACE_TOKEN|AWS_(?:SECRET_)?ACCESS_KEY[A-Z_]*|GITHUB_TOKEN|GH_TOKEN|GITLAB_TOKEN)"
)
_URL_PLACEHOLDER = r"(?:\$\{[^}\s]*\}|\$[A-Z_]+|<[^>\s]*>|\{[^}\s]*\}|\[REDACTED\]|\*+|x+|\.+|…)"
_VARIABLE_END = "(?P<name>_(?:key|token|secret|password|passwd|credentials?))"
_VARIABLE_NEEDLES = ("_key", "_token", "_secret", "_passw", "_credential")

PATTERNS = (
    SecretPattern(
        "bearer-token",
        ("bearer",),
        rf"(?:(?<![A-Za-z0-9_])|(?<={_ESCAPE}))bearer[ \t]+([A-Za-z0-9._+/=-]{{16,}})",
        re.IGNORECASE,
        accept=_not_words,
    ),
    SecretPattern(
        "sk-key",
        ("sk-",),
        _bounded("sk-", "A-Za-z0-9_-")
        + f"(?!ecdsa-sha2|ssh-ed25519)(?:(?:ant|proj|or|svcacct|admin)-)?({_BASE64URL}{{16,}})",
        accept=_not_words,
    ),
    SecretPattern(
        "stripe-key",
        ("k_live_", "k_test_", "k_prod_"),
        _bounded("[sr]k_(?:live|test|prod)_") + "[A-Za-z0-9]{16,}",
    ),
    SecretPattern(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        _bounded("gh[pousr]_") + "[A-Za-z0-9]{20,}",
    ),
    SecretPattern("github-fine-grained-token", ("github_pat_",), _bounded("github_pat_") + r"\w{20,}"),
    SecretPattern(
        "aws-key-id",
        ("akia", "asia", "abia", "acca"),
        _bounded("A(?:[KS]I|BI|CC)A") + r"[0-9A-Z]{16}(?![A-Za-z0-9])",
    ),
    SecretPattern("google-api-key", ("aiza",), _bounded("AIza") + f"{_BASE64URL}{{30,}}"),
    SecretPattern(
        "google-refresh-token",
        ("1//",),
        _bounded("1//", r"\w/:.-") + f"({_BASE64URL}{{20,}})",
        accept=_not_words,
    ),
    SecretPattern("meta-token", ("eaa",), _bounded("EAA", "A-Za-z0-9+/=_-") + "[A-Za-z0-9]{20,}"),
    SecretPattern(
        "telegram-token",
        (":",),
        f":(?<=[0-9]{{6}}:)(?:AA{_BASE64URL}{{30,}}|{_BASE64URL}{{34,35}})(?![A-Za-z0-9_-])",
        in_head=_DIGITS.__contains__,
        accept=_telegram,
    ),
    SecretPattern("gohighlevel-token", ("pit-",), _bounded("pit-") + _UUID),
    SecretPattern(
        "slack-token",
        ("xox", "xapp-"),
        _bounded("x", "A-Za-z0-9-") + "(?:ox[abprs]|app)-([A-Za-z0-9-]{10,})",
        accept=_not_words,
    ),
    SecretPattern(
        "jwt",
        ("eyj",),
        _bounded("eyJ", "A-Za-z0-9_-")
        + rf"{_BASE64URL}{{16,}}(?:\.{_BASE64URL}{{16,}}){{2}}(?:\.{_BASE64URL}*)*",
    ),
    *(
        SecretPattern(kind, needles, rf"(?:(?<![A-Za-z0-9_])|(?<={_ESCAPE}))(?:{shape})(?![A-Za-z0-9_])")
        for kind, needles, shape in VENDOR_TOKENS
    ),
    SecretPattern(
        "terraform-token",
        (".atlasv1.",),
        r"\.atlasv1\.[A-Za-z0-9_=-]{60,70}",
        in_head=_WORD.__contains__,
    ),
    SecretPattern(
        "azure-client-secret",
        ("q~",),
        r"[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
        in_head=(_WORD | frozenset("~.")).__contains__,
    ),
    SecretPattern(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,60}",
    ),
    SecretPattern(
        "url-credentials",
        ("://",),
        r"://(?<=[A-Za-z0-9+.-]://)[^\s/@:\"'`<>]*:"
        rf"(?!{_URL_PLACEHOLDER}@)[^\s/@\"'`]+@[^\s\"'`<>)\]]*",
        in_head=_SCHEME.__contains__,
    ),
    SecretPattern(
        "auth-header",
        ("authentication", "authorization", "credential", "passw", "apikey", "-key", "-token"),
        rf"{_HEADER_NAME}{_NAME_END}:\*{{0,2}}[ \t]*"
        r"(?:\\?[\"']?(?P<scheme>basic|bearer|digest|token|apikey|negotiate|aws4-hmac-sha256)[ \t]+)?"
        rf"{_VALUE}",
        re.IGNORECASE,
        in_head=(_WORD | {"-"}).__contains__,
        accept=_header,
    ),
    SecretPattern(
        "named-variable",
        ("_api_key", "_token", "access_key"),
        _VARIABLE_NAME + _ASSIGN + _VALUE,
        in_head=_WORD.__contains__,
        accept=_named_variable,
    ),
    SecretPattern(
        "variable",
        _VARIABLE_NEEDLES,
        _VARIABLE_END + _ASSIGN + _VALUE,
        re.IGNORECASE,
        in_head=_WORD.__contains__,
        accept=_variable,
    ),
    SecretPattern(
        "variable",
        _VARIABLE_NEEDLES,
        _VARIABLE_END + _ASSIGN_TYPED + _VALUE,
        re.IGNORECASE,
        in_head=_WORD.__contains__,
        accept=_variable,
    ),
    SecretPattern(
        "credential-path",
        (".ssh", ".aws", ".kube", ".config", ".gnupg"),
        _bounded(r"\.", r"\w.-")
        + r"(?:ssh|aws|kube|gnupg|config[/\\]+gcloud)[/\\]+[^\s\"'`<>()\[\]|;,]*[^\s\"'`<>()\[\]|;,.:!?/\\]",
        in_head=lambda character: character not in _NOT_PATH,
    ),
)
"""All but PEM blocks and `<private>` spans, which have an end of their own; see `sanitizer`."""
