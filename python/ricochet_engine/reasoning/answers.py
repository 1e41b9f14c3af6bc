"""Reading and scoring answers.

The grammar is strict, because an answer is graded by what it says and not by what could be found in it. A
move is a pair of capital letters, a robot and a direction (``RE``, ``R E``, ``R-E``, or several in a row,
``REGS``), or a colour and a direction in words ("move the red robot to the north"). Only robots on the board
count, so "WE" is no move on a board without a silver robot.

The answer is in the last ``<answer>`` element or, without one, in the last block of lines that consist of
moves. Reading takes time proportional to the length of the text, and only the end of a very long one is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from typing import Any, Literal

from .._errors import IllegalMoveError, RequestError
from .._native import Position, Puzzle, Solution
from .._questions import COLORS, LETTERS, solve

#: The version of the grammar and of the scores. Scores of different versions cannot be compared.
SCORING_VERSION = 2

#: ``strict``: 1 for a shortest solution, otherwise 0. ``shaped``: see :func:`score_answer`.
Scoring = Literal["strict", "shaped"]

_DIRECTIONS = {
    "north": "N", "east": "E", "south": "S", "west": "W",
    "northward": "N", "eastward": "E", "southward": "S", "westward": "W",
    "northwards": "N", "eastwards": "E", "southwards": "S", "westwards": "W",
    "up": "N", "right": "E", "down": "S", "left": "W",
    "upward": "N", "downward": "S", "upwards": "N", "downwards": "S",
}  # fmt: skip
_COLOR_LETTERS = {**dict(zip(COLORS, LETTERS, strict=True)), "white": "W"}

#: Words that say nothing about the moves of a line that consists of moves.
_FILLER = frozenset(
    """a again all an and answer are as by direction finally final first following for fourth fifth go goes
    going here i in is it it's its let's me minimum move moved moves moving my next now of one optimal order play
    plan push robot robot's robots second send sequence shortest should slide slides sliding so solution solve
    solved step steps text textbf boxed boldsymbol mathrm quad then therefore third this thus to total towards
    the toward using will with you""".split()
)  # fmt: skip
_TOKEN = re.compile(r"([^\W\d_]+(?:['\u2019]s)?)|([^\w\s]|_)|[\s\d]+")
_JOINS_LETTERS = frozenset("-:>\u2192_.,(/")
_ITEM = re.compile(
    r"[*_#>|\s]{0,12}\(?(?:(?:step|move)\s{0,3}#?)?(?:([0-9]{1,3})\s{0,3}[.):|*\-\u2013]|[-*+\u2022]\s)", re.I
)

#: Only this many characters at the end of a text are read.
_MAX_TEXT = 100_000
#: A longer answer is an attempt to hit the target by chance.
_MAX_MOVES = 1000


class Grade(IntEnum):
    """How good an answer is. Each grade is better than those before it."""

    UNREADABLE = 0
    ILLEGAL = 1
    LEGAL = 2
    SOLVED = 3
    OPTIMAL = 4


def parse_answer(text: str | None, robots: int | Puzzle = len(LETTERS)) -> Solution | None:
    """The moves that a text answers with; None if there are none. ``robots`` is the number of robots on the
    board, or the puzzle."""
    if not isinstance(text, str):
        return None
    count = robots if isinstance(robots, int) else len(robots.robots)
    text = text[-_MAX_TEXT:]
    # Without the reasoning of models that mark it.
    folded = text.lower() if text.isascii() else _ascii_lower(text)
    thought = folded.rfind("</think>")
    if thought >= 0:
        text, folded = text[thought + 8 :], folded[thought + 8 :]
    block = _last_block(_answer_element(text, folded), count)
    if block is None or len(block) > _MAX_MOVES:
        return None
    return Solution(block)


def _ascii_lower(text: str) -> str:
    """Lower case of ASCII alone, so that every character keeps its place."""
    return text.translate(_LOWER)


_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def _answer_element(text: str, folded: str) -> str:
    """What is in the last ``<answer>`` element: the last closed one, or one that a stop sequence left open.
    Without one, the whole text."""
    end = folded.rfind("</answer>")
    start = folded.rfind("<answer>", 0, end) if end >= 0 else folded.rfind("<answer>")
    if start < 0:
        return text
    return text[start + 8 : end if end >= 0 else len(text)]


def _last_block(text: str, robots: int) -> list[str] | None:
    """The moves of the last block of lines that consist of moves. Lines of a list and other lines are
    different blocks, as are plain lines with an empty line between them; a list that starts again at 1 is
    a new one."""
    block: list[str] = []
    items, after_gap, closed = False, False, False
    for line in text.splitlines():
        if not line.strip():
            after_gap = True
            continue
        item = _ITEM.match(line)
        moves = _moves_of_line(line, robots, item is not None)
        if moves is None:
            closed = True
        else:
            again = item is not None and item.group(1) == "1"
            if closed or items != (item is not None) or (after_gap and not items) or again:
                block = []
            block.extend(moves)
            items, closed = item is not None, False
        after_gap = False
    return block or None


def _moves_of_line(line: str, robots: int, is_item: bool) -> list[str] | None:
    """The moves of a line that consists of moves; None for any other line. After the first move of an item
    of a list there may be a remark."""
    moves: list[str] = []
    robot: str | None = None  # a robot that waits for its direction
    color: str | None = None  # the last robot that was named by its colour: "red right, then down"
    heading: str | None = None  # the direction in words just before: "east (E)"
    for word, sign in _tokens(line):
        if sign:
            if robot is not None and color is None and sign not in _JOINS_LETTERS:
                return _with_remark(moves, is_item)
            continue
        folded = word.lower().replace("\u2019", "'")
        before, heading = heading, None
        if folded in _COLOR_LETTERS:
            letter = _COLOR_LETTERS[folded]
            if LETTERS.index(letter) >= robots or robot is not None:
                return _with_remark(moves, is_item)
            robot = color = letter
        elif folded in _DIRECTIONS:
            mover = robot or color
            if mover is None:
                return _with_remark(moves, is_item)
            heading = _DIRECTIONS[folded]
            moves.append(mover + heading)
            robot = None
        elif folded in _FILLER:
            heading = before
        elif not word.isupper():
            return _with_remark(moves, is_item)
        elif robot is not None and color is not None:
            if word == robot:  # "red (R)"
                continue
            if word not in "NESW" or len(word) > 1:
                return _with_remark(moves, is_item)
            moves.append(robot + word)
            robot = None
        elif word != before:
            color = None
            for letter in word:
                if robot is not None and letter in "NESW":
                    moves.append(robot + letter)
                    robot = None
                elif robot is None and letter in LETTERS[:robots]:
                    robot = letter
                else:
                    return _with_remark(moves, is_item)
            if robot is not None and len(word) > 1:
                return _with_remark(moves, is_item)
    if robot is not None:
        return _with_remark(moves, is_item)
    return moves or None


def _with_remark(moves: list[str], is_item: bool) -> list[str] | None:
    return moves[:1] if is_item and moves else None


def _tokens(line: str) -> Iterator[tuple[str, str]]:
    """Words and signs; numbers and spaces say nothing."""
    for match in _TOKEN.finditer(line):
        if match[1] or match[2]:
            yield match[1] or "", match[2] or ""


def verdict(answer: str | Solution | None, puzzle: Puzzle) -> tuple[Grade, int | None]:
    """The grade of an answer and its number of moves. Moves after the target is reached count, so an answer
    has to end there. If the puzzle does not state its optimum, it is solved."""
    moves = answer if isinstance(answer, Solution) else parse_answer(answer, puzzle)
    if moves is None:
        return Grade.UNREADABLE, None
    position = Position(puzzle)
    try:
        for move in moves:
            position.push(move)
    except IllegalMoveError:
        return Grade.ILLEGAL, len(moves)
    if not position.is_solved:
        return Grade.LEGAL, len(moves)
    return (Grade.OPTIMAL if len(moves) <= optimum_of(puzzle) else Grade.SOLVED), len(moves)


def optimum_of(puzzle: Puzzle) -> int:
    """The fewest moves of a solution: those that the puzzle states, or the solver's."""
    return puzzle.optimal if puzzle.optimal is not None else _solved_length(puzzle)


