"""The package behaves as Python's users expect: sequences, keys, sorting, pickles, drawings, missing extras."""

from __future__ import annotations

import collections.abc
import pickle
import subprocess
import sys

import numpy as np
import pytest

import ricochet_engine as rr

PUZZLE = rr.Puzzle("4x3..0012.R31")


def test_a_solution_is_a_sequence() -> None:
    moves = rr.Solution("GE RE RS RE")
    assert isinstance(moves, collections.abc.Sequence)
    listed = list(moves)
    assert list(reversed(moves)) == listed[::-1]
    assert moves.count(rr.Move("RE")) == moves.count("RE") == 2 and moves.count("BN") == 0
    assert moves.count("no move") == 0 and "no move" not in moves and "RE" in moves
    assert rr.Move("RS") in moves and rr.Move("BN") not in moves
    for value in ("GE", "RE", "RS"):
        assert moves.index(value) == listed.index(rr.Move(value))
    for start, stop in ((2, 4), (-1, 9), (-9, 2), (1, -1)):
        assert moves.index("RE", start, stop) == listed.index(rr.Move("RE"), start, stop)
    for arguments in (("BN",), ("GE", 1), ("RE", 2, 3), ("RE", 99)):
        with pytest.raises(ValueError, match="is not in the solution"):
            moves.index(*arguments)
    assert moves[:2] + moves[2:] == moves
    assert moves[:2] + "RS" + [rr.Move("RE")] == moves
    with pytest.raises((TypeError, ValueError)):
        moves + 3  # type: ignore[operator]


def test_moves_sort_as_their_actions() -> None:
    moves = [rr.Move.from_action(action) for action in (5, 0, 31, 4, 3)]
    assert [move.action for move in sorted(moves)] == [0, 3, 4, 5, 31]
    assert rr.Move("RN") < rr.Move("RE") <= rr.Move("RE") < rr.Move("GN")
    assert rr.Move("RN") != "RN" and rr.Move("RN") == rr.Move("RN")
    with pytest.raises(TypeError):
        rr.Move("RN") < 3  # type: ignore[operator]


def test_printing_draws_the_board() -> None:
    assert "+---+" in str(PUZZLE) and str(PUZZLE).splitlines()[0] == "goal: red"
    assert rr.Puzzle(str(PUZZLE)) == PUZZLE
    position = rr.Position(PUZZLE, "RE")
    assert rr.Puzzle(str(position)) == position.to_puzzle()
    strict = rr.Position("4x3..0012.R31.m", "RE")
    assert "goal: red" in str(strict) and "R |" in str(strict)
    assert eval(repr(position), vars(rr)) == position


def test_a_board_has_a_picture() -> None:
    for board in (PUZZLE.board, rr.Board("1A4B3B2B"), rr.Board("3x2."), rr.Board.from_walls(2, 2, [15] * 4)):
        assert board._repr_svg_().startswith("<svg")
    bare, printed = rr.Board("16x16."), rr.Board("1A4B3B2B")
    assert printed.targets and len(printed._repr_svg_()) > len(bare._repr_svg_())


def test_the_key_of_a_position() -> None:
    start = rr.Position(PUZZLE)
    there_and_back = rr.Position(PUZZLE, "RE RW")
    assert start != there_and_back and start.key == there_and_back.key
    assert len({start.key, there_and_back.key, rr.Position(PUZZLE, "RE").key}) == 2
    # Where turning counts, so does what was travelled.
    strict = rr.Puzzle("4x3..00.R31.m")
    assert rr.Position(strict, "RE RW").key != rr.Position(strict).key
    assert rr.Position(strict, "RE RW").key != rr.Position(strict, "RS RN").key
    assert rr.Position(strict, "RE RW RS RN").key == rr.Position(strict, "RS RN RE RW").key


def test_a_tablebase_pickles(tmp_path) -> None:
    table = rr.Tablebase.build("6x6..000511.R35", threads=1)
    table.save(tmp_path / "t.tb")
    for one in (table, rr.Tablebase.open(tmp_path / "t.tb")):
        other = pickle.loads(pickle.dumps(one))
        assert (other.histogram == table.histogram).all()
        assert other.distance("6x6..000511.R35") == table.distance("6x6..000511.R35")
        assert other.distance([(5, 5), (0, 1), (2, 2)]) == table.distance([(5, 5), (0, 1), (2, 2)])
        other.save(tmp_path / "again.tb")
        assert (tmp_path / "again.tb").read_bytes() == (tmp_path / "t.tb").read_bytes()
    with pytest.raises(rr.DamagedFileError):
        rr.Tablebase._from_bytes(b"no table")


def test_walls_have_the_shape_of_the_board() -> None:
    walls = PUZZLE.board.walls
    for given in (walls, walls.tolist(), walls.reshape(-1), walls.reshape(-1).tolist(), bytes(walls)):
        if not isinstance(given, bytes):
            assert rr.Board.from_walls(4, 3, given) == PUZZLE.board
    for given in (walls.T, walls.reshape(2, 6), walls[None], [[0, 1], [2]], walls.reshape(-1)[:5]):
        with pytest.raises((rr.RequestError, rr.InvalidPuzzleError)):
            rr.Board.from_walls(4, 3, given)
    with pytest.raises((TypeError, rr.RequestError), match="walls"):
        rr.Board.from_walls(4, 3, "walls")
    assert np.array_equal(rr.Board.from_walls(4, 3, walls).walls, walls)


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("env", "gymnasium", "gym"),
        ("multiplayer", "pettingzoo", "pettingzoo"),
        ("table", "pyarrow", "table"),
        ("ray", "pyarrow", "ray"),
        ("reasoning.bidding", "pettingzoo", "pettingzoo"),
        ("reasoning.textarena", "textarena", "textarena"),
        ("reasoning.verifiers", "verifiers", "verifiers"),
        ("reasoning.register()", "reasoning_gym", "reasoning"),
    ],
)
def test_a_missing_package_names_its_extra(module: str, package: str, extra: str) -> None:
    module, call, _ = module.partition(".register")
    program = f"""
import sys
sys.modules[{package!r}] = None
try:
    import ricochet_engine.{module}
    if {call!r}:
        ricochet_engine.{module}.register()
except ImportError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert f"{package} is not installed: pip install 'ricochet-engine[{extra}]'" in done.stdout


def test_gymnasium_finds_the_module() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("ricochet_engine.env:RicochetRobots-v0", filter=rr.PuzzleFilter(size=(5, 5)))
    env.reset(seed=1)
    masks = env.unwrapped.action_masks()
    legal = {move.action for move in env.unwrapped.position.legal_moves}
    assert masks.dtype == bool and set(np.flatnonzero(masks)) == legal
