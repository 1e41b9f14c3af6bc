"""Python says what the command line says."""

from __future__ import annotations

import json
import subprocess

import pytest

import ricochet_engine as rr

#: Each with how many of its puzzles are compared without --long; all of them with it.
CORPORA = {
    "small.jsonl": None,
    "unsolvable.jsonl": None,
    "diagonals.jsonl": None,
    "five-robots.jsonl": 60,
    "large.jsonl": 60,
    "official/random.jsonl": 300,
    "official/by-length.jsonl": 200,
    "official/hard.jsonl": 20,
    "competitions/asp2015.jsonl": 60,
    "competitions/ipc2023.jsonl": 8,
    "records/records.jsonl": 2,
}


def run(command: str, *arguments: str, text: str | None = None) -> list[dict[str, object]]:
    done = subprocess.run(
        [command, "--quiet", *arguments], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1, 3), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", CORPORA)
def test_solve(name: str, corpus, command: str, request: pytest.FixtureRequest) -> None:
    puzzles = rr.read_file(corpus / name)
    if not request.config.getoption("--long"):
        puzzles = puzzles[: CORPORA[name]]
    # One more line, so that a corpus of one puzzle is a batch as well.
    lines = "".join(puzzle.line + "\n" for puzzle in [*puzzles, puzzles[0]])
    theirs = run(command, "solve", "--json", "--solver", "flagship", "-j1", "-", text=lines)
    ours = rr.solve_many([*puzzles, puzzles[0]], "flagship", threads=1)
    assert len(ours) == len(theirs)
    for one, row in zip(ours, theirs, strict=True):
        moves = None if one.solution is None else [str(move) for move in one.solution]
        assert (one.outcome.value, moves) == (row["outcome"], row["moves"])
        assert (one.optimal, one.lower_bound) == (row["optimal"], row["lower_bound"])
        assert one.stats.nodes == row["nodes"], "the same search, node by node"


def test_the_other_questions(corpus, command: str) -> None:
    for puzzle in rr.read_file(corpus / "official" / "random.jsonl")[:8]:
        (rated,) = run(command, "rate", "--json", puzzle.line)
        ours = rr.rate(puzzle)
        assert (ours.difficulty, ours.rating, ours.length, ours.solutions) == (
            rated["difficulty"], rated["rating"], rated["length"], rated["solutions"],
        )  # fmt: skip
        (found,) = run(command, "distances", "--json", "--max-moves", "4", puzzle.line)
        (mine,) = rr.distances(puzzle, max_moves=4)
        cells = [None if n == -2 else n for n in mine.cells.reshape(-1).tolist()]
        assert cells == found["robots"][0]["cells"]
        (told,) = run(command, "solve", "--json", "--all", "--max-solutions", "9", puzzle.line)
        listed = rr.all_solutions(puzzle, max=9)
        assert listed.count == told["solutions"]


def test_generate(command: str) -> None:
    arguments = ["--seed", "5", "--count", "6", "--length", "4..7", "--size", "9x7"]
    done = subprocess.run(
        [command, "--quiet", "generate", *arguments], capture_output=True, text=True, check=True
    )
    made = rr.generate(6, 5, moves=(4, 7), size=(9, 7))
    assert [puzzle.line for puzzle in made] == done.stdout.split()


def test_long_puzzles_are_drawn_by_all_doors_alike(command: str) -> None:
    """Tables are cheaper than trying here; the command line, the service and the list say so."""
    wanted = ["--seed", "7", "--length", "20..", "--size", "6x6", "--robot-count", "2"]
    rows = run(command, "generate", "--json", "--count", "2", *wanted)
    made = rr.generate(2, 7, moves=(20, 99), size=(6, 6), robots=2, threads=2)
    assert (made.seed, made.tried, made.tables) == (7, 10_001, 4)
    assert [puzzle.line for puzzle in made] == [row["puzzle"]["line"] for row in rows]
    assert [puzzle.id for puzzle in made] == ["S7-T251-0", "S7-T251-1"]
    answer = rr.ask("generate", seed=7, moves=[20, 99], size=[6, 6], robots=2, rate=True)
    assert answer == rows[0]
    assert (answer["way"], answer["tables"]) == ("drawn", 4)


def test_giving_up_reads_the_same(command: str) -> None:
    (row,) = run(command, "generate", "--json", "--seed", "1", "--length", "25", "--patience", "20")
    answer = rr.ask("generate", seed=1, moves=[25, 25], candidates=20)
    # Where memory is short, this tells how much there is at the moment.
    assert row.pop("not_drawn") and answer.pop("not_drawn")
    assert row == answer
    assert (row["outcome"], row["limit"], row["tried"]) == ("limit", "candidate limit", 20)
    with pytest.raises(rr.RequestError, match="gave up: 20 candidates in a row do not match"):
        rr.generate(1, 1, moves=(25, 25), patience=20)
