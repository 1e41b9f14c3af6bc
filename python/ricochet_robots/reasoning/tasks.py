"""Procedural tasks in the shape of reasoning-gym."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from .._answers import Outcome
from .._errors import RequestError
from .._native import Puzzle, Solution
from .._questions import COLORS, LETTERS, PuzzleFilter, candidates, solve
from ..picture import picture
from .answers import score_answer

Form = Literal["drawing", "coordinates", "picture"]
Split = Literal["train", "test", "all"]

#: The name in reasoning-gym.
NAME = "ricochet_robots"

#: One board in this many is held out.
_HELD_OUT = 5

RULES = """\
You solve a Ricochet Robots puzzle. In a move, one robot slides north, east, south or west until a wall, \
the rim of the board or another robot stops it; it cannot stop earlier. {diagonals}Only one robot moves at a time, \
and any robot may be moved. {goal} Passing over the target is not enough: the robot has to come to rest on it. \
Use as few moves as you can.

Cells are (column, row), counted from 0 in the north-west corner; columns grow to the east, rows to the south. \
Write the moves as pairs of letters, the robot ({robots}) and the direction (N, E, S, W), in one line, like this: \
<answer>RE GN RS</answer>"""


@dataclass
class Config:
    """Describes the tasks. ``size`` is their number, as in reasoning-gym."""

    #: fewest and most moves of the shortest solutions
    min_moves: int = 2
    max_moves: int = 6
    #: columns and rows of random boards; None: official boards of 16 by 16
    board: tuple[int, int] | None = (8, 8)
    robots: int = 4
    #: the fewest robots that have to move; None: any number
    robots_used: int | None = None
    form: Form = "drawing"
    #: boards are held out: a layout and its mirror images are all in the same split
    split: Split = "all"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raises an error if a field is invalid."""
        if not 1 <= self.min_moves <= self.max_moves:
            raise RequestError("min_moves must be at least 1 and at most max_moves")
        if self.size < 1:
            raise RequestError("size must be positive")
        if self.form not in ("drawing", "coordinates", "picture"):
            raise RequestError(f"there is no form '{self.form}'")
        if self.split not in ("train", "test", "all"):
            raise RequestError(f"there is no split '{self.split}'")

    def filter(self) -> PuzzleFilter:
        """The filter for the generator."""
        return PuzzleFilter(
            edition=None if self.board else "1999",
            size=self.board,
            robots=self.robots,
            moves=(self.min_moves, self.max_moves),
            robots_used=self.robots_used,
        )


def split_of(puzzle: Puzzle) -> Literal["train", "test"]:
    """The split of a puzzle's layout. All eight symmetric images of a layout are in the same split."""
    images = (puzzle.transformed(symmetry).board for symmetry in range(8))
    layouts = (bytes([it.width]) + it.walls.tobytes() + repr(it.diagonals).encode() for it in images)
    digest = hashlib.sha256(min(layouts)).digest()
    return "test" if digest[0] % _HELD_OUT == 0 else "train"


def question(puzzle: Puzzle, form: Form) -> str:
    """The text of a task. It does not reveal the optimum."""
    active = puzzle.target_robot
    goal = f"The {active} robot has" if active else "Any one robot has"
    goal += f" to come to rest on the target at ({puzzle.target[0]},{puzzle.target[1]})."
    names = [
        f"{letter} {color}"
        for letter, color in zip(LETTERS, COLORS[: len(puzzle.robots)], strict=False)
    ]
    diagonals = ""
    if puzzle.board.diagonals:
        diagonals = (
            "A diagonal turns a robot of another colour by a right angle, and the robot slides on; "
            "robots of the diagonal's own colour pass. "
        )
    text = RULES.format(goal=goal, robots=", ".join(names), diagonals=diagonals)
    if form == "picture":
        return f"{text}\n\nThe board is in the picture."
    return f"{text}\n\n{drawing(puzzle) if form == 'drawing' else coordinates(puzzle)}"


def drawing(puzzle: Puzzle) -> str:
    """The board as characters; ``*`` is the target."""
    lines = puzzle.write("text")[0].splitlines()
    secrets = ("id:", "optimal:", "target:")
    return "\n".join(line for line in lines if not line.startswith(secrets))


