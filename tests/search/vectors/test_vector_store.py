import numpy as np
import pytest

from memory_mcp.search.vectors.vector_file import Block
from memory_mcp.search.vectors.vector_store import VectorStore
from memory_mcp.store import steps


def version(number: int) -> str:
    return f"{number:016x}"


def block(*numbers: int) -> Block:
    """Pages of two rows each, all of which say the number."""
    rows = np.repeat(np.array(numbers, np.float32), 2)[:, None] * np.ones(4, np.float32)
    return Block(tuple(map(version, numbers)), (2,) * len(numbers), rows)


def held(store: VectorStore) -> dict[int, list[float]]:
    """What a look at the store gives: the rows of each page, by its number."""
    store.refresh()
    view = store.view()
    return {
        int(name, 16): view.rows[view.starts[slot] : view.starts[slot] + 2, 0].tolist()
        for name, slot in view.slots.items()
    }


def pages(*numbers: int) -> dict[int, list[float]]:
    return {number: [number, number] for number in numbers}


@pytest.fixture
def opened(tmp_path):
    """Open the store as another process would."""
    return lambda recipe=1: VectorStore(tmp_path, 4, recipe)


def saved(store: VectorStore, *numbers: int) -> VectorStore:
    store.add(block(*numbers))
    store.save()
    return store


def test_what_was_saved_is_there_for_the_next_process(opened):
    saved(saved(opened(), 1, 2), 3)
    assert held(opened()) == pages(1, 2, 3)


def test_what_others_append_is_seen_at_the_next_look(opened):
    mine = saved(opened(), 1)
    saved(opened(), 2)
    assert held(mine) == pages(1, 2)
    saved(mine, 3)
    assert held(opened()) == pages(1, 2, 3)


def test_a_page_saved_by_two_processes_counts_once(opened):
    mine = opened()
    mine.add(block(1))
    saved(opened(), 1, 2)
    mine.save()
    assert held(mine) == held(opened()) == pages(1, 2)


def test_numbers_are_the_same_in_memory_and_from_the_file(opened):
    store = opened()
    store.add(Block((version(1),), (1,), np.array([[0.1, 0.2, 0.3, 0.4]], np.float32)))
    before = store.view().rows.tolist()
    store.save()
    other = opened()
    other.refresh()
    assert other.view().rows.tolist() == before


def test_a_writer_killed_while_it_appends_loses_its_own_block_alone(opened, tmp_path):
    saved(opened(), 1)
    file = tmp_path / "passages.bin"
    first = file.stat().st_size
    saved(opened(), 2)
    whole = file.read_bytes()
    for cut in range(first, len(whole)):
        file.write_bytes(whole[:cut])
        store = opened()
        assert held(store) == pages(1)
        assert not store.is_damaged
        saved(store, 3)
        assert held(opened()) == pages(1, 3)


def test_damage_keeps_what_is_before_it_and_is_mended_by_the_next_save(opened, tmp_path):
    saved(saved(saved(opened(), 1), 2), 3)
    file = tmp_path / "passages.bin"
    data = bytearray(file.read_bytes())
    data[-50] ^= 255
    file.write_bytes(data)
    store = opened()
    assert held(store) == pages(1, 2)
    assert store.is_damaged
    saved(store, 3)
    assert not store.is_damaged
    assert held(opened()) == pages(1, 2, 3)


@pytest.mark.parametrize("data", [b"", b"memory", b"nonsense\n" * 50, bytes(500)])
def test_a_file_of_anything_else_is_replaced(opened, tmp_path, data):
    (tmp_path / "passages.bin").write_bytes(data)
    store = opened()
    assert held(store) == {}
    assert store.is_damaged == (data[:1] in (b"n", b"\0"))
    saved(store, 1)
    assert held(opened()) == pages(1)


def test_damage_to_a_file_that_is_loaded_changes_nothing_in_memory(opened, tmp_path):
    store = saved(opened(), 1, 2)
    file = tmp_path / "passages.bin"
    data = file.read_bytes()
    file.write_bytes(data[:40] + bytes(len(data)))
    assert held(store) == pages(1, 2)
    store.save()
    assert held(opened()) == pages(1, 2)


def test_a_removed_file_is_written_again_from_memory(opened, tmp_path):
    store = saved(opened(), 1, 2)
    (tmp_path / "passages.bin").unlink()
    assert held(store) == pages(1, 2)
    store.save()
    assert held(opened()) == pages(1, 2)


def test_a_file_that_another_process_began_anew_keeps_what_this_one_holds(opened, tmp_path):
    store = saved(opened(), 1, 2)
    (tmp_path / "passages.bin").unlink()
    saved(opened(), 3)
    assert held(store) == pages(1, 2, 3)
    store.save()
    assert held(opened()) == pages(1, 2, 3)


def test_vectors_of_another_recipe_are_hidden_until_they_are_computed_again(opened):
    saved(opened(), 1, 2)
    newer = opened(recipe=2)
    assert held(newer) == {}
    assert not newer.is_damaged
    saved(newer, 2)
    assert held(opened(recipe=2)) == pages(2)


def test_compaction_drops_what_no_page_has_any_more_for_every_process(opened):
    mine, other = saved(opened(), 1, 2, 3), opened()
    assert held(other) == pages(1, 2, 3)
    mine.compact({version(2)})
    assert held(mine) == held(opened()) == pages(2)
    saved(other, 4)
    assert 4 in held(mine)


def test_a_view_stays_as_it_was(opened):
    store = saved(opened(), 1)
    view = store.view()
    rows = view.rows.tolist()
    saved(store, *range(2, 2000))
    store.compact({version(7)})
    assert view.rows.tolist() == rows
    assert len(view.starts) == 1


def test_a_disk_that_refuses_leaves_the_vectors_in_memory(opened, tmp_path):
    store = VectorStore(tmp_path / "file" / "below", 4, 1)
    (tmp_path / "file").write_bytes(b"")
    store.add(block(1))
    with pytest.raises(OSError):
        store.save()
    assert held(store) == pages(1)
    assert store.is_unsaved


@pytest.mark.parametrize(("step", "kept"), [("vectors.appended", (1, 2, 3)), ("vectors.written", (1, 2))])
def test_a_writer_that_dies_at_a_step_leaves_the_old_file_or_the_new(opened, monkeypatch, step, kept):
    def die(reached: str) -> None:
        if reached == step:
            raise SystemExit

    store = saved(opened(), 1, 2)
    monkeypatch.setattr(steps, "listeners", [die])
    with pytest.raises(SystemExit):
        if step == "vectors.appended":
            saved(store, 3)
        else:
            store.compact({version(1)})
    monkeypatch.setattr(steps, "listeners", [])
    assert held(opened()) == pages(*kept)
    saved(opened(), 4)
    assert held(opened()) == pages(*kept, 4)
