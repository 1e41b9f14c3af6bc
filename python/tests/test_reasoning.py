"""Reasoning tasks."""

from __future__ import annotations

import base64
import re
from collections import Counter

import pytest

import ricochet_engine as rr
from ricochet_engine.picture import picture
from ricochet_engine.reasoning import (
    LEVELS,
    TECHNIQUES,
    Config,
    Grade,
    RicochetDataset,
    register,
    score_answer,
    split_of,
    technique,
    verdict,
)
from ricochet_engine.reasoning import benchmark as fixed
from ricochet_engine.reasoning.tasks import board_text, coordinates, drawing, image_url, level, question

PUZZLE = rr.Puzzle("4x3..0012.R31.o3")


def test_better_answers_score_more() -> None:
    answers = ["no idea", "RN", "RE", "GE RE GW GE RS", "GE RE RS"]
    graded_ = [verdict(answer, PUZZLE)[0] for answer in answers]
    assert graded_ == list(Grade)
    task = {"metadata": {"puzzle": PUZZLE.line}}
    scores = [score_answer(answer, task, "shaped") for answer in answers]
    assert scores == sorted(set(scores)) and (scores[0], scores[-1]) == (0.0, 1.0)
    shorter = score_answer("GE RE RW RE RS", task, "shaped")
    assert shorter < 1.0 and shorter > score_answer("GE RE RW RE GW GE RS", task, "shaped")
    assert [score_answer(answer, task) for answer in answers] == [0.0, 0.0, 0.0, 0.0, 1.0]
    with pytest.raises(rr.RequestError, match="strict or shaped"):
        score_answer("RE", task, "kind")  # type: ignore[arg-type]


def test_nonsense_earns_next_to_nothing() -> None:
    """The first legal move, and random walks that may end on the target, on the first puzzles of each kind."""
    from random import Random

    walks, firsts = [], []
    for number, puzzle in enumerate(fixed.benchmark()[::10]):
        task = {"metadata": {"puzzle": puzzle.line}}
        walk = fixed.random_player(puzzle, Random(number))
        walks.append(score_answer(walk, task, "shaped"))
        firsts.append(score_answer(rr.Solution(puzzle.legal_moves[:1]), task, "shaped"))
    assert max(firsts) <= 0.02 and sum(walks) / len(walks) < 0.2


def test_a_puzzle_without_its_optimum_is_solved() -> None:
    task = {"metadata": {"puzzle": "4x3..0012.R31"}}
    assert score_answer("GE RE RS", task) == 1.0 and score_answer("GE RE RW RE RS", task) == 0.0
    with pytest.raises(rr.RequestError, match="no solution"):
        score_answer("RE", {"metadata": {"puzzle": "4x3..0012.R11"}})


def test_the_prompt_states_what_is_graded() -> None:
    for line in ("4x3..0012.R31", "8x8..00.R77.dsG12", "8x8..00.V77.m"):
        puzzle = rr.Puzzle(line)
        text = question(puzzle, "drawing")
        for phrase in ("illegal", "* is the target", "are walls", "no shorter", "at rest", "capital letters"):
            assert phrase in text, phrase
        assert ("diagonal" in text) == bool(puzzle.board.diagonals)
        assert ("has to turn" in text) == puzzle.must_ricochet
        assert "scores 1" in question(puzzle, "coordinates", "shaped")


def test_the_legend_says_what_is_shown() -> None:
    """In every form, all signs that occur are explained and no others."""
    lines = ("5x5..000102.R44", "1A2A4A3B.25fd3364.Yb6", "8x8..00.R77.dsG12", "8x8..00.V77")
    for puzzle in (*map(rr.Puzzle, lines), next(it for it in fixed.benchmark() if it.id.startswith("diagonals"))):
        closed, diagonals = bool((puzzle.board.walls == 15).any()), bool(puzzle.board.diagonals)
        drawn = board_text(puzzle, "drawing")
        assert ("### is a closed cell" in drawn) == closed == (drawn.count("###") > 1)
        assert ("is a diagonal" in drawn) == diagonals == bool(re.search(r"[/\\][a-z]", drawn))
        listed = board_text(puzzle, "coordinates")
        assert ("Diagonal: " in listed) == diagonals and "Walls between cells: " in listed
        told = board_text(puzzle, "picture")
        assert ("Grey cells are closed" in told) == closed and ("Slanting bars" in told) == diagonals
        color = puzzle.target_robot
        assert (f"filled with {color}" if color else "a swirl of several colours") in told
        for text in (drawn, listed, told):
            for letter, name in zip("RGBY", ("red", "green", "blue", "yellow"), strict=True):
                named = f"{letter} {name}" in text or f"Robot {letter} ({name})" in text
                assert named == (letter in "RGBY"[: len(puzzle.robots)])
        for form in ("drawing", "coordinates", "picture"):
            assert ("from south-west to north-east" in question(puzzle, form)) == diagonals