def coordinates(puzzle: Puzzle) -> str:
    """The board as lists of cells."""
    walls = puzzle.board.walls
    lines = [f"Board: {puzzle.width} columns, {puzzle.height} rows; the rim is closed."]
    between = []
    for y in range(puzzle.height):
        for x in range(puzzle.width):
            if x + 1 < puzzle.width and walls[y, x] & 2:
                between.append(f"({x},{y})|({x + 1},{y})")
            if y + 1 < puzzle.height and walls[y, x] & 4:
                between.append(f"({x},{y})|({x},{y + 1})")
    lines.append(f"Walls between cells: {' '.join(between) or 'none'}")
    for x, y, lean, color in puzzle.board.diagonals:
        lines.append(f"Diagonal: {color} {lean} at ({x},{y})")
    for letter, color, (x, y) in zip(LETTERS, COLORS, puzzle.robots, strict=False):
        lines.append(f"Robot {letter} ({color}): ({x},{y})")
    lines.append(f"Target: ({puzzle.target[0]},{puzzle.target[1]}) for {puzzle.target_robot or 'any'}")
    return "\n".join(lines)


def entry(
    puzzle: Puzzle, solution: Solution, form: Form, index: int, difficulty: dict[str, Any]
) -> dict[str, Any]:
    """The task of a solved puzzle."""
    metadata: dict[str, Any] = {
        "source_dataset": NAME,
        "source_index": index,
        "puzzle": puzzle.line,
        "optimum": puzzle.optimal,
        "layout": puzzle.board.layout,
        "split": split_of(puzzle),
        "form": form,
        "difficulty": difficulty,
    }
    if form == "picture":
        png = picture(puzzle, coordinates=True).bytes("png")
        metadata["image"] = "data:image/png;base64," + base64.b64encode(png).decode()
    return {"question": question(puzzle, form), "answer": str(solution), "metadata": metadata}


class RicochetDataset:
    """``size`` numbered tasks. The same seed gives the same tasks."""

    def __init__(self, config: Config | None = None, **fields: Any) -> None:
        self.config = config or Config(**fields)
        self.config.validate()
        self.size = self.config.size
        seed = self.config.seed
        self.seed = Random().randint(0, 2**32) if seed is None else seed

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[index] for index in range(self.size))

    def __getitem__(self, idx: int) -> dict[str, Any]:
        if not 0 <= idx < self.size:
            raise IndexError(idx)
        puzzle = self._puzzle(idx)
        answer = solve(puzzle)
        if answer.outcome is not Outcome.SOLVED or answer.solution is None:
            raise RequestError(f"{puzzle} was solvable when it was made")
        difficulty = {
            "moves": (self.config.min_moves, self.config.max_moves),
            "robots": self.config.robots,
            "board": self.config.board,
        }
        return entry(puzzle, answer.solution, self.config.form, idx, difficulty)

    def _puzzle(self, idx: int) -> Puzzle:
        seed = Random(f"{self.seed}:{idx}").getrandbits(62)
        filter = self.config.filter()
        for start in range(0, 1_000_000, 8):
            for _, puzzle, _ in candidates(range(start, start + 8), seed, filter, threads=1):
                if puzzle is not None and self.config.split in ("all", split_of(puzzle)):
                    return puzzle
        raise RequestError("a million candidates do not match: gave up")

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """The graded score of an answer: see :func:`ricochet_robots.reasoning.score_answer`."""
        return score_answer(answer, entry)


def register() -> type:
    """Adds the data set to reasoning-gym: ``reasoning_gym.create_dataset("ricochet_robots", ...)``."""
    from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset

    if NAME in DATASETS:
        return DATASETS[NAME][0]  # type: ignore[no-any-return]

    class Registered(RicochetDataset, ProceduralDataset):  # type: ignore[misc]
        def __init__(self, config: Config) -> None:
            RicochetDataset.__init__(self, config)

        __iter__ = ProceduralDataset.__iter__

    register_dataset(NAME, Registered, Config)
    return Registered
