import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_mcp.search.vectors.vector_file import Block, DamagedVectors, decode_blocks, encode_block


def block(first: int, counts: list[int], dimension: int = 4) -> Block:
    """A block whose numbers float16 holds exactly."""
    rows = np.arange(sum(counts) * dimension, dtype=np.float32).reshape(-1, dimension) + first
    return Block(tuple(f"{first + n:016x}" for n in range(len(counts))), tuple(counts), rows)


def read(data: bytes) -> list[tuple[tuple[str, ...], tuple[int, ...], list[list[float]]]]:
    return [(b.versions, b.counts, b.rows.tolist()) for _, b in decode_blocks(data, 0, 4)]


def plain(each: Block) -> tuple[tuple[str, ...], tuple[int, ...], list[list[float]]]:
    return each.versions, each.counts, each.rows.tolist()


BLOCKS = st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=5), min_size=1, max_size=4).map(
    lambda sizes: [block(100 * n, counts) for n, counts in enumerate(sizes)]
)


@given(BLOCKS)
def test_what_was_written_is_read(blocks):
    assert read(b"".join(map(encode_block, blocks))) == [plain(each) for each in blocks]


@given(BLOCKS, st.data())
def test_a_file_cut_anywhere_gives_the_whole_blocks_before(blocks, data):
    encoded = list(map(encode_block, blocks))
    whole = b"".join(encoded)
    cut = data.draw(st.integers(0, len(whole)))
    kept = sum(sum(map(len, encoded[: n + 1])) <= cut for n in range(len(encoded)))
    assert read(whole[:cut]) == [plain(each) for each in blocks[:kept]]


@given(BLOCKS, st.data())
def test_a_wrong_byte_never_gives_wrong_vectors(blocks, data):
    whole = bytearray(b"".join(map(encode_block, blocks)))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    found = []
    try:
        found += [plain(each) for _, each in decode_blocks(bytes(whole), 0, 4)]
    except DamagedVectors:
        pass
    assert found == [plain(each) for each in blocks[: len(found)]]
    assert len(found) < len(blocks)


def test_damage_is_told_from_an_unfinished_block():
    whole = bytearray(encode_block(block(0, [2])))
    assert read(bytes(whole[:-1])) == []
    whole[-1] ^= 1
    with pytest.raises(DamagedVectors):
        read(bytes(whole))
