import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memory_mcp.search.vectors.embedder import find_embedder
from memory_mcp.search.vectors.wordllama_embedder import WordLlama

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def model():
    return find_embedder()


def test_texts_that_mean_the_same_are_nearer(model):
    car, automobile, bread = model.embed(["a fast car", "the quick automobile", "baking bread with yeast"])
    assert car @ automobile > 0.5 > car @ bread


@pytest.mark.parametrize("text", ["car", "x" * 5000, "日本語", "a\0b", "\ud800 car", "\n"])
def test_every_text_gets_a_row_of_length_one(model, text):
    rows = model.embed([text, "other"])
    assert rows.shape == (2, 256)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1], abs=1e-5)


@pytest.mark.parametrize("text", ["", "\ud800"])
def test_a_text_of_nothing_is_near_to_nothing(model, text):
    assert not model.embed([text]).any()


def test_a_row_does_not_depend_on_the_texts_beside_it(model):
    assert (model.embed(["one", "two"])[1] == model.embed(["two"])[0]).all()


def test_files_that_are_not_the_model_are_refused(tmp_path):
    (tmp_path / "weights").mkdir()
    header = b'{"embedding.weight": {"dtype": "F32", "shape": [2, 256], "data_offsets": [0, 1]}}'
    file = tmp_path / "weights" / "l2_supercat_256.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(ValueError, match="F32"):
        WordLlama(tmp_path).embed(["a"])


def test_no_code_of_the_package_runs_and_no_socket_is_opened():
    code = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise AssertionError('a socket')\n"
        "socket.socket = socket.create_connection = refuse\n"
        "from memory_mcp.search.vectors.embedder import find_embedder\n"
        "found = find_embedder()\n"
        "assert 'tokenizers' not in sys.modules\n"
        "found.embed(['car'])\n"
        "names = {name.split('.')[0] for name in sys.modules}\n"
        "print(sorted(names & {'wordllama', 'requests', 'huggingface_hub', 'httpx', 'safetensors', 'torch'}))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
