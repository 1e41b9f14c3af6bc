"""Questions to the engine: solve, hint, explain, rate, distances, generate and others."""

from __future__ import annotations

import json
import os
import random
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _native
from ._answers import (
    AllSolutions,
    DistanceMap,
    Explanation,
    FormatInfo,
    Hint,
    Outcome,
    Parameter,
    Rating,
    SolveResult,
    SolverInfo,
    Trace,
)
from ._checks import whole_number
from ._errors import FormatWarning, RequestError, RicochetError
from ._native import Move, Position, Puzzle, Solution
from .solvers import Solver

#: A puzzle, a position being played, or text in any format.
PuzzleLike = Puzzle | Position | str
#: Moves: a solution, text such as ``"GE RE RS"``, or any iterable of moves.
MovesLike = Solution | str | Iterable[Move | str]

#: The robots in the order of their numbers.
COLORS = ("red", "green", "blue", "yellow", "silver", "orange", "purple", "cyan")
LETTERS = "RGBYWOPC"


@dataclass(frozen=True)
class Limits:
    """What a search may use; None means unlimited. By default a search may use the memory that the system
    has free."""

    #: wall-clock time
    seconds: float | None = None
    #: positions generated: the same search on every machine
    nodes: int | None = None
    #: bytes, of all threads together
    memory: int | None = None
    #: the longest solution to look for
    moves: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not isinstance(self.seconds, (int, float)):
            found = type(self.seconds).__name__
            raise TypeError(f"seconds: expected a float, found '{found}'")
        if self.seconds is not None and not 0 <= self.seconds < 2**32:
            raise RequestError(f"seconds: {self.seconds} is not a time limit")
        for name, most in (("nodes", 2**63), ("memory", 2**63), ("moves", 2**32 - 1)):
            value = getattr(self, name)
            if value is not None:
                whole_number(value, name, 0, most)

    def request(self) -> dict[str, int]:
        """The fields of a request to the service."""
        every = {
            "ms": None if self.seconds is None else max(0, round(self.seconds * 1000)),
            "nodes": self.nodes,
            "memory_mib": None if self.memory is None else self.memory >> 20,
            "moves": self.moves,
        }
        return {key: value for key, value in every.items() if value is not None}


UNLIMITED = Limits()


def _limits_request(limits: Limits) -> dict[str, int]:
    if not isinstance(limits, Limits):
        found = type(limits).__name__
        raise TypeError(f"limits: expected Limits, such as Limits(seconds=1), found '{found}'")
    return limits.request()


def as_puzzle(given: PuzzleLike) -> Puzzle:
    """Converts to a puzzle: text is read, and a position starts from its current state."""
    if isinstance(given, Puzzle):
        return given
    if isinstance(given, Position):
        return given.to_puzzle()
    if not isinstance(given, str):
        found = type(given).__name__
        raise TypeError(f"expected a Puzzle, a Position or text, found '{found}'")
    return Puzzle(given)


def as_puzzles(given: Iterable[PuzzleLike]) -> list[Puzzle]:
    """Converts to puzzles. The ``index`` of an error is the number of the wrong one, from 0."""
    if isinstance(given, (str, Puzzle, Position)):
        found = type(given).__name__
        raise TypeError(f"expected several puzzles, such as a list, found one '{found}'")
    puzzles = []
    for index, item in enumerate(given):
        try:
            puzzles.append(as_puzzle(item))
        except RicochetError as error:
            raise error.at(index) from None
        except TypeError as error:
            raise TypeError(f"puzzle {index}: {error}") from None
    return puzzles


def moves_text(moves: MovesLike) -> str:
    """Moves as text, such as ``"GE RE RS"``."""
    return str(moves if isinstance(moves, (Solution, str)) else Solution(moves))


def ask(
    question: str,
    *,
    threads: int | None = None,
    progress: Callable[[Mapping[str, Any]], object] | None = None,
    **fields: Any,
) -> Any:
    """Asks any question of the server's API, such as ``ask("compare", puzzle=..., solvers=[...])``, and
    returns the JSON answer as Python objects."""
    request = {key: value for key, value in fields.items() if value is not None}
    puzzle = None
    if isinstance(request.get("puzzle"), (Puzzle, Position)):
        puzzle = as_puzzle(request.pop("puzzle"))
    report = None if progress is None else lambda text: progress(json.loads(text))
    text = json.dumps({"ask": question, **request})
    return json.loads(_native.ask(text, threads, report, puzzle))


