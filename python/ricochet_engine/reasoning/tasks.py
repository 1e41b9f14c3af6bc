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
from .._extras import missing
from .._native import Board, Puzzle, Solution
from .._questions import COLORS, LETTERS, PuzzleFilter, candidates, solve
from ..picture import picture
from .answers import SCORING_VERSION, Scoring, score_answer

Form = Literal["drawing", "coordinates", "picture"]
Split = Literal["train", "test", "all"]

#: The name in reasoning-gym.
NAME = "ricochet_robots"

#: One board in this many is held out.
_HELD_OUT = 5

#: Candidates per task. Rare techniques take thousands; what none of these has is hardly possible.
_MAX_CANDIDATES = 100_000

RULES = """\
You solve a Ricochet Robots puzzle. In a move, one robot slides north, east, south or west until a wall, \
the rim of the board or another robot stops it; it cannot stop earlier. {diagonals}Only one robot moves at a time, \
and any robot may be moved. A move in a direction in which the robot cannot leave its cell is illegal, and an \
answer with an illegal move is wrong.

{goal} Passing over the target is not enough: after the last move the robot has to be at rest on it. \
{grading}

North is up and east is right. Cells are (column, row), counted from 0 in the north-west corner; columns grow to \
the east, rows to the south."""

#: How an answer is graded, for each way of scoring.
GRADING = {
    "strict": "The answer is right only if no shorter sequence of moves solves the puzzle.",
    "shaped": "A shortest sequence of moves scores 1, a longer solution less.",
}

#: How to answer with all moves at once.
ANSWER_FORMAT = """\
Write each move as two capital letters, the robot ({robots}) and the direction (N, E, S, W), and all moves in one \
line, like this: <answer>RE GN RS</answer>"""

LEGEND = """\
In the drawing, each cell is three characters wide, between corners marked +. --- and | are walls, where spaces \
are open. Capital letters are robots ({robots}), * is the target{closed}{diagonals}."""

PICTURE_LEGEND = """\
The board is in the picture, with the numbers of the columns above it and of the rows to its left. Thick lines are \
walls; thin lines only show the grid. Discs with letters are robots ({robots}). The target is the {target}.\
{closed}{diagonals}"""


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
    #: techniques that every shortest solution has, such as ``("placed-blocker",)``: the themes of
    #: :func:`ricochet_engine.rate`
    themes: tuple[str, ...] = ()
    #: lowest and highest rating, on the scale of players' ratings
    rating: tuple[int, int] | None = None
    form: Form = "drawing"
    #: boards are held out: a layout and its mirror images are all in the same split
    split: Split = "all"
    #: how answers are scored: see :func:`ricochet_engine.reasoning.score_answer`
    scoring: Scoring = "strict"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raises an error if a field is invalid."""
        if not 1 <= self.min_moves <= self.max_moves:
            raise RequestError("min_moves must be at least 1 and at most max_moves")
        if self.size < 1:
            raise RequestError("size must be positive")
        if self.form not in ("drawing", "coordinates", "picture"):
            raise RequestError(f"there is no form '{self.form}': expected drawing, coordinates or picture")
        if self.scoring not in ("strict", "shaped"):
            raise RequestError(f"there is no scoring '{self.scoring}': expected strict or shaped")
        if self.split not in ("train", "test", "all"):
            raise RequestError(f"there is no split '{self.split}'")
        if self.themes or self.rating:
            candidates([0], 0, self.filter())  # raises an error if a theme is unknown or the range is empty

    def filter(self) -> PuzzleFilter:
        """The filter for the generator."""
        return PuzzleFilter(
            edition=None if self.board else "1999",
            size=self.board,
            robots=self.robots,
            moves=(self.min_moves, self.max_moves),
            robots_used=self.robots_used,
            rating=(self.rating[0], self.rating[1]) if self.rating else None,
            themes=tuple(self.themes),
        )


def split_of(puzzle: Puzzle) -> Literal["train", "test"]:
    """The split of a puzzle's layout. All eight symmetric images of a layout are in the same split."""
    images = (puzzle.transformed(symmetry).board for symmetry in range(8))
    layouts = (bytes([it.width]) + it.walls.tobytes() + repr(it.diagonals).encode() for it in images)
    digest = hashlib.sha256(min(layouts)).digest()
    return "test" if digest[0] % _HELD_OUT == 0 else "train"


