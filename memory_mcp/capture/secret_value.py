"""Whether the value beside a name like `DB_PASSWORD` is a secret, or a placeholder, a type, code or prose.

The shapes in `secret_patterns` find `name = value`; most such lines of ordinary pages hold no secret. What is
let through here is what a secret practically never looks like. When in doubt it is a secret.
"""

from __future__ import annotations

import re

MAX_CODE_CHARS = 200
"""No placeholder, type or call is longer; anything longer is a secret. It also keeps matching linear."""

_QUOTES = "\"'`"
# Kept as text: `re` compiles and caches each when a value is first looked at.
_PLACEHOLDER = (
    r"(?is)\$\{+[^}]*\}*"  # ${VAR}, and the part of ${{ secrets.X }} before the space
    r"|\$\(.*|\$(?-i:[A-Z_][A-Z0-9_]*)|%[A-Z_]+%|\{[\w.]*\}|\{\{.*|<.*|\[.*"  # $(cmd) $VAR %VAR% {x} <x> [x]
    r"|[*•x.…#?_-]+|.*…"  # masks and what is cut
    r"|your[-_ ]?.*|change[-_]?me|placeholder|redacted|example|dummy|required|optional|unchanged|disabled"
    r"|enabled|encrypted|protected|described|generated|configured|none|null|nil|undefined|true|false"
)
_TYPE = (
    r"(?i)&?(?:str|string|strings|bytes|bytearray|int|integer|float|number|bool|boolean|object|any|unknown"
    r"|void|never|secretstr|optional|varchar|text|uuid|jwt|pathlike)"
)
_CODE = (
    r"(?is)(?!secret|password)(?:[a-z_][a-z_.:]*[(\[<]|[a-z_]\w*(?:\.\w+)+\().*"  # a call, not SecretStr("…")
    r"|(?:os|process|env|environ|settings|config|cfg|self|this|cls|secrets|vars|var|local|params|request|req"
    r"|args|options|opts|ctx|context|app|import|data|module|inputs)(?:\.\w+)+!?"
)
_KEYWORD = "key|token|secret|password|passwd|credentials?"
_NAMING = (
    rf"(?i:{_KEYWORD})|[A-Za-z][\w.]*_(?i:{_KEYWORD})(?:_[a-z]+)*"
    r"|[A-Za-z][\w.]*(?:Key|Token|Secret|Password|Passwd|Credentials?)(?:[A-Z][a-z]+)*"
    r"|(?:Key|Token|Secret|Password|Passwd|Credentials?)(?:[A-Z][a-z]+)+"
)
"""An identifier that names such a thing: `user_password`, `accessToken`, `rsa.PrivateKey`."""

_SNAKE_CASE = "[a-z]+(?:_[a-z]+)+"
_LABEL = r"_*[A-Za-z]+(?:[-_.:/]+[A-Za-z]+)+_*|__[a-z]+__"
"""What code uses as the key of something: `current-span`, `app.settings/theme`."""

_STRONG = (
    r"(?:.*_)?(?:(?:password|passwd|secret|credentials?)"
    r"|(?:api|auth|access|secret|security|private|session|refresh|client|consumer|subscription|app|bearer|bot"
    r"|signing|encryption|service|master|deploy|webhook)_(?:key|token))"
)
_HARMLESS = (
    r"(?:.*_)?(?:(?:primary|foreign|sort|partition|cache|public|hash|range|group|row|unique|natural|composite"
    r"|index|lookup|dict|map|json|idempotency|routing)_key|(?:page|next|continuation|cursor|bos|eos|pad|unk|sep"
    r"|cls|mask|stop|special)_token)"
)
_WORDS = r"[a-z]{1,14}(?:[-_.][a-z]{1,14})+\.?"
_PROSE = r"[ \t]+[a-z(]"
_CHANGE = r"(?<=[A-Za-z])[0-9]|(?<=[0-9])[A-Za-z]"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_HUMP = r"(?<=[a-z0-9])(?=[A-Z])|[-.]"
_COMMON = (
    r"(?i)(?:user|username|admin|root|test|demo|foo|pass|password|passwd|pwd|token|secret|change_?(?:it|me))"
    r"[0-9]{0,3}"
)
_TEMPLATE = r"(?s).*[{}<>$()\s].*|%\w.*|.*%[sdr]\b.*|https?:.*"


def is_words(text: str) -> bool:
    """Whether this is a compound of short lower-case words, such as `learn-compatible-estimator`."""
    return bool(re.fullmatch(_WORDS, text))


