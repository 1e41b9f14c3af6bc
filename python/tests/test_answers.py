"""How answers are read: realistic phrasings, English that is no answer, and hostile text."""

from __future__ import annotations

import sys
import time
from itertools import product
from typing import Any

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


#: Whole replies as models write them, all with the answer GE RE RS.
REPLIES = [
    # Letters and words that repeat them.
    "1. **GE** – Green moves east to (3,0).\n2. **RE** – Red moves east until it hits green.\n3. **RS** – Red moves south.",
    "1. GE: Green moves east.\n2. RE: Red moves east.\n3. RS: Red moves south.",
    "GE (green east)\nRE (red east)\nRS (red south)",
    "- GE – green goes east\n- RE – red goes east\n- RS – red goes south, onto the target",
    "GE (Green moves east), RE (Red moves east), RS (Red moves south)",
    "GE, RE, RS: green moves right, then red moves right and down.",
    "GE RE RS (green east, red east, red south)",
    "Green east (GE), red east (RE), red south (RS).",
    "1. Green moves east (GE)\n2. Red moves east (RE)\n3. Red moves south (RS)",
    "1. Green (GE) slides until the wall.\n2. Red (RE) slides until green.\n3. Red (RS) slides down to the target.",
    "GE (green), RE (red), RS (red)",
    "GE (right)\nRE (right)\nRS (down)",
    "GE\nGreen moves right.\nRE\nRed moves right.\nRS\nRed moves down.",
    "**Step 1:** Move green right.\nGE\n\n**Step 2:** Move red right.\nRE\n\n**Step 3:** Move red down.\nRS",
    "| Move | Notation | What happens |\n|---|---|---|\n| 1 | GE | Green moves east to (3,0) |\n"
    "| 2 | RE | Red moves east, stopped by green |\n| 3 | RS | Red moves south to the target |",
    "GE: Green slides to the wall.\nRE: Red stops beside green.\nRS: Red reaches the target.",
    # A list whose items are explained.
    "1. GE\n   - Green slides from (1,0) to (3,0).\n2. RE\n   - Red stops at (2,0), because green is there.\n3. RS\n"
    "   - Red moves south to the target.",
    "### Step 1: GE\nGreen is out of the way now.\n\n### Step 2: RE\nRed stops next to it.\n\n### Step 3: RS\nDone!",
    "1. GE - blocks the corner. 2. RE - stops beside green. 3. RS - reaches the target.",
    "1) GE (green blocks), 2) RE (red stops there), 3) RS",
    "Move 1 (GE): green slides to the rim.\nMove 2 (RE): red is stopped by green.\nMove 3 (RS): red is on the target.",
    "1. GE RE because red needs a blocker\n2. RS",
    "1. GE: stops at column 3. This is what red needs.\n2. RE\n3. RS",
    # An explanation behind the answer does not replace it.
    "GE RE RS\n\n- Green moves right until the rim, which blocks red\n- Red moves right until green\n- It then slides down",
    "GE RE RS\n\nWhy this works:\n- Green moves right until the rim, which blocks red.",
    "GE RE RS\n\nExplanation:\n1. Green moves right until the rim.\n2. Red moves right and stops beside green, then it goes down.",
    "**GE RE RS**\n\nHere green is a blocker.\nRed moves right.\nRed moves down.",
    "GE RE RS\nRS reaches the target.",
    "Answer: GE, RE, RS\n\nVerification:\n- GE: green (1,0) → (3,0)\n- RE: red (0,0) → (2,0)\n- RS: red (2,0) → (2,2)",
    "GE RE RS\n\nAn alternative that fails: RE RS",
    "The moves are GE, RE and RS.\n\nNote that without the first move: RE RS would overshoot.",
    "1. GE\n2. RE\n3. RS\n\nNotes:\n- Green moves east first, so that red has a blocker.",
    # Attempts before it.
    "RE\nGE RE RS",
    "RE RS\nGE RE RS",
    "RE RS overshoots.\nGE RE RS",
    "Let me try: RE RS\nThat overshoots, so green has to block.\n1. GE (blocks)\n2. RE (stops)\n3. RS",
    "I first thought of RN, but that is illegal. Then I saw the blocker: GE RE RS",
    "Legal moves: RE RS GE GS\nThe best one is east for green, and so on.\n\nGE RE RS",
    "Red's options: RE, RS\nGE RE RS",
    # Announcements.
    "We need 3 moves: GE RE RS",
    "I found: GE RE RS",
    "I found GE RE RS.",
    "Here's the solution: GE RE RS",
    "Here’s the shortest one I could find: GE, RE, RS",
    "My solution uses GE, RE and RS.",
    "My solution uses three moves: GE, RE, RS",
    "Path: GE → RE → RS",
    "Result: GE RE RS",
    "Output: GE RE RS",
    "Output:\n\nGE RE RS",
    "After checking every pair of moves, I am sure that nothing shorter exists: GE RE RS",
    "Final answer for the red robot: GE RE RS",
    "Not obvious, but: GE RE RS",
    "OK, so the answer would be GE RE RS.",
    "So the sequence GE RE RS reaches the target.",
    "First GE, then RE, last RS",
    "<answer>First GE, then RE, last RS</answer>",
    "<answer>Green moves east, red moves east, then south to reach the target</answer>",
    "<answer>Move green to the right, then red to the right and down to the target.</answer>",
    "<answer>\n1. GE (green east)\n2. RE (red east, next to green)\n3. RS\n</answer>",
    "<answer>GE RE\nRS</answer>",
    "Green: east. Red: east, south.",
    "$GE \\rightarrow RE \\rightarrow RS$",
    "$$\\boxed{\\mathtt{GE\\ RE\\ RS}}$$",
    '```json\n{"answer": "GE RE RS", "length": 3}\n```',
    "GE,\nRE, RS",
    # What ends a turn.
    "GE RE RS</s>",
    "GE RE RS<|im_end|>",
    "<answer>GE RE RS</answer><|eot_id|>",
    "GE RE RS\n<end_of_turn>\n",
    "<|channel|>analysis<|message|>RE RS? No.<|end|><|start|>assistant<|channel|>final<|message|>GE RE RS<|return|>",
    "GE RE RS<｜end▁of▁sentence｜>",
]  # fmt: skip


