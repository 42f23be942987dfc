"""What to write into a repository so that its agents use the memory: the server never writes there itself."""

from __future__ import annotations

from typing import Any

from memory_mcp.errors import NotFound

# ruff: noqa: PLC0415 - the files are read when somebody asks

FILES = {"claude_code": "CLAUDE.md", "gemini_cli": "GEMINI.md", "default": "AGENTS.md"}
SKILL_FOLDERS = {
    "project": {"claude_code": ".claude/skills", "default": ".agents/skills"},
    "user": {"claude_code": "~/.claude/skills", "codex": "~/.codex/skills", "gemini_cli": "~/.gemini/skills"},
}


def routing_answer(*, compact: bool, skill: str) -> tuple[str, dict[str, Any]]:
    """The block, where it belongs, and the skills; the whole file of one `skill` if it is named.

    Raises:
        NotFound: there is no skill of this name.
    """
    from memory_mcp.routing.routing_block import END, START, routing_block
    from memory_mcp.routing.skill_files import MARK, SKILL_NAME, load_skills

    skills = {each.name: each for each in load_skills()}
    if skill:
        if skill not in skills:
            raise NotFound(f"there is no skill {skill!r:.60}; there are {', '.join(skills)}.")
        found = skills[skill]
        facts: dict[str, Any] = {"name": found.name, "relative_path": f"{found.name}/{SKILL_NAME}"}
        return found.text, facts | {"content": found.text}
    block = routing_block(compact=compact)
    notes = [
        f"The block replaces all from the line {START} to the line {END}, each alone on its line; without "
        "them it goes to the end after one empty line; make the file if it is missing. Change nothing else, "
        "and show the user first.",
        "Claude Code does not read AGENTS.md: where there is one, CLAUDE.md needs the line @AGENTS.md.",
        "This tool gives the whole file of one skill: skill=NAME. Replace a file only if it holds the line "
        f"{MARK}; a person wrote any other.",
        "A person can run: memory-mcp install-instructions --client NAME --for-project --apply, and the same "
        "with install-skills.",
    ]
    facts = {
        "block": block,
        "marker_start": START,
        "marker_end": END,
        "files": FILES,
        "skills": [
            {"name": each.name, "description": each.description, "relative_path": f"{each.name}/{SKILL_NAME}"}
            for each in skills.values()
        ],
        "skill_folders": SKILL_FOLDERS,
        "notes": notes,
    }
    return "\n\n".join([block, *notes]), facts
