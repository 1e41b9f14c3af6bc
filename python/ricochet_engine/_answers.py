"""The answers to questions, with the same fields as the command line's ``--json`` and the server's API."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from ._native import Move, Puzzle, Solution

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .picture import Picture


class Outcome(str, Enum):
    """How a search ended. Only ``SOLVED`` has a solution."""

    #: A solution was found; ``optimal`` says whether it is proved to be a shortest one.
    SOLVED = "solved"
    #: It is proved that there is no solution.
    UNSOLVABLE = "unsolvable"
    #: A limit ended the search; ``lower_bound`` is proved.
    LIMIT = "limit"
    #: The solver gave up or does not support the puzzle. That proves nothing.
    FAILED = "failed"

    def __str__(self) -> str:
        return self.value


def _without_solution(outcome: Outcome, lower_bound: int | None) -> str:
    """A sentence for an answer without a solution."""
    if outcome == Outcome.UNSOLVABLE:
        return "It cannot be solved."
    if outcome == Outcome.LIMIT and lower_bound is not None:
        return f"A limit ended the search. It needs at least {lower_bound} moves."
    return "No solution was found."


class DepthRow(NamedTuple):
    """The work at one depth of a search."""

    depth: int
    nodes: int
    inner: int
    hits: int


@dataclass(frozen=True)
class Stats:
    """The cost of a search."""

    nodes: int
    inner: int
    hits: int
    expanded: int
    generated: int
    stored: int
    peak_bytes: int
    claimed: int | None
    seconds: float
    rows: tuple[DepthRow, ...]


@dataclass(frozen=True)
class SolveResult:
    """The answer of a solver."""

    puzzle: Puzzle
    solver: str
    outcome: Outcome
    solution: Solution | None
    #: whether it is proved that no solution is shorter
    optimal: bool
    #: no solution has fewer moves than this; None if there is no solution
    lower_bound: int | None
    #: the limit that ended the search
    limit: str | None
    #: why the solver failed
    failure: str | None
    #: the length that the solver claims if its moves cannot be replayed
    claimed: int | None
    #: the fields of ``stats``, which is built on access
    raw_stats: tuple[Any, ...] = field(repr=False, hash=False)

    @property
    def stats(self) -> Stats:
        """The cost of the search."""
        *numbers, rows = self.raw_stats
        fields: dict[str, Any] = dict(zip(Stats.__dataclass_fields__, numbers, strict=False))
        return Stats(**fields, rows=tuple(map(DepthRow._make, rows)))

    @property
    def length(self) -> int | None:
        """The number of moves; None without a solution."""
        return None if self.solution is None else len(self.solution)

    @property
    def is_solved(self) -> bool:
        """Whether there is a solution."""
        return self.outcome is Outcome.SOLVED

    def picture(self, **options: object) -> Picture:
        """The puzzle with the solution drawn on it."""
        from .picture import picture

        return picture(self.puzzle, self.solution, **options)  # type: ignore[arg-type]

    def _repr_svg_(self) -> str:
        return self.picture().svg


@dataclass(frozen=True)
class AllSolutions:
    """All shortest solutions."""

    outcome: Outcome
    length: int | None
    lower_bound: int | None
    #: how many there are; None if a limit ended the count
    count: int | None
    #: the listed ones
    solutions: tuple[Solution, ...]
    #: with ``group``: how many orders of the same moves each one stands for
    sizes: tuple[int, ...] | None
    #: the limit that ended the search or cut the list short
    limit: str | None


@dataclass(frozen=True)
class Hint:
    """A hint; fields that its level does not reveal are None."""

    outcome: Outcome
    level: int
    sentences: tuple[str, ...]
    under: int | None
    length: int | None
    robots: tuple[str, ...] | None
    first_robot: str | None
    first_move: Move | None
    lower_bound: int | None

    def __str__(self) -> str:
        return "\n".join(self.sentences) or _without_solution(self.outcome, self.lower_bound)


@dataclass(frozen=True)
class Explanation:
    """A solution in sentences."""

    outcome: Outcome
    task: str
    summary: str | None
    solution: Solution | None
    sentences: tuple[str, ...]
    helpers: tuple[str, ...]
    lower_bound: int | None

    def __str__(self) -> str:
        if not self.sentences and self.outcome != Outcome.SOLVED:
            return f"{self.task}\n{_without_solution(self.outcome, self.lower_bound)}"
        numbered = [f"{n}. {it}" for n, it in enumerate(self.sentences, 1)]
        lines = [self.task, self.summary, *numbered, *self.helpers]
        return "\n".join(line for line in lines if line)


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is for people."""

    #: ``solved`` if it is rated; otherwise ``unproven``, ``unsolvable``, ``limit`` or ``failed``
    outcome: str
    #: ``easy``, ``medium``, ``hard`` or ``expert``
    difficulty: str | None
    #: on the scale of players' ratings, from simulated players
    rating: int | None
    #: by how much different kinds of simulated players disagree
    deviation: int | None
    length: int | None
    #: how many move sequences have this length
    solutions: int | None
    #: the fewest robots that move in any of them
    robots: int | None
    #: the fewest moves of robots other than the one that reaches the goal
    helper_moves: int | None
    #: the fewest moves if robots could stop anywhere
    free_moves: int | None
    legal_moves: int | None
    #: those of them that shortest solutions begin with
    first_moves: int | None
    #: the fewest positions from which only one move keeps a solution shortest
    only_moves: int | None
    #: groups of solutions that differ only in the order of independent moves; this and the rest is
    #: ``None`` if there are more than 1,000 shortest solutions
    groups: int | None
    #: moves that all shortest solutions begin with
    common_moves: int | None
    #: how deep the moves depend on each other, at least
    dependency_depth: int | None
    moves_away: int | None
    reversals: int | None
    passes: int | None
    robot_stops: int | None
    #: the themes of all shortest solutions
    themes: list[str] | None
    #: the themes of some of them, with the number of these
    some_themes: dict[str, int] | None
    #: the puzzle on one line
    puzzle: str
    solution: str | None