def changes(text: str) -> int:
    """How often letters and digits follow each other; random text does so all the time."""
    return len(re.findall(_CHANGE, text))


def is_placeholder(text: str) -> bool:
    """Whether this stands for a value that somebody will put there."""
    return bool(re.fullmatch(_PLACEHOLDER, text) or re.fullmatch(_COMMON, text))


def is_random(name: str, value: str) -> bool:
    """Whether a value of a name like `accessToken` is random text: no word, path, version or date."""
    if re.fullmatch(_HARMLESS, re.sub(_HUMP, "_", name.strip("-_.")).lower()):
        return False
    if len(value) > MAX_CODE_CHARS or re.fullmatch(_UUID, value):
        return True
    if re.fullmatch(_NAMING, value):
        return False
    longest = max(re.split("[-_./+~]", value), key=len)
    return changes(value) >= 3 and len(longest) >= 12 and changes(longest) >= 2


def is_value_of_password(value: str) -> bool:
    """Whether a quoted value of `password` or `pwd` is one, in code that may also speak of passwords."""
    bare = _bare(value)
    mixed = any(c.isdigit() for c in bare) and any(c.isalpha() for c in bare)
    return mixed and len(bare) >= 6 and not is_placeholder(bare) and not re.fullmatch(_TEMPLATE, bare)


def is_value_of_variable(name: str, value: str, tail: str, least: int) -> bool:
    """Whether `value` (with its quotes) of the variable `name` is a secret.

    `tail` is the text after the value and `least` the fewest characters that a secret has.
    """
    bare = _bare(value)
    if len(bare) > MAX_CODE_CHARS:
        return True
    name = name.strip("_")
    if len(bare) < least or re.fullmatch(_HARMLESS, name.lower()) or not _may_be_secret(value, bare, tail):
        return False
    strong = bool(re.fullmatch(_STRONG, name.lower()))
    if not strong and _is_quoted(value) and re.fullmatch(_LABEL, bare):
        return False
    return name.isupper() or _is_secret_in_code(name, value, strong)


def is_value_of_header(name: str, value: str, tail: str) -> bool:
    """Whether `value` of the header or field `name` is a secret; it has no scheme word such as Basic."""
    bare = _bare(value)
    if len(bare) > MAX_CODE_CHARS:
        return True
    if len(bare) < 8 or not _may_be_secret(value, bare, tail):
        return False
    kind = name.lower().rsplit("-", 1)[-1]
    if kind.endswith(("password", "passwd")):
        return not re.fullmatch(_NAMING, bare) and (not _is_quoted(value) or not _is_sentence(bare))
    if kind.endswith(("key", "token")):
        return not is_words(bare) and (len(bare) >= 12 or any(c.isdigit() for c in bare))
    # "Authentication: OAuth2-based" is prose; random text changes between letters and digits.
    digits = sum(c.isdigit() for c in bare)
    return digits >= 6 or changes(bare) >= 2 or bare.endswith("=")


def is_value_after_scheme(value: str, tail: str) -> bool:
    """Whether `value` after a scheme word (`Basic`, `Bearer`) is a secret."""
    bare = _bare(value)
    if len(bare) > MAX_CODE_CHARS:
        return True
    word = re.fullmatch("auth(?:entication|orization)?|credentials?|schemes?", bare) or is_words(bare)
    return len(bare) >= 8 and not word and _may_be_secret(value, bare, tail)


def _may_be_secret(value: str, bare: str, tail: str) -> bool:
    if re.fullmatch(_PLACEHOLDER, bare):
        return False
    if _is_quoted(value):
        return True
    if re.fullmatch(_TYPE, bare) or re.fullmatch(_CODE, bare):
        return False
    return not (bare.isalpha() and re.match(_PROSE, tail))


def _is_secret_in_code(name: str, value: str, strong: bool) -> bool:
    """For names that are not those of the environment: code and configuration use them for much else."""
    bare = _bare(value)
    if bare == name or re.fullmatch(_KEYWORD, bare) or _is_sentence(bare):
        return False
    if not _is_quoted(value) and (re.fullmatch(_NAMING, bare) or re.fullmatch(_SNAKE_CASE, bare)):
        return False
    return strong or len(bare) >= 20 or any(c.isdigit() for c in bare)


def _is_sentence(text: str) -> bool:
    return " " in text and not any(c.isdigit() for c in text)


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] in _QUOTES and value[-1] == value[0]


def _bare(value: str) -> str:
    return value.strip(_QUOTES + "\\")
