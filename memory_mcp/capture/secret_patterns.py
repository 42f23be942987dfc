"""The classes of secrets: shapes that practically nothing else has.

Random text without a shape is not here on purpose: it would take hashes, ids and words with it. Every class
has a left boundary, so that `task-…` is no `sk-…`.
"""

from __future__ import annotations

import re

from memory_mcp.capture.kubernetes_secret import KUBERNETES_SECRETS
from memory_mcp.capture.named_secrets import NAMED_SECRETS
from memory_mcp.capture.secret_pattern import (
    LETTERS_AND_DIGITS,
    UUID,
    WORD,
    WORD_END,
    SecretPattern,
    is_no_mask,
)
from memory_mcp.capture.secret_value import changes, is_words
from memory_mcp.capture.vendor_tokens import VENDOR_TOKENS

_DIGITS = frozenset("0123456789")
_SCHEME = LETTERS_AND_DIGITS | frozenset("+.-")
_BASE64 = WORD | frozenset("+/=-")
_NOT_PATH = frozenset(" \t\r\n\f\v\"'`<>()[]|;,=")
_NAME = WORD | {"-"}
_NAME_END = "(?![0-9A-Za-z_-])"

_URL_PLACEHOLDER = r"(?:\$\{[^}\s]*\}|\$[A-Z_]+|<[^>\s]*>|\{[^}\s]*\}|\[REDACTED\]|\*+|x+|\.+|…)"
_AUTHRESS = r"(?:sc|ext|scauth|authress)_[0-9A-Za-z]{5,30}\.[0-9A-Za-z]{4,6}"


def _not_words(head: str, match: re.Match[str]) -> bool:
    return is_no_mask(head, match) and not is_words(match[1])


def _is_random(head: str, match: re.Match[str]) -> bool:
    return changes(head + match[0]) >= 4


def _telegram(head: str, match: re.Match[str]) -> bool:
    start = match.start() - len(head)
    return 6 <= len(head) <= 10 and (start == 0 or match.string[start - 1] not in WORD)


def _authress(head: str, match: re.Match[str]) -> bool:
    return bool(re.fullmatch(_AUTHRESS, head))


