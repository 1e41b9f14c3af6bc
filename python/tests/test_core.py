"""Boards, puzzles, positions, moves: python-chess's manners."""

from __future__ import annotations

import copy
import pickle

import pytest

import ricochet_engine as rr
from ricochet_engine import Board, Move, Position, Puzzle, Solution

LINE = "4x3..0012.R31"
OFFICIAL = "1A4B3B2B.1fc1f0c0.B9c"


@pytest.mark.parametrize("line", [LINE, OFFICIAL, "8x8..0034.V77.m.dsB12.o5.nname"])
def test_puzzles_come_back_from_text_repr_and_pickle(line: str) -> None:
    puzzle = Puzzle(line)
    assert eval(repr(puzzle)) == puzzle
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    assert copy.deepcopy(puzzle) == puzzle
    assert hash(Puzzle(line)) == hash(puzzle)
    for name in ("line", "text", "json"):
        assert Puzzle(puzzle.write(name)[0]) == puzzle, name


def test_every_format_reads_what_it_writes() -> None:
    for info in rr.formats():
        if not info.write:
            continue
        # Boards of Skub have 8×8 cells.
        puzzle = Puzzle("8x8..0044.R77" if info.name == "skub" else OFFICIAL)
        text, _ = puzzle.write(info.name)
        again = rr.read(text, info.name)
        assert len(again) == 1, info.name
        assert (again[0].robots, again[0].target) == (puzzle.robots, puzzle.target), info.name


def test_what_a_format_leaves_out_is_a_warning() -> None:
    with pytest.warns(rr.FormatWarning, match="optimum of 2 moves"):
        rr.write("4x4..00.R33.o2", "roboyard")
    with pytest.raises(rr.UnsupportedError):
        rr.write("4x3..0012.R31", "asp")


@pytest.mark.parametrize("text", ["1A4B3B2B", "8x8.", "1A4B3B2B.t", "2x2.8", "2x2.w"])
def test_boards_come_back(text: str) -> None:
    board = Board(text)
    assert eval(repr(board)) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert hash(Board(board.text)) == hash(board)


def test_a_board_of_walls() -> None:
    board = Board.from_walls(2, 2, [9, 3, 12, 6], targets=[(1, 1, "red", "circle")])
    assert board.walls.tolist() == [[9, 3], [12, 6]]
    assert Board(board.text) == board
    with pytest.raises(rr.InvalidPuzzleError) as caught:
        Board.from_walls(2, 2, [9, 3, 12, 4])
    assert caught.value.problems[0].cell == (1, 1)
    assert Board("1A4B3B2B").layout == "1A4B3B2B"


def test_moves_and_solutions() -> None:
    move = Move("RE")
    assert (move.robot, move.color, move.direction, move.action) == (0, "red", "E", 1)
    assert Move.from_action(1) == move and hash(Move("RE")) == hash(move)
    assert eval(repr(move)) == move and pickle.loads(pickle.dumps(move)) == move
    solution = Solution("GE RE RS")
    assert solution == Solution([Move("GE"), "RE", Move("RS")])
    assert [str(it) for it in solution] == ["GE", "RE", "RS"]
    assert solution[-1] == Move("RS") and solution[1:] == Solution("RE RS")
    assert eval(repr(solution)) == solution and pickle.loads(pickle.dumps(solution)) == solution
    assert {solution: 1}[Solution("GE RE RS")] == 1
    with pytest.raises(IndexError):
        solution[3]
    for bad in ("XX", "R", "REE"):
        with pytest.raises(rr.RequestError):
            Move(bad)


def test_push_and_pop() -> None:
    position = Position(Puzzle(LINE))
    assert not position.is_solved
    for move in ("GE", "RE", "RS"):
        position.push(move)
    assert position.is_solved and len(position) == 3
    assert eval(repr(position)) == position
    assert pickle.loads(pickle.dumps(position)) == position
    other = position.copy()
    assert position.pop() == Move("RS")
    assert other != position and other.is_solved
    assert position.apply("RS") == other
    with pytest.raises(rr.IllegalMoveError, match="cannot go east"):
        position.push("RE")
    with pytest.raises(rr.IllegalMoveError, match="no blue robot"):
        position.push("BE")
    assert [str(it) for it in position.moves] == ["GE", "RE"]
    position.pop(), position.pop()
    with pytest.raises(IndexError):
        position.pop()
    with pytest.raises(TypeError):
        hash(position)
    assert [m.action for m in position.legal_moves] == [
        i for i, legal in enumerate(position.action_mask) if legal
    ]