def rules(puzzle: Puzzle, scoring: Scoring = "strict") -> str:
    """The rules of a puzzle and its goal, without the board and without how to answer."""
    active = puzzle.target_robot
    cell = f"({puzzle.target[0]},{puzzle.target[1]})"
    goal = f"The {active} robot" if active else "Any one robot"
    goal = f"{goal} has to come to rest on the target at {cell}."
    if puzzle.must_ricochet:
        goal += (
            " It has to turn by a right angle before it stops there for the first time: moves in one line alone do "
            "not count, even there and back."
        )
    diagonals = ""
    if puzzle.board.diagonals:
        diagonals = (
            "A diagonal (/ from south-west to north-east, \\ from north-west to south-east) turns a robot of another "
            "colour by a right angle, and the robot slides on; robots of the diagonal's own colour pass. "
        )
    return RULES.format(goal=goal, grading=GRADING[scoring], diagonals=diagonals)


def robot_names(puzzle: Puzzle) -> str:
    """``R red, G green``"""
    pairs = zip(LETTERS, COLORS[: len(puzzle.robots)], strict=False)
    return ", ".join(f"{letter} {color}" for letter, color in pairs)


def board_text(puzzle: Puzzle, form: Form) -> str:
    """The board in a form, with what its signs mean."""
    if form == "coordinates":
        return coordinates(puzzle)
    has_closed = bool((puzzle.board.walls == 15).any())
    has_diagonals = bool(puzzle.board.diagonals)
    robots = robot_names(puzzle)
    if form == "picture":
        color = puzzle.target_robot
        return PICTURE_LEGEND.format(
            robots=robots,
            target=f"square filled with {color}" if color else "framed square with a swirl of several colours",
            closed=" Grey cells are closed." if has_closed else "",
            diagonals=" Slanting bars are diagonals; the small letter next to each is that of its colour."
            if has_diagonals
            else "",
        )
    legend = LEGEND.format(
        robots=robots,
        closed=", ### is a closed cell" if has_closed else "",
        diagonals=", / or \\ with a small letter is a diagonal of that colour" if has_diagonals else "",
    )
    return f"{legend}\n\n{drawing(puzzle)}"


def question(puzzle: Puzzle, form: Form, scoring: Scoring = "strict") -> str:
    """The text of a task. It does not reveal the optimum."""
    answer = ANSWER_FORMAT.format(robots=robot_names(puzzle))
    return f"{rules(puzzle, scoring)}\n\n{answer}\n\n{board_text(puzzle, form)}"


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
    puzzle: Puzzle,
    solution: Solution,
    form: Form,
    index: int,
    difficulty: dict[str, Any],
    scoring: Scoring = "strict",
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
        "scoring": scoring,
        "scoring_version": SCORING_VERSION,
        "difficulty": difficulty,
    }
    if form == "picture":
        metadata["image"] = image_url(puzzle)
    return {"question": question(puzzle, form, scoring), "answer": str(solution), "metadata": metadata}


def image_url(puzzle: Puzzle) -> str:
    """The picture of a puzzle as a data URL, without the printed targets that are not the goal."""
    board = puzzle.board
    plain = Board.from_walls(board.width, board.height, board.walls, board.diagonals)
    shown = Puzzle.on(plain, puzzle.robots, puzzle.target, puzzle.target_robot, must_ricochet=puzzle.must_ricochet)
    png = picture(shown, coordinates=True).bytes("png")
    return "data:image/png;base64," + base64.b64encode(png).decode()


class RicochetDataset:
    """``size`` numbered tasks. The same seed gives the same tasks."""

    def __init__(self, config: Config | None = None, **fields: Any) -> None:
        self.config: Config = config or Config(**fields)
        self.config.validate()
        self.size: int = self.config.size
        seed = self.config.seed
        self.seed: int = Random().randint(0, 2**32) if seed is None else seed

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
            raise RequestError(f"{puzzle.line} was solvable when it was made")
        difficulty = {
            "moves": (self.config.min_moves, self.config.max_moves),
            "robots": self.config.robots,
            "board": self.config.board,
            **({"themes": list(self.config.themes)} if self.config.themes else {}),
            **({"rating": list(self.config.rating)} if self.config.rating else {}),
        }
        config = self.config
        return entry(puzzle, answer.solution, config.form, idx, difficulty, config.scoring)

    def _puzzle(self, idx: int) -> Puzzle:
        seed = Random(f"{self.seed}:{idx}").getrandbits(62)
        filter = self.config.filter()
        for start in range(0, _MAX_CANDIDATES, 8):
            for _, puzzle, _ in candidates(range(start, start + 8), seed, filter, threads=1):
                if puzzle is not None and self.config.split in ("all", split_of(puzzle)):
                    return puzzle
        raise RequestError(
            f"none of {_MAX_CANDIDATES:,} candidates matches: allow more moves, or fewer themes, or a wider rating"
        )

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """The score of an answer: see :func:`ricochet_engine.reasoning.score_answer`."""
        return score_answer(answer, entry, self.config.scoring)


