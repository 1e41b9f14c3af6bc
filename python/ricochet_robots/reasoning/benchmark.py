"""The fixed set of 1,000 puzzles, version 1, and the scores of baseline players.

    python -m ricochet_robots.reasoning.benchmark make      # prints the set, which is the file
    python -m ricochet_robots.reasoning.benchmark baselines # random, greedy and the solvers

All layouts are in the test split, so training on the other split has not seen them. Every line is a puzzle
with its proved optimum.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from random import Random

from .._native import Position, Puzzle, Solution
from .._questions import COLORS, Limits, PuzzleFilter, candidates, overlay, solve_many
from .answers import Grade, score_answer, verdict
from .tasks import Form, entry, split_of

VERSION = 1
SEED = 20261117

#: Name, filter, fewest and most moves, and how many puzzles of each length.
GROUPS: tuple[tuple[str, PuzzleFilter, int, int, int], ...] = (
    ("5x5", PuzzleFilter(size=(5, 5), robots=2), 2, 6, 40),
    ("8x8", PuzzleFilter(size=(8, 8), robots=3), 3, 8, 50),
    ("official", PuzzleFilter(edition="1999", robots=4), 3, 12, 40),
    ("diagonals", PuzzleFilter(edition="2013", robots=4), 3, 12, 10),
)


@cache
def benchmark() -> tuple[Puzzle, ...]:
    """The puzzles, in the order of the file."""
    text = files(__package__).joinpath(f"benchmark-v{VERSION}.txt").read_text(encoding="ascii")
    return tuple(Puzzle(line) for line in text.splitlines() if line and not line.startswith("#"))


def tasks(form: Form = "drawing") -> list[dict[str, object]]:
    """The tasks of the set in this form."""
    puzzles = benchmark()
    answers = solve_many(puzzles, "flagship")
    return [
        entry(puzzle, answer.solution or Solution(), form, number, {"optimum": puzzle.optimal})
        for number, (puzzle, answer) in enumerate(zip(puzzles, answers, strict=True))
    ]


def make(only: str | None = None) -> list[str]:
    """Reproduces the set, group by group: the first candidates of each length on held-out boards."""
    lines: list[str] = []
    for name, filter, least, most, each in GROUPS:
        if only not in (None, name):
            continue
        wanted = PuzzleFilter(**{**filter.request(), "moves": (least, most)})
        found: dict[int, list[Puzzle]] = {length: [] for length in range(least, most + 1)}
        start = 0
        while any(len(puzzles) < each for puzzles in found.values()):
            for number, puzzle, _ in candidates(range(start, start + 512), SEED, wanted):
                if puzzle is None or puzzle.optimal is None or split_of(puzzle) != "test":
                    continue
                if len(found[puzzle.optimal]) < each:
                    named = puzzle.line.rsplit(".n", 1)[0] + f".n{name}-{number}"
                    found[puzzle.optimal].append(Puzzle(named))
            start += 512
        lines.extend(puzzle.line for puzzles in found.values() for puzzle in puzzles)
    return lines


def random_player(puzzle: Puzzle, rng: Random, most: int = 30) -> Solution:
    """Plays random legal moves until the goal is reached, at most 30."""
    position = Position(puzzle)
    while not position.is_solved and len(position) < most:
        position.push(rng.choice(position.legal_moves))
    return position.moves


def greedy_player(puzzle: Puzzle, rng: Random, most: int = 30) -> Solution:
    """Chooses the move after which the minimum-moves map is lowest for a robot that may reach the goal.
    Positions seen before are avoided, and ties are broken at random."""
    bound = overlay(puzzle.replace(any_robot=False, robot=puzzle.target_robot or "red"), "min-moves")
    goal_robots = list(range(len(puzzle.robots)))
    if puzzle.target_robot is not None:
        goal_robots = [COLORS.index(puzzle.target_robot)]
    position = Position(puzzle)
    seen = {tuple(position.robots)}
    while not position.is_solved and len(position) < most:
        rated = []
        for move in position.legal_moves:
            after = position.apply(move)
            cells = after.robots
            lowest = min(int(bound[cells[n][1], cells[n][0]]) % 1000 for n in goal_robots)
            rated.append((tuple(cells) in seen, not after.is_solved, lowest, rng.random(), move))
        position.push(min(rated, key=lambda it: it[:4])[4])
        seen.add(tuple(position.robots))
    return position.moves


def _scored(answers: list[Solution | None]) -> dict[str, float]:
    puzzles = benchmark()
    grades = [verdict(it, puzzle)[0] for it, puzzle in zip(answers, puzzles, strict=True)]
    scores = [
        score_answer(it, {"metadata": {"puzzle": puzzle.line}})
        for it, puzzle in zip(answers, puzzles, strict=True)
    ]
    counts = Counter(grades)
    return {
        "score": round(sum(scores) / len(scores), 4),
        **{grade.name.lower(): counts[grade] for grade in reversed(Grade)},
    }


#: The limit of a solver per puzzle: in nodes, so that the table is the same on every machine.
NODES = 200_000


def baselines(nodes: int = NODES) -> dict[str, dict[str, float]]:
    """Grades and scores of the random and greedy players and the published solvers on the set."""
    puzzles = benchmark()
    table: dict[str, dict[str, float]] = {}
    players: dict[str, Callable[[Puzzle, Random], Solution]] = {
        "random": random_player,
        "greedy": greedy_player,
    }
    for name, player in players.items():
        moves = [player(puzzle, Random(f"{name}:{n}")) for n, puzzle in enumerate(puzzles)]
        table[name] = _scored(list(moves))
    for solver in (
        "single-color", "dfs", "setup-dfs", "setup-bfs", "setup-position", "setup-crossblock",
        "stateless", "graph-v1", "graph-v2", "iddfs", "flagship",
    ):  # fmt: skip
        answers = solve_many(puzzles, solver, limits=Limits(nodes=nodes))
        table[solver] = _scored([answer.solution for answer in answers])
    return table


def main(arguments: list[str]) -> int:
    """The command line of this module."""
    if arguments[:1] == ["make"]:
        print(f"# Ricochet Robots reasoning benchmark, version {VERSION}: 1,000 puzzles, optima proved")
        print("\n".join(make(*arguments[1:2])))
    elif arguments[:1] == ["baselines"]:
        nodes = int(arguments[1]) if len(arguments) > 1 else NODES
        print(json.dumps({"nodes": nodes, "baselines": baselines(nodes)}, indent=1))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
