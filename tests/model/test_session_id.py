"""How a client's session is named in records."""

from uuid import NAMESPACE_URL, UUID, uuid5

from memory_mcp.model.session_id import session_id

ID = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"


def test_a_uuid_stays_itself() -> None:
    assert session_id("codex", ID) == ID
    assert session_id("codex", ID.upper()) == ID


def test_another_id_becomes_a_uuid_of_agent_and_id() -> None:
    made = session_id("codex", "run 7")
    assert made == str(uuid5(NAMESPACE_URL, "memory-mcp:session:codex:run 7"))
    assert UUID(made).version == 5
    assert made != session_id("claude-code", "run 7")
    assert session_id("codex", f"{{{ID}}}") != ID


def test_an_unknown_session_stays_unknown() -> None:
    assert session_id("codex", "") == ""
