"""Calls of services: one at a time, given up when nobody waits, and told how far they are."""

import threading
import time

import anyio
import pytest

from memory_mcp.errors import Cancelled, NotFound
from memory_mcp.server import service_calls
from memory_mcp.server.service_calls import ServiceCalls

pytestmark = pytest.mark.anyio


@pytest.fixture
async def calls(app):
    calls = ServiceCalls(app)
    yield calls
    calls.close()


async def test_calls_run_one_after_another_in_one_thread_beside_the_loop(calls):
    threads, running, most = set(), [], []

    def work(_):
        running.append(1)
        most.append(len(running))
        threads.add(threading.get_ident())
        time.sleep(0.01)
        running.pop()

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(calls.call, None, work)
    assert max(most) == 1
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_errors_and_results_come_back(calls):
    assert await calls.call(None, lambda _: 7) == 7

    def fail(_):
        raise NotFound("nothing here")

    with pytest.raises(NotFound, match="nothing here"):
        await calls.call(None, fail)


async def test_work_that_nobody_waits_for_ends_at_its_next_step_and_frees_the_thread(calls):
    started, ended = threading.Event(), threading.Event()

    def endless(progress):
        started.set()
        try:
            for _ in range(1000):
                progress(1, 0, "pages")
                time.sleep(0.001)
        except Cancelled:
            ended.set()
            raise

    with anyio.move_on_after(5) as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(calls.call, None, endless)
            while not started.is_set():
                await anyio.sleep(0.001)
            group.cancel_scope.cancel()
    assert not scope.cancelled_caught
    assert await calls.call(None, lambda _: "free") == "free"
    assert ended.is_set()


async def test_maintenance_runs_once_and_not_before_nobody_asks(calls, app, monkeypatch):
    monkeypatch.setattr(service_calls, "IDLE_SECONDS", 0.05)
    runs = []
    monkeypatch.setattr(app, "maintain", lambda: runs.append(time.monotonic()))
    for _ in range(5):
        await calls.call(None, lambda _: None)
        await anyio.sleep(0.02)
    assert runs == []
    await anyio.sleep(0.3)
    assert len(runs) == 1


async def test_a_failing_maintenance_is_logged_and_harms_nothing(calls, app, monkeypatch, caplog):
    def fail():
        raise KeyError("x")

    monkeypatch.setattr(app, "maintain", fail)
    calls.maintain_in(0)
    await anyio.sleep(0.1)
    assert await calls.call(None, lambda _: 1) == 1
    assert "maintenance failed" in caplog.text


async def test_the_end_waits_a_moment_for_work_under_way_and_not_for_more(app, monkeypatch):
    monkeypatch.setattr(service_calls, "GRACE_SECONDS", 0.2)
    calls = ServiceCalls(app)
    release = threading.Event()
    with anyio.move_on_after(0.05):
        await calls.call(None, lambda _: release.wait(5))
    started = time.monotonic()
    calls.close()
    assert 0.1 < time.monotonic() - started < 2
    release.set()
