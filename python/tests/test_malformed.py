"""Ten thousand malformed inputs: exceptions, never a crash."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ricochet_robots as rr
from ricochet_robots import _native

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
