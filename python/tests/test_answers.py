"""How answers are read: realistic phrasings, English that is no answer, and hostile text."""

from __future__ import annotations

import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ricochet_engine as rr
from ricochet_engine.reasoning import Grade, parse_answer, score_answer, verdict

PUZZLE = rr.Puzzle("8x8..0017.R71")
MOVES = ("GE", "RE", "RS")

#: Ways to write one move; the second is the way in words.
WRITTEN = {
    "letters": lambda it: it,
    "spaced": lambda it: f"{it[0]} {it[1]}",
    "hyphen": lambda it: f"{it[0]}-{it[1]}",
    "colon": lambda it: f"{it[0]}: {it[1]}",
    "arrow": lambda it: f"{it[0]}→{it[1]}",
    "bold": lambda it: f"**{it}**",
    "code": lambda it: f"`{it}`",
    "words": lambda it: f"{COLOR[it[0]]} {WAY[it[1]]}",
    "capitalised": lambda it: f"{COLOR[it[0]].title()} {WAY[it[1]].title()}",
    "shouted": lambda it: f"{COLOR[it[0]].upper()} {WAY[it[1]].upper()}",
    "robot": lambda it: f"move the {COLOR[it[0]]} robot to the {WAY[it[1]]}",
    "goes": lambda it: f"the {COLOR[it[0]]} robot goes {WAY[it[1]]}",
    "slides": lambda it: f"{COLOR[it[0]].title()} slides {SCREEN[it[1]]}",
    "mixed": lambda it: f"{COLOR[it[0]]}: {it[1]}",
    "explained": lambda it: f"{COLOR[it[0]].title()} ({it[0]}) moves {WAY[it[1]]} ({it[1]})",
    "screen": lambda it: f"{COLOR[it[0]]} {SCREEN[it[1]]}",
    "wards": lambda it: f"Send {COLOR[it[0]]} {WAY[it[1]]}wards",
}
COLOR = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}
WAY = {"N": "north", "E": "east", "S": "south", "W": "west"}
SCREEN = {"N": "up", "E": "right", "S": "down", "W": "left"}

#: Ways to put moves together.
JOINED = {
    "tag": lambda moves: f"<answer>{' '.join(moves)}</answer>",
    "tag on lines": lambda moves: "<answer>\n" + "\n".join(moves) + "\n</answer>",
    "commas": lambda moves: f"I checked it.\n\n{', '.join(moves)}",
    "then": lambda moves: f"Solution: {moves[0]}, then {moves[1]} and finally {moves[2]}.",
    "arrows": lambda moves: "Let me think about that.\nAnswer: " + " -> ".join(moves),
    "semicolons": lambda moves: "; ".join(moves) + ".",
    "numbered": lambda moves: "\n".join(f"{n}. {it}" for n, it in enumerate(moves, 1)),
    "numbered, then prose": lambda moves: "Here is the plan:\n\n"
    + "\n\n".join(f"{n}) {it}" for n, it in enumerate(moves, 1))
    + "\n\nThat should be on the target.",
    "steps": lambda moves: "\n".join(f"**Step {n}:** {it}" for n, it in enumerate(moves, 1)),
    "bullets": lambda moves: "The moves are:\n" + "\n".join(f"- {it}" for it in moves),
    "remarks": lambda moves: "\n".join(
        f"{n}. {it} – stopped by the wall at (7,0)" for n, it in enumerate(moves, 1)
    ),
    "prose around": lambda moves: "We want red below.\n"
    + " ".join(moves)
    + "\nThat should be on the target.",
    "fenced": lambda moves: "My final answer:\n```\n" + "\n".join(moves) + "\n```\n",
}  # fmt: skip