def _ask_each(
    requests: Sequence[Mapping[str, Any]],
    threads: int | None,
    progress: Callable[[int], object] | None,
    *,
    puzzles: Sequence[Puzzle] | None = None,
    numbered: bool = True,
) -> list[Any]:
    texts = [json.dumps(request) for request in requests]
    answers = []
    for index, (text, error) in enumerate(_native.ask_many(texts, threads, progress, puzzles)):
        if isinstance(error, RicochetError) and numbered:
            raise error.at(index) from None
        if error is not None:
            raise error
        assert text is not None
        answers.append(json.loads(text))
    return answers


def read(text: str, format: str | None = None, *, droid_diagonals: bool = False) -> list[Puzzle]:
    """All puzzles of a text in any format."""
    return _native.read(text, format, droid_diagonals=droid_diagonals)


def read_file(path: str | os.PathLike[str], format: str | None = None) -> list[Puzzle]:
    """All puzzles of a file."""
    with open(path, encoding="utf-8", newline="") as file:
        return read(file.read(), format)


def write(puzzle: PuzzleLike, format: str, *, droid_diagonals: bool = False) -> str:
    """Writes a puzzle in a format. If the format leaves something out, there is a :class:`FormatWarning`;
    if it cannot express the puzzle, an :class:`UnsupportedError`."""
    text, notes = as_puzzle(puzzle).write(format, droid_diagonals=droid_diagonals)
    for note in notes:
        warnings.warn(note, FormatWarning, stacklevel=2)
    return text


def formats() -> list[FormatInfo]:
    """The formats that can be read and written."""
    return [FormatInfo(**row) for row in ask("formats")["formats"]]


def registry() -> list[SolverInfo]:
    """The solvers of the registry."""
    return [
        SolverInfo(
            **{**row, "parameters": tuple(Parameter(**it) for it in row["parameters"])}
        )
        for row in ask("solvers")["solvers"]
    ]


def _name_and_options(solver: Solver | str | None) -> tuple[str | None, list[tuple[str, str]]]:
    if isinstance(solver, Solver):
        return solver.name, solver.options()
    if solver is not None and not isinstance(solver, str):
        found = solver.__name__ if isinstance(solver, type) else type(solver).__name__
        raise TypeError(f"solver: expected a name or a solver such as Iddfs(), found '{found}'")
    return solver, []


_OUTCOMES = {outcome.value: outcome for outcome in Outcome}


def _result(puzzle: Puzzle, row: tuple[Any, ...]) -> SolveResult:
    # Called for each of many puzzles: positional arguments are faster than keywords.
    solver, outcome, solution, optimal, lower_bound, limit, failure, claimed, stats = row
    return SolveResult(
        puzzle, solver, _OUTCOMES[outcome], solution, optimal, lower_bound, limit, failure, claimed, stats
    )


