"""Steps per second of the vector environment on one core, with random actions.

    python python/bench/vector_env.py [--games 256] [--seconds 3]

Three numbers: by wall-clock time overall, by the wall-clock time of the fastest 32 consecutive calls (which
even a busy machine leaves undisturbed now and then), and by processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import time

import numpy as np

from ricochet_engine.env import RicochetRobotsEnv, RicochetRobotsVectorEnv, make_bank


def steps_per_second(
    env: RicochetRobotsVectorEnv, actions: np.ndarray, seconds: float
) -> dict[str, int]:
    env.reset(seed=1)
    for row in actions:
        env.step(row)
    begun, processor, calls, fastest = time.perf_counter(), time.process_time(), 0, np.inf
    while time.perf_counter() - begun < seconds:
        for block in actions.reshape(-1, 32, env.num_envs):
            now = time.perf_counter()
            for row in block:
                env.step(row)
            fastest = min(fastest, time.perf_counter() - now)
            calls += 32
    wall, processor = time.perf_counter() - begun, time.process_time() - processor
    return {
        "wall": round(calls * env.num_envs / wall),
        "fastest": round(32 * env.num_envs / fastest),
        "processor": round(calls * env.num_envs / processor),
    }


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
        rows[name] = steps_per_second(env, actions, args.seconds)
    single = RicochetRobotsEnv(puzzles=bank)
    single.reset(seed=1)
    begun, processor, steps = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begun < args.seconds:
        for action in actions[0]:
            _, _, terminated, truncated, _ = single.step(action)
            if terminated or truncated:
                single.reset()
        steps += len(actions[0])
    rows["the single environment"] = {
        "wall": round(steps / (time.perf_counter() - begun)),
        "processor": round(steps / (time.process_time() - processor)),
    }
    print(json.dumps({"games": args.games, "steps a second": rows}, indent=1))


if __name__ == "__main__":
    main()
