"""Puzzles as arrays."""

from __future__ import annotations

import numpy as np
import pytest

import ricochet_engine as rr
from ricochet_engine import Puzzle


def test_arrays_come_back(corpus) -> None:
    for file in ("official/random.jsonl", "five-robots.jsonl", "diagonals.jsonl"):
        by_shape: dict[tuple[int, int, int], list[Puzzle]] = {}
        for puzzle in rr.read_file(corpus / file):
            shape = (puzzle.width, puzzle.height, len(puzzle.robots))
            by_shape.setdefault(shape, []).append(puzzle)
        for puzzles in by_shape.values():
            arrays = rr.encode(puzzles)
            again = rr.decode(arrays)
            for one, other in zip(puzzles, again, strict=True):
                assert one.robots == other.robots and one.target == other.target
                assert (one.board.walls == other.board.walls).all()
                assert one.board.diagonals == other.board.diagonals
                assert (one.target_robot, one.optimal) == (other.target_robot, other.optimal)
            for key, array in rr.encode(again).items():
                assert (array == arrays[key]).all(), key


def test_planes_say_what_is_where() -> None:
    puzzle = Puzzle("4x3..0012.R31.dsG20")
    (planes,) = rr.planes([puzzle])
    assert planes.shape == (10, 3, 4)
    assert planes[0, 0].tolist() == [1, 1, 1, 1], "the rim in the north"
    assert planes[4, 0, 2] == 2 and planes[4].sum() == 2, "a green slash"
    assert planes[6, 0, 0] == 1 and planes[7, 2, 1] == 1
    assert planes[8, 1, 3] == 1 and planes[9].sum() == 0, "only red may arrive"
    any_robot = rr.planes([puzzle.replace(any_robot=True)])[0]
    assert any_robot[8, 1, 3] == any_robot[9, 1, 3] == 1


def test_wrong_arrays_are_errors() -> None:
    with pytest.raises(rr.RequestError, match="puzzle 1 has"):
        rr.encode(["4x3..0012.R31", "8x8..00.R77"])
    with pytest.raises(rr.RequestError):
        rr.encode([])
    arrays = rr.encode(["4x3..0012.R31"])
    arrays["robots"] = arrays["robots"][:, :1].repeat(2, axis=1)
    with pytest.raises(rr.InvalidPuzzleError):
        rr.decode(arrays)
    with pytest.raises(rr.RequestError):
        rr.decode({**arrays, "target": np.zeros((2, 2), np.uint8)})
    with pytest.raises(rr.RequestError):
        rr.decode({**arrays, "target_robot": np.array([-5])})


def test_the_bad_row_is_numbered() -> None:
    arrays = rr.encode(["4x3..0012.R31", "4x3..0012.R31"])
    crowded = {**arrays, "robots": arrays["robots"].copy()}
    crowded["robots"][1] = 0
    with pytest.raises(rr.InvalidPuzzleError, match="^row 1: the red and the green robot") as caught:
        rr.decode(crowded)
    assert caught.value.index == 1
    with pytest.raises(rr.RequestError, match="^row 0: there is no robot 9"):
        rr.decode({**arrays, "target_robot": [9, 0]})
