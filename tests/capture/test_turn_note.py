"""A hook sees in the file of a turn what the tasks put there."""

import pytest

from memory_mcp.callers.tasks.turn_file import TURNS, TurnFiles
from memory_mcp.capture.turn_note import TURN_FOLDER, confirms_something
from tests.memory import START

SESSION = "5b1e0d6c-0f0e-4c57-9a51-6c1d2d8b7f10"


def test_a_turn_that_confirms_something_is_told_from_one_that_does_not(tmp_path):
    assert not confirms_something(str(tmp_path), f"{SESSION}.json")
    files = TurnFiles(tmp_path / "state", "default")
    files.write(SESSION, START, (), checked=True)
    assert not confirms_something(str(tmp_path), f"{SESSION}.json")
    files.write(SESSION, START, ("ab12",), checked=True)
    assert confirms_something(str(tmp_path), f"{SESSION}.json")
    assert f"state/{TURNS}" == TURN_FOLDER


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"codes": []}', b"[" * 9_000])
def test_a_damaged_file_confirms_nothing(tmp_path, data):
    (tmp_path / TURN_FOLDER).mkdir(parents=True)
    (tmp_path / TURN_FOLDER / "s.json").write_bytes(data)
    assert not confirms_something(str(tmp_path), "s.json")
