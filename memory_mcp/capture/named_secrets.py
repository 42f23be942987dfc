"""Secrets without a shape of their own, which are known by the name beside them: of a header, a variable,
an option of a command, an XML element. What such a value looks like decides; see `secret_value`.
"""

from __future__ import annotations

import re

from memory_mcp.capture.secret_pattern import WORD, SecretPattern, tail_of
from memory_mcp.capture.secret_value import (
    is_placeholder,
    is_random,
    is_value_after_scheme,
    is_value_of_header,
    is_value_of_password,
    is_value_of_variable,
)

_NAME_END = r"[\"'\]\\]{0,3}[ \t]*"  # of a quoted or indexed name
_SIGN = r"(?:[:?+.|]{0,3}={1,2}>?|:)\*{0,2}[ \t]*"
_TYPED = r":[ \t]*&?[A-Za-z_][\w.|\[\]]{0,40}(?:[ \t]*=[ \t]*(?=[\"'`])|[ \t]+=[ \t]+)"  # key: str = …
_GO_TYPED = r"(?<=[ \t])string[ \t]*=[ \t]*"
_ASSIGN = rf"{_NAME_END}(?:{_TYPED}|{_GO_TYPED}|{_SIGN})"
_LISTED = r"[\"'],[ \t]*(?=[\"'])"  # set("NAME", "value")
_PAIRED = r"[\"']?,?\s{1,80}[\"']?[vV]alue[\"']?[ \t]*[:=][ \t]*"  # name: NAME, value: …
_VALUE = (
    r"(?P<value>\"(?:[^\"\\\n]|\\.)+\"|'(?:[^'\\\n]|\\.)+'|`[^`\n]+`"
    r"|[\"'`]?[^\s\"'`]\S*(?<![`'\"),.;>}\]\\]))"  # without the punctuation that follows it
)
_RANDOM = r"[\"'`]?(?P<value>[A-Za-z0-9+/_.~-]{16,512}={0,2})(?![A-Za-z0-9_(\[@:])"
_QUOTED = r"(?P<value>\"[^\"\\\n]{6,200}\"|'[^'\\\n]{6,200}'|`[^`\n]{6,200}`)"

_QUALIFIERS = (
    *("api", "auth", "access", "secret", "security", "private", "session", "refresh", "client", "consumer"),
    *("subscription", "app", "bearer"),
)
_NAMED = (
    r".*(?:(?:ANTHROPIC|OPENAI|OPENROUTER|VOYAGE|MISTRAL|GROQ|GOOGLE|GEMINI|OLLAMA)_API_KEY"
    r"|HF_TOKEN|HUGGINGFACE_TOKEN|AWS_(?:SECRET_)?ACCESS_KEY[A-Z_]*|GITHUB_TOKEN|GH_TOKEN|GITLAB_TOKEN)"
)
_VARIABLE_NEEDLES = ("_key", "_token", "_secret", "_passw", "_credential")
_VARIABLE_NAME = "(?P<name>(?<=ACCESS)_KEY[A-Z_]*|_(?i:key|token|secret|password|passwd|credentials?))"
_RANDOM_NEEDLES = (
    *("token", "secret", "passw", "passphrase", "cred"),
    *(f"{word}{mark}key" for word in ("api", "access", "private", "auth") for mark in ("", "-", "_")),
)
_RANDOM_NAME = (
    "(?P<name>(?i:token|secret(?:[-_]?key)?|passw(?:or)?d|passphrase|(?:api|access|private|auth)[-_]?key"
    "|cred(?:ential)?s?))[0-9]{0,4}"
)
_MAX_COMMAND_CHARS = 1_000


def _header(head: str, match: re.Match[str]) -> bool:
    if match["scheme"]:
        return is_value_after_scheme(match["value"], tail_of(match))
    return is_value_of_header(match["name"], match["value"], tail_of(match))


def _variable(head: str, match: re.Match[str]) -> bool:
    name = head + match["name"]
    least = 1 if re.fullmatch(_NAMED, name) else 6
    return is_value_of_variable(name, match["value"], tail_of(match), least)


def _random(head: str, match: re.Match[str]) -> bool:
    if match["option"] and not head.startswith("--"):
        return False
    return is_random(head + match["name"], match["value"])


def _password(head: str, match: re.Match[str]) -> bool:
    if match["value"]:
        return is_value_of_password(match["value"])
    start = match.start() - len(head)
    return match.string[max(0, start - 1) : start] in (*";?&",) and is_value_of_password(match["part"])


