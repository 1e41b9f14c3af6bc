# pyright: strict
"""What a user writes, for mypy --strict and pyright's strict mode; test_docs.py checks and runs it."""

from __future__ import annotations

import asyncio

from ricochet_engine import (
    Board,
    IllegalMoveError,
    Limits,
    Move,
    Outcome,
    Position,
    Puzzle,
    Solution,
    SolveResult,
    Tablebase,
    generate,
    hint,
    solve,
    solve_many,
    start,
)
from ricochet_engine.reasoning import Config, RicochetDataset, parse_answer, score_answer
from ricochet_engine.reasoning.harness import Reply, play
from ricochet_engine.solvers import Iddfs


class Careless:
    """A client of the harness."""

    def complete(self, messages: object, tools: object, sample: int) -> Reply:
        return Reply("RE")


async def analyse(puzzle: Puzzle) -> SolveResult:
    search = start(puzzle)
    async for progress in search.updates(0.01):
        print(progress.lower_bound)
    return await search


def main() -> None:
    puzzle = Puzzle("4x3..0012.R31")
    board: Board = puzzle.board
    print(board.width, board.walls.sum(), puzzle.robots[0][0])
    answer = solve(puzzle, Iddfs(memo=False), limits=Limits(seconds=5))
    if answer.outcome is Outcome.SOLVED and answer.solution is not None:
        first: Move = answer.solution[0]
        rest: Solution = answer.solution[1:] + [first]
        print(first.color, rest.count("RE"), sorted(rest)[0] < first, list(reversed(rest)))
    position = Position(puzzle)
    seen: set[bytes] = {position.key}
    for move in position.legal_moves:
        position.push(move)
        seen.add(position.key)
        position.pop()
    try:
        position.push("RN")
    except IllegalMoveError as error:
        print(error.message, error.problems)
    lengths: list[int | None] = [it.length for it in solve_many(generate(3, 1, size=(5, 5), robots=2))]
    table = Tablebase.build(puzzle, threads=1)
    print(lengths, table.distances([puzzle.robots])[0], hint(puzzle, 2).sentences)
    tasks = RicochetDataset(Config(seed=1, size=1, board=(5, 5), robots=2))
    moves = parse_answer("RE GN", 2)
    print(score_answer(moves, tasks[0]), play(puzzle, Careless()).grade)
    print(asyncio.run(analyse(puzzle)).length)


if __name__ == "__main__":
    main()
