"""Ten thousand malformed inputs: exceptions, never a crash."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ricochet_engine as rr
import ricochet_engine.solvers
from ricochet_engine import _native

SEEDS = ["4x3..0012.R31", "1A4B3B2B.1fc1f0c0.B9c", "8x8..0034.V77.m.dsB12.o5.nname"]


def mangled(text: str, rng: random.Random) -> str:
    """A text with some characters changed, cut, repeated or moved."""
    characters = list(text)
    for _ in range(rng.randint(1, 6)):
        kind, at = rng.randrange(5), rng.randrange(len(characters) + 1)
        if kind == 0:
            characters.insert(at, rng.choice("0129azAZ.x~-_\n\t{}[]\":,éß\x00\u2028🤖RGBYV|+ "))
        elif kind == 1 and characters:
            del characters[at % len(characters)]
        elif kind == 2:
            characters[at:at] = characters[: rng.randrange(20)]
        elif kind == 3:
            del characters[at : at + rng.randrange(10)]
        elif characters:
            characters[at % len(characters)] = chr(rng.randrange(1, 0x3000))
    return "".join(characters)


def test_ten_thousand_texts() -> None:
    rng = random.Random(1)
    bases = list(SEEDS)
    for line in SEEDS:
        puzzle = rr.Puzzle(line)
        for info in rr.formats():
            if info.write:
                try:
                    bases.append(puzzle.write(info.name)[0])
                except rr.UnsupportedError:
                    pass
    refused = 0
    for _ in range(10_000):
        text = mangled(rng.choice(bases), rng)
        try:
            for puzzle in rr.read(text):
                assert rr.Puzzle(puzzle.line) == puzzle, "what is read is sound"
        except rr.PuzzleError as error:
            refused += 1
            assert str(error) and error.problems
    assert refused > 5_000


@pytest.mark.parametrize(
    "call",
    [
        lambda: rr.Puzzle(""),
        lambda: rr.Puzzle("4x3..0012.R31\n4x3..0012.R31"),
        lambda: rr.Puzzle("4x3..0012.R31", "no-format"),
        lambda: rr.Board(""),
        lambda: rr.Board("8x8"),
        lambda: rr.Board("8x8.." * 100),
        lambda: rr.Board("99x99."),
        lambda: rr.Move(""),
        lambda: rr.Move.from_action(32),
        lambda: rr.Solution("RE XX"),
        lambda: rr.ask("sing"),
        lambda: rr.ask("solve"),
        lambda: rr.ask("solve", puzzle="4x3..0012.R31", what=1),
        lambda: rr.solve("4x3..0012.R31", "iddfs:memo=perhaps"),
        lambda: rr.solve("4x3..0012.R31", limits=rr.Limits(seconds=-1)),
        lambda: rr.hint("4x3..0012.R31", 9),  # type: ignore[arg-type]
        lambda: rr.overlay("4x3..0012.R31", "song"),  # type: ignore[arg-type]
        lambda: rr.picture("4x3..0012.R31", cell=10**6).svg,
        lambda: rr.picture("4x3..0012.R31", theme="no such").svg,
        lambda: rr.generate(1, 1, size=(1, 1)),
        lambda: rr.generate(1, 1, robots=99),
        lambda: rr.generate(1, 1, edition="1812"),
        lambda: rr.Tablebase.build(rr.Puzzle("8x8..00.R77.m")),
        lambda: _native.Stepper([rr.Puzzle("8x8..00.R77")], 0, 1, "next-step", (0, 1, 0)),
        lambda: _native.Stepper([rr.Puzzle("8x8..00.R77")], 1, 1, "sometimes", (0, 1, 0)),
        lambda: _native.Stepper([], 1, 1, "disabled", (0, 1, 0)),
    ],
)
def test_bad_arguments(call) -> None:
    with pytest.raises(rr.RicochetError):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: rr.Puzzle(7),
        lambda: rr.Puzzle(None),
        lambda: rr.Puzzle(b"4x3..0012.R31"),
        lambda: rr.Solution(3),
        lambda: rr.Solution([3]),
        lambda: rr.Position(7),
        lambda: rr.Tablebase.build(7),
        lambda: rr.Puzzle("4x3..0012.R31").apply(5),
        lambda: rr.solve_many([5]),
        lambda: _native.solve_many([rr.Puzzle("8x8..00.R77")], threads=-1),
        lambda: _native.planes([1]),
        lambda: _native.decode(*[np.zeros(3)] * 7),
        lambda: rr.Move.from_action(-1),
        lambda: rr.Board.from_walls(2, 2, [999, 0, 0, 0]),
    ],
)
def test_wrong_types(call) -> None:
    with pytest.raises((TypeError, OverflowError, ValueError, AttributeError)):
        call()


def test_arrays_that_are_not_ours() -> None:
    stepper = _native.Stepper([rr.Puzzle("8x8..00.R77")], 2, 5, "next-step", (0, 1, 0))
    names = ("planes", "robots", "walls", "diagonals", "target", "target_robot", "mask", "optimum")
    nothing = dict.fromkeys(names)
    good = [np.zeros(2, np.int64), nothing, np.zeros(2, np.float32), np.zeros(2, bool), np.zeros(2, bool)]
    stepper.reset(nothing, 1)
    stepper.step(*good)
    wrong = [
        (0, np.zeros(3, np.int64)),
        (0, np.zeros((2, 2), np.int64)[:, 0]),
        (0, np.full(2, 4)),
        (0, np.full(2, -1)),
        (1, {**nothing, "planes": np.zeros((2, 8, 8, 7), np.uint8)}),
        (1, {**nothing, "planes": np.zeros((2, 8, 8, 16), np.uint8)[..., ::2]}),
        (1, {}),
        (2, np.zeros(1, np.float32)),
        (2, np.zeros(2, np.float64)),
    ]
    for at, value in wrong:
        arguments = list(good)
        arguments[at] = value
        with pytest.raises((rr.RequestError, TypeError, KeyError, ValueError)):
            stepper.step(*arguments)
    frozen = np.zeros((2, 4), bool)
    frozen.flags.writeable = False
    with pytest.raises(rr.RequestError, match="cannot be written"):
        stepper.reset({**nothing, "mask": frozen})
    shared = np.zeros(2, bool)
    with pytest.raises(rr.RequestError, match="cannot be written"):
        stepper.step(*good[:3], shared, shared)


BOARD = rr.Board("8x8.")
PUZZLE = rr.Puzzle("8x8..0034.R77")
ARRAYS = rr.encode([PUZZLE])


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: rr.Puzzle.on(BOARD, [(300, 0)], (1, 1)), rr.RequestError, "x of robots[0]: expected at most 255, found 300"),
        (lambda: rr.Puzzle.on(BOARD, [(0, -1)], (1, 1)), rr.RequestError, "y of robots[0]: expected at least 0, found -1"),
        (lambda: rr.Puzzle.on(BOARD, [(0, 0), (0,)], (1, 1)), TypeError, "robots[1]: expected a cell (x, y), found (0,)"),
        (lambda: rr.Puzzle.on(BOARD, "ab", (1, 1)), TypeError, "robots: expected cells such as [(0, 0), (3, 4)], found 'ab'"),
        (lambda: rr.Puzzle.on(BOARD, 5, (1, 1)), TypeError, "robots: expected cells such as [(0, 0), (3, 4)], found 5"),
        (lambda: rr.Puzzle.on(BOARD, [(0, 0)], (1.5, 1)), TypeError, "x of target: expected an int, found 'float'"),
        (lambda: rr.Puzzle.on(BOARD, [(0, 0)], (1, 1), optimal=-1), rr.RequestError, "optimal: expected at least 0, found -1"),
        (lambda: PUZZLE.replace(target=(300, 0)), rr.RequestError, "x of target: expected at most 255, found 300"),
        (lambda: PUZZLE.transformed(-1), rr.RequestError, "symmetry: expected at least 0, found -1"),
        (lambda: rr.Move.from_action(32), rr.RequestError, "action: expected at most 31, found 32"),
        (lambda: rr.Move.from_action("N"), TypeError, "action: expected an int, found 'str'"),
        (lambda: rr.Board.from_walls(-1, 2, []), rr.RequestError, "width: expected at least 0, found -1"),
        (lambda: rr.Board.from_walls(2, 2, [9, 999, 12, 6]), rr.RequestError, "walls[1]: 999 is not within 0 to 255"),
        (lambda: rr.Board.from_walls(2, 2, "abcd"), TypeError, "walls: expected an array of integers of shape (n,), found 'str'"),
        (lambda: rr.Board.from_walls(2, 2, [9.5, 3, 12, 6]), TypeError, "walls: expected an array of integers of shape (n,), found dtype float64"),
        (lambda: rr.Board.from_walls(2, 2, [9, 3, 12, 6], [(0, 0)]), TypeError, "diagonals[0]: expected (x, y, lean, colour), found (0, 0)"),
        (lambda: rr.Board.from_walls(2, 2, [9, 3, 12, 6], 5), TypeError, "diagonals: expected a list of (x, y, lean, colour), found <class 'int'>"),
        (lambda: rr.Limits(nodes=-1), rr.RequestError, "nodes: expected at least 0, found -1"),
        (lambda: rr.Limits(memory="1 GB"), TypeError, "memory: expected an int, found 'str'"),
        (lambda: rr.Limits(seconds="1"), TypeError, "seconds: expected a float, found 'str'"),
        (lambda: rr.solve(PUZZLE, threads=-1), rr.RequestError, "threads: expected at least 0, found -1"),
        (lambda: rr.Tablebase.build(PUZZLE, memory=1.5), TypeError, "memory: expected an int, found 'float'"),
        (lambda: rr.solve(PUZZLE, limits={"seconds": 1}), TypeError, "limits: expected Limits, such as Limits(seconds=1), found 'dict'"),
        (lambda: rr.rate(PUZZLE, limits=5), TypeError, "limits: expected Limits, such as Limits(seconds=1), found 'int'"),
        (lambda: rr.solve(PUZZLE, rr.solvers.Iddfs), TypeError, "solver: expected a name or a solver such as Iddfs(), found 'Iddfs'"),
        (lambda: rr.generate(1, 1, length=(5, 6)), TypeError, "generate() has no option 'length': did you mean moves?"),
        (lambda: rr.generate(1, 1, dificulty="easy"), TypeError, "generate() has no option 'dificulty': did you mean difficulty?"),
        (lambda: rr.Tablebase(PUZZLE), TypeError, "Tablebase.build(puzzle) makes a table, Tablebase.open(path) reads one"),
        (lambda: rr.Board("1A4B"), rr.RequestError, "'1A4B' is not a board: expected a layout such as 1A4B3B2B, or size and walls such as 8x8."),
        (lambda: rr.generate("a"), TypeError, "count: expected an int, found 'str'"),
        (lambda: rr.generate(1, 2**70), rr.RequestError, "seed: expected at most 18446744073709551615, found 1180591620717411303424"),
        (lambda: rr.generate(1, 1, robots=-1), rr.RequestError, "generate: robots: invalid value: integer `-1`, expected a whole number that is not negative"),
        (lambda: rr.generate(1, 1, moves=5), rr.RequestError, "generate: moves: invalid type: integer `5`, expected a list of 2"),
        (lambda: rr.generate(1, 1, who="pink"), rr.RequestError, 'generate: who: expected a robot such as "R", or "any" or "one"'),
        (lambda: rr.generate(1, 1, edition=1999), rr.RequestError, "generate: edition: invalid type: integer `1999`, expected a string"),
        (lambda: rr.hint(PUZZLE, "a"), rr.RequestError, 'hint: level: invalid type: string "a", expected a whole number from 0 to 255'),
        (lambda: rr.ask("solve", puzzle=PUZZLE, limits=5), rr.RequestError, "solve: limits: invalid type: integer `5`, expected an object"),
        (lambda: rr.decode({}), rr.RequestError, "the array 'walls' is missing"),
        (lambda: rr.decode({**ARRAYS, "walls": np.zeros(3)}), TypeError, "walls: expected an array of integers of shape (n, n, n), found dtype float64"),
        (lambda: rr.decode({**ARRAYS, "robots": ARRAYS["robots"].astype(int) + 256}), rr.RequestError, "robots[0, 0, 0]: 256 is not within 0 to 255"),
        (lambda: rr.decode({**ARRAYS, "robots": [[[0, 0]]] * 2}), rr.RequestError, "robots: expected an array of shape (1, n, 2), found one of (2, 1, 2)"),
        (lambda: rr.decode({**ARRAYS, "target": [[0.5, 0]]}), TypeError, "target: expected an array of integers of shape (1, 2), found dtype float64"),
        (lambda: rr.decode({**ARRAYS, "must_ricochet": ["a"]}), TypeError, "must_ricochet: expected an array of bool of shape (1,), found dtype <U1 of shape (1,)"),
    ],
)  # fmt: skip
def test_errors_name_python_types_and_what_was_expected(call, kind, message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


def test_cells_and_walls_may_be_lists_and_arrays() -> None:
    puzzle = rr.Puzzle.on(BOARD, [(0, 0), (3, 4)], (7, 7), "red")
    assert rr.Puzzle.on(BOARD, [[0, 0], [3, 4]], [7, 7], "red") == puzzle
    assert rr.Puzzle.on(BOARD, np.array([[0, 0], [3, 4]]), np.array([7, 7]), "red") == puzzle
    assert puzzle.replace(robots=np.array([[1, 0], [3, 4]])).robots == [(1, 0), (3, 4)]
    walls = rr.Board("1A4B3B2B").walls
    for given in (walls, walls.astype(np.int64), walls.tolist(), walls.reshape(-1).tolist()):
        assert rr.Board.from_walls(16, 16, given).layout == "1A4B3B2B"


def test_distances_take_any_integers() -> None:
    table = rr.Tablebase.build("8x8..0034.R77", threads=1)
    rows = [[[0, 0], [3, 4]], [[0, 1], [3, 4]]]
    expected = [table.distance([tuple(cell) for cell in row]) for row in rows]
    for given in (rows, np.array(rows), *(np.array(rows, kind) for kind in ("u1", "i2", ">i4", "u8"))):
        assert table.distances(given).tolist() == expected
    assert table.distances(np.array(rows)[::-1]).tolist() == expected[::-1], "not contiguous"
    assert table.distances([]).tolist() == []
    for wrong, kind, message in (
        ([[[0, 0], [1, 300]]], rr.RequestError, "robots[0, 1, 1]: 300 is not within 0 to 255"),
        ([[[0, 0], [1, -1]]], rr.RequestError, "robots[0, 1, 1]: -1 is not within 0 to 255"),
        (np.zeros((2, 2), int), rr.RequestError, "robots: expected an array of shape (n, 2, 2), found one of (2, 2)"),
        (np.zeros((1, 2, 2)), TypeError, "robots: expected an array of integers of shape (n, 2, 2), found dtype float64"),
        ("abc", TypeError, "robots: expected an array of integers of shape (n, 2, 2), found 'str'"),
        (None, TypeError, "robots: expected an array of integers of shape (n, 2, 2), found 'NoneType'"),
        ([[[0, 0], [1]]], rr.RequestError, "robots: expected an array, found rows of different lengths"),
    ):  # fmt: skip
        with pytest.raises(kind) as caught:
            table.distances(wrong)
        assert str(caught.value) == message
