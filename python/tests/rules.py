"""The rules in a few lines of Python, cell by cell: what the engine is tested against."""

from __future__ import annotations

STEPS = {"N": (0, -1, 1), "E": (1, 0, 2), "S": (0, 1, 4), "W": (-1, 0, 8)}
TURNS = {"/": {"N": "E", "E": "N", "S": "W", "W": "S"}, "\\": {"N": "W", "W": "N", "S": "E", "E": "S"}}
COLORS = ("red", "green", "blue", "yellow", "silver", "orange", "purple", "cyan")

Cell = tuple[int, int]


def slide(board, robots: list[Cell], robot: int, heading: str) -> Cell:
    """Where a robot stops; where it is if it cannot move or would never stop."""
    diagonals = {(x, y): (lean, color) for x, y, lean, color in board.diagonals}
    walls = board.walls
    start = x, y = robots[robot]
    seen = set()
    while True:
        dx, dy, bit = STEPS[heading]
        if walls[y, x] & bit:
            return (x, y)
        ahead = (x + dx, y + dy)
        if ahead in robots and ahead != start:
            return (x, y)
        if (ahead, heading) in seen:
            return start
        seen.add((ahead, heading))
        x, y = ahead
        lean, color = diagonals.get(ahead, ("", COLORS[robot]))
        if color != COLORS[robot]:
            heading = TURNS[lean][heading]


def distance(puzzle, most: int) -> int | None:
    """The optimum by breadth-first search, if it is at most ``most``."""
    goal = puzzle.target
    who = puzzle.target_robot
    active = range(len(puzzle.robots)) if who is None else [COLORS.index(who)]
    layer = {tuple(puzzle.robots)}
    seen = set(layer)
    for depth in range(most + 1):
        if any(state[robot] == goal for state in layer for robot in active):
            return depth
        after = set()
        for state in layer:
            for robot in range(len(state)):
                for heading in STEPS:
                    end = slide(puzzle.board, list(state), robot, heading)
                    after.add((*state[:robot], end, *state[robot + 1 :]))
        layer = after - seen
        seen |= layer
    return None
