"""Which files of the wiki are pages."""

import pytest

from memory_mcp.model.page_place import is_page_place, kind_of_place
from memory_mcp.model.scope import Scope

PAGES = {
    "acme/importer/decisions/db.md": "decision",
    "acme/importer/tasks/weekly.md": "fact",
    "acme/importer/skills/SKILLS.md": "fact",
    "_callers/ana/memory/USER.md": "profile",
    "_callers/ana/memory/notes/tea.md": "note",
    "_callers/ana/skills/deploy.md": "skill",
}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_the_kind_of_its_place(path):
    workspace, project, rest = path.split("/", 2)
    assert is_page_place(path)
    assert kind_of_place(Scope(workspace, project), rest) == PAGES[path]


@pytest.mark.parametrize(
    "path",
    [
        "acme/importer/_handoffs/x.md",
        "acme/importer/x.txt",
        "acme/README.md",
        "_callers/ana/memory/MEMORY.md",
        "_callers/ana/memory/log.md",
        "_callers/ana/memory/notes/deep/x.md",
        "_callers/ana/memory/notes/.x.md",
        "_callers/ana/skills/SKILLS.md",
        "_callers/ana/tasks/019ad4b2-6c1e-7a30-9f11-5d2c80b7e9c4.md",
        "_callers/ana/x.md",
        "_callers/ana",
    ],
)
def test_records_indexes_and_logs_are_no_pages(path):
    assert not is_page_place(path)