@pytest.mark.parametrize(("way", "join"), list(product(WRITTEN, JOINED)), ids=lambda it: it)
def test_phrasings(way: str, join: str) -> None:
    text = JOINED[join]([WRITTEN[way](move) for move in MOVES])
    assert parse_answer(text, 4) == rr.Solution(list(MOVES)), text


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("GERERS", "GE RE RS"),
        ("<answer>GERERS</answer>", "GE RE RS"),
        ("GERE RS", "GE RE RS"),
        ("\\boxed{GE RE RS}", "GE RE RS"),
        ("\\boxed{\\text{GE, RE, RS}}", "GE RE RS"),
        ('["GE", "RE", "RS"]', "GE RE RS"),
        ('{"moves": ["GE", "RE", "RS"]}', "GE RE RS"),
        ("1. GE 2. RE 3. RS", "GE RE RS"),
        ("(1) GE, (2) RE, (3) RS", "GE RE RS"),
        ("| 1 | GE |\n| 2 | RE |\n| 3 | RS |", "GE RE RS"),
        ("GE RE RS (3 moves)", "GE RE RS"),
        ("The answer is GE RE RS.", "GE RE RS"),
        ("The shortest solution is: GE, RE, RS", "GE RE RS"),
        ("Green moves right; then red goes right, and finally down.", "GE RE RS"),
        ("First, move the green robot to the right.\nThen red moves right, then down.", "GE RE RS"),
        ("1. Green goes east from (1,0) to (7,0); a wall stops it.\n2. RE\n3. RS: done", "GE RE RS"),
        ("Let's move the red robot to the north.", "RN"),
        ("I move red east.", "RE"),
        ("GE RE\n\nNo, that is wrong.\n\nRE RS", "RE RS"),
        ("RE RS\n\nGE RE RS", "GE RE RS"),
        ("1. RE\n2. RS\nOr better:\n1. GE\n2. RE\n3. RS", "GE RE RS"),
        ("1. RE\n2. RS\n1. GE\n2. RE\n3. RS", "GE RE RS"),
        ("- RN goes nowhere\n- RE stops at (6,0)\n\nGE RE RS", "GE RE RS"),
        ("<think>RN RW <answer>BE</answer></think>GE RE RS", "GE RE RS"),
        ("<answer>RW</answer> no, <answer>GE RE RS</answer>", "GE RE RS"),
        ("<answer>RW</answer> no, <answer>green east; red: right -> red down</answer>", "GE RE RS"),
        ("<answer>GE RE RS", "GE RE RS"),
        ("<answer>GE RE RS</answer> in the <answer> tag, as you asked", "GE RE RS"),
        ("<ANSWER>GE RE RS</ANSWER>", "GE RE RS"),
        ("<answer>The moves are GE RE RS</answer>", "GE RE RS"),
        ("<answer>Reasoning: green blocks.\nGE RE RS</answer>", "GE RE RS"),
        ("İstanbul\n<answer>GE RE RS</answer>", "GE RE RS"),
    ],
)
def test_more_phrasings(text: str, moves: str) -> None:
    assert parse_answer(text, 4) == rr.Solution(moves)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I do not know.",
        "That should be on the target.",
        "We go on; be sure to go on.",
        "we be\non go",
        "WE ARE ON IT",  # no silver robot here
        "ge re rs",
        "Ge Re Rs",
        "the red robot",
        "red",
        "north",
        "R",
        "RE GE R",
        "REG",
        "RX",
        "orange east",
        "RE or GE",
        "RE is wrong because it stops at the rim.",
        "<answer></answer>",
        "RE\n<answer></answer>",
        "<answer>I am not sure</answer> RE",
        "red blue north",
        "RE " * 5000,
    ],
)
def test_what_is_no_answer(text: str) -> None:
    assert parse_answer(text, 4) is None
    assert parse_answer(None) is None


def test_only_robots_on_the_board() -> None:
    assert parse_answer("WE", 4) is None and parse_answer("silver east", 4) is None
    assert parse_answer("WE", 5) == parse_answer("silver east", 5) == rr.Solution("WE")
    assert parse_answer("BE", rr.Puzzle("4x3..0012.R31")) is None


def test_prose_after_an_optimal_answer_costs_nothing() -> None:
    puzzle = rr.Puzzle("4x3..0012.R31.o3")
    task = {"metadata": {"puzzle": puzzle.line}}
    for end in ("", "\nThat should be on the target.", "\nWe are on it. Be sure to go on, or so."):
        assert score_answer("GE RE RS" + end, task) == 1.0, end


@pytest.mark.parametrize(
    "text",
    [
        "<answer>" * 20_000,
        "</answer>" * 20_000,
        "<answer></answer>" * 20_000,
        "</think>" * 20_000,
        "RE " * 60_000,
        "R" * 200_000,
        "1. " * 60_000,
        "* " * 60_000,
        " " * 200_000,
        "red " * 60_000,
        "the " * 60_000,
        "\n" * 200_000,
        "RE\n" * 60_000,
        "İ" * 200_000,
        "(" * 200_000,
        "'" * 100_000 + "s" * 100_000,
    ],
    ids=lambda it: repr(it[:9]),
)
def test_reading_is_linear(text: str) -> None:
    """Eight times the text takes about eight times as long: processor time, best of three."""

    def seconds(part: str) -> float:
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            parse_answer(part, 4)
            best = min(best, time.process_time() - start)
        return best

    whole = text[:96_000]
    assert seconds(whole) < 64 * max(seconds(whole[: len(whole) // 8]), 0.002)
    parse_answer(text * 10, 4)


PIECES = st.sampled_from(
    ["<answer>", "</answer>", "</think>", "RE", "GN ", "red", " north", "move ", "1. ", "- ", "\n",
     "\n\n", " ", "W", "E", ",", ":", "->", "be", "on ", "\u2028", "\x00", "İ", "R", "N", "|", "**"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join)), st.integers(1, 8))
def test_any_text_is_read(text: str, robots: int) -> None:
    moves = parse_answer(text, robots)
    if moves is not None:
        assert all(move.robot < robots for move in moves) and 0 < len(moves) <= 1000
        # What was read is an answer that means the same.
        assert parse_answer(f"<answer>{moves}</answer>", robots) == moves
        assert parse_answer(str(moves), robots) == moves
    grade, _ = verdict(text, PUZZLE)
    assert grade in Grade
