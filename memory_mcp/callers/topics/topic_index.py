"""The index over notes or skills: `MEMORY.md` and `SKILLS.md`."""

from __future__ import annotations

EMPTY_NOTE_INDEX = """\
# MEMORY.md

What is known beyond the profile, one line a note: open the note when its line fits the work at hand.
Kept up to date by memory_write from the notes themselves.

## Index
_No entries yet._
"""
EMPTY_SKILL_INDEX = """\
# SKILLS.md

Procedures that worked, one line a skill: what it does and when to reach for it.
Kept up to date by skill_write from the skills themselves.

## Index
_No entries yet._
"""