#: The curriculum by length: ever longer solutions, first with one robot and on small boards, at last on official ones.
LEVELS: tuple[dict[str, Any], ...] = (
    {"min_moves": 1, "max_moves": 2, "board": (5, 5), "robots": 2, "robots_used": 1},
    {"min_moves": 2, "max_moves": 3, "board": (5, 5), "robots": 2, "robots_used": 1},
    {"min_moves": 2, "max_moves": 4, "board": (5, 5), "robots": 2, "robots_used": 2},
    {"min_moves": 3, "max_moves": 5, "board": (8, 8), "robots": 3, "robots_used": 1},
    {"min_moves": 3, "max_moves": 6, "board": (8, 8), "robots": 3, "robots_used": 2},
    {"min_moves": 5, "max_moves": 7, "board": (8, 8), "robots": 4, "robots_used": 2},
    {"min_moves": 6, "max_moves": 8, "board": (8, 8), "robots": 4, "robots_used": 3},
    {"min_moves": 3, "max_moves": 6, "board": None, "robots": 4, "robots_used": None},
    {"min_moves": 6, "max_moves": 9, "board": None, "robots": 4, "robots_used": 2},
    {"min_moves": 9, "max_moves": 14, "board": None, "robots": 4, "robots_used": 3},
)


#: The curriculum by technique: what all shortest solutions have in common, in the order of the median rating of
#: such puzzles.
TECHNIQUES: tuple[dict[str, Any], ...] = (
    {"themes": ("solo",), "min_moves": 2, "max_moves": 4},
    {"themes": ("standing-blocker",), "min_moves": 2, "max_moves": 5},
    {"themes": ("placed-blocker",), "min_moves": 3, "max_moves": 6},
    {"themes": ("clear-the-way",), "min_moves": 3, "max_moves": 6},
    {"themes": ("there-and-back",), "min_moves": 4, "max_moves": 7},
    {"themes": ("two-helpers",), "min_moves": 4, "max_moves": 8},
    {"themes": ("helper-stops-helper",), "min_moves": 4, "max_moves": 8},
    {"themes": ("chain",), "min_moves": 4, "max_moves": 9},
    {"themes": ("blocker-twice",), "min_moves": 5, "max_moves": 10},
)


def technique(name: str, **fields: Any) -> Config:
    """The configuration of a technique of :data:`TECHNIQUES`, with other fields as given."""
    for one in TECHNIQUES:
        if one["themes"] == (name,):
            return Config(**{**one, **fields})
    names = ", ".join(one["themes"][0] for one in TECHNIQUES)
    raise RequestError(f"there is no level for the technique '{name}': expected one of {names}")


def level(number: int, **fields: Any) -> Config:
    """The configuration of a level of :data:`LEVELS`, with other fields as given."""
    if not 0 <= number < len(LEVELS):
        raise RequestError(f"there is no level {number}: expected 0 to {len(LEVELS) - 1}")
    return Config(**{**LEVELS[number], **fields})


def register() -> type:
    """Adds the data set and its curriculum to reasoning-gym:
    ``reasoning_gym.create_dataset("ricochet_robots", ...)``, ``create_curriculum("ricochet_robots")``."""
    try:
        from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition, ScalarAttributeDefinition
        from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset
    except ImportError as error:
        raise missing("reasoning", error) from error

    if NAME in DATASETS:
        return DATASETS[NAME][0]  # type: ignore[no-any-return]

    class Registered(RicochetDataset, ProceduralDataset):  # type: ignore[misc]
        def __init__(self, config: Config) -> None:
            RicochetDataset.__init__(self, config)

        __iter__ = ProceduralDataset.__iter__

    class Curriculum(BaseCurriculum):  # type: ignore[misc]
        """Length and technique."""

        def __init__(self) -> None:
            super().__init__(Curriculum.__name__, Config)
            self._define_attributes(
                RangeAttributeDefinition(
                    name="moves",
                    levels=[1, 2, 3, 4, 5, 6, 7, 8],
                    default_level=1,
                    description="The number of moves of a shortest solution",
                    lower_field_name="min_moves",
                    upper_field_name="max_moves",
                    ensure_interval=True,
                ),
                ScalarAttributeDefinition(
                    name="technique",
                    field_name="themes",
                    levels=[one["themes"] for one in TECHNIQUES],
                    default_level=0,
                    description="What all shortest solutions have in common",
                ),
            )

    register_dataset(NAME, Registered, Config, Curriculum)
    return Registered
