"""Solvers, hints, ratings, tables: the engine's questions."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from dataclasses import fields

import numpy as np
import pytest
import rules
from hypothesis import given, settings
from hypothesis import strategies as st

import ricochet_engine as rr
from ricochet_engine import Limits, Outcome, Puzzle, PuzzleFilter, Tablebase
from ricochet_engine import solvers as solver_classes

LINE = "4x3..0012.R31"


def test_outcomes_are_distinct(corpus) -> None:
    solved = rr.solve(LINE)
    assert (solved.outcome, solved.length, solved.optimal) == (Outcome.SOLVED, 3, True)
    unsolvable = rr.solve(rr.read_file(corpus / "unsolvable.jsonl")[0])
    assert (unsolvable.outcome, unsolvable.solution) == (Outcome.UNSOLVABLE, None)
    limit = rr.solve(LINE, limits=Limits(moves=1))
    assert limit.outcome is Outcome.LIMIT and limit.lower_bound is not None and limit.limit
    failed = rr.solve(LINE, "single-color")
    assert failed.outcome is Outcome.FAILED and failed.failure
    assert pickle.loads(pickle.dumps(solved)) == solved and hash(solved) is not None


def test_the_classes_of_solvers_are_the_registry() -> None:
    registry = {info.name: info for info in rr.registry()}
    assert [cls.name for cls in solver_classes.ALL] == list(registry)
    for cls in solver_classes.ALL:
        parameters = registry[cls.name].parameters
        assert dict(cls().options()) == {it.key: it.default for it in parameters}, cls
        assert len(fields(cls)) == len(parameters)


@pytest.mark.parametrize("cls", solver_classes.ALL, ids=lambda cls: cls.name)
def test_every_solver_answers_with_its_statistics(cls) -> None:
    answer = rr.solve(LINE, cls())
    assert answer.solver == cls.name and answer.stats.seconds >= 0
    if answer.is_solved:
        assert answer.puzzle.is_solution(answer.solution)
    if {it.name: it.guarantee for it in rr.registry()}[cls.name] == "optimal":
        assert answer.length == 3 and answer.optimal


def test_options_reach_the_solver(corpus) -> None:
    puzzle = rr.read_file(corpus / "official" / "random.jsonl")[0]
    with_memo = rr.solve(puzzle, solver_classes.Iddfs())
    without = rr.solve(puzzle, "iddfs:memo=off")
    assert with_memo.stats.hits > 0 == without.stats.hits
    assert with_memo.length == without.length
    assert sum(row.nodes for row in with_memo.stats.rows) == with_memo.stats.nodes
    with pytest.raises(rr.RequestError, match="flagship"):
        rr.solve(puzzle, "flagshp")


def test_many_puzzles_keep_their_order(corpus) -> None:
    puzzles = rr.read_file(corpus / "small.jsonl")
    heard: list[int] = []
    answers = rr.solve_many(puzzles, threads=2, progress=heard.append)
    assert [answer.puzzle for answer in answers] == puzzles
    assert heard == list(range(1, len(puzzles) + 1))
    assert rr.solve_many([]) == []
    for answer in answers:
        if answer.puzzle.optimal is not None:
            assert answer.length == answer.puzzle.optimal


def test_progress_may_raise(corpus) -> None:
    puzzles = rr.read_file(corpus / "official" / "random.jsonl")

    def stop(done: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        rr.solve_many(puzzles, progress=stop)


def test_ctrl_c_ends_a_search() -> None:
    # 22 moves: this solver would take minutes.
    puzzle = _hard()
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        rr.solve(puzzle, "naive")
    timer.join()


def _hard() -> Puzzle:
    return rr.read(rr.ask("read", text=_records())["puzzles"][0]["line"])[0]


def _records() -> str:
    from conftest import ROOT

    return (ROOT / "corpus" / "records" / "records.jsonl").read_text().splitlines()[0]


def test_the_interpreter_is_free_meanwhile() -> None:
    hard = _hard()
    done = threading.Event()

    def work() -> None:
        rr.solve(hard, "naive", limits=Limits(nodes=1_000_000))
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    # With the lock held, this thread would sleep once and wake up after the search.
    ticks = 0
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 3


def test_threads_may_share_everything() -> None:
    puzzle = Puzzle("1A4B3B2B.1fc1f0c0.B9c")
    lengths: list[int | None] = []
    threads = [
        threading.Thread(target=lambda: lengths.append(rr.solve(puzzle, threads=2).length))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lengths) == 8 and len(set(lengths)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_goes_on() -> None:
    puzzle = Puzzle("1A4B3B2B.1fc1f0c0.B9c")
    length = rr.solve_many([puzzle] * 4, threads=2)[0].length
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, str(rr.solve_many([puzzle] * 4, threads=2)[3].length).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 100).decode() == str(length)


def test_all_solutions() -> None:
    found = rr.all_solutions("8x8..00.R77")
    assert found.count == 2 and set(map(str, found.solutions)) == {"RE RS", "RS RE"}
    grouped = rr.all_solutions("4x3..0012.R31", group=True)
    assert grouped.sizes is not None and sum(grouped.sizes) == grouped.count


def test_hints_and_explanations() -> None:
    assert rr.hint(LINE).length is None
    told = rr.hint(LINE, 4)
    assert told.length == 3 and told.first_move in (rr.Move("GE"), rr.Move("RE"))
    explained = rr.explain(LINE)
    assert Puzzle(LINE).is_solution(explained.solution) and len(explained.sentences) == 3
    assert "red" in str(explained).lower()
    with pytest.raises(rr.RequestError):
        rr.explain(LINE, "GE")


def test_ratings() -> None:
    one = rr.rate(LINE)
    assert (one.outcome, one.length, one.helper_moves) == ("solved", 3, 1)
    assert rr.rate_many([LINE, LINE]) == [one, one]


def test_what_was_learned_about_a_position_helps_after_a_move() -> None:
    puzzle = Puzzle("1A4B3B2B.1fc1f0c0.B9c")
    rr.ask("position", puzzle=LINE)  # forgets what earlier tests have learned about the puzzle
    start = rr.ask("position", puzzle=puzzle)
    move = start["moves"][0]["move"]
    kept = rr.ask("position", puzzle=puzzle, moves=move)
    rr.ask("position", puzzle=LINE)
    fresh = rr.ask("position", puzzle=puzzle, moves=move)
    assert kept["distance"] == fresh["distance"] == start["distance"] - 1
    assert kept["nodes"] < fresh["nodes"]


def test_a_trace_has_the_steps_of_a_search() -> None:
    trace = rr.trace(LINE, "iddfs:memo=off")
    assert trace.outcome == rr.Outcome.SOLVED and trace.solution is not None
    assert trace.counts["generate"] == trace.stats["nodes"]
    assert len(trace) == trace.total == len(list(trace))
    last = trace.events[-1]
    assert last["type"] == "layer"
    (solution,) = [event for event in trace if event["type"] == "solution"]
    assert rr.Solution(solution["moves"]) == trace.solution
    table = trace.table()
    assert all(len(column) == len(trace) for column in table.values())
    assert table["type"].count("iteration") == trace.counts["iteration"]
    short = rr.trace(LINE, "iddfs:memo=off", events=5)
    assert len(short) == 5 and short.counts == trace.counts
    with pytest.raises(rr.UnsupportedError, match="no search to trace"):
        rr.trace(LINE, "tablebase")


def test_distances_are_those_of_the_rules() -> None:
    puzzle = Puzzle(LINE)
    (red,) = rr.distances(puzzle, max_moves=30)
    for y in range(3):
        for x in range(4):
            optimum = rules.distance(puzzle.replace(target=(x, y)), 12)
            assert red.cells[y, x] == (-1 if optimum is None else optimum)
    assert len(rr.distances(puzzle, all_robots=True)) == 2
    assert red == rr.distances(puzzle, max_moves=30)[0]
    assert red != rr.distances(puzzle, max_moves=1)[0]
    assert rr.overlay(puzzle, "min-moves")[1, 3] == 0


def test_generated_puzzles_are_for_ever() -> None:
    options = {"moves": (5, 6), "unique": True, "robots_used": 2, "difficulty": "medium"}
    made = rr.generate(2, 1, **options)
    assert [puzzle.line for puzzle in made] == [
        "1A2A4B3A.95393ae7.G12.o5.nS1-38",
        "1A2A4A3B.63b525d7.Gab.o5.nS1-50",
    ], "the README's"
    assert next(rr.generated(1, PuzzleFilter(**options), start=38)) == made[0]
    with pytest.raises(rr.RequestError, match="gave up"):
        rr.generate(1, 1, moves=(60, 61), size=(4, 4), patience=5)


GOOD = "4x3..0012.R31"
CROWDED = "4x3..0000.R31"


@pytest.mark.parametrize(
    "call",
    [
        rr.solve_many,
        rr.rate_many,
        rr.encode,
        rr.planes,
        lambda puzzles: rr.read("\n".join(puzzles)),
    ],
)
def test_the_bad_puzzle_of_several_is_numbered(call) -> None:
    with pytest.raises(rr.InvalidPuzzleError, match="^puzzle 2: the red and the green robot") as caught:
        call([GOOD, GOOD, CROWDED, GOOD])
    assert caught.value.index == 2 and caught.value.problems
    with pytest.raises(rr.UnreadableError, match="^puzzle 1: ") as unreadable:
        call([GOOD, "4x3..0012.Rz9"])
    assert unreadable.value.index == 1
    again = pickle.loads(pickle.dumps(unreadable.value))
    assert (again.index, str(again)) == (1, str(unreadable.value))


def test_of_several_wrong_types_the_first_is_numbered() -> None:
    for call in (rr.solve_many, rr.rate_many, rr.encode, rr.planes):
        with pytest.raises(TypeError, match="^puzzle 1: expected a Puzzle, a Position or text, found 'int'"):
            call([GOOD, 5])  # type: ignore[list-item]
        with pytest.raises(TypeError, match="expected several puzzles, such as a list, found one 'str'"):
            call(GOOD)
        with pytest.raises(TypeError, match="found one 'Puzzle'"):
            call(Puzzle(GOOD))  # type: ignore[arg-type]


def test_a_single_bad_puzzle_has_no_number() -> None:
    for call in (Puzzle, rr.solve, rr.rate, rr.Position):
        with pytest.raises(rr.InvalidPuzzleError, match="^the red and the green robot") as caught:
            call(CROWDED)
        assert caught.value.index is None, call
    with pytest.raises(rr.InvalidPuzzleError, match="^puzzle 1: ") as caught:
        rr.read(f"# a comment\n{GOOD}\n{CROWDED}\n")
    assert (caught.value.index, caught.value.line) == (1, 3)


def test_tablebase(tmp_path) -> None:
    puzzle = Puzzle("6x6.~C.00552211.R33")
    heard: list[tuple[int, int]] = []
    table = Tablebase.build(puzzle, threads=2, progress=lambda *row: heard.append(row))
    assert heard and int(table.histogram.sum()) + table.unsolvable == table.states
    assert table.distance(puzzle) == rr.solve(puzzle).length
    distance, best, solutions = table.probe(puzzle)
    assert distance is not None and best and solutions == rr.all_solutions(puzzle).count
    assert len(table.solution(puzzle)) == distance
    after = puzzle.apply([best[0]])
    assert table.distance(after) == distance - 1
    table.save(tmp_path / "t.tb")
    opened = Tablebase.open(tmp_path / "t.tb")
    rows = np.array([puzzle.robots, after.robots], np.uint8)
    assert opened.distances(rows).tolist() == [distance, distance - 1]
    grid = opened.distance_map(puzzle)
    x, y = puzzle.robots[0]
    assert grid[y, x] == distance and grid[5, 5] == -2, "green stands there"
    assert grid[3, 3] == 0
    with pytest.raises(rr.InvalidPuzzleError, match="row 1: "):
        opened.distances(np.array([puzzle.robots, [(0, 0)] * 4], np.uint8))
    with pytest.raises(rr.RequestError):
        opened.distance(Puzzle("6x6.~C.00552211.R34"))
    (tmp_path / "bad.tb").write_bytes(b"nothing")
    with pytest.raises(rr.DamagedFileError):
        Tablebase.open(tmp_path / "bad.tb")
    with pytest.raises(OSError):
        Tablebase.open(tmp_path / "none.tb")


cells = st.tuples(st.integers(0, 7), st.integers(0, 7))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), moves=st.lists(st.integers(0, 15), max_size=12))
def test_moves_follow_the_rules_of_a_few_lines(seed: int, moves: list[int]) -> None:
    puzzle = rr.generate(1, seed, size=(8, 8), diagonals=3, any_cell=True, threads=1)[0]
    position = rr.Position(puzzle)
    for action in moves:
        move = rr.Move.from_action(action)
        before = position.robots
        end = rules.slide(puzzle.board, before, move.robot, move.direction)
        legal = end != before[move.robot]
        assert position.is_legal(move) == legal == position.action_mask[action]
        if legal:
            position.push(move)
            assert position.robots[move.robot] == end


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_optima_are_those_of_a_few_lines(seed: int) -> None:
    puzzle = rr.generate(1, seed, size=(5, 5), robots=2, any_cell=True, threads=1)[0]
    optimum = rules.distance(puzzle, 5)
    answer = rr.solve(puzzle)
    if optimum is None:
        assert answer.length is None or answer.length > 5
    else:
        assert answer.length == optimum


def test_what_has_no_solution_says_so_in_words() -> None:
    assert str(rr.hint("3x3..00.R11", 4)) == "It cannot be solved."
    assert str(rr.explain("3x3..00.R11")).endswith("It cannot be solved.")
    assert f"{rr.solve('3x3..00.R11').outcome}" == "unsolvable"
    with pytest.raises(TypeError, match="several puzzles"):
        rr.solve_many("3x3..00.R11")
