"""Steps a second of the vector environment on one core: random legal and random actions.

    python python/bench/vector_env.py [--games 256] [--seconds 3]
"""

from __future__ import annotations

import argparse
import json
import os
import time

import numpy as np

from ricochet_robots.env import RicochetRobotsEnv, RicochetRobotsVectorEnv, make_bank


def steps_a_second(env: RicochetRobotsVectorEnv, actions: np.ndarray, seconds: float) -> float:
    env.reset(seed=1)
    begun, calls = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        for row in actions:
            env.step(row)
        calls += len(actions)
    return calls * env.num_envs / (time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=3.0)
    args = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    bank = make_bank(512, 0)
    rng = np.random.default_rng(0)
    actions = rng.integers(0, 16, (512, args.games))
    rows = {}
    for name, options in {
        "planes, masks": {},
        "planes, no masks": {"action_mask": False},
        "dict, masks": {"observation": "dict"},
        "planes, masks, copies": {"copy": True},
    }.items():
        env = RicochetRobotsVectorEnv(args.games, puzzles=bank, **{"copy": False, **options})
        rows[name] = round(steps_a_second(env, actions, args.seconds))
    single = RicochetRobotsEnv(puzzles=bank)
    single.reset(seed=1)
    begun, steps = time.perf_counter(), 0
    while time.perf_counter() - begun < args.seconds:
        for action in actions[0]:
            _, _, terminated, truncated, _ = single.step(action)
            if terminated or truncated:
                single.reset()
        steps += len(actions[0])
    rows["the single environment"] = round(steps / (time.perf_counter() - begun))
    print(json.dumps({"games": args.games, "steps a second": rows}, indent=1))


if __name__ == "__main__":
    main()
