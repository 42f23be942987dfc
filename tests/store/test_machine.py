"""The name of the machine in records."""

from pathlib import Path

import pytest

from memory_mcp.store.machine import machine_id


def test_a_machine_keeps_the_name_that_it_made_at_first_use(tmp_path: Path) -> None:
    made = machine_id(tmp_path)
    assert len(made) == 12
    assert int(made, 16) >= 0
    assert machine_id(tmp_path) == made
    assert (tmp_path / "machine").read_text(encoding="utf-8") == f"{made}\n"
    assert (tmp_path / "machine").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damaged", [b"", b"7f3a", b"\xff" * 12, b"7F3A9C01D2E4\n", b"7f3a9c01d2e4 x"])
def test_a_damaged_name_is_made_anew(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "machine").write_bytes(damaged)
    assert len(machine_id(tmp_path)) == 12
    assert machine_id(tmp_path) == machine_id(tmp_path)