def _element(head: str, match: re.Match[str]) -> bool:
    start = match.start() - len(head)
    if match.string[max(0, start - 1) : start] != "<" or is_placeholder(match["value"]):
        return False
    return match["name"].lower().startswith("pass") or is_random(head + match["name"], match["value"])


def _curl(head: str, match: re.Match[str]) -> bool:
    if not _is_in_curl(match):
        return False
    user, _, password = match["value"].translate(_NO_QUOTES).partition(":")
    secret = password or user
    return len(secret) >= 3 and not is_placeholder(secret) and secret[0] not in "$<["


def _curl_header(head: str, match: re.Match[str]) -> bool:
    value = match["value"]
    return _is_in_curl(match) and not is_placeholder(value) and any(c.isdigit() for c in value)


def _is_in_curl(match: re.Match[str]) -> bool:
    """Whether the option is one of `curl`, in the same command, whose lines a backslash joins."""
    before = match.string[max(0, match.start() - _MAX_COMMAND_CHARS) : match.start()]
    _, name, between = before.rpartition("curl")
    return bool(name) and not re.search(r"(?<!\\)\s*\n|[;|&]\s", between)


_NO_QUOTES = {ord(mark): None for mark in "\"'"}
_HEADER = (
    rf"{_NAME_END}:\*{{0,2}}[ \t]*"
    r"(?:\\?[\"']?(?P<scheme>(?i:basic|bearer|digest|token|api-?token|apikey|negotiate|aws4-hmac-sha256))"
    rf"[ \t]+)?{_VALUE}"
)

NAMED_SECRETS = (
    SecretPattern(
        "auth-header",
        ("authentication", "authorization", "credential", "passw", "apikey"),
        "(?P<name>(?i:authentication|authorization|credentials?|password|(?<!no)passwd|apikey))" + _HEADER,
        any_case=True,
        in_head=(WORD | {"-"}).__contains__,
        accept=_header,
    ),
    SecretPattern(
        "auth-header",
        ("-key", "-token"),
        "(?P<name>-(?i:key|token))" + _HEADER,
        any_case=True,
        after=_QUALIFIERS,
        in_head=(WORD | {"-"}).__contains__,
        accept=_header,
    ),
    SecretPattern(
        "variable",
        _VARIABLE_NEEDLES,
        _VARIABLE_NAME + _ASSIGN + _VALUE,
        any_case=True,
        after=(*WORD,),
        in_head=WORD.__contains__,
        accept=_variable,
    ),
    SecretPattern(
        "named-value",
        _RANDOM_NEEDLES,
        rf"{_RANDOM_NAME}(?:{_ASSIGN}|{_LISTED}|{_PAIRED}|(?P<option>[ \t]{{1,8}})){_RANDOM}",
        any_case=True,
        in_head=(WORD | {"-", "."}).__contains__,
        accept=_random,
    ),
    SecretPattern(
        "password",
        ("passw", "passphrase", "pwd"),
        rf"(?i:passw(?:or)?d|passphrase|pwd)(?:(?:{_ASSIGN}|{_PAIRED}){_QUOTED}"
        r"|[ \t]*=[ \t]*(?P<part>[^;&\s\"'<>]{6,200})(?=[;&\s\"'<]|\Z))",
        any_case=True,
        in_head=WORD.__contains__,
        accept=_password,
    ),
    SecretPattern(
        "xml-element",
        ("token>", "secret>", "password>", "passwd>", "passphrase>", "key>"),
        r"(?P<name>\w+)>\s{0,40}(?P<value>[^<>\s]{4,512})\s{0,40}</",
        any_case=True,
        in_head=(WORD | frozenset("-.:")).__contains__,
        accept=_element,
    ),
    SecretPattern(
        "curl-user",
        ("-u", "--user"),
        r"--?u(?:ser)?(?:=|[ \t]{0,8})"
        r"(?P<value>(?:\"[^\"\n]{3,200}\"|'[^'\n]{3,200}'|[\w@%+.~-]{1,200}):"
        r"(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|[^\s\"']{1,200})"
        r"|\"[^\":\n]*:[^\"\n]{0,200}\"|'[^':\n]*:[^'\n]{0,200}')",
        after=(" ", "\t", "\n"),
        accept=_curl,
    ),
    SecretPattern(
        "curl-header",
        ("-H", "--header"),
        r"--?[Hh](?:eader)?(?:=|[ \t]{0,8})[\"'](?:[A-Za-z]+-){0,3}(?i:key|token|secret)[ \t]*:[ \t]*"
        r"(?P<value>[^\"'\n]{8,400})[\"']",
        after=(" ", "\t", "\n"),
        accept=_curl_header,
    ),
)
