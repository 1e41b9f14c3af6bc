"""Reasoning tasks."""

from __future__ import annotations

import base64
import json
from collections import Counter

import pytest

import ricochet_robots as rr
from ricochet_robots.reasoning import (
    Config,
    Grade,
    RicochetDataset,
    parse_answer,
    register,
    score_answer,
    split_of,
    verdict,
)
from ricochet_robots.reasoning import benchmark as fixed
from ricochet_robots.reasoning.tasks import coordinates, drawing
from ricochet_robots.reasoning.verifiers import graded, rows

PUZZLE = rr.Puzzle("4x3..0012.R31.o3")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("GE RE RS", "GE RE RS"),
        ("I think.\n<answer>ge, re, rs</answer> Done.", "GE RE RS"),
        ("<answer>RW</answer> no, <answer>green east; red: right -> red down</answer>", "GE RE RS"),
        ("1. The green robot moves east\nred goes east\nGE RE RS\n", "GE RE RS"),
        ("Robot R E", "RE"),
        ("", None),
        (None, None),
        ("<answer></answer>", None),
        ("I do not know.", None),
        ("RE " * 5000, None),
    ],
)
def test_answers_are_read(text: str | None, moves: str | None) -> None:
    assert parse_answer(text) == (None if moves is None else rr.Solution(moves))


def test_better_answers_score_more() -> None:
    answers = ["no idea", "RN", "RE", "GE RE GW GE RS", "GE RE RS"]
    graded_ = [verdict(answer, PUZZLE)[0] for answer in answers]
    assert graded_ == list(Grade)
    task = {"metadata": {"puzzle": PUZZLE.line}}
    scores = [score_answer(answer, task) for answer in answers]
    assert scores == sorted(set(scores)) and (scores[0], scores[-1]) == (0.0, 1.0)
    shorter = score_answer("GE RE RW RE RS", task)
    assert shorter < 1.0 and shorter > score_answer("GE RE RW RE GW GE RS", task)


@pytest.mark.parametrize("form", ["drawing", "coordinates", "picture"])
def test_tasks(form: str) -> None:
    tasks = RicochetDataset(Config(seed=1, size=3, form=form))
    assert len(list(tasks)) == 3
    for index, task in enumerate(tasks):
        assert task == tasks[index], "the same seed"
        assert tasks.score_answer(task["answer"], task) == 1.0
        optimum = task["metadata"]["optimum"]
        assert 2 <= optimum <= 6
        assert "optimal" not in task["question"] and f"{optimum} moves" not in task["question"]
        if form == "picture":
            png = base64.b64decode(task["metadata"]["image"].split(",")[1])
            assert png.startswith(b"\x89PNG")
    with pytest.raises(IndexError):
        tasks[3]


def test_the_forms_tell_everything() -> None:
    """A drawing is read back; coordinates name every wall between two cells."""
    for puzzle in fixed.benchmark()[::97]:
        again = rr.Puzzle(drawing(puzzle))
        assert (again.robots, again.target, again.target_robot) == (
            puzzle.robots, puzzle.target, puzzle.target_robot,
        )  # fmt: skip
        assert (again.board.walls == puzzle.board.walls).all()
        walls = puzzle.board.walls
        between = int(((walls[:, :-1] & 2) > 0).sum() + ((walls[:-1] & 4) > 0).sum())
        assert coordinates(puzzle).count("|") == between


def test_splits_share_no_layout() -> None:
    counts = Counter()
    for puzzle in rr.generate(300, 9, edition="1999", threads=1):
        kind = split_of(puzzle)
        counts[kind] += 1
        assert all(split_of(puzzle.transformed(symmetry)) == kind for symmetry in range(8))
    assert counts["test"] > 10 and counts["train"] > counts["test"]
    held_out = RicochetDataset(Config(seed=1, size=4, split="test"))
    assert {task["metadata"]["split"] for task in held_out} == {"test"}


@pytest.mark.parametrize(
    "bad", [{"min_moves": 0}, {"min_moves": 5, "max_moves": 2}, {"size": 0}, {"form": "song"}]
)
def test_bad_configurations(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        RicochetDataset(Config(**bad))


def test_the_fixed_set_is_exact() -> None:
    puzzles = fixed.benchmark()
    assert len(puzzles) == len(set(puzzles)) == 1000
    answers = rr.solve_many(puzzles)
    assert all(it.optimal and it.length == it.puzzle.optimal for it in answers)
    assert all(split_of(puzzle) == "test" for puzzle in puzzles)


def test_the_fixed_set_is_made_again() -> None:
    small = [puzzle.line for puzzle in fixed.benchmark() if puzzle.id.startswith("5x5-")]
    assert fixed.make("5x5") == small


@pytest.mark.long
def test_all_of_the_fixed_set_is_made_again() -> None:
    assert fixed.make() == [puzzle.line for puzzle in fixed.benchmark()]


def test_baselines_play_by_the_rules() -> None:
    from random import Random

    for puzzle in fixed.benchmark()[::50]:
        for player in (fixed.random_player, fixed.greedy_player):
            grade, length = verdict(player(puzzle, Random(1)), puzzle)
            assert grade >= Grade.LEGAL and length <= 30


def test_reasoning_gym_knows_it() -> None:
    reasoning_gym = pytest.importorskip("reasoning_gym")
    register()
    tasks = reasoning_gym.create_dataset("ricochet_robots", seed=3, size=2)
    for task in tasks:
        assert tasks.score_answer(task["answer"], task) == 1.0


def test_rows_for_verifiers() -> None:
    made = rows(RicochetDataset(Config(seed=1, size=2, form="picture")))
    assert made[0]["prompt"][0]["content"][1]["type"] == "image_url"
    completion = [{"role": "assistant", "content": f"<answer>{made[0]['answer']}</answer>"}]
    assert graded(completion, made[0]["info"]) == 1.0
    assert graded([], json.loads(made[0]["info"])) == 0.0


def test_the_environment_of_verifiers() -> None:
    pytest.importorskip("verifiers")
    from ricochet_robots.reasoning import load_environment

    env = load_environment(num_train_examples=2, num_eval_examples=2)
    assert len(env.get_dataset()) == 2 and len(env.get_eval_dataset()) == 2
