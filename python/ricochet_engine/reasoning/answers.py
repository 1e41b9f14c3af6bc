"""Reading and scoring answers.

The grammar is strict, because an answer is graded by what it says and not by what could be found in it. A
move is a pair of capital letters, a robot and a direction (``RE``, ``R E``, ``R-E``, or several in a row,
``REGS``), or a colour and a direction in words ("move the red robot to the north"). Only robots on the board
count, so "WE" is no move on a board without a silver robot. Words that repeat letters, as in "GE (green moves
east)", are the same move.

The answer is in the last ``<answer>`` element or, without one, in the last block of lines that consist of
moves. Before the moves there may be an announcement that ends in a colon, and after the moves of an item of a
list a remark. A block that only explains the moves of an earlier one does not replace it. Reading takes time
proportional to the length of the text, and only the end of a very long one is read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from itertools import groupby
from typing import Any, Literal

from .._errors import IllegalMoveError, RequestError
from .._native import Position, Puzzle, Solution
from .._questions import COLORS, LETTERS, solve

#: The version of the grammar and of the scores. Scores of different versions cannot be compared.
SCORING_VERSION = 3

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

#: Words between a robot and its direction: "red then slides to the east".
_MOTION = frozenset(
    """again direction first go goes going in is it move moved moves moving next now piece robot robots second
    should slide slides sliding that the then third to towards travels will""".split()
)
#: Words that say nothing about the moves of a line that consists of moves.
_FILLER = _MOTION | frozenset(
    """a all an and answer are as be boldsymbol boxed by count final finally following for found fourth fifth
    get gives have here here's i i'd i'll implies it's its last length let's longrightarrow mathbf mathrm mathtt me
    minimum my need of ok okay on one onto optimal order our output path plan play push quad result rightarrow
    send sequence shortest so solution solve step steps text textbf texttt therefore this thus total turn use
    uses using we we'll with would you your""".split()
)
#: Words that say what the moves do: "then south to reach the target".
_PURPOSE = frozenset(
    """done goal hit hits hitting land landing lands puzzle reach reaches reaching solved solves target
    works""".split()
)
#: Words in an announcement that says that the moves are not the answer: "An alternative that fails: RE RS".
_NOT_THE_ANSWER = frozenset(
    """alternative alternatively alternatives avoid blocked can candidates cannot don example fail failed fails
    format if illegal incorrect instead invalid legal never no not option options otherwise possible unless useless
    wrong""".split()
)
_TOKEN = re.compile(r"([^\W\d_]+(?:['\u2019][A-Za-z]{1,2})?)|([^\w\s]|_)|[\s\d]+")
_JOINS_LETTERS = frozenset("-:>\u2192_.,(/")
#: The start of an item of a list: "1. ", "**Step 2:**", "| 3 | ", "- ", or a move that is then explained, "GE: ".
_ITEM = re.compile(
    r"[*_#>|\s]{0,12}(?:\(?([0-9]{1,3})\s{0,3}\\?[.):|*\-\u2013]"
    r"|\(?(?i:step|move)\s{0,3}#?([0-9]{1,3})\b|([-*+\u2022]\s)|(?=[`*\s]{0,6}[A-Z]{2}[`*]{0,6}(?::|\s[-\u2013\u2014]\s)))"
)
#: Where the next item may begin in the same line; "(3, 2) " is a cell.
_NEXT_ITEM = re.compile(
    r"\s(?=\(([0-9]{1,3})\)\s|([0-9]{1,3})[.:]\s)|(?:(?<=[^,\s])|(?<=\),))\s(?=([0-9]{1,3})\)\s)"
)
#: Marks that models put at the end of a turn: ``</s>``, ``<|im_end|>``.
_SPECIAL = re.compile(r"<[|\uff5c][^|\uff5c<>\s]{1,40}[|\uff5c]>|</?s>|<eos>|<end_of_turn>")

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
    text = _SPECIAL.sub("\n", text[-_MAX_TEXT:])
    # Without the reasoning of models that mark it.
    folded = text.lower() if text.isascii() else _ascii_lower(text)
    thought = folded.rfind("</think>")
    if thought >= 0:
        text, folded = text[thought + 8 :], folded[thought + 8 :]
    element = _answer_element(text, folded)
    moves = _last_block(text if element is None else element, count, element is not None)
    if not 0 < len(moves) <= _MAX_MOVES:
        return None
    return Solution(moves)


def _ascii_lower(text: str) -> str:
    """Lower case of ASCII alone, so that every character keeps its place."""
    return text.translate(_LOWER)