@lru_cache(maxsize=4096)
def _solved_length(puzzle: Puzzle) -> int:
    length = solve(puzzle).length
    if length is None:
        raise RequestError(f"{puzzle.line} has no solution: there is nothing to score")
    return length


def score_answer(
    answer: str | Solution | None, entry: dict[str, Any], scoring: Scoring = "strict"
) -> float:
    """The score of an answer to a task.

    ``strict`` is for benchmarks: 1 for a shortest solution, 0 for anything else. ``shaped`` is for training:
    also 0.9 x optimum / length for a longer solution, 0.02 for legal moves that do not solve the puzzle and
    0.01 for moves of which one is illegal, so nearly all of it is for solving.
    """
    puzzle = Puzzle(entry["metadata"]["puzzle"])
    grade, length = verdict(answer, puzzle)
    return score_of(grade, length, optimum_of(puzzle), scoring)


def score_of(grade: Grade, length: int | None, optimum: int, scoring: Scoring = "strict") -> float:
    """The score of a grade: see :func:`score_answer`."""
    if scoring not in ("strict", "shaped"):
        raise RequestError(f"there is no scoring '{scoring}': expected strict or shaped")
    if grade is Grade.OPTIMAL:
        return 1.0
    if scoring == "strict":
        return 0.0
    if grade is Grade.SOLVED and length:
        return 0.9 * optimum / length
    return {Grade.ILLEGAL: 0.01, Grade.LEGAL: 0.02}.get(grade, 0.0)