def test_a_position_is_a_puzzle_of_its_own() -> None:
    puzzle = Puzzle(LINE)
    after = puzzle.apply("GE")
    assert rr.solve(after).length == 2
    assert after.to_puzzle().robots == after.robots
    strict = Puzzle("8x8..00.R70.m")
    straight = strict.apply("RE")
    assert not straight.is_solved, "it has not turned"
    with pytest.raises(rr.RequestError):
        straight.to_puzzle()
    assert strict.apply("RS RE RN").is_solved


def test_positions_and_tables_take_what_puzzles_take() -> None:
    puzzle = Puzzle(LINE)
    assert Puzzle(puzzle) == puzzle and Puzzle(puzzle.apply("GE")).robots == puzzle.apply("GE").robots
    assert Position(LINE) == Position(puzzle)
    for info in rr.formats():
        if info.write and info.name not in ("asp", "skub"):
            text = Puzzle(OFFICIAL).write(info.name)[0]
            assert Position(text).robots == Puzzle(text).robots, info.name
    after = puzzle.apply("GE")
    assert Position(after) == Position(after.to_puzzle()), "it begins where the other is"
    assert Position(LINE, "GE").robots == after.robots
    table = rr.Tablebase.build(LINE, threads=1)
    assert table.distance(LINE) == table.distance(puzzle) == 3
    assert rr.Tablebase.build(after).max_distance == table.max_distance
    assert table.distance_map(LINE).tolist() == table.distance_map(puzzle).tolist()
    with pytest.raises(rr.UnreadableError):
        Position("4x4..00.Rz9")
    with pytest.raises(TypeError, match="expected a Puzzle, a Position or text, found 'int'"):
        Position(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a Puzzle, a Position or text, found 'bytes'"):
        rr.Tablebase.build(b"4x3..0012.R31")  # type: ignore[arg-type]


def test_replay() -> None:
    puzzle = Puzzle(LINE)
    steps, solved = puzzle.trace("GE RE RS")
    assert solved and steps[2][4] == (3, 2), "green stops red"
    assert puzzle.is_solution("GE RE RS") and not puzzle.is_solution("GE RE")
    with pytest.raises(rr.IllegalMoveError):
        puzzle.is_solution("RN")


def test_errors_carry_everything() -> None:
    with pytest.raises(rr.UnreadableError) as caught:
        Puzzle("4x4..00.Rz9")
    assert (caught.value.line, caught.value.column) == (1, 10)
    with pytest.raises(rr.InvalidPuzzleError) as invalid:
        Puzzle.on(Board("8x8."), [(0, 0), (0, 0)], (99, 0), "blue")
    assert len(invalid.value.problems) == 3
    assert pickle.loads(pickle.dumps(invalid.value)).problems == invalid.value.problems
    assert isinstance(invalid.value, ValueError)


def test_pictures() -> None:
    puzzle = Puzzle(OFFICIAL)
    assert puzzle._repr_svg_().startswith("<svg ")
    assert puzzle.apply("BS")._repr_svg_() != puzzle._repr_svg_()
    drawn = rr.picture(puzzle, True, overlay="min-moves", theme="dark", coordinates=True)
    assert drawn._repr_svg_().startswith("<svg ")
    assert drawn.bytes("png").startswith(b"\x89PNG")
    assert drawn.bytes("gif").startswith(b"GIF89a") and drawn.bytes("pdf").startswith(b"%PDF")
    assert rr.solve(puzzle)._repr_svg_().startswith("<svg ")


def test_symmetries_keep_the_optimum() -> None:
    puzzle = Puzzle(LINE)
    assert {rr.solve(puzzle.transformed(n)).length for n in range(8)} == {3}
    with pytest.raises(rr.RequestError):
        puzzle.transformed(8)
