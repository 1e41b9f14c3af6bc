"""A small policy learns to play one board by imitating the solver: NumPy only, minutes on two cores.

    python python/examples/clone_policy.py --out records/DATE-policy

The policy sees the robots and the goal, but not the walls: it learns one layout, with all of its printed
targets and any positions. Its input is one of 256 cells for each robot and for the target, so the first layer
is a sum of learned rows. It is trained on every position along optimal solutions and evaluated by playing: it
wins a position if it reaches the target within 20 moves.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

import ricochet_engine as rr
from ricochet_engine.env import RicochetRobotsVectorEnv
from ricochet_engine.reasoning.benchmark import greedy_player, random_player

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
COLORS = ("red", "green", "blue", "yellow")
CELLS, ROBOTS, ACTIONS = 256, 4, 16
#: Rows of the first layer: each robot's cell, the target's cell for each robot that has to arrive or any.
ROWS = ROBOTS * CELLS + (ROBOTS + 1) * CELLS


def features(robots: NDArray[np.uint8], target: NDArray[np.uint8], who: Ints) -> Ints:
    """The numbers of the rows that a position switches on: ``(n, 5)``."""
    cells = robots[..., 1].astype(np.int64) * 16 + robots[..., 0]
    goal = target[..., 1].astype(np.int64) * 16 + target[..., 0]
    own = cells + np.arange(ROBOTS) * CELLS
    return np.concatenate([own, (ROBOTS * CELLS + who * CELLS + goal)[:, None]], axis=1)


def positions(puzzles: list[rr.Puzzle]) -> tuple[Ints, Ints]:
    """Every position along an optimal solution of each puzzle, with the solution's move there."""
    robots, targets, who, actions = [], [], [], []
    for answer in rr.solve_many(puzzles, "flagship"):
        position = rr.Position(answer.puzzle)
        for move in answer.solution or ():
            robots.append(position.robots)
            targets.append(answer.puzzle.target)
            color = answer.puzzle.target_robot
            who.append(ROBOTS if color is None else COLORS.index(color))
            actions.append(move.action)
            position.push(move)
    rows = features(np.array(robots, np.uint8), np.array(targets, np.uint8), np.array(who))
    return rows, np.array(actions)