_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def _answer_element(text: str, folded: str) -> str | None:
    """What is in the last ``<answer>`` element: the last closed one, or one that a stop sequence left open."""
    end = folded.rfind("</answer>")
    start = folded.rfind("<answer>", 0, end) if end >= 0 else folded.rfind("<answer>")
    if start < 0:
        return None
    return text[start + 8 : end if end >= 0 else len(text)]


@dataclass
class _Line:
    """A line, or an item of a list, that consists of moves."""

    moves: list[str]
    #: whether all of them are in words
    in_words: bool
    #: whether it says more than moves
    remark: bool = False
    kind: Literal["plain", "numbered", "bullet", "letters"] = "plain"
    number: int | None = None
    #: whether the next line belongs to it
    goes_on: bool = False


@dataclass
class _Block:
    """Lines that are one answer."""

    moves: list[str] = field(default_factory=list)
    in_words: bool = True
    remark: bool = False
    #: the number of the last item
    number: int | None = None

    def add(self, line: _Line) -> None:
        """Adds a line at the end."""
        self.moves += line.moves
        self.in_words &= line.in_words
        self.remark |= line.remark
        self.number = line.number


def _last_block(text: str, robots: int, is_element: bool) -> list[str]:
    """The moves of the last block that does not only explain another. ``is_element``: the text is all of an
    ``<answer>``, whose lines belong together even if they have several moves."""
    blocks: list[_Block] = []
    numbered = -1  # which block is the last numbered list
    before: _Line | None = None  # the line above, if it consists of moves
    gap = False
    for written in text.splitlines():
        if not written.strip():
            gap = True
            continue
        for line in _items(written, robots):
            if line is None:
                before = None
            elif line.number and numbered >= 0 and blocks[numbered].number == line.number - 1:
                # The list goes on; what is between its items explains them.
                del blocks[numbered + 1 :]
                blocks[-1].add(line)
                before = line
            elif before is not None and _repeats(line, before, gap):
                pass
            else:
                if before is None or not _belongs(line, before, gap, is_element):
                    blocks.append(_Block())
                blocks[-1].add(line)
                if line.kind == "numbered":
                    numbered = len(blocks) - 1
                before = line
            gap = False
    answer = _Block()
    places: dict[str, list[int]] = {}
    for block in blocks:
        only_explains = not answer.remark and (block.remark or (block.in_words and not answer.in_words))
        if not (only_explains and _in_order(block.moves, places)):
            answer, places = block, {}
            for place, move in enumerate(block.moves):
                places.setdefault(move, []).append(place)
    return answer.moves


def _repeats(line: _Line, before: _Line, gap: bool) -> bool:
    """Whether a line has the moves of the line above, one in letters and the other in words."""
    return not gap and line.kind == "plain" and line.moves == before.moves and line.in_words != before.in_words


def _belongs(line: _Line, before: _Line, gap: bool, is_element: bool) -> bool:
    """Whether a line is of the same block as the line above. Plain lines are if each has one move or is in
    words: of ``RE`` above ``GE RE RS`` the second is an answer of its own."""
    if line.kind != before.kind or line.kind == "numbered":
        return False
    if line.kind != "plain":
        return True
    if gap:
        return False
    if is_element or before.goes_on:
        return True
    return line.in_words == before.in_words and (line.in_words or len(line.moves) == len(before.moves) == 1)


def _in_order(moves: list[str], places: dict[str, list[int]]) -> bool:
    """Whether moves appear in this order among those with these places."""
    after = -1
    for move in moves:
        found = places.get(move, [])
        next_one = bisect_left(found, after + 1)
        if next_one == len(found):
            return False
        after = found[next_one]
    return True


def _items(written: str, robots: int) -> Iterator[_Line | None]:
    """The line, or the items of a list that is written in one line."""
    item = _ITEM.match(written)
    if item is None:
        yield _read(written, robots, False)
        return
    number = int(item[1] or item[2] or -1)
    start = 0
    if number >= 0:
        for cut in _NEXT_ITEM.finditer(written, item.end()):
            if int(cut[1] or cut[2] or cut[3]) == number + 1:
                yield _item(_read(written[start : cut.start()], robots, True), "numbered", number)
                start, number = cut.end(), number + 1
        yield _item(_read(written[start:], robots, True), "numbered", number)
        return
    line = _item(_read(written, robots, True), "bullet" if item[3] else "letters", None)
    if line is not None and line.kind == "letters" and len(line.moves) > 1 and not line.remark:
        line.kind = "plain"  # "GE - RE - RS"
    yield line


def _item(
    line: _Line | None, kind: Literal["numbered", "bullet", "letters"], number: int | None
) -> _Line | None:
    if line is not None:
        line.kind, line.number = kind, number
    return line


