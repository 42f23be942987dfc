import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from memory_mcp.store.lock import WriterLock
from tests.search.vectors.conftest import SCOPE

ROOT = Path(__file__).parents[3]


def test_a_page_is_found_without_a_word_in_common(wiki):
    found = wiki.scores(wiki.open(), "fast car with a powerful motor")
    assert list(found) == ["cars.md"]


def test_nonsense_finds_nothing(wiki):
    search = wiki.open()
    assert wiki.scores(search, "xyzzy plugh") == {}
    assert wiki.scores(search, "?!") == {}


def test_quoted_words_must_stand_on_a_page_that_only_vectors_find(wiki):
    assert wiki.scores(wiki.open(), '"powerful motor"') == {}
    wiki.write("motor.md", "# Motor\n\nA powerful motor.\n")
    assert wiki.scores(wiki.open(), '"powerful motor" of a fast car').keys() == {"motor.md"}


def test_explain_tells_the_cosine_and_that_vectors_had_a_say(wiki):
    answer = wiki.open().query("sedan engine", (SCOPE,), explain=True)
    assert "vector" in answer.explanation.streams
    assert answer.hits[0].details.signals.cosine > 0.3


def test_an_edit_is_found_by_its_new_meaning_at_once(wiki):
    search = wiki.open()
    assert wiki.scores(search, "fast car") != {}
    wiki.write("cars.md", "# Wheels\n\nA gardener waters roses and tulips in the flower beds.\n")
    assert "cars.md" not in wiki.scores(search, "fast sedan")
    assert "cars.md" in wiki.scores(search, "growing plants in the garden")


def test_a_moved_page_keeps_its_vectors(wiki, picky):
    search = wiki.open()
    wiki.scores(search, "car")
    before = len(picky.embedded)
    os.rename(wiki.pages / str(SCOPE) / "cars.md", wiki.pages / str(SCOPE) / "moved.md")
    assert search.query("automobile", (SCOPE,)).hits[0].path == "moved.md"
    assert len(picky.embedded) == before + 1  # the question


def test_removing_the_vectors_while_a_process_runs_changes_no_answer_and_brings_them_back(wiki):
    search = wiki.open()
    before = wiki.scores(search, "sedan engine")
    shutil.rmtree(wiki.root / "vectors")
    assert wiki.scores(search, "sedan engine") == before
    assert wiki.file.exists()
    assert wiki.notes(search) == ""


def test_removing_the_index_changes_no_answer(wiki):
    search = wiki.open()
    before = wiki.scores(search, "sedan engine")
    shutil.rmtree(wiki.root / "index")
    assert wiki.scores(search, "sedan engine") == before