def solve_many(
    puzzles: Iterable[PuzzleLike],
    solver: Solver | str | None = None,
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> list[SolveResult]:
    """Solves puzzles on all cores and returns the results in order.

    The interpreter lock is released, Ctrl-C works, and ``progress`` is called with the number of results
    so far. The default is the fastest solver, which builds a table if many puzzles share a board and
    goal.
    """
    asked = as_puzzles(puzzles)
    name, options = _name_and_options(solver)
    _limits_request(limits)  # checks the type
    native_limits = (limits.seconds, limits.nodes, limits.memory, limits.moves)
    rows = _native.solve_many(asked, name, options, native_limits, threads, progress)
    return [_result(puzzle, row) for puzzle, row in zip(asked, rows, strict=True)]


def solve(
    puzzle: PuzzleLike,
    solver: Solver | str | None = None,
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = 1,
) -> SolveResult:
    """Solves a puzzle. With one thread the result is always the same; ``threads=None`` uses all cores."""
    return solve_many([as_puzzle(puzzle)], solver, limits=limits, threads=threads)[0]


def all_solutions(
    puzzle: PuzzleLike,
    *,
    max: int = 100,
    prefer: str | None = None,
    group: bool = False,
    limits: Limits = UNLIMITED,
) -> AllSolutions:
    """Counts all shortest solutions and lists up to ``max`` of them."""
    answer = ask(
        "all", puzzle=puzzle, max=max, prefer=prefer, group=group, limits=_limits_request(limits)
    )
    groups = answer.get("groups")
    return AllSolutions(
        outcome=Outcome(answer["outcome"]),
        length=answer["length"],
        lower_bound=answer["lower_bound"],
        count=answer.get("solutions"),
        solutions=tuple(Solution(moves) for moves in answer.get("all") or ()),
        sizes=None if groups is None else tuple(it["size"] for it in groups),
        limit=answer.get("limit") or answer.get("all_limit"),
    )


def hint(
    puzzle: PuzzleLike, level: Literal[1, 2, 3, 4] = 1, *, limits: Limits = UNLIMITED
) -> Hint:
    """A hint. Level 1 gives a rough length, 2 the length, 3 the robots that move, 4 the first move."""
    answer = ask("hint", puzzle=puzzle, level=level, limits=_limits_request(limits))
    first = answer["first_move"]
    robots = answer["robots"]
    return Hint(
        outcome=Outcome(answer["outcome"]),
        level=answer["level"],
        sentences=tuple(answer["sentences"]),
        under=answer["under"],
        length=answer["length"],
        robots=None if robots is None else tuple(robots),
        first_robot=answer["first_robot"],
        first_move=None if first is None else Move(first),
        lower_bound=answer["lower_bound"],
    )


def explain(
    puzzle: PuzzleLike, moves: MovesLike | None = None, *, limits: Limits = UNLIMITED
) -> Explanation:
    """Explains a solution in sentences: the given one, or a shortest one."""
    answer = ask(
        "explain",
        puzzle=puzzle,
        moves=None if moves is None else moves_text(moves),
        limits=_limits_request(limits),
    )
    solution = answer["moves"]
    return Explanation(
        outcome=Outcome(answer["outcome"]),
        task=answer["task"],
        summary=answer["summary"],
        solution=None if solution is None else Solution(solution),
        sentences=tuple(answer["sentences"]),
        helpers=tuple(answer["helpers"]),
        lower_bound=answer["lower_bound"],
    )


def _rating(answer: Mapping[str, Any]) -> Rating:
    return Rating(**{key: value for key, value in answer.items() if key != "id"})


def rate(puzzle: PuzzleLike, *, limits: Limits = UNLIMITED) -> Rating:
    """Rates how hard a puzzle is for people."""
    return _rating(ask("rate", puzzle=puzzle, limits=_limits_request(limits)))


def rate_many(
    puzzles: Iterable[PuzzleLike],
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> list[Rating]:
    """Rates puzzles on all cores."""
    asked = as_puzzles(puzzles)
    requests = [{"ask": "rate", "limits": _limits_request(limits)}] * len(asked)
    answers = _ask_each(requests, threads, progress, puzzles=asked)
    return [_rating(answer) for answer in answers]


def trace(
    puzzle: PuzzleLike,
    solver: Solver | str | None = None,
    *,
    events: int = 20_000,
    limits: Limits = UNLIMITED,
) -> Trace:
    """Every step of a search. At most ``events`` events are kept, the first ones; all are counted, as the
    solver's own statistics count."""
    name, options = _name_and_options(solver)
    answer = ask(
        "trace",
        puzzle=puzzle,
        solver=name,
        options=dict(options),
        events=whole_number(events, "events", 0, 2**53),
        limits=_limits_request(limits),
    )
    result = answer["result"]
    moves = result["moves"]
    return Trace(
        outcome=Outcome(result["outcome"]),
        solution=None if moves is None else Solution(moves),
        stats=answer["stats"],
        counts=answer["counts"],
        prunes=answer["prunes"],
        total=answer["total"],
        events=tuple(answer["events"]),
    )


def distances(
    puzzle: PuzzleLike,
    robot: str | None = None,
    *,
    all_robots: bool = False,
    max_moves: int | None = None,
    limits: Limits = UNLIMITED,
) -> list[DistanceMap]:
    """How many moves a robot needs to reach each cell with the help of the others: the goal's robot, the
    named one, or all."""
    answer = ask(
        "distances",
        puzzle=puzzle,
        robot=robot,
        all_robots=all_robots,
        max_moves=max_moves,
        limits=_limits_request(limits),
    )
    shape = (answer["height"], answer["width"])
    return [
        DistanceMap(
            robot=it["robot"],
            cells=np.array([-2 if n is None else n for n in it["cells"]], np.int32).reshape(shape),
            more_than=it.get("more_than"),
            limit=it.get("limit"),
        )
        for it in answer["robots"]
    ]


def overlay(
    puzzle: PuzzleLike,
    kind: Literal["min-moves", "critical", "critical-positions", "cross-block", "reach"],
    *,
    robot: str | None = None,
    degree: int | None = None,
) -> npt.NDArray[np.int32]:
    """A number for each cell; -1 for cells without one."""
    answer = ask("overlay", puzzle=puzzle, kind=kind, robot=robot, degree=degree)
    values = [-1 if value is None else value for value in answer["values"]]
    return np.array(values, np.int32).reshape(answer["height"], answer["width"])


@dataclass(frozen=True)
class PuzzleFilter:
    """The properties of generated puzzles: board, robots, goal, and solution."""

    layout: str | None = None
    edition: Literal["1999", "2003", "2013"] | None = None
    size: tuple[int, int] | None = None
    diagonals: int | None = None
    robots: int | None = None
    who: str | None = None
    any_cell: bool = False
    must_ricochet: bool = False
    #: fewest and most moves of a shortest solution
    moves: tuple[int, int] | None = None
    unique: bool = False
    robots_used: int | None = None
    difficulty: Literal["easy", "medium", "hard", "expert"] | None = None
    #: lowest and highest rating
    rating: tuple[int, int] | None = None
    #: themes that all shortest solutions must have
    themes: tuple[str, ...] = ()

    def request(self) -> dict[str, Any]:
        """The fields of a request to the service."""
        every = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {key: value for key, value in every.items() if value not in (None, False, ())}


def candidates(
    numbers: Iterable[int],
    seed: int,
    filter: PuzzleFilter = PuzzleFilter(),
    *,
    rate: bool = False,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
) -> list[tuple[int, Puzzle | None, Rating | None]]:
    """Tests the candidates with these numbers. Each comes with its puzzle if it matches the filter. A
    candidate depends only on the filter, the seed and its number, and is the same on every machine."""
    fixed = {"ask": "generate", "seed": seed, "candidates": 1, "rate": rate, **filter.request()}
    asked = list(numbers)
    requests = [{**fixed, "number": number, "limits": _limits_request(limits)} for number in asked]
    rows = []
    # An error is about the filter, not about one candidate.
    answers = _ask_each(requests, threads, None, numbered=False)
    for number, answer in zip(asked, answers, strict=True):
        puzzle = answer["puzzle"]
        rating = answer["rating"]
        rows.append(
            (
                number,
                None if puzzle is None else Puzzle(puzzle["line"]),
                None if rating is None else _rating(rating),
            )
        )
    return rows


def generated(
    seed: int, filter: PuzzleFilter = PuzzleFilter(), *, start: int = 0, threads: int | None = None
) -> Iterator[Puzzle]:
    """An endless stream of puzzles that match the filter, in the order of their numbers."""
    batch = 32
    while True:
        for _, puzzle, _ in candidates(range(start, start + batch), seed, filter, threads=threads):
            if puzzle is not None:
                yield puzzle
        start += batch


class Generated(list[Puzzle]):
    """A list of generated puzzles with statistics. ``tried`` is the number of tested candidates.
    ``tables`` is the number of tables of all positions of a board and target that were built; puzzles
    drawn from them are last and have a T in their names."""

    seed: int
    tried: int
    tables: int

    def __init__(self, puzzles: Iterable[Puzzle], *, seed: int, tried: int, tables: int) -> None:
        super().__init__(puzzles)
        self.seed, self.tried, self.tables = seed, tried, tables

    def __reduce__(self) -> tuple[Any, ...]:
        return _generated, (list(self), self.seed, self.tried, self.tables)


def _generated(puzzles: list[Puzzle], seed: int, tried: int, tables: int) -> Generated:
    return Generated(puzzles, seed=seed, tried=tried, tables=tables)


def generate(
    count: int = 1,
    seed: int | None = None,
    *,
    start: int = 0,
    patience: int = 1_000_000,
    threads: int | None = None,
    **options: Any,
) -> Generated:
    """Generates puzzles. The same seed always gives the same ones, here and on the command line.

    ``options`` are the fields of :class:`PuzzleFilter`. Candidates are tested on all cores. Long puzzles are
    rare; if testing would cost more, they are drawn from tables of all positions of a board and target. After
    ``patience`` candidates in a row that do not match, it raises :class:`RequestError`.
    """
    seed = random.SystemRandom().randrange(1_000_000_000) if seed is None else seed
    numbers = {"count": count, "seed": seed, "start": start, "patience": patience}
    for name, value in numbers.items():
        whole_number(value, name, 0, 2**64 - 1)
    unknown = [name for name in options if name not in PuzzleFilter.__dataclass_fields__]
    if unknown:
        known = list(PuzzleFilter.__dataclass_fields__)
        # The command line calls the number of moves the length.
        near = ["moves"] if unknown[0] == "length" else get_close_matches(unknown[0], known, 1)
        hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(known)}"
        raise TypeError(f"generate() has no option '{unknown[0]}': {hint}")
    request = json.dumps({"ask": "generate", **PuzzleFilter(**options).request()})
    puzzles, tried, tables, limit = _native.generate(
        request, seed, start, count, patience, threads
    )
    if limit == "candidate limit":
        raise RequestError(f"gave up: {patience} candidates in a row do not match")
    if limit is not None:
        raise RequestError(f"gave up: {limit}")
    return Generated(puzzles, seed=seed, tried=tried, tables=tables)
