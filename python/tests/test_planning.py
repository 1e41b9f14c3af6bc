"""PDDL and ASP: planners and clingo find our optima."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import ricochet_robots as rr
from ricochet_robots.planning import (
    PDDL_DOMAIN,
    asp_program,
    asp_solution,
    pddl_problem,
    pddl_solution,
)

SMALL = rr.generate(6, 2, size=(6, 6), robots=3, who="one", any_cell=True, moves=(2, 6), threads=1)


def shortened(puzzle: rr.Puzzle, moves: rr.Solution) -> rr.Solution:
    """Without the moves that go nowhere, which both encodings allow."""
    position, kept = rr.Position(puzzle), []
    for move in moves:
        if position.is_legal(move):
            position.push(move)
            kept.append(move)
    return rr.Solution(kept)


def models(program: str) -> str | None:
    clingo = pytest.importorskip("clingo")
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    found: list[str] = []
    control.solve(on_model=lambda model: found.append(str(model)))
    return found[0] if found else None


@pytest.mark.parametrize("puzzle", SMALL, ids=lambda it: it.id)
def test_clingo_finds_the_optimum(puzzle: rr.Puzzle) -> None:
    assert puzzle.optimal is not None
    assert models(asp_program(puzzle, puzzle.optimal - 1)) is None
    moves = models(asp_program(puzzle, puzzle.optimal))
    assert moves is not None and puzzle.is_solution(asp_solution(moves))


def fast_downward() -> Path:
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        pytest.skip("Fast Downward (up-fast-downward) is not installed")
    return Path(spec.origin).parent / "downward" / "fast-downward.py"


@pytest.mark.parametrize("puzzle", SMALL[:3], ids=lambda it: it.id)
def test_a_planner_finds_the_optimum(puzzle: rr.Puzzle, tmp_path: Path) -> None:
    driver = fast_downward()
    (tmp_path / "domain.pddl").write_text(PDDL_DOMAIN)
    (tmp_path / "problem.pddl").write_text(pddl_problem(puzzle))
    run = subprocess.run(
        [sys.executable, driver, "domain.pddl", "problem.pddl", "--search", "astar(blind())"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    moves = pddl_solution((tmp_path / "sas_plan").read_text())
    assert puzzle.optimal == len(moves) and puzzle.is_solution(shortened(puzzle, moves))


def test_any_robot_may_arrive() -> None:
    assert "(or (at robot-1 cell-4-2) (at robot-2 cell-4-2))" in pddl_problem("4x3..0012.V31")


@pytest.mark.parametrize("line", ["8x8..00.R77.m", "8x8..00.R77.dsG12"])
def test_what_they_do_not_know_is_refused(line: str) -> None:
    with pytest.raises(rr.UnsupportedError):
        pddl_problem(line)
    with pytest.raises(rr.UnsupportedError):
        asp_program(line, 3)