_SHAPES = (
    SecretPattern(
        "bearer-token",
        ("bearer",),
        r"(?i:bearer)[ \t]+([0-9A-Za-z._+/=-]{16,})",
        any_case=True,
        not_after=WORD,
        accept=_not_words,
    ),
    SecretPattern(
        "sk-key",
        ("sk-",),
        "sk-(?!ecdsa-sha2|ssh-ed25519)(?:(?:ant|proj|or|svcacct|admin)-)?([0-9A-Za-z_-]{16,})",
        not_after=_NAME,
        accept=_not_words,
    ),
    SecretPattern(
        "stripe-key",
        ("sk_", "rk_"),
        "[sr]k_(?:live|test|prod)_(?:[0-9A-Za-z]{16,}|(?=[A-Za-z]*[0-9])[0-9A-Za-z]{10,})",
        not_after=LETTERS_AND_DIGITS,
    ),
    SecretPattern(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        "gh[pousr]_[0-9A-Za-z]{20,}",
        not_after=LETTERS_AND_DIGITS,
    ),
    SecretPattern(
        "github-fine-grained-token", ("github_pat_",), r"github_pat_\w{20,}", not_after=LETTERS_AND_DIGITS
    ),
    SecretPattern(
        "aws-key-id",
        ("AKIA", "ASIA", "ABIA", "ACCA", "A3T"),
        "A(?:KIA|SIA|BIA|CCA|3T[0-9A-Z])[0-9A-Z]{16}(?![A-Za-z0-9])",
        not_after=LETTERS_AND_DIGITS,
    ),
    SecretPattern("google-api-key", ("AIza",), "AIza[0-9A-Za-z_-]{30,}", not_after=LETTERS_AND_DIGITS),
    SecretPattern(
        "google-refresh-token",
        ("1//",),
        "1//([0-9A-Za-z_-]{20,})",
        not_after=WORD | frozenset("/:.-"),
        accept=_not_words,
    ),
    SecretPattern(
        "meta-token",
        ("EAA",),
        "EAA(?:A[0-9A-Za-z_-]{22,}|[0-9A-Za-z]{20,})",  # EAAA are Square's
        not_after=_BASE64,
    ),
    SecretPattern(
        "facebook-app-token",
        ("|", "%"),
        f"[|%](?<=[0-9]{{15}}[|%])[0-9A-Za-z_-]{{27,40}}{_NAME_END}",
        after=(*_DIGITS,),
        in_head=_DIGITS.__contains__,
    ),
    SecretPattern(
        "telegram-token",
        (":",),
        f":(?<=[0-9]{{6}}:)(?:AA[0-9A-Za-z_-]{{30,}}|[0-9A-Za-z_-]{{34,35}}){_NAME_END}",
        after=(*_DIGITS,),
        in_head=_DIGITS.__contains__,
        accept=_telegram,
    ),
    SecretPattern("gohighlevel-token", ("pit-",), "pit-" + UUID, not_after=LETTERS_AND_DIGITS),
    SecretPattern(
        "slack-token",
        ("xox", "xapp-"),
        r"(?:xox[abeoprs](?:\.xox[bp])?|xapp)-([0-9A-Za-z-]{8,})",
        not_after=LETTERS_AND_DIGITS | {"-"},
        accept=_not_words,
    ),
    SecretPattern(
        "jwt",
        ("eyJ", "ZXlK"),
        r"(?:eyJ[0-9A-Za-z_-]{14,}\.(?:eyJ[0-9A-Za-z_-]{14,}|[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,})"
        r"(?:\.[0-9A-Za-z_-]*)*|ZXlK[0-9A-Za-z+/_-]{40,}={0,2})",  # ZXlK is base64 of it
        not_after=_BASE64 - {"=", "/"},
    ),
    SecretPattern(
        "authress-key",
        (".acc_", ".acc-"),
        r"\.acc[_-][0-9A-Za-z-]{10,32}\.[0-9A-Za-z+/_=-]{30,120}",
        in_head=(WORD | {"."}).__contains__,
        accept=_authress,
    ),
    SecretPattern(
        "vault-token",
        ("s.",),
        r"s\.[0-9A-Za-z]{24}(?![A-Za-z0-9_.(\[])",
        not_after=WORD | frozenset("./"),
        accept=_is_random,
    ),
    SecretPattern(
        "gocardless-token",
        ("live_",),
        f"live_[0-9A-Za-z_=-]{{40}}{_NAME_END}",
        not_after=WORD,
        accept=_is_random,
    ),
    SecretPattern(
        "yandex-token", ("YC",), f"YC[0-9A-Za-z_-]{{38}}{_NAME_END}", not_after=WORD, accept=_is_random
    ),
    SecretPattern(
        "terraform-token", (".atlasv1.",), r"\.atlasv1\.[0-9A-Za-z_=-]{60,70}", in_head=WORD.__contains__
    ),
    SecretPattern(
        "azure-client-secret",
        ("Q~",),
        "Q~(?<=[0-9]Q~)[0-9A-Za-z_~.-]{31,34}",
        in_head=(WORD | frozenset("~.")).__contains__,
    ),
    SecretPattern(
        "maxmind-key",
        ("_mmk",),
        f"_mmk(?<=[0-9A-Za-z]{{6}}_[0-9A-Za-z]{{29}}_mmk){WORD_END}",
        in_head=WORD.__contains__,
        accept=_is_random,
    ),
    SecretPattern(
        "mailchimp-key",
        ("-us",),
        f"-us(?<=[0-9a-f]{{32}}-us)[0-9]{{1,2}}{WORD_END}",
        in_head=WORD.__contains__,
        accept=_is_random,
    ),
    SecretPattern(
        "url-credentials",
        ("://",),
        r"://[^\s/@:\"'`<>]*:"
        rf"(?!{_URL_PLACEHOLDER}@)[^\s/@\"'`]+@[^\s\"'`<>)\]]*",
        after=(*_SCHEME,),
        in_head=_SCHEME.__contains__,
    ),
    SecretPattern(
        "credential-path",
        (".ssh", ".aws", ".kube", ".config", ".gnupg"),
        r"(?<![\w.-])\.(?:ssh|aws|kube|gnupg|config[/\\]+gcloud)[/\\]+"
        r"[^\s\"'`<>()\[\]|;,]*[^\s\"'`<>()\[\]|;,.:!?/\\]",
        in_head=lambda character: character not in _NOT_PATH,
    ),
)

PATTERNS = (*VENDOR_TOKENS, *_SHAPES, *NAMED_SECRETS, *KUBERNETES_SECRETS)
"""All but PEM blocks and `<private>` spans, which have an end of their own; see `sanitizer`."""