@dataclass(frozen=True, eq=False)
class DistanceMap:
    """How many moves a robot needs to reach each cell."""

    robot: str
    #: moves by row and column; -1: the robot provably cannot stop there, -2: unknown
    cells: npt.NDArray[np.int32]
    #: unknown cells are farther than this
    more_than: int | None
    limit: str | None

    # Arrays have no single truth value, so the generated comparison would fail.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DistanceMap):
            return NotImplemented
        same = (self.robot, self.more_than, self.limit) == (other.robot, other.more_than, other.limit)
        return same and self.cells.tolist() == other.cells.tolist()

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Parameter:
    """An option of a solver."""

    key: str
    default: str
    help: str


@dataclass(frozen=True)
class SolverInfo:
    """A solver of the registry."""

    name: str
    #: ``optimal``, ``complete`` or ``any``
    guarantee: str
    source: str
    summary: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class FormatInfo:
    """A puzzle format."""

    name: str
    summary: str
    read: bool
    write: bool
    one_line: bool


@dataclass(frozen=True)
class Trace:
    """The steps of a search. Iterating over it gives the events, each a dictionary with the keys of the
    server's API."""

    outcome: Outcome
    solution: Solution | None
    #: What the solver counted.
    stats: dict[str, int]
    #: How many events of each type there were, and how many prunings for each reason.
    counts: dict[str, int]
    prunes: dict[str, int]
    #: How many events there were; the first of them were kept.
    total: int
    events: tuple[dict[str, Any], ...] = field(repr=False)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def table(self) -> dict[str, list[Any]]:
        """The events as columns of the same length, for ``pandas.DataFrame`` or ``pyarrow.table``. A key
        that an event does not have is None."""
        names = dict.fromkeys(name for event in self.events for name in event)
        return {name: [event.get(name) for event in self.events] for name in names}
