"""Searches in the background."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import time
import weakref

import pytest

import ricochet_engine as rr
from ricochet_engine.solvers import Naive

EASY = rr.Puzzle("4x3..0012.R31")
#: Takes far longer than any test with a solver that knows no bounds.
HARD = rr.Puzzle("32x32..00ffvv0v.R8i")


def test_it_says_what_solve_says() -> None:
    for solver in (None, "iddfs", Naive()):
        search = rr.start(EASY, solver)
        found, expected = search.result(60), rr.solve(EASY, solver)
        assert (found.outcome, found.length, found.optimal, found.solver) == (
            expected.outcome, expected.length, expected.optimal, expected.solver,
        )  # fmt: skip
        assert search.done and search.progress.lower_bound == 3
        assert search.progress.seconds == search.progress.seconds, "the clock has stopped"
        assert "done" in repr(search)


def test_cancelling_tells_what_was_proved() -> None:
    search = rr.start(HARD, "bfs:duplicates=keep")
    wait_for_rows(search, 2)
    assert not search.done and "at least" in repr(search)
    with pytest.raises(TimeoutError):
        search.result(0.01)
    assert not search.done, "waiting does not end it"
    progress = search.progress
    assert progress.lower_bound >= 2 and progress.nodes > 0 and progress.seconds > 0
    search.cancel()
    result = search.result(60)
    assert (result.outcome, result.limit) == (rr.Outcome.LIMIT, "cancelled")
    assert result.lower_bound is not None and result.lower_bound >= progress.lower_bound


def wait_for_rows(search: rr.Search, count: int) -> None:
    end = time.monotonic() + 60
    while len(search.progress.rows) < count:
        assert time.monotonic() < end and not search.done
        time.sleep(0.01)


def test_limits_and_errors() -> None:
    limited = rr.start(HARD, "bfs:duplicates=keep", limits=rr.Limits(nodes=1000)).result(60)
    assert (limited.outcome, limited.limit) == (rr.Outcome.LIMIT, "node limit")
    with pytest.raises(rr.RequestError):
        rr.start(EASY, "no-such-solver").result(60)
    with pytest.raises(TypeError):
        rr.start(3)  # type: ignore[arg-type]


def test_a_block_cancels_at_its_end() -> None:
    with rr.start(HARD, "bfs:duplicates=keep") as search:
        wait_for_rows(search, 1)
    assert search.result(60).limit == "cancelled"


def test_a_forgotten_search_is_cancelled() -> None:
    search = rr.start(HARD, "bfs:duplicates=keep")
    wait_for_rows(search, 1)
    there = weakref.ref(search)
    del search
    gc.collect()
    assert there() is None
    end = time.monotonic() + 60
    while any(thread.name == "ricochet-search" for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_awaiting() -> None:
    async def main() -> None:
        search = rr.start(EASY)
        assert (await search).length == 3 and (await search).length == 3
        many = await asyncio.gather(*(rr.start(EASY) for _ in range(20)))
        assert {it.length for it in many} == {3}
        slow = rr.start(HARD, "bfs:duplicates=keep")
        bounds = []
        async for progress in slow.updates(0.01):
            bounds.append(progress.lower_bound)
            if len(progress.rows) >= 2:
                slow.cancel()
        assert bounds == sorted(bounds) and (await slow).limit == "cancelled"
        with pytest.raises(rr.RequestError):
            await rr.start(EASY, "no-such-solver")

    asyncio.run(main())


def test_a_cancelled_task_cancels_its_search() -> None:
    async def main() -> rr.Search:
        search = rr.start(HARD, "bfs:duplicates=keep")
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(search, 0.2)
        return search

    assert asyncio.run(main()).result(60).limit == "cancelled"


def test_the_event_loop_goes_on() -> None:
    """Other tasks run while a search does."""

    async def main() -> int:
        search, ticks = rr.start(HARD, "bfs:duplicates=keep"), 0
        waiting = asyncio.ensure_future(search._wait())
        while ticks < 20:
            await asyncio.sleep(0.005)
            ticks += 1
        search.cancel()
        await waiting
        return ticks

    assert asyncio.run(main()) == 20


def test_a_program_ends_while_one_runs() -> None:
    program = f"""
import ricochet_engine as rr, time
search = rr.start({HARD.line!r}, "bfs:duplicates=keep")
time.sleep(0.3)
print("over")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "over\n" and done.stderr == ""
