"""The solvers of the registry with their options.

::

    solve(puzzle, Iddfs(memo=False))

A solver can also be given as text, such as ``"iddfs:memo=off"``. A test compares these classes with the
registry.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, Literal


@dataclass(frozen=True)
class Solver:
    """A solver and its options."""

    name: ClassVar[str]

    def options(self) -> list[tuple[str, str]]:
        """The options in the form that the registry reads."""
        pairs = []
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool):
                value = "on" if value else "off"
            pairs.append((field.name.replace("_", "-"), str(value)))
        return pairs


@dataclass(frozen=True)
class Flagship(Solver):
    """The fastest optimal solver."""

    name = "flagship"
    #: ``off`` uses the portable code
    simd: Literal["auto", "off"] = "auto"
    #: look for the target one layer ahead instead of generating that layer
    lookahead: bool = True
    #: in large searches, count the helper moves needed to stop the goal robot
    plans: bool = True
    #: threads for a large search
    threads: int = 1


@dataclass(frozen=True)
class Iddfs(Solver):
    """The iterative deepening of Fogleman's slides: optimal."""

    name = "iddfs"
    #: prune positions already searched to an equal or greater depth
    memo: bool = True
    #: sort the interchangeable robots in the memo's keys
    sort: bool = True
    #: prune by the minimum-moves map
    bound: bool = True


@dataclass(frozen=True)
class IddfsBounded(Solver):
    """Iterative deepening that starts with an upper bound: optimal."""

    name = "iddfs-bounded"


@dataclass(frozen=True)
class Naive(Solver):
    """The breadth-first search of the Ricochet Robots thesis: optimal."""

    name = "naive"


@dataclass(frozen=True)
class Stateless(Solver):
    """The stateless search of the Ricochet Robots thesis."""

    name = "stateless"
    #: report the published claims instead of playable moves
    published: bool = False


@dataclass(frozen=True)
class Subgoals(Solver):
    """Recursive subgoals, each an interaction of two robots (Hůla, Adamczyk and Janota)."""

    name = "subgoals"
    #: maximum number of interactions in a plan
    interactions: int = 2


@dataclass(frozen=True)
class GraphV1(Solver):
    """The first graph search of the Ricochet Robots thesis."""

    name = "graph-v1"


@dataclass(frozen=True)
class GraphV2(Solver):
    """The second graph search of the Ricochet Robots thesis."""

    name = "graph-v2"


@dataclass(frozen=True)
class GraphBounded(Solver):
    """The graph search with bounds."""

    name = "graph-bounded"


@dataclass(frozen=True)
class GraphComplete(Solver):
    """The graph search made complete."""

    name = "graph-complete"


@dataclass(frozen=True)
class Bfs(Solver):
    """The breadth-first search of the AI in Games report."""

    name = "bfs"
    #: whether to search positions again that were seen before
    duplicates: Literal["keep", "drop"] = "keep"


@dataclass(frozen=True)
class Dfs(Solver):
    """The depth-first search of the AI in Games report."""

    name = "dfs"
    #: maximum number of moves
    depth: int = 10


@dataclass(frozen=True)
class SingleColor(Solver):
    """Moves only one robot."""

    name = "single-color"
    #: maximum number of moves of the single colour search
    color_depth: int = 10


@dataclass(frozen=True)
class _SetupSolver(Solver):
    #: maximum number of moves of a setup
    setup_depth: int = 4
    #: maximum number of moves of the single colour search
    color_depth: int = 10


@dataclass(frozen=True)
class SetupBfs(_SetupSolver):
    """The breadth-first search with setups of the AI in Games report."""

    name = "setup-bfs"


@dataclass(frozen=True)
class SetupDfs(_SetupSolver):
    """The depth-first search with setups of the AI in Games report."""

    name = "setup-dfs"


@dataclass(frozen=True)
class SetupPosition(_SetupSolver):
    """Setups towards critical positions."""

    name = "setup-position"
    #: highest degree of critical paths
    degree: int = 3


@dataclass(frozen=True)
class SetupCrossblock(_SetupSolver):
    """Setups towards cross block positions."""

    name = "setup-crossblock"
    #: highest degree of critical paths
    degree: int = 3


@dataclass(frozen=True)
class TablebaseSolver(Solver):
    """Looks the answer up in a table of all states."""

    name = "tablebase"
    #: the file of the table; without one, the table is built
    file: str = ""
    #: the most mebibytes of unpacked blocks
    memory: int = 64
    #: threads that build the table
    threads: int = 1


ALL: tuple[type[Solver], ...] = (
    Flagship, Iddfs, IddfsBounded, Naive, Stateless, Subgoals, GraphV1, GraphV2, GraphBounded,
    GraphComplete, Bfs, Dfs, SingleColor, SetupBfs, SetupDfs, SetupPosition, SetupCrossblock,
    TablebaseSolver,
)  # fmt: skip
