"""Proximal policy optimisation on small boards: NumPy only, minutes on one core, no solver in the loop.

    python python/examples/ppo.py --out records/DATE-ppo

The policy sees the whole board (walls, robots, target) and learns by trial and error on thousands of different
boards of 5 by 5 cells with two robots, with masked actions. It is evaluated on boards it has not seen: it wins a
puzzle if it reaches the target within 8 moves. The reward is 1 for reaching the target and -0.05 per move.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import time
from pathlib import Path

# The matrices are small: more threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

import ricochet_engine as rr
from ricochet_engine.env import RicochetRobotsVectorEnv
from ricochet_engine.reasoning import split_of

Floats = NDArray[np.float32]
FILTER = rr.PuzzleFilter(size=(5, 5), robots=2, who="one", any_cell=True)
GAMES, STEPS, MAX_STEPS = 256, 32, 8
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, EPOCHS, BATCH, RATE = 0.97, 0.95, 0.2, 0.01, 0.5, 3, 2048, 1e-3


def banks(train: int, test: int) -> tuple[list[rr.Puzzle], list[rr.Puzzle]]:
    """Puzzles of 1 to 4 moves on different boards: no layout or mirror image of one is in both banks."""
    found: dict[str, list[rr.Puzzle]] = {"train": [], "test": []}
    made = rr.generate(int(1.3 * train) + 8 * test, 1, **{**FILTER.request(), "moves": (1, 4)})
    for puzzle in made:
        found[split_of(puzzle)].append(puzzle)
    return found["train"][:train], found["test"][:test]


class Net:
    """Two hidden layers with one output for each action and one for the value, trained by Adam."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator, hidden: int = 256) -> None:
        sizes = [inputs, hidden, hidden, actions + 1]
        self.weights: list[Floats] = []
        for before, after in zip(sizes[:-1], sizes[1:], strict=True):
            scale = np.sqrt(2 / before) if after != sizes[-1] else 0.01
            self.weights.append((rng.standard_normal((before, after)) * scale).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.means = [np.zeros_like(it) for it in self.weights]
        self.squares = [np.zeros_like(it) for it in self.weights]
        self.updates = 0

    def forward(self, x: Floats) -> tuple[Floats, list[Floats]]:
        """The outputs, and what the gradient needs."""
        kept = [x]
        for layer in range(0, 4, 2):
            x = np.maximum(x @ self.weights[layer] + self.weights[layer + 1], 0)
            kept.append(x)
        return x @ self.weights[4] + self.weights[5], kept

    def descend(self, kept: list[Floats], gradient: Floats, rate: float) -> None:
        """One step of Adam, given the gradient with respect to the outputs."""
        gradients: list[Floats] = [np.zeros(0, np.float32)] * 6
        for layer in (4, 2, 0):
            before = kept[layer // 2]
            gradients[layer], gradients[layer + 1] = before.T @ gradient, gradient.sum(0)
            if layer:
                gradient = (gradient @ self.weights[layer].T) * (before > 0)
        norm = np.sqrt(sum(float((it * it).sum()) for it in gradients))
        shrink = min(1.0, 0.5 / (norm + 1e-8))
        self.updates += 1
        for weight, mean, square, slope in zip(
            self.weights, self.means, self.squares, gradients, strict=True
        ):
            slope = slope * shrink
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            step = rate * np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
            weight -= (step * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def inputs(planes: NDArray[np.uint8]) -> Floats:
    """Planes as a row of zeros and ones for each game."""
    return (planes.reshape(len(planes), -1) > 0).astype(np.float32)


def log_softmax(logits: Floats, mask: NDArray[np.bool_]) -> Floats:
    """The logarithms of the probabilities of the legal actions."""
    logits = np.where(mask, logits, -1e9)
    logits = logits - logits.max(1, keepdims=True)
    return (logits - np.log(np.exp(logits).sum(1, keepdims=True))).astype(np.float32)


def pick(logs: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """An action of each row, by its probability."""
    return np.argmax(logs + rng.gumbel(size=logs.shape), axis=1)


def wins(net: Net | None, puzzles: list[rr.Puzzle], rng: np.random.Generator) -> float:
    """The share of puzzles solved within the limit of moves; no net plays random legal moves."""
    env = RicochetRobotsVectorEnv(len(puzzles), puzzles=puzzles, max_steps=MAX_STEPS)
    planes, info = env.reset(seed=0, options={"puzzles": puzzles})
    solved, over = np.zeros(len(puzzles), bool), np.zeros(len(puzzles), bool)
    for _ in range(MAX_STEPS):
        mask = info["action_mask"]
        if net is None:
            actions = pick(np.where(mask, 0, -1e9).astype(np.float32), rng)
        else:
            actions = pick(log_softmax(net.forward(inputs(planes))[0][:, :-1], mask), rng)
        planes, _, terminated, truncated, info = env.step(actions)
        solved |= terminated & ~over
        over |= terminated | truncated
    return float(solved.mean())


def train(minutes: float, most_steps: float, seed: int, train_size: int, test_size: int) -> list[dict[str, float]]:
    """Trains until the time or the steps are over; returns the curve."""
    rng = np.random.default_rng(seed)
    training, testing = banks(train_size, test_size)
    env = RicochetRobotsVectorEnv(
        GAMES, puzzles=training, max_steps=MAX_STEPS, step_reward=-0.05, nowhere_reward=-0.05
    )
    planes, info = env.reset(seed=seed)
    net = Net(int(np.prod(planes.shape[1:])), int(env.single_action_space.n), rng)  # type: ignore[attr-defined]
    curve: list[dict[str, float]] = []
    random = wins(None, testing, rng)
    started, steps, update = time.process_time(), 0, 0
    fresh = np.ones(GAMES, bool)  # the step after the end of a game only begins the next one
    while True:
        seconds = time.process_time() - started
        is_over = seconds > 60 * minutes or steps >= most_steps
        if update % 20 == 0 or is_over:
            row = {
                "seconds": round(seconds, 1), "steps": steps, "random": round(random, 4),
                "train": round(wins(net, training[:test_size], rng), 4), "test": round(wins(net, testing, rng), 4),
            }  # fmt: skip
            curve.append(row)
            print(row, flush=True)
            if is_over:
                return curve
        xs, masks, acts, logs, values, rewards, dones, valid = [], [], [], [], [], [], [], []
        for _ in range(STEPS):
            x, mask = inputs(planes), info["action_mask"]
            out, _ = net.forward(x)
            logp = log_softmax(out[:, :-1], mask)
            actions = pick(logp, rng)
            xs.append(x), masks.append(mask), acts.append(actions), values.append(out[:, -1])
            logs.append(np.take_along_axis(logp, actions[:, None], 1)[:, 0])
            valid.append(fresh)
            planes, reward, terminated, truncated, info = env.step(actions)
            rewards.append(reward), dones.append(terminated | truncated)
            fresh = ~(terminated | truncated)
        steps += GAMES * STEPS
        # Advantages, backwards in time. An episode's value ends with it.
        after = net.forward(inputs(planes))[0][:, -1]
        advantage, gained = np.zeros(GAMES, np.float32), [np.zeros(0, np.float32)] * STEPS
        for t in reversed(range(STEPS)):
            goes_on = (~dones[t]).astype(np.float32)
            delta = rewards[t] + GAMMA * after * goes_on - values[t]
            advantage = delta + GAMMA * LAMBDA * goes_on * advantage
            gained[t], after = advantage.copy(), values[t]
        keep = np.concatenate(valid)
        flat = [np.concatenate(it)[keep] for it in (xs, masks, acts, logs, values, gained)]
        x, mask, action, old, value, gain = flat
        target, gain = gain + value, (gain - gain.mean()) / (gain.std() + 1e-8)
        for _ in range(EPOCHS):
            order = rng.permutation(len(x))
            for start in range(0, len(x), BATCH):
                at = order[start : start + BATCH]
                net.descend(*slope(net, x[at], mask[at], action[at], old[at], gain[at], target[at]), RATE)
        update += 1


def slope(
    net: Net, x: Floats, mask: NDArray[np.bool_], action: NDArray[np.int64], old: Floats, gain: Floats, target: Floats,
) -> tuple[list[Floats], Floats]:  # fmt: skip
    """The gradient of the clipped objective with respect to the outputs."""
    out, kept = net.forward(x)
    logp = log_softmax(out[:, :-1], mask)
    p, n = np.exp(logp), len(x)
    ratio = np.exp(logp[np.arange(n), action] - old)
    # Where clipping binds, the objective is constant.
    free = ~((gain > 0) & (ratio > 1 + CLIP) | (gain < 0) & (ratio < 1 - CLIP))
    weight = (gain * ratio * free)[:, None]
    chosen = np.zeros_like(p)
    chosen[np.arange(n), action] = 1
    entropy = -(p * np.where(mask, logp, 0)).sum(1, keepdims=True)
    gradient = np.zeros_like(out)
    gradient[:, :-1] = -weight * (chosen - p) + ENTROPY * p * (np.where(mask, logp, 0) + entropy)
    gradient[:, -1] = VALUE * 2 * (out[:, -1] - target)
    return kept, (gradient / n).astype(np.float32)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=3, help="of processor time")
    parser.add_argument("--steps", type=int, default=float("inf"), help="the most steps; then a seed has one result")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--train", type=int, default=12_000, help="puzzles to learn from")
    parser.add_argument("--test", type=int, default=500, help="puzzles to evaluate with")
    parser.add_argument("--out", type=Path, help="a directory for the curve")
    given = parser.parse_args()
    curve = train(given.minutes, given.steps, given.seed, given.train, given.test)
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
        with open(given.out / "curve.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, curve[0])
            writer.writeheader()
            writer.writerows(curve)
        result = {"arguments": {**vars(given), "out": str(given.out)}, **curve[-1]}
        (given.out / "result.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
