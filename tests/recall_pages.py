"""A small wiki with one page that answers a question, for recall at the prompt."""

from __future__ import annotations

from tests.memory import Memory

QUESTION = "why do the credentials of the staging bucket fail on monday"


def write_recall_pages(memory: Memory) -> None:
    """Six pages that are near the question, and the one that answers it, all indexed."""
    for number in range(6):
        text = f"# Back-off {number}\n\nThe importer waits {number} s because the staging bucket is slow.\n"
        memory.write(f"notes/n{number}.md", text)
    memory.write(
        "gotchas/rotate.md",
        "# Credentials rotate weekly\n\nThe credentials of the staging bucket rotate every monday.\n",
    )
    memory.found("staging")  # the index is built by whoever asks first
