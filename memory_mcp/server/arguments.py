"""Checks the arguments of a tool call against the tool's input schema; what is wrong is told in one sentence.

The schemas are flat objects of plain types, so this is small. The SDK's own check would drop an unknown
argument silently, take "7" for 7 and answer with pydantic's text.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory_mcp.errors import InvalidInput

_ARTICLES = {
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": 'a list of texts, e.g. ["a", "b"]',
}


MAX_DIGITS = 32


@dataclass(frozen=True, slots=True)
class Digits:
    """Marks a text that may consist of digits, at least `least` of them: models send it as a number then."""

    least: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool.

    `least_digits` is above 0 where a number is taken for a text of so many digits, leading zeros included.
    `blank_counts` marks an optional text for which blank is a value of its own, and so an error of the
    caller's, rather than another way to leave it out.
    """

    name: str
    schema: Mapping[str, Any]
    required: bool
    aliases: tuple[str, ...] = ()
    blank_counts: bool = False
    least_digits: int = 0


def check_arguments(parameters: Mapping[str, Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by the names of the schema, without those that are absent: null, or optional and blank.

    Raises:
        InvalidInput: an argument is unknown, given twice, missing, or of the wrong type or value.
    """
    accepted = {name: parameter for parameter in parameters.values() for name in _names(parameter)}
    arguments: dict[str, Any] = {}
    for name, value in given.items():
        parameter = accepted.get(name)
        if parameter is None:
            raise InvalidInput(_unknown(name, parameters, accepted))
        if value is None or _is_absent(parameter, value):
            continue
        if parameter.name in arguments:
            raise InvalidInput(f"{' and '.join(_names(parameter))} are one argument: give it once.")
        if parameter.least_digits:
            value = _with_digits(value, parameter.least_digits)
        arguments[parameter.name] = _check_value(name, parameter.schema, value)
    for parameter in parameters.values():
        if parameter.required and parameter.name not in arguments:
            raise InvalidInput(f"{parameter.name} is missing.")
    return arguments


def _names(parameter: Parameter) -> tuple[str, ...]:
    return (parameter.name, *parameter.aliases)


def _is_absent(parameter: Parameter, value: object) -> bool:
    return (
        isinstance(value, str) and not value.strip() and not parameter.required and not parameter.blank_counts
    )


def _unknown(name: str, parameters: Mapping[str, Parameter], accepted: Mapping[str, Parameter]) -> str:
    near = difflib.get_close_matches(name, accepted, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(parameters)}."
    return f"there is no argument {name!r:.80}; {hint}"


def _check_value(name: str, schema: Mapping[str, Any], value: Any) -> Any:
    kind = schema["type"]
    given, value = value, _read_type(kind, value)
    if value is None:
        raise InvalidInput(f"{name} = {given!r:.80} is not {_ARTICLES[kind]}.")
    if not _is_valid_unicode(value):
        raise InvalidInput(f"{name} is not valid Unicode (it holds half of a surrogate pair).")
    allowed = schema.get("enum")
    if allowed and value not in allowed:
        raise InvalidInput(f"{name} = {value!r:.80} is not one of: {', '.join(allowed)}.")
    if kind == "integer":
        _check_range(name, schema, value)
    if kind == "array" and len(value) > schema.get("maxItems", len(value)):
        raise InvalidInput(f"{name} holds {len(value)} entries: at most {schema['maxItems']} are allowed.")
    return value


def _with_digits(value: Any, least: int) -> Any:
    """The text that the number stands for: `0421` comes as 421."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:0{least}}" if is_number and 0 <= value < 10**MAX_DIGITS else value


def _read_type(kind: str, value: Any) -> Any:
    """The value if it has the type, else None."""
    if kind == "string":
        return value if isinstance(value, str) else None
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind == "integer":
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        return int(value) if whole and not isinstance(value, bool) else None
    return _read_list(value)


def _read_list(value: Any) -> list[str] | None:
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)  # some clients send a list as its JSON text
        except (ValueError, RecursionError):
            return None
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return value
    return None


def _is_valid_unicode(value: object) -> bool:
    texts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return not any("\ud800" <= char <= "\udfff" for text in texts if not text.isascii() for char in text)


def _check_range(name: str, schema: Mapping[str, Any], value: int) -> None:
    least, most = schema.get("minimum"), schema.get("maximum")
    too_small = least is not None and value < least
    if too_small or (most is not None and value > most):
        allowed = f"at least {least}" if most is None else f"{least} to {most}"
        raise InvalidInput(f"{name} = {value} is out of range: {allowed}.")