def _read(text: str, robots: int, is_item: bool) -> _Line | None:
    """Reads a line or an item. None if it does not consist of moves."""
    moves: list[tuple[str, bool]] = []  # each with whether it is in words
    remark = False
    robot: str | None = None  # a robot that waits for its direction
    color: str | None = None  # the last robot that was named by its colour: "red right, then down"
    heading: str | None = None  # the direction in words just before: "east (E)"
    announcing = False  # in words before a colon
    doubt = ""  # the signs that end a part of them that makes what follows no answer
    for word, sign in _tokens(text):
        folded = word.lower().replace("\u2019", "'")
        pairs = _pairs(word, robots)
        if announcing:
            if sign == ":":
                if doubt:
                    return None
                announcing, robot, color = False, None, None
            elif sign and sign in doubt:
                doubt = ""
            elif pairs:
                doubt = ".!?"
            elif folded in _NOT_THE_ANSWER:
                doubt = doubt or ".!?,;"
            continue
        # A colour behind the letters of its robot explains them: "GE (green)".
        explained = robot is not None and bool(moves) and not moves[-1][1] and moves[-1][0][0] == robot == color
        before, heading = heading, None
        known = True
        if sign:
            known = robot is None or color is not None or sign in _JOINS_LETTERS
            heading = before
        elif pairs:
            known = robot is None or (color is not None and (not moves or explained or pairs[0][0] == robot))
            if robot is None or pairs[0][0] != robot:
                color = None
            robot = None
            moves.extend((move, False) for move in pairs if known)
        elif folded in _COLOR_LETTERS:
            letter = _COLOR_LETTERS[folded]
            known = LETTERS.index(letter) < robots and (robot is None or explained)
            robot = color = letter
        elif folded in _DIRECTIONS:
            way, mover = _DIRECTIONS[folded], robot or color
            if mover is not None:
                moves.append((mover + way, True))
                robot, color, heading = None, mover, way
            else:
                known = bool(moves) and not moves[-1][1] and moves[-1][0][1] == way  # "GE (east)"
        elif len(word) == 1 and word == robot == color:
            pass  # "red (R)"
        elif len(word) == 1 and word in "NESW" and robot is not None:
            moves.append((robot + word, color is not None))
            robot = None
        elif len(word) == 1 and word in LETTERS[:robots] + "NESW":
            if word != before:  # "east (E)"
                known = robot is None and word in LETTERS[:robots]
                robot, color = word, None
        elif folded in _MOTION or (folded in _FILLER and (robot is None or explained)):
            heading = before
        elif folded in _PURPOSE and moves and robot is None:
            remark = True
        else:
            known = False
        if not known and not moves:
            if pairs:
                return None
            announcing, doubt = True, ".!?,;" if folded in _NOT_THE_ANSWER else ""
        elif not known:
            if not is_item or folded == "or":
                return None
            remark, robot = True, None
            break
    if robot is not None and not (moves and not moves[-1][1] and moves[-1][0][0] == robot == color):
        if not (is_item and moves):
            return None
        remark = True
    kept, cut = _without_repetition(moves, is_item)
    if not kept:
        return None
    return _Line(
        [move for move, _ in kept],
        in_words=all(in_words for _, in_words in kept),
        remark=remark or cut,
        goes_on=text.rstrip().endswith((",", ">", "\u2192")),
    )


def _pairs(word: str, robots: int) -> list[str]:
    """The moves of a word of letter pairs such as ``REGS``; none for any other word."""
    if len(word) < 2 or len(word) % 2 or not word.isupper():
        return []
    pairs = [word[at : at + 2] for at in range(0, len(word), 2)]
    return pairs if all(it[0] in LETTERS[:robots] and it[1] in "NESW" for it in pairs) else []


def _without_repetition(
    moves: list[tuple[str, bool]], is_item: bool
) -> tuple[list[tuple[str, bool]], bool]:
    """The moves without those in words that repeat letters next to them. Other moves in words behind letters are a
    remark in an item of a list: the second result tells whether there is one."""
    runs = [list(run) for _, run in groupby(moves, lambda it: it[1])]
    places: list[dict[str, list[int]]] = []
    for run in runs:
        places.append({})
        for place, (move, _) in enumerate(run):
            places[-1].setdefault(move, []).append(place)
    kept: list[tuple[str, bool]] = []
    for number, run in enumerate(runs):
        if run[0][1]:
            names = [move for move, _ in run]
            beside = places[max(number - 1, 0) : number] + places[number + 1 : number + 2]
            if any(_in_order(names, them) for them in beside):
                continue
            if is_item and number:
                return kept, True
        kept.extend(run)
    return kept, False


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
