"""Puzzles for planners and answer set solvers.

``pddl_problem`` writes instances of the domain of the planning competition of 2023 (IPC 2023,
``ricochet-robots``): the same predicates, functions and actions. Each move costs one unit.
``asp_program`` writes the facts of the ASP competition's instances with an encoding of the rules.

Neither supports diagonals or ``must_ricochet``; the ASP facts can also express neither goals of any robot nor
boards that are not square. Such puzzles raise :class:`~ricochet_engine.UnsupportedError`.
"""

from __future__ import annotations

import re

from ._errors import UnreadableError, UnsupportedError
from ._native import Puzzle, Solution
from ._questions import COLORS, LETTERS, PuzzleLike, as_puzzle

_DIRECTIONS = {"north": (0, -1, 1), "east": (1, 0, 2), "south": (0, 1, 4), "west": (-1, 0, 8)}

#: The domain: a robot starts, steps from cell to cell, and stops at an obstacle.
PDDL_DOMAIN = """\
(define (domain ricochet-robots)
(:requirements :typing :adl :action-costs)
(:types robot cell direction - object)
(:predicates
    (next ?c - cell ?cnext - cell ?dir - direction)
    (blocked ?c - cell ?dir - direction)
    (at ?r - robot ?c - cell)
    (free ?c - cell)
    (nothing-is-moving)
    (is-moving ?r - robot ?dir - direction))
(:functions (total-cost) (go-cost) (step-cost) (stop-cost) - number)
(:action go
    :parameters (?r - robot ?dir - direction)
    :precondition (nothing-is-moving)
    :effect (and (is-moving ?r ?dir) (not (nothing-is-moving))
        (increase (total-cost) (go-cost))))
(:action step
    :parameters (?r - robot ?cfrom - cell ?cto - cell ?dir - direction)
    :precondition (and (is-moving ?r ?dir) (at ?r ?cfrom) (next ?cfrom ?cto ?dir)
        (not (blocked ?cfrom ?dir)) (free ?cto))
    :effect (and (at ?r ?cto) (not (at ?r ?cfrom)) (free ?cfrom) (not (free ?cto))
        (increase (total-cost) (step-cost))))
(:action stop-at-barrier
    :parameters (?r - robot ?cat - cell ?dir - direction)
    :precondition (and (is-moving ?r ?dir) (at ?r ?cat) (blocked ?cat ?dir))
    :effect (and (nothing-is-moving) (not (is-moving ?r ?dir))
        (increase (total-cost) (stop-cost))))
(:action stop-at-robot
    :parameters (?r - robot ?cat - cell ?cnext - cell ?dir - direction)
    :precondition (and (is-moving ?r ?dir) (at ?r ?cat) (next ?cat ?cnext ?dir)
        (not (free ?cnext)))
    :effect (and (nothing-is-moving) (not (is-moving ?r ?dir))
        (increase (total-cost) (stop-cost))))
)
"""

#: The rules for answer set solvers, over the facts ``dim``, ``barrier``, ``pos``, ``target``, ``length``.
ASP_ENCODING = """\
way(north,0,-1,south). way(east,1,0,west). way(south,0,1,north). way(west,-1,0,east).
robot(R) :- pos(R,_,_).
time(1..L) :- length(L).

% A barrier stands on both sides of its edge.
wall(X,Y,D) :- barrier(X,Y,D).
wall(X+DX,Y+DY,B) :- barrier(X,Y,D), way(D,DX,DY,B).
open(X,Y,D,X+DX,Y+DY) :- dim(X), dim(Y), way(D,DX,DY,_), dim(X+DX), dim(Y+DY), not wall(X,Y,D).

at(R,X,Y,0) :- pos(R,X,Y).
{ go(R,D,T) : robot(R), way(D,_,_,_) } 1 :- time(T).
moves(R,T) :- go(R,_,T).

% The cells that a robot passes, and the last of them.
pass(R,X,Y,T) :- go(R,_,T), at(R,X,Y,T-1).
pass(R,U,V,T) :- pass(R,X,Y,T), go(R,D,T), open(X,Y,D,U,V), not at(S,U,V,T-1) : robot(S), S != R.
goes_on(R,X,Y,T) :- pass(R,X,Y,T), go(R,D,T), open(X,Y,D,U,V), pass(R,U,V,T).
at(R,X,Y,T) :- pass(R,X,Y,T), not goes_on(R,X,Y,T).
at(R,X,Y,T) :- at(R,X,Y,T-1), time(T), not moves(R,T).

:- target(R,X,Y), length(L), not at(R,X,Y,L).
#show go/3.
"""


def _check_supported(puzzle: Puzzle, what: str) -> None:
    if puzzle.board.diagonals:
        raise UnsupportedError(f"{what} does not support diagonals")
    if puzzle.must_ricochet:
        raise UnsupportedError(f"{what} does not support the rule must_ricochet")


