"""Generated pages and queries, the same ones at every run."""

from __future__ import annotations

import calendar
import itertools
import random
import re
from collections.abc import Sequence
from pathlib import Path

from memory_mcp.model.page import RELATIONS

STOP = ["the", "of", "and", "to", "a", "in", "is", "it", "for", "that", "on", "with", "as", "be", "by", "not"]
SYLLABLES = re.findall("..", "bacedifoguhajikolumaneopirosutavewixayozatrproconperstalogsernetman")
ENDINGS = ["", "", "", "s", "ed", "ing", "er", "ion", "ment", "ly", "able"]
FOLDERS = 100
MONTHS = calendar.month_name[1:]


class Corpus:
    """Pages of 50 to 400 words: Zipf distributed, each about some topics, with frontmatter."""

    def __init__(self) -> None:
        self._words = _vocabulary(60_000)
        self._weights = list(itertools.accumulate(1 / (rank + 2.7) ** 1.05 for rank in range(60_000)))

    def page(self, number: int) -> tuple[str, str]:
        """Title and body of a page; another number is another page."""
        rand = random.Random(number)
        size = int(min(400, max(50, rand.lognormvariate(5.1, 0.55))))
        topics = rand.sample(self._words[300:30_000], 8)
        text = rand.choices(self._words, cum_weights=self._weights, k=size)
        text[::9] = [rand.choice(topics) for _ in text[::9]]
        lines = []
        while text:
            cut = rand.randrange(8, 40)
            lines.append(" ".join(text[:cut]).capitalize() + ".")
            text = text[cut:]
        title = " ".join(topics[:3]).capitalize()
        return title, f"# {title}\n\n" + "\n".join(lines) + "\n"

    def write(self, folder: Path, count: int, *, flat: bool = False, connected: bool = False) -> list[Path]:
        """Write pages 0 to `count`, into a hundred folders or into one; returns their files in order.

        `connected` pages name entities and link to each other, a fifth with a relation, and a fourth have a
        day in their title.
        """
        files = []
        for number in range(count):
            title, body = self.page(number)
            front = f"title: {title}\ntags: [generated, batch-{number % 7}]\ntier: semantic\n"
            if connected:
                front, body = self._connect(number, count, front, body)
            file = folder / page_path(number, flat=flat)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"---\n{front}---\n\n{body}", encoding="utf-8", newline="\n")
            files.append(file)
        return files

    def _connect(self, number: int, count: int, front: str, body: str) -> tuple[str, str]:
        rand = random.Random(-1 - number)
        first, second, third = (page_path(rand.randrange(count)) for _ in range(3))
        if number % 4 == 0:
            day = f"{rand.randrange(1, 29)} {rand.choice(MONTHS)} {rand.randrange(2024, 2027)}"
            front = front.replace("\n", f", {day}\n", 1)
        front += f"entities: [{', '.join(rand.sample(self._words[300:2300], 3))}]\n"
        if number % 5 == 0:
            front += f"relations:\n  {rand.choice(RELATIONS)}:\n    - {third}\n"
        return front, f"{body}\nSee [[{first}]] and [[{second}|another]].\n"


def page_path(number: int, *, flat: bool = False) -> str:
    """Where a page lies in its scope."""
    return f"notes/{number:06d}.md" if flat else f"notes/{number % FOLDERS:02d}/{number:06d}.md"


def sample_queries(files: Sequence[Path], count: int) -> list[list[str]]:
    """1 to 6 words of one page each, frequent and rare mixed."""
    rand = random.Random(3)
    found: list[list[str]] = []
    while len(found) < count:
        words = rand.choice(files).read_text(encoding="utf-8").lower().split()
        words = [word for word in words if word.isalnum() and word not in STOP]
        if len(words) > 6:
            found.append(rand.sample(words, 1 + len(found) % 6))
    return found


def _vocabulary(size: int) -> list[str]:
    """Words with English endings; one in thirty is an identifier, a version or an error code."""
    rand = random.Random(1)
    words = dict.fromkeys(STOP)
    while len(words) < size:
        word = "".join(rand.choices(SYLLABLES, k=rand.choice((1, 2, 2, 2, 3, 3, 4)))) + rand.choice(ENDINGS)
        kind = rand.random()
        if kind < 0.02:
            word += "_" + rand.choice(SYLLABLES)
        elif kind < 0.03:
            word += rand.choice(SYLLABLES).capitalize()
        elif kind < 0.0325:
            word = f"E{rand.randrange(9999):04d}"
        elif kind < 0.035:
            word = f"v{rand.randrange(9)}.{rand.randrange(99)}"
        words[word] = None
    return list(words)