def test_a_damaged_file_is_computed_anew_and_said_so(wiki):
    before = wiki.scores(wiki.open(), "sedan engine")
    data = bytearray(wiki.file.read_bytes())
    data[len(data) // 2] ^= 255
    wiki.file.write_bytes(data)
    search = wiki.open()
    assert "damaged" in wiki.notes(search)
    assert wiki.scores(search, "sedan engine") == before
    assert "damaged" not in wiki.notes(search)
    assert "damaged" not in wiki.notes(wiki.open())


def test_a_process_uses_what_another_one_computed(wiki, picky):
    wiki.scores(wiki.open(), "automobile")
    before = len(picky.embedded)
    wiki.scores(wiki.open(), "automobile")
    assert len(picky.embedded) == before + 1


def test_a_page_that_waits_beside_the_index_has_its_vectors(wiki):
    search = wiki.open()
    wiki.scores(search, "car")
    wiki.write("boats.md", "# Harbour\n\nA captain steers his ship across the sea.\n")
    with WriterLock(wiki.root / "locks", 5).hold("test"):
        assert "boats.md" in wiki.scores(search, "ocean voyage by boat")
        assert wiki.notes(search) == ""
    assert search.missing_vectors((SCOPE,)) == 0


def test_a_query_does_not_wait_for_the_lock(wiki):
    with WriterLock(wiki.root / "locks", 5).hold("test"):
        assert wiki.scores(wiki.open(), "fast car") != {}
        assert not wiki.file.exists()


def test_a_write_costs_a_look_at_its_own_segment(wiki, count_read):
    search = wiki.open()
    wiki.scores(search, "car")
    assert count_read() >= 3
    wiki.write("boats.md", "# Harbour\n\nA captain steers his ship across the sea.\n")
    assert "boats.md" in wiki.scores(search, "ocean voyage by boat")
    assert count_read() <= 1


def test_more_pages_than_a_query_can_wait_for_are_told_and_done_by_embed(wiki, monkeypatch):
    from memory_mcp.search.vectors import vector_search

    monkeypatch.setattr(vector_search, "MAX_INLINE", 1)
    search = wiki.open()
    assert "2 pages have no vectors yet" in wiki.notes(search)
    assert search.missing_vectors((SCOPE,)) == 2
    assert search.embed(dry_run=True).pages == 2
    assert search.missing_vectors((SCOPE,)) == 2
    done = search.embed()
    assert (done.pages, done.passages, done.failed) == (2, 2, 0)
    assert wiki.notes(search) == ""


def test_a_server_goes_on_in_a_thread(wiki, monkeypatch):
    from memory_mcp.search.vectors import vector_search

    monkeypatch.setattr(vector_search, "MAX_INLINE", 1)
    search = wiki.open(background=True)
    search.query("car", (SCOPE,))
    for thread in threading.enumerate():
        if thread.name == "memory-mcp-vectors":
            thread.join(20)
    assert search.missing_vectors((SCOPE,)) == 0
    assert wiki.notes(search) == ""
    other = wiki.open()
    assert other.missing_vectors((SCOPE,)) == 0


def test_force_computes_all_anew(wiki, picky):
    search = wiki.open()
    search.embed()
    before = len(picky.embedded)
    assert search.embed().pages == 0
    assert search.embed(force=True).pages == 3
    assert len(picky.embedded) == before + 3


def test_a_page_that_the_model_refuses_is_found_by_its_words_and_reported(wiki, picky):
    path = wiki.write("drinks.md", "# Drinks\n\nThis one is poison.\n")
    search = wiki.open()
    assert "drinks.md" in wiki.scores(search, "drinks")
    assert "1 page has no vectors yet" in wiki.notes(search)
    for each in (search, wiki.open()):
        assert (path, "has no vectors (ValueError: this text is poison); memory-mcp embed tries again.") in (
            each.vectors.problems()
        )
    tries = search.embed()
    assert (tries.pages, tries.failed) == (0, 1)
    picky.breaks = False
    assert search.embed().pages == 1
    assert search.health((SCOPE,)).problems == ()
    assert wiki.open().health((SCOPE,)).problems == ()


def test_a_question_that_the_model_refuses_is_answered_by_words(wiki, picky):
    wiki.write("drinks.md", "# Drinks\n\nTea.\n")
    search = wiki.open()
    assert wiki.scores(search, "drinks of poison") != {}
    assert wiki.scores(search, "drinks") != {}


def test_vectors_of_pages_that_are_no_more_are_dropped_once_they_outnumber_the_others(wiki, monkeypatch):
    from memory_mcp.search.vectors import vector_search

    monkeypatch.setattr(vector_search, "_SPARE", 0)
    search = wiki.open()
    for number in range(8):
        wiki.write("cars.md", f"# Wheels\n\nThe automobile number {number} has an engine.\n")
        wiki.scores(search, "sedan engine")
    size = wiki.file.stat().st_size
    assert size < 8 * 600
    assert "cars.md" in wiki.scores(wiki.open(), "sedan engine")


def test_without_numpy_pages_are_found_by_words_and_the_reason_is_told(wiki):
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from datetime import datetime, timezone\n"
        "from pathlib import Path\n"
        "from memory_mcp.model.scope import Scope\n"
        "from tests.search.opened import OpenedSearch\n"
        "from memory_mcp.store.lock import WriterLock\n"
        "root = Path(sys.argv[1])\n"
        "search = OpenedSearch(root / 'wiki', root / 'index', WriterLock(root / 'locks', 5),\n"
        "    lambda: datetime.now(timezone.utc), background=False, is_gone_from_head=lambda paths: False,\n"
        "    vectors_root=root / 'vectors')\n"
        "print([hit.path for hit in search.query('automobile', [Scope('acme', 'importer')]).hits])\n"
        "print(search.missing_vectors(None), search.vectors_off())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(wiki.root)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "['cars.md']",
        "None Pages are not found by meaning, only by words and links: numpy is not installed "
        "(the extra `vectors` of memory-mcp).",
    ]
    assert not (wiki.root / "vectors").exists()


def test_of_pages_that_are_equally_near_the_first_by_path_are_found(wiki) -> None:
    """They were indexed in another order, and there are more of them than candidates."""
    lock = WriterLock(wiki.root / "locks", 5)
    search = wiki.open(lock=lock)
    wiki.scores(search, "x")
    for number in reversed(range(40)):
        path = wiki.write(
            f"same/{number:02}.md", "# Motor\n\nThe automobile has a strong engine and new tires.\n"
        )
        with lock.hold("write"):
            search.update([path])
    found = [path for path in wiki.scores(search, "car") if path != "cars.md"]
    assert found[:9] == [f"same/{number:02}.md" for number in range(9)]
