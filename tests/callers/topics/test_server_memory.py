"""The JSONL of the server-memory server, as it is on disk."""

from memory_mcp.callers.topics.foreign_note import ForeignNote
from memory_mcp.callers.topics.server_memory import read_server_memory

GRAPH = """\
{"type":"entity","name":"Ana","entityType":"person","observations":["Prefers tabs","Two\\nlines"]}
{"type":"entity","name":"importer","entityType":"project","observations":[]}

{"type":"relation","from":"Ana","to":"importer","relationType":"maintains"}
{"type":"relation","from":"Ana","to":"nobody","relationType":"knows"}
{"type":"relation","from":"nobody","to":"Ana","relationType":"knows"}
{"type":"entity","name":"Ana","entityType":"person","observations":["Prefers tabs","Late riser",7]}
{"type":"entity","name":"half"}
not json
{"type":"relation","from":"Ana","to":"importer","relationType":"maintains"}
"""


def read(tmp_path, text=GRAPH):
    file = tmp_path / "memory.jsonl"
    file.write_bytes(text.encode())
    return read_server_memory(file)


def test_an_entity_is_a_note_with_its_observations_and_relations(tmp_path):
    ana, importer = read(tmp_path).notes
    assert ana == ForeignNote(
        source="memory.jsonl:1",
        topic="Ana",
        hook="person: Prefers tabs",
        content="- Prefers tabs\n- Two\n  lines\n- Late riser",
        tags=("person",),
        relations=(("maintains", "importer"), ("knows", "nobody")),
    )
    assert importer == ForeignNote("memory.jsonl:2", "importer", "project", "", ("project",))


def test_lines_that_say_nothing_are_skipped_by_number(tmp_path):
    memory = read(tmp_path)
    assert memory.skipped == [
        ("memory.jsonl:8", "it is neither an entity nor a relation."),
        ("memory.jsonl:9", "it is neither an entity nor a relation."),
        ("memory.jsonl:6", "the entity that the relation is from is missing."),
    ]
    assert memory.texts == {"memory.jsonl": GRAPH}


def test_a_line_nested_without_end_is_skipped(tmp_path):
    assert read(tmp_path, "[" * 100_000).skipped == [
        ("memory.jsonl:1", "it is neither an entity nor a relation.")
    ]
