"""Searches that run while the program goes on: for threads and for asyncio."""

from __future__ import annotations

import asyncio
import atexit
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any

from . import _native
from ._answers import DepthRow, SolveResult
from ._native import CancelToken, Puzzle
from ._questions import (
    UNLIMITED,
    Limits,
    PuzzleLike,
    _limits_request,
    _name_and_options,
    _result,
    as_puzzle,
)
from .solvers import Solver


@dataclass(frozen=True)
class SearchProgress:
    """How far a search is."""

    #: no solution has fewer moves
    lower_bound: int
    #: nodes of the finished depths
    nodes: int
    #: since the start
    seconds: float
    #: the finished depths
    rows: tuple[DepthRow, ...]


class Search:
    """A search in the background; :func:`start` begins one.

    With threads: ``progress`` says how far it is, ``result(timeout)`` waits, ``cancel()`` ends it with
    ``Outcome.LIMIT``, the limit ``cancelled`` and the lower bound proved so far. With asyncio: ``await search`` is
    its result, and ``async for progress in search.updates()`` follows it. Cancelling the awaiting task
    cancels the search. As a context manager, it is cancelled at the end of the block::

        with start(puzzle) as search:
            while not search.done:
                print(search.progress.lower_bound)
                time.sleep(1)
            print(search.result().solution)

    A search that nobody refers to any more is cancelled, as are those that still run when the program ends.
    """

    def __init__(
        self,
        puzzle: PuzzleLike,
        solver: Solver | str | None = None,
        *,
        limits: Limits = UNLIMITED,
        threads: int | None = 1,
    ) -> None:
        self.puzzle: Puzzle = as_puzzle(puzzle)
        name, options = _name_and_options(solver)
        _limits_request(limits)  # checks the type
        spend = (limits.seconds, limits.nodes, limits.memory, limits.moves)
        # The thread must not keep the search alive: it knows only the parts.
        self._job = _Job()
        search = partial(
            _native.search, self.puzzle, self._job.token, name, options, spend, threads
        )
        self._finalizer = weakref.finalize(self, self._job.token.cancel)
        thread = threading.Thread(
            target=self._job.run, args=(search, self.puzzle), name="ricochet-search", daemon=True
        )
        _RUNNING[self._job] = thread
        thread.start()

    @property
    def progress(self) -> SearchProgress:
        """How far it is."""
        return self._job.progress()

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self._job.future.done()

    def cancel(self) -> None:
        """Ends the search soon. Its result has the lower bound proved so far."""
        self._job.token.cancel()

    def result(self, timeout: float | None = None) -> SolveResult:
        """Waits for the end, at most ``timeout`` seconds; then it raises :class:`TimeoutError` and the search goes
        on. Ctrl-C ends the waiting, not the search."""
        try:
            return self._job.future.result(timeout)
        except TimeoutError:
            raise
        except Exception as error:
            # concurrent.futures had a TimeoutError of its own before Python 3.11.
            if type(error).__name__ == "TimeoutError":
                raise TimeoutError from None
            raise

    async def _wait(self) -> SolveResult:
        try:
            # The future belongs to the search, so the awaiting task must not cancel it.
            return await asyncio.shield(asyncio.wrap_future(self._job.future))
        except asyncio.CancelledError:
            self.cancel()
            raise

    def __await__(self) -> Generator[Any, None, SolveResult]:
        return self._wait().__await__()

    async def updates(self, interval: float = 0.1) -> AsyncIterator[SearchProgress]:
        """The progress whenever a depth is finished, looked up every ``interval`` seconds, and once at the end."""
        seen = -1
        while not self.done:
            now = self.progress
            if len(now.rows) != seen:
                seen = len(now.rows)
                yield now
            await asyncio.sleep(interval)
        yield self.progress

    def __enter__(self) -> Search:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cancel()

    def __repr__(self) -> str:
        state = "done" if self.done else f"at least {self.progress.lower_bound} moves"
        return f"<Search of {self.puzzle.line}: {state}>"


class _Job:
    """What the thread of a search works on."""

    def __init__(self) -> None:
        self.token = CancelToken()
        self.future: Future[SolveResult] = Future()
        self.future.set_running_or_notify_cancel()
        self.rows: list[DepthRow] = []
        self.started = time.monotonic()
        self.ended: float | None = None

    def run(self, search: Callable[..., tuple[Any, ...]], puzzle: Puzzle) -> None:
        try:
            row = search(progress=lambda it: self.rows.append(DepthRow(*it)))
            result = _result(puzzle, row)
        except BaseException as error:
            self.ended = time.monotonic()
            self.future.set_exception(error)
        else:
            self.ended = time.monotonic()
            self.future.set_result(result)
        finally:
            _RUNNING.pop(self, None)

    def progress(self) -> SearchProgress:
        rows = tuple(self.rows)
        lower_bound = rows[-1].depth + 1 if rows else 0
        if self.future.done() and self.future.exception() is None:
            lower_bound = self.future.result().lower_bound or lower_bound
        seconds = (self.ended or time.monotonic()) - self.started
        return SearchProgress(lower_bound, sum(row.nodes for row in rows), seconds, rows)


#: Threads that search. They are daemons, so that a program can end, but none may be left inside the engine.
_RUNNING: dict[_Job, threading.Thread] = {}


@atexit.register
def _cancel_all() -> None:
    for job, thread in list(_RUNNING.items()):
        job.token.cancel()
        thread.join(10)


def start(
    puzzle: PuzzleLike,
    solver: Solver | str | None = None,
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = 1,
) -> Search:
    """Begins to solve a puzzle in the background: see :class:`Search`. The arguments are those of
    :func:`solve`."""
    return Search(puzzle, solver, limits=limits, threads=threads)
