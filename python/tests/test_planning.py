"""PDDL and ASP: planners and clingo find our optima."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import ricochet_engine as rr
from ricochet_engine.planning import (
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


@pytest.mark.parametrize(
    ("plan", "moves"),
    [
        ("(go robot-1 north)\n(step robot-1 cell-1-2 cell-1-1 north)\n; cost = 1 (unit cost)\n", "RN"),
        ("0.00: (GO ROBOT-2 EAST) [1.0]", "GE"),
        ("SequentialPlan:\n    go(robot-1, east)\n    step(robot-1, cell-1-1, cell-2-1, east)\n"
         "    stop-at-barrier(robot-1, cell-2-1, east)\n    go(robot-2, south)", "RE GS"),
        ("go(robot_1, east)", "RE"),
        ("[go(robot-1, east), go(robot-1, south)]", "RE RS"),
        ("", ""),
        ("; cost = 0 (unit cost)\n", ""),
        ("SequentialPlan:\n", ""),
    ],
)  # fmt: skip
def test_plans_are_read(plan: str, moves: str) -> None:
    assert pddl_solution(plan) == rr.Solution(moves)


@pytest.mark.parametrize("plan", ["move red east", "(drive robot-1 north)", "go(robot-9, east)"])
def test_what_is_no_plan_is_refused(plan: str) -> None:
    with pytest.raises(rr.UnreadableError):
        pddl_solution(plan)


def test_a_plan_of_unified_planning(tmp_path: Path) -> None:
    pytest.importorskip("unified_planning")
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.io import PDDLReader
    from unified_planning.plans import ActionInstance, SequentialPlan

    (tmp_path / "domain.pddl").write_text(PDDL_DOMAIN)
    (tmp_path / "problem.pddl").write_text(pddl_problem("2x2..00.R10"))
    problem = PDDLReader().parse_problem(tmp_path / "domain.pddl", tmp_path / "problem.pddl")
    one, cells = problem.object, ("cell-1-1", "cell-2-1")
    robot, east = one("robot-1"), one("east")
    first, last = (one(cell) for cell in cells)
    steps = [
        ActionInstance(problem.action("go"), (robot, east)),
        ActionInstance(problem.action("step"), (robot, first, last, east)),
        ActionInstance(problem.action("stop-at-barrier"), (robot, last, east)),
    ]
    plan = SequentialPlan(steps)
    assert SequentialPlanValidator().validate(problem, plan)
    assert pddl_solution(str(plan)) == rr.Solution("RE")


@pytest.mark.parametrize("line", ["4x4..00.V33", "4x3..00.R31"])
def test_goals_and_boards_without_asp_facts_are_refused(line: str) -> None:
    assert "any robot" in (asp_program.__doc__ or "") and "square" in (asp_program.__doc__ or "")
    with pytest.raises(rr.UnsupportedError):
        asp_program(line, 3)


def test_any_robot_may_arrive() -> None:
    assert "(or (at robot-1 cell-4-2) (at robot-2 cell-4-2))" in pddl_problem("4x3..0012.V31")


@pytest.mark.parametrize("line", ["8x8..00.R77.m", "8x8..00.R77.dsG12"])
def test_what_they_do_not_know_is_refused(line: str) -> None:
    with pytest.raises(rr.UnsupportedError):
        pddl_problem(line)
    with pytest.raises(rr.UnsupportedError):
        asp_program(line, 3)
