"""Ricochet Robots: the rules, all common formats, optimal solvers and exact tables.

    >>> from ricochet_engine import Puzzle, solve
    >>> puzzle = Puzzle("4x3..0012.R31")
    >>> solve(puzzle).solution
    Solution('RE GE RS')

Further modules: :mod:`ricochet_engine.solvers` (options), :mod:`ricochet_engine.table` (data sets),
:mod:`ricochet_engine.env` (Gymnasium), :mod:`ricochet_engine.multiplayer` (PettingZoo),
:mod:`ricochet_engine.reasoning` (tasks for language models),
:mod:`ricochet_engine.planning` (PDDL and ASP), :mod:`ricochet_engine.ray` (clusters).
"""

from __future__ import annotations

from collections.abc import Sequence

from ._answers import (
    AllSolutions,
    DepthRow,
    DistanceMap,
    Explanation,
    FormatInfo,
    Hint,
    Outcome,
    Parameter,
    Rating,
    SolveResult,
    SolverInfo,
    Stats,
    Trace,
)
from ._arrays import decode, encode, planes
from ._errors import (
    DamagedFileError,
    FormatWarning,
    IllegalMoveError,
    InternalError,
    InvalidPuzzleError,
    LimitError,
    Problem,
    PuzzleError,
    RequestError,
    RicochetError,
    TooLargeError,
    UnreadableError,
    UnsupportedError,
)
from ._native import Board, Move, Position, Puzzle, Solution, Tablebase, __version__
from ._questions import (
    Generated,
    Limits,
    PuzzleFilter,
    all_solutions,
    ask,
    candidates,
    distances,
    explain,
    formats,
    generate,
    generated,
    hint,
    overlay,
    rate,
    rate_many,
    read,
    read_file,
    registry,
    solve,
    solve_many,
    trace,
    write,
)
from ._search import Search, SearchProgress, start
from .picture import Picture, picture

# The extension's class has all methods of a sequence; this makes `isinstance` say so.
Sequence.register(Solution)

__all__ = [
    "AllSolutions", "Board", "DamagedFileError", "DepthRow", "DistanceMap", "Explanation",
    "FormatInfo", "FormatWarning", "Generated", "Hint", "IllegalMoveError", "InternalError",
    "InvalidPuzzleError", "LimitError", "Limits", "Move", "Outcome", "Parameter", "Picture",
    "Position", "Problem", "Puzzle", "PuzzleError", "PuzzleFilter", "Rating", "RequestError",
    "RicochetError", "Search", "SearchProgress", "Solution", "SolveResult", "SolverInfo", "Stats", "Tablebase",
    "TooLargeError", "Trace", "UnreadableError", "UnsupportedError", "__version__",
    "all_solutions", "ask",
    "candidates", "decode", "distances", "encode", "explain", "formats", "generate", "generated",
    "hint", "overlay", "picture", "planes", "rate", "rate_many", "read", "read_file", "registry",
    "solve", "solve_many", "start", "trace", "write",
]  # fmt: skip
