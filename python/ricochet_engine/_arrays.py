"""Puzzles as NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._checks import whole_numbers
from ._errors import RequestError
from ._native import Puzzle
from ._questions import PuzzleLike, as_puzzles


def encode(puzzles: Iterable[PuzzleLike]) -> dict[str, npt.NDArray[Any]]:
    """Puzzles of the same size and number of robots as arrays; the first axis is the puzzle:

    ``walls`` and ``diagonals`` ``(n, height, width)``: wall masks N=1, E=2, S=4, W=8; diagonals
    1 + 2 x colour + (0 for ``/``, 1 for a backslash), 0 for none. ``robots`` ``(n, robots, 2)``: x, y.
    ``target`` ``(n, 2)``, ``target_robot`` ``(n,)``: -1 for any. ``must_ricochet``, ``optimum`` (-1
    if unknown). Names and printed targets are left out.
    """
    return _native.encode(as_puzzles(puzzles))


def decode(arrays: Mapping[str, npt.ArrayLike]) -> list[Puzzle]:
    """The inverse of :func:`encode`. ``diagonals``, ``must_ricochet`` and ``optimum`` may be missing."""
    missing = [key for key in ("walls", "robots", "target", "target_robot") if key not in arrays]
    if missing:
        raise RequestError(f"the array '{missing[0]}' is missing")
    walls = whole_numbers(arrays["walls"], "walls", np.uint8, (None, None, None))
    n, height, width = walls.shape
    no_diagonals, unknown = np.zeros_like(walls), np.full(n, -1)
    rules = np.asarray(arrays.get("must_ricochet", np.zeros(n, bool)))
    if rules.dtype != np.bool_ or rules.shape != (n,):
        found = f"dtype {rules.dtype} of shape {rules.shape}"
        raise TypeError(f"must_ricochet: expected an array of bool of shape ({n},), found {found}")
    return _native.decode(
        walls,
        whole_numbers(arrays.get("diagonals", no_diagonals), "diagonals", np.uint8, (n, height, width)),
        whole_numbers(arrays["robots"], "robots", np.uint8, (n, None, 2)),
        whole_numbers(arrays["target"], "target", np.uint8, (n, 2)),
        whole_numbers(arrays["target_robot"], "target_robot", np.int8, (n,)),
        rules,
        whole_numbers(arrays.get("optimum", unknown), "optimum", np.int32, (n,)),
    )


def planes(puzzles: Iterable[PuzzleLike]) -> npt.NDArray[np.uint8]:
    """Observation planes ``(n, 6 + 2 x robots, height, width)``: walls N E S W, diagonals ``/`` and
    backslash (1 + colour), one plane for each robot, one for the target of each robot (all of them
    if any robot may reach it)."""
    return _native.planes(as_puzzles(puzzles))
