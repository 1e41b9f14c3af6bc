"""Reading and grading answers."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Any

from .._errors import IllegalMoveError
from .._native import Position, Puzzle, Solution

_COLORS = {
    "red": "R", "green": "G", "blue": "B", "yellow": "Y", "silver": "W", "white": "W",
    "orange": "O", "purple": "P", "cyan": "C",
}  # fmt: skip
_DIRECTIONS = {
    "north": "N", "east": "E", "south": "S", "west": "W",
    "up": "N", "right": "E", "down": "S", "left": "W",
}  # fmt: skip
_WORDS = re.compile(
    rf"\b({'|'.join(_COLORS)})\b[\s:,()>-]*(?:robot\s+|moves?\s+|goes\s+|slides?\s+)*"
    rf"({'|'.join(_DIRECTIONS)})\b|\b([RGBYWOPC])\s?([NESW])\b",
    re.IGNORECASE,
)
#: A longer answer is an attempt to hit the target by chance.
_MAX_MOVES = 1000


class Grade(IntEnum):
    """How good an answer is. Each grade is better than those before it."""

    UNREADABLE = 0
    ILLEGAL = 1
    LEGAL = 2
    SOLVED = 3
    OPTIMAL = 4


def parse_answer(text: str | None) -> Solution | None:
    """The moves of an answer: those in its last ``<answer>`` element or, without one, those in the last
    line with moves. ``RE``, ``R E``, ``red east`` and ``red: right`` are the same move."""
    if not isinstance(text, str):
        return None
    tagged = re.findall(r"<answer>(.*?)</answer>", text, re.IGNORECASE | re.DOTALL)
    parts = [tagged[-1]] if tagged else [line for line in reversed(text.splitlines()) if line.strip()]
    for part in parts:
        moves = [
            _COLORS[color.lower()] + _DIRECTIONS[way.lower()] if color else (robot + heading).upper()
            for color, way, robot, heading in _WORDS.findall(part)
        ]
        if moves:
            return Solution(moves) if len(moves) <= _MAX_MOVES else None
    return None


def verdict(answer: str | Solution | None, puzzle: Puzzle) -> tuple[Grade, int | None]:
    """The grade of an answer and its number of moves. ``OPTIMAL`` needs the puzzle's optimum. Moves
    after the target is reached count, so an answer has to end there."""
    moves = answer if isinstance(answer, Solution) else parse_answer(answer)
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
    if puzzle.optimal is not None and len(moves) <= puzzle.optimal:
        return Grade.OPTIMAL, len(moves)
    return Grade.SOLVED, len(moves)


def score_answer(answer: str | Solution | None, entry: dict[str, Any]) -> float:
    """0 without moves, 0.05 for illegal moves, 0.2 for legal moves that do not solve the puzzle, 0.5 to 0.9
    for a solution depending on its length, 1 for a shortest one."""
    puzzle = Puzzle(entry["metadata"]["puzzle"])
    grade, length = verdict(answer, puzzle)
    if grade is Grade.SOLVED and length:
        return 0.5 + 0.4 * (puzzle.optimal or 0) / length
    return {Grade.UNREADABLE: 0.0, Grade.ILLEGAL: 0.05, Grade.LEGAL: 0.2}.get(grade, 1.0)
