"""The skills that teach agents when to call what: shipped with the product, copied into a client's folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SKILL_NAME = "SKILL.md"
MARK = "<!-- memory-mcp: managed skill -->"
"""On a line of its own in every skill of ours. A file without it is a person's and is not replaced."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill: its name, when to use it, and the whole file."""

    name: str
    description: str
    text: str


def load_skills() -> tuple[Skill, ...]:
    """The skills, by name."""
    files = sorted(_folder().glob(f"*/{SKILL_NAME}"))
    return tuple(_skill(file) for file in files)


def install_skill(text: str, skill: Skill) -> str:
    """The text that the client's file of this skill gets, `text` being what it holds.

    Raises:
        ValueError: a person wrote the file.
    """
    if text.strip() and MARK not in text.splitlines():
        raise ValueError(f"a person wrote it: it lacks the line {MARK}; rename or remove it first")
    return skill.text


def _folder() -> Path:
    """Beside the modules where the product is installed, beside the package in a clone."""
    package = Path(__file__).parents[1]
    inside = package / "skills"
    return inside if inside.is_dir() else package.parent / "skills"


def _skill(file: Path) -> Skill:
    text = file.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("description: "))
    quoted = line.removeprefix("description: ")
    return Skill(file.parent.name, quoted.strip("'").replace("''", "'"), text)
