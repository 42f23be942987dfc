"""The writer lock between threads and real processes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from memory_mcp.errors import Busy
from memory_mcp.store.lock import WriterLock

HOLDER = """
import sys, time
from pathlib import Path
from memory_mcp.store.lock import WriterLock
with WriterLock(Path(sys.argv[1]), 5).hold("import"):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def holder(tmp_path: Path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_lock_held_too_long_names_its_holder(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with (
        pytest.raises(Busy, match=rf"process {holder.pid} \(import\)"),
        WriterLock(tmp_path, 0.1).hold("write"),
    ):
        pass


def test_a_waiter_gets_the_lock_soon_after_its_holder_ends(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    threading.Timer(0.2, holder.kill).start()
    start = time.monotonic()
    with WriterLock(tmp_path, 10).hold("write"):
        assert time.monotonic() - start < 5


def test_a_lock_that_is_not_free_is_not_waited_for(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with WriterLock(tmp_path, 10).hold_if_free("query") as held:
        assert not held
    holder.kill()
    holder.wait()
    with WriterLock(tmp_path, 10).hold_if_free("query") as held:
        assert held


def test_a_thread_may_take_the_lock_again_and_another_thread_may_not(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path, 0.1)
    seen: list[bool] = []

    def other() -> None:
        with lock.hold_if_free("query") as held:
            seen.append(held)

    with lock.hold("write"), lock.hold("repair"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [False, True]


def test_a_light_lock_waits_for_a_full_one(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with WriterLock(tmp_path, 10, light=True).hold_if_free("session-start") as held:
        assert not held
    holder.kill()
    holder.wait()
    with WriterLock(tmp_path, 10, light=True).hold_if_free("session-start") as held:
        assert held


def test_a_full_lock_waits_for_a_light_one(tmp_path: Path) -> None:
    with (
        WriterLock(tmp_path, 5, light=True).hold("session-start"),
        WriterLock(tmp_path, 5).hold_if_free("write") as held,
    ):
        assert not held
