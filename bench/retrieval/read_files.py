"""Reading the files of public sets: JSON arrays, JSON lines, and XML-like records, gzipped or not."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_mcp.errors import InvalidInput

Record = dict[str, Any]

ENDINGS = (".json", ".jsonl", ".xml")

_DOCUMENT = re.compile(r"<doc>(.*?)</doc>", re.DOTALL)
_ELEMENT = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DataFile:
    """The records of one file. `stem` is its name without endings."""

    stem: str
    records: list[Record]

    def has(self, *keys: str) -> bool:
        """Whether its records have these keys; the first one speaks for all."""
        return bool(self.records) and all(key in self.records[0] for key in keys)


def read_files(path: Path) -> Iterator[DataFile]:
    """The files at `path` or below it that hold records, in the order of their paths.

    Raises:
        InvalidInput: there is no such path, or a file is damaged.
    """
    if not path.exists():
        raise InvalidInput(f"{path} does not exist: give a file or folder of evaluation data.")
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    for file in files:
        name = file.name.removesuffix(".gz")
        ending = Path(name).suffix
        if ending in ENDINGS:
            records = _parse(file, ending)
            yield DataFile(name.removesuffix(ending), [each for each in records if isinstance(each, dict)])


def records_with(files: Iterable[DataFile], *keys: str) -> list[Record]:
    """The records of all files whose records have these keys."""
    return [record for file in files if file.has(*keys) for record in file.records]


def _parse(file: Path, ending: str) -> list[Any]:
    try:
        data = file.read_bytes()
        text = (gzip.decompress(data) if file.suffix == ".gz" else data).decode("utf-8")
        if ending == ".xml":
            return [_xml_record(document) for document in _DOCUMENT.findall(text)]
        if ending == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        value = json.loads(text)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read ({error}): fetch it again.") from error
    return value if isinstance(value, list) else [value]


def _xml_record(text: str) -> Record:
    """The elements of a record; the Cranfield file escapes nothing and is no XML that a parser takes."""
    return {name: value.strip() for name, value in _ELEMENT.findall(text)}