class Policy:
    """Two hidden layers, trained by Adam."""

    def __init__(self, hidden: int, seed: int) -> None:
        rng = np.random.default_rng(seed)

        def layer(rows: int, columns: int, fan: int) -> Floats:
            return (rng.standard_normal((rows, columns)) * np.sqrt(2 / fan)).astype(np.float32)

        self.weights = [
            layer(ROWS, hidden, 5), np.zeros(hidden, np.float32),
            layer(hidden, hidden, hidden), np.zeros(hidden, np.float32),
            layer(hidden, ACTIONS, hidden) * np.float32(0.1), np.zeros(ACTIONS, np.float32),
        ]  # fmt: skip
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def forward(self, rows: Ints) -> tuple[Floats, Floats, Floats]:
        a, b1, w2, b2, w3, b3 = self.weights
        first = np.maximum(a[rows].sum(axis=1) + b1, 0)
        second = np.maximum(first @ w2 + b2, 0)
        return first, second, second @ w3 + b3

    def train(self, rows: Ints, actions: Ints, rate: float) -> tuple[float, float]:
        """One step; gives the loss and how often the likeliest move is the solver's."""
        first, second, logits = self.forward(rows)
        shares = softmax(logits)
        n = len(rows)
        loss = -float(np.log(shares[np.arange(n), actions] + 1e-9).mean())
        right = float((logits.argmax(axis=1) == actions).mean())
        error = shares
        error[np.arange(n), actions] -= 1
        error /= n
        w2, w3 = self.weights[2], self.weights[4]
        back2 = (error @ w3.T) * (second > 0)
        back1 = (back2 @ w2.T) * (first > 0)
        rows_gradient = np.zeros_like(self.weights[0])
        np.add.at(rows_gradient, rows.reshape(-1), np.repeat(back1, rows.shape[1], axis=0))
        self.update(
            [rows_gradient, back1.sum(0), first.T @ back2, back2.sum(0), second.T @ error, error.sum(0)],
            rate,
        )
        return loss, right

    def update(self, gradients: list[Floats], rate: float) -> None:
        self.steps += 1
        scale = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for weight, gradient, (mean, square) in zip(
            self.weights, gradients, self.moments, strict=True
        ):
            mean *= 0.9
            mean += 0.1 * gradient
            square *= 0.999
            square += 0.001 * gradient**2
            weight -= (scale * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def softmax(logits: Floats) -> Floats:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def play(policy: Policy, puzzles: list[rr.Puzzle], tries: int, seed: int) -> NDArray[np.int64]:
    """The fewest moves to the goal of each puzzle in so many tries, 0 where none reached it: the first
    try takes the likeliest legal move that is new, the others draw moves by their shares."""
    rng = np.random.default_rng(seed)
    n = len(puzzles)
    best = np.zeros(n, np.int64)
    env = RicochetRobotsVectorEnv(n, puzzles=puzzles, observation="dict", max_steps=20)
    for number in range(tries):
        seen, info = env.reset(options={"puzzles": puzzles})
        visited = [{seen["robots"][i].tobytes()} for i in range(n)]
        penalty = np.zeros((n, ACTIONS), np.float32)
        playing = np.ones(n, bool)
        for step in range(1, 21):
            rows = features(seen["robots"], seen["target"], seen["target_robot"])
            logits = policy.forward(rows)[2] + penalty
            logits = np.where(info["action_mask"], logits, -1e9)
            if number > 0:
                logits = logits + rng.gumbel(size=logits.shape)
            actions = logits.argmax(axis=1)
            seen, _, terminated, _, info = env.step(actions)
            won = playing & terminated
            best[won] = np.where(best[won] == 0, step, np.minimum(best[won], step))
            playing &= ~terminated
            penalty[:] = 0
            for i in np.flatnonzero(playing):
                key = seen["robots"][i].tobytes()
                if key in visited[i]:
                    # It goes in circles: not by this move again.
                    penalty[i, actions[i]] = -5
                visited[i].add(key)
            if not playing.any():
                break
    return best


def judged(lengths: NDArray[np.int64], puzzles: list[rr.Puzzle]) -> dict[str, float]:
    optima = np.array([puzzle.optimal for puzzle in puzzles])
    won = lengths > 0
    return {
        "solved": round(float(won.mean()), 4),
        "optimal": round(float((won & (lengths <= optima)).mean()), 4),
        "excess": round(float((lengths - optima)[won].mean()) if won.any() else 0.0, 3),
    }


def others(puzzles: list[rr.Puzzle]) -> dict[str, dict[str, float]]:
    """Random, greedy and the published solvers on the same positions."""
    table = {}
    for name, player in (("random", random_player), ("greedy", greedy_player)):
        moves = [player(puzzle, Random(i), 20) for i, puzzle in enumerate(puzzles)]
        lengths = [len(it) if p.is_solution(it) else 0 for it, p in zip(moves, puzzles, strict=True)]
        table[name] = judged(np.array(lengths), puzzles)
    for solver in ("single-color", "stateless", "graph-v1", "graph-v2", "setup-position", "iddfs"):
        answers = rr.solve_many(puzzles, solver, limits=rr.Limits(nodes=200_000))
        table[solver] = judged(np.array([it.length or 0 for it in answers]), puzzles)
    return table


def curve_svg(curve: list[dict[str, float]]) -> str:
    """The shares of the curve by epoch."""
    width, height, left, last = 480, 240, 40, curve[-1]["epoch"]

    def at(epoch: float, share: float) -> str:
        x = left + (width - left - 90) * (epoch - 1) / max(1, last - 1)
        return f"{x:.1f},{height - 30 - (height - 50) * share:.1f}"

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">']
    parts.append(f'<rect width="{width}" height="{height}" fill="#fff"/>')
    for percent in (0, 25, 50, 75, 100):
        x, y = at(1, percent / 100).split(",")
        parts.append(f'<path d="M{x} {y}H{width - 90}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{float(y) + 4}" text-anchor="end">{percent}%</text>')
    for key, color in (("imitated", "#777"), ("solved", "#06c"), ("optimal", "#c40")):
        points = " ".join(at(row["epoch"], row[key]) for row in curve)
        x, y = points.split()[-1].split(",")
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts.append(f'<text x="{float(x) + 6}" y="{float(y) + 4}" fill="{color}">{key}</text>')
    parts.append(f'<text x="{width / 2 - 30}" y="{height - 8}">epoch 1 to {last:.0f}</text></svg>')
    return "\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--layout", default="1A4B3B2B")
    parser.add_argument("--puzzles", type=int, default=20_000)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    begun, processor = time.perf_counter(), time.process_time()
    options = {"layout": args.layout, "moves": (1, 20)}
    made = rr.generate(args.puzzles + 500, args.seed, **options)
    held_out, own = made[:500], made[500:]
    rows, actions = positions(own)
    print(f"{len(rows)} positions of {len(own)} puzzles after {time.perf_counter() - begun:.0f} s")
    policy = Policy(args.hidden, args.seed)
    rng = np.random.default_rng(args.seed)
    curve = []
    for epoch in range(1, args.epochs + 1):
        order = rng.permutation(len(rows))
        rate = 1e-3 * (1 - (epoch - 1) / args.epochs)
        seen = [
            policy.train(rows[part], actions[part], rate)
            for part in np.array_split(order, max(1, len(order) // 256))
        ]
        loss, right = np.mean(seen, axis=0)
        result = judged(play(policy, held_out, 1, args.seed), held_out)
        learned = {"loss": round(float(loss), 4), "imitated": round(float(right), 4)}
        curve.append({"epoch": epoch, **learned, **result})
        print(curve[-1], flush=True)
    answer = {
        "layout": args.layout,
        "puzzles": args.puzzles,
        "positions": len(rows),
        "parameters": sum(weight.size for weight in policy.weights),
        "policy": judged(play(policy, held_out, 1, args.seed), held_out),
        "policy, best of 16": judged(play(policy, held_out, 16, args.seed), held_out),
        "another layout": judged(
            play(policy, foreign := rr.generate(200, 7, layout="2A1B4A3B", moves=(1, 20)), 1, 1), foreign
        ),
        "others": others(held_out),
        "processor seconds": round(time.process_time() - processor),
    }
    print(json.dumps(answer, indent=1))
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "policy.json").write_text(json.dumps(answer, indent=1) + "\n")
        with (args.out / "curve.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(curve[0]))
            writer.writeheader()
            writer.writerows(curve)
        (args.out / "curve.svg").write_text(curve_svg(curve))


if __name__ == "__main__":
    main()
