"""The benchmark: a fixed set of 1,000 puzzles, new ones by seed, baseline players, and runs with a model.

::

    python -m ricochet_engine.reasoning.benchmark run --base-url http://localhost:8000/v1 --model NAME
    python -m ricochet_engine.reasoning.benchmark baselines  # random, greedy and the solvers
    python -m ricochet_engine.reasoning.benchmark make       # prints the fixed set, which is the file

The fixed set is for comparing published numbers. It is public, so models may have seen it: ``run --seed N`` plays
puzzles of the same kinds that did not exist before. All layouts are in the test split, so training on the
other split has not seen them. Every puzzle has its proved optimum. See
:mod:`~ricochet_engine.reasoning.harness` for the protocol.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from random import Random

from .._native import Position, Puzzle, Solution
from .._questions import COLORS, Limits, PuzzleFilter, candidates, generated, overlay, solve_many
from . import harness
from .answers import SCORING_VERSION, Grade, verdict
from .tasks import Form, entry, split_of

#: The version of the fixed set. The protocol has a version of its own.
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


def fresh(seed: int, count: int = 200) -> tuple[Puzzle, ...]:
    """Puzzles of the same kinds as the fixed set, in the same proportions, made from this seed."""
    lengths = [(group, length) for group in GROUPS for length in range(group[2], group[3] + 1)]
    whole = sum(group[4] for group, _ in lengths)
    # Each kind and length gets its share, rounded so that the sum is the count.
    shares: list[int] = []
    passed = 0
    for group, _ in lengths:
        before = passed * count // whole
        passed += group[4]
        shares.append(passed * count // whole - before)
    puzzles: list[Puzzle] = []
    for (group, length), share in zip(lengths, shares, strict=True):
        name, filter, *_ = group
        wanted = PuzzleFilter(**{**filter.request(), "moves": (length, length)})
        found: list[Puzzle] = []
        for puzzle in generated(seed, wanted) if share else ():
            if split_of(puzzle) == "test":
                line = puzzle.line.rsplit(".n", 1)[0]
                found.append(Puzzle(f"{line}.n{name}-{length}m{len(found)}s{seed}"))
                if len(found) == share:
                    break
        puzzles.extend(found)
    return tuple(puzzles)


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
    counts = Counter(grades)
    return {
        "score": round(counts[Grade.OPTIMAL] / len(puzzles), 4),
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
    parser = argparse.ArgumentParser(prog="python -m ricochet_engine.reasoning.benchmark")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("make", help="print the fixed set")
    one.add_argument("only", nargs="?", choices=[group[0] for group in GROUPS], help="only these boards")
    one = commands.add_parser("baselines", help="grade the baseline players")
    one.add_argument("nodes", nargs="?", type=int, default=NODES, help="nodes per puzzle of a solver")
    one = commands.add_parser("run", help="play with a model and print its scores as JSON")
    one.add_argument("--base-url", required=True, help="a server with OpenAI's chat completions, ending in /v1")
    one.add_argument("--model", required=True)
    one.add_argument("--key-variable", default="OPENAI_API_KEY", help="the environment variable with the API key")
    one.add_argument("--mode", choices=harness.MODES, default="single")
    one.add_argument("--form", choices=("drawing", "coordinates", "picture"), default="drawing")
    one.add_argument("--samples", type=int, default=1, help="attempts per puzzle, for pass@k")
    one.add_argument("--limit", type=int, help="only this many puzzles, spread over the set")
    one.add_argument("--seed", type=int, help="puzzles of this seed instead of the fixed set")
    one.add_argument("--workers", type=int, default=4, help="requests at once")
    one.add_argument("--temperature", type=float)
    one.add_argument("--max-tokens", type=int)
    one.add_argument("--out", help="a file for all episodes; a run that was stopped goes on there")
    given = parser.parse_args(arguments)
    if given.command == "make":
        print(f"# Ricochet Robots reasoning benchmark, version {VERSION}: 1,000 puzzles, optima proved")
        print("\n".join(make(given.only)))
    elif given.command == "baselines":
        head = {"set": VERSION, "scoring": SCORING_VERSION, "nodes": given.nodes}
        print(json.dumps({**head, "baselines": baselines(given.nodes)}, indent=1))
    else:
        return _run(given)
    return 0


def _run(given: argparse.Namespace) -> int:
    options = {"temperature": given.temperature, "max_tokens": given.max_tokens}
    client = harness.Endpoint(
        given.base_url,
        given.model,
        api_key=os.environ.get(given.key_variable),
        **{key: value for key, value in options.items() if value is not None},
    )
    if given.seed is not None:
        puzzles = fresh(given.seed, given.limit or 200)
    else:
        puzzles = benchmark()
        if given.limit is not None:
            count = max(1, min(given.limit, len(puzzles)))
            puzzles = tuple(puzzles[n * len(puzzles) // count] for n in range(count))
    played = 0

    def tell(episode: harness.Episode) -> None:
        nonlocal played
        played += 1
        print(f"{played}: {episode.task} {episode.error or episode.grade}", file=sys.stderr)

    report = harness.run(
        puzzles, client, mode=given.mode, form=given.form, samples=given.samples,
        workers=given.workers, out=given.out, progress=tell,
    )  # fmt: skip
    print(json.dumps({"model": given.model, "seed": given.seed, **report.summary()}, indent=1))
    failed = sum(it.error is not None for it in report.episodes)
    if failed:
        again = "the same command plays them again" if given.out else "with --out, they could be played again"
        print(f"{failed} of {len(report.episodes)} attempts failed and count as 0: {again}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
