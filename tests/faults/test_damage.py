"""Derived files that are damaged anywhere: answers come from what is left, and the files are whole again."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memory_mcp.app import App
from memory_mcp.config import Settings
from memory_mcp.model.actor import Actor
from memory_mcp.pages.page_write import PageDraft

SCOPE = {"workspace": "acme", "project": "importer"}
QUESTIONS: list[dict[str, object]] = [
    {"text": "car"},
    {"text": "baker engine"},
    {"text": "bake* round1"},
    {"text": "automobile round1", "include_superseded": True},
    {"text": "engine", "as_of": "2026-11-30T10:00:00Z"},
]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data dir with vectors, an index of a few segments, and old versions."""
    data = tmp_path_factory.mktemp("original") / "data"
    with closing(open_app(data)) as app:
        for number in range(12):
            for turn in range(2 if number % 3 else 1):
                text = ("The automobile has an engine", "The baker kneads dough")[number % 2]
                body = f"# Page {number}\n\n{text}, round{turn} of n{number}.\n"
                app.writer.write(PageDraft(f"notes/n{number}.md", body), Actor("test"), **SCOPE)
            if number % 4 == 0:
                answers(app)
        app.vectors.embed()
        answers(app)
    return data


def open_app(data: Path) -> App:
    return App(Settings(data_dir=data, start_folder=data.parent, home=data.parent, vectors_enabled=True))


def answers(app: App) -> list[object]:
    found = []
    for question in QUESTIONS:
        given = {**question}
        if "as_of" in given:
            given["as_of"] = app.clock().isoformat()
        hits = app.query.query(**SCOPE, **given).hits  # type: ignore[arg-type]
        found.append([(hit.path, hit.score, hit.snippet, hit.superseded) for hit in hits])
    return found


def flip(data: bytes, rand: random.Random) -> bytes:
    place = rand.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rand.randrange(8)]) + data[place + 1 :]


def cut(data: bytes, rand: random.Random) -> bytes:
    return data[: rand.randrange(len(data))]


def grow(data: bytes, rand: random.Random) -> bytes:
    return data + rand.randbytes(rand.randrange(1, 200))


Damage = Callable[[bytes, random.Random], bytes]


def damaged(original: Path, root: Path, pattern: str, how: Damage, count: int) -> Iterator[Path]:
    """Copies of the data dir in each of which one file that matches is damaged."""
    files = sorted(original.glob(pattern))
    assert files
    for seed in range(count):
        rand = random.Random(seed)
        copy = root / f"{how.__name__}{seed}"
        shutil.copytree(original, copy, symlinks=True)
        file = copy / files[seed % len(files)].relative_to(original)
        file.write_bytes(how(file.read_bytes(), rand))
        yield copy
        shutil.rmtree(copy)


CHECKED = ["vectors/*/passages.bin", "index/history/*/timeline.jsonl"]
SEGMENTS = ["index/v*/*MAIN*", "index/history/v*/*MAIN*", "index/v*/manifest.jsonl", "index/**/current"]


@pytest.mark.parametrize("how", [flip, cut, grow])
@pytest.mark.parametrize("pattern", CHECKED)
def test_damage_of_a_file_with_checksums_changes_no_answer(
    original: Path, tmp_path: Path, pattern: str, how: Damage, soak: bool
) -> None:
    with closing(open_app(original)) as app:
        expected = answers(app)
    for data in damaged(original, tmp_path, pattern, how, 100 if soak else 2):
        for _ in range(2):
            with closing(open_app(data)) as app:
                assert answers(app) == expected, data
                assert app.query.query("car", **SCOPE).notes == ()


@pytest.mark.parametrize("how", [cut, grow])
@pytest.mark.parametrize("pattern", SEGMENTS)
def test_a_file_of_an_index_that_has_another_size_changes_no_answer(
    original: Path, tmp_path: Path, pattern: str, how: Damage, soak: bool
) -> None:
    with closing(open_app(original)) as app:
        expected = answers(app)
    for data in damaged(original, tmp_path, pattern, how, 100 if soak else 2):
        with closing(open_app(data)) as app:
            assert answers(app) == expected, data


@pytest.mark.parametrize("pattern", SEGMENTS)
def test_a_flipped_bit_of_an_index_raises_nothing(
    original: Path, tmp_path: Path, pattern: str, soak: bool
) -> None:
    """Bytes of the right number are trusted, so that an answer may be wrong until the index is rebuilt."""
    with closing(open_app(original)) as app:
        expected = answers(app)
    for data in damaged(original, tmp_path, pattern, flip, 200 if soak else 3):
        with closing(open_app(data)) as app:
            answers(app)
            app.index.rebuild()
            app.old_versions.remove()
            assert answers(app) == expected, data


@pytest.mark.parametrize("how", [flip, cut])
def test_a_file_that_is_damaged_under_a_process_changes_no_answer_of_it_and_is_mended(
    original: Path, tmp_path: Path, how: Damage, soak: bool
) -> None:
    for seed in range(40 if soak else 1):
        data = tmp_path / f"data{seed}"
        shutil.copytree(original, data, symlinks=True)
        with closing(open_app(data)) as app:
            expected = answers(app)
            for pattern in CHECKED:
                [file] = data.glob(pattern)
                file.write_bytes(how(file.read_bytes(), random.Random(seed)))
            assert answers(app) == expected
            app.writer.write(PageDraft("notes/new.md", "# New\n\nA walrus.\n"), Actor("test"), **SCOPE)
            after = answers(app)
        with closing(open_app(data)) as app:
            assert answers(app) == after