@pytest.mark.parametrize("reply", REPLIES)
def test_replies(reply: str) -> None:
    assert parse_answer(reply, 4) == rr.Solution("GE RE RS")


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
        ("<answer>Move red east, then south to reach the target</answer>", "RE RS"),
        ("1. RE GN because blue is there", "RE GN"),
        ("RE RS\nWait, that overshoots. Right is:\n1. GE – blocks\n2. RE – stops\n3. RS – done", "GE RE RS"),
        ("RE RS GN\n\nNo: the last move is not needed.\n\nRE RS", "RE RS"),
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
        "- RE or GE",
        "Wrong: RE RS",
        "An alternative that fails: RE RS",
        "If red goes first: RE RS",
        "Red's path: blocked",
        "The path of red to the east is free.",
        "After RE: RS",
        "The goal: be on it",
        "He said: we go on, so be it.",
        "Note: red's path east is blocked by green.",
        "red, which is left of green",
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
        # From here on, pieces to repeat.
        "GE RE RS\n\n- GE because\n\n",
        "GE RE RS " * 30 + "\n\n- RS why\n\nRS GE\n\n",
        "".join(f"{n}. GE so that " for n in range(1, 999)),
        "".join(f"{n}. GE\n- red down\n" for n in range(1, 999)),
        "GE (green east) ",
        "green east (GE) ",
        "GE red east ",
        "word: ",
        "wrong, RE. ",
        "<|x|>",
        "<|" * 30,
        "1. ** 2. ",
        "( 1) ",
    ],
    ids=lambda it: repr(it[:9]),
)
def test_reading_is_linear(text: str) -> None:
    """Eight times the text takes about eight times as many steps, and no more time than that by far: regular
    expressions are not counted as steps. Quadratic time would be 64 times as much."""
    whole = (text * (96_000 // len(text) + 1))[:96_000]
    part = whole[: len(whole) // 8]
    # Shorter texts take a shorter way.
    assert steps(whole[:48_000]) <= 10 * steps(whole[:6_000]) + 1000
    assert seconds(whole) < max(24 * seconds(part), 1.0)
    parse_answer(text * 10, 4)


def steps(text: str) -> int:
    """The lines of Python that reading executes."""
    count = 0

    def line(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        parse_answer(text, 4)
    finally:
        sys.settrace(before)
    return count


def seconds(text: str) -> float:
    """Processor time, the best of three."""
    best = 99.0
    for _ in range(3):
        start = time.process_time()
        parse_answer(text, 4)
        best = min(best, time.process_time() - start)
    return best


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