def test_the_picture_shows_no_other_targets() -> None:
    """Printed targets would need a legend of their own: the picture is that of a board without them."""
    printed = rr.Puzzle("1A2A4A3B.25fd3364.Yb6")
    board = printed.board
    plain = rr.Board.from_walls(board.width, board.height, board.walls)
    bare = rr.Puzzle.on(plain, printed.robots, printed.target, "yellow")
    assert board.targets and image_url(printed) == image_url(bare)
    svg = picture(bare, coordinates=True).svg
    assert len(svg) < len(picture(printed, coordinates=True).svg)


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


@pytest.mark.parametrize("number", range(len(LEVELS)))
def test_levels_of_the_curriculum(number: int) -> None:
    config = level(number, seed=3, size=1)
    (task,) = RicochetDataset(config)
    puzzle = rr.Puzzle(task["metadata"]["puzzle"])
    assert config.min_moves <= puzzle.optimal <= config.max_moves
    if config.robots_used is not None:
        assert rr.rate(puzzle).robots == config.robots_used
    with pytest.raises(rr.RequestError):
        level(len(LEVELS))


@pytest.mark.parametrize("name", [one["themes"][0] for one in TECHNIQUES])
def test_levels_by_technique(name: str) -> None:
    config = technique(name, seed=3, size=1)
    (task,) = RicochetDataset(config)
    rating = rr.rate(task["metadata"]["puzzle"])
    assert name in rating.themes and config.min_moves <= rating.length <= config.max_moves
    assert task["metadata"]["difficulty"]["themes"] == [name]
    assert name not in task["question"]


def test_tasks_by_rating() -> None:
    tasks = RicochetDataset(Config(seed=2, size=3, rating=(900, 1300)))
    for task in tasks:
        assert 900 <= rr.rate(task["metadata"]["puzzle"]).rating <= 1300
        assert task["metadata"]["difficulty"]["rating"] == [900, 1300]
    for bad in ({"themes": ("magic",)}, {"rating": (1300, 900)}):
        with pytest.raises(rr.RequestError):
            RicochetDataset(Config(**bad))
    with pytest.raises(rr.RequestError, match="no level for the technique 'magic'"):
        technique("magic")


def test_what_is_impossible_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ricochet_engine.reasoning.tasks._MAX_CANDIDATES", 64)
    with pytest.raises(rr.RequestError, match="none of 64 candidates matches"):
        RicochetDataset(Config(seed=1, themes=("two-helpers",), min_moves=3, max_moves=3))[0]
    with pytest.raises(rr.RequestError, match="two-helpers needs 3 robots that move"):
        RicochetDataset(Config(seed=1, themes=("two-helpers",), min_moves=1, max_moves=1))[0]


#: Answers of every kind, which all front ends have to score alike.
ANSWERS = [
    "<answer>{}</answer>", "{}\nThat should be on the target.", "We be on it.", "RN RS RN", "{} RN", "", "<answer>",
]  # fmt: skip


def test_reasoning_gym_knows_it() -> None:
    reasoning_gym = pytest.importorskip("reasoning_gym")
    register()
    tasks = reasoning_gym.create_dataset("ricochet_robots", seed=3, size=2)
    assert len(tasks) == 2 and list(tasks) == [tasks[0], tasks[1]]
    for task in tasks:
        assert set(task) == {"question", "answer", "metadata"}
        assert tasks.score_answer(task["answer"], task) == 1.0 and tasks.score_answer(None, task) == 0.0
        for text in ANSWERS:
            answer = text.format(task["answer"])
            assert tasks.score_answer(answer, task) == score_answer(answer, task)
    curriculum = reasoning_gym.factory.create_curriculum("ricochet_robots")
    easy = curriculum.generate_configuration({"seed": 1, "size": 1})
    assert (easy.min_moves, easy.max_moves, easy.themes) == (1, 3, ("solo",))
    curriculum.increment_attr_level("technique")
    curriculum.increment_attr_level("technique")
    curriculum.increment_attr_level("moves")
    hard = curriculum.generate_configuration({"seed": 1, "size": 1})
    assert (hard.max_moves, hard.themes) == (4, ("placed-blocker",))
    hard.validate()
    (task,) = reasoning_gym.create_dataset("ricochet_robots", **vars(hard))
    assert "placed-blocker" in rr.rate(task["metadata"]["puzzle"]).themes
    # The library's own way to check a data set: composed with another one.
    from reasoning_gym.composite import DatasetSpec

    mixed = reasoning_gym.create_dataset(
        "composite",
        seed=1,
        size=4,
        datasets=[
            DatasetSpec(name="ricochet_robots", weight=1, config={"max_moves": 3}),
            DatasetSpec(name="leg_counting", weight=1, config={}),
        ],
    )
    for task in mixed:
        assert mixed.score_answer(task["answer"], task) == 1.0