def pddl_problem(puzzle: PuzzleLike, name: str | None = None) -> str:
    """The PDDL problem of a puzzle. Cells count from 1: ``cell-1-1`` is in the north-west corner;
    ``robot-1`` is red. If any robot may reach the target, the goal is a disjunction."""
    puzzle = as_puzzle(puzzle)
    _check_supported(puzzle, "PDDL")
    walls = puzzle.board.walls
    facts, blocked, cells = [], [], []
    for y in range(puzzle.height):
        for x in range(puzzle.width):
            cells.append(_cell(x, y))
            for direction, (dx, dy, bit) in _DIRECTIONS.items():
                if 0 <= x + dx < puzzle.width and 0 <= y + dy < puzzle.height:
                    facts.append(f"(next {_cell(x, y)} {_cell(x + dx, y + dy)} {direction})")
                if walls[y, x] & bit:
                    blocked.append(f"(blocked {_cell(x, y)} {direction})")
    robots = puzzle.robots
    taken = {_cell(x, y) for x, y in robots}
    free = [f"(free {cell})" for cell in cells if cell not in taken]
    at = [f"(at robot-{n} {_cell(x, y)})" for n, (x, y) in enumerate(robots, 1)]
    arrive = [f"(at robot-{n + 1} {_cell(*puzzle.target)})" for n in _goal_robots(puzzle)]
    goal = arrive[0] if len(arrive) == 1 else f"(or {' '.join(arrive)})"
    lines = "\n    ".join([*facts, *blocked, *free, *at])
    size = f"{puzzle.width}x{puzzle.height}"
    return f"""\
(define (problem {name or f'ricochet-robots-{size}'})
(:domain ricochet-robots)
(:objects
    {' '.join(cells)} - cell
    {' '.join(f'robot-{n}' for n in range(1, len(robots) + 1))} - robot
    {' '.join(_DIRECTIONS)} - direction)
(:init
    {lines}
    (nothing-is-moving)
    (= (total-cost) 0) (= (go-cost) 1) (= (step-cost) 0) (= (stop-cost) 0))
(:goal (and {goal} (nothing-is-moving)))
(:metric minimize (total-cost)))
"""


def pddl_solution(plan: str) -> Solution:
    """The moves of a plan for the domain: its ``go`` actions, including those that go nowhere. Reads the
    planners' files, ``(go robot-1 north)``, and what unified-planning prints, ``go(robot-1, north)``. Text
    with other actions alone raises :class:`~ricochet_engine.UnreadableError`; a plan without actions is
    empty."""
    text = re.sub(r";.*", "", plan.lower())
    actions = _ACTION.findall(text)
    if not actions and re.sub(r"sequentialplan|[\s:()\[\]]", "", text):
        expected = "expected actions such as (go robot-1 north) or go(robot-1, north)"
        raise UnreadableError(f"this is not a plan for the domain: {expected}")
    moves = []
    for name, robot, way in actions:
        if name == "go":
            if not 1 <= int(robot) <= len(LETTERS):
                raise UnreadableError(f"the plan moves robot {robot}, but there are at most {len(LETTERS)}")
            moves.append(f"{LETTERS[int(robot) - 1]}{way[0].upper()}")
    return Solution(moves)


#: An action in the notation of PDDL or of a function.
_ACTION = re.compile(
    r"\b(go|step|stop[-_]at[-_]barrier|stop[-_]at[-_]robot)[\s(]+robot[-_]([0-9]{1,3})"
    r"(?:[\s,]+cell[-_][0-9]+[-_][0-9]+)*[\s,]+(north|east|south|west)\b"
)


def asp_program(puzzle: PuzzleLike, length: int) -> str:
    """A program that has an answer set if and only if the puzzle has a solution of at most this many
    moves: the ASP competition's facts and :data:`ASP_ENCODING`.

    The competition's facts name one robot that has to arrive, on a square board: goals of any robot and other
    boards raise :class:`~ricochet_engine.UnsupportedError`, as do diagonals and ``must_ricochet``."""
    puzzle = as_puzzle(puzzle)
    _check_supported(puzzle, "the ASP encoding")
    facts, _ = puzzle.write("asp")
    kept = [line for line in facts.splitlines() if not line.startswith("length(")]
    return "\n".join([*kept, f"length({length}).", "", ASP_ENCODING])


def asp_solution(atoms: str) -> Solution:
    """The moves of an answer set: its atoms ``go(robot,direction,time)``."""
    found = re.findall(r"go\((\w+),(\w+),(\d+)\)", atoms)
    steps = sorted((int(time), robot, way) for robot, way, time in found)
    return Solution([f"{LETTERS[COLORS.index(robot)]}{way[0].upper()}" for _, robot, way in steps])


def _cell(x: int, y: int) -> str:
    return f"cell-{x + 1}-{y + 1}"


def _goal_robots(puzzle: Puzzle) -> list[int]:
    if puzzle.target_robot is None:
        return list(range(len(puzzle.robots)))
    return [COLORS.index(puzzle.target_robot)]
