"""Compares solve_many with `ricochet solve` on the same 10,000 positions, alternating.

    python python/bench/solve_many.py target/release/ricochet [--puzzles 10000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import tempfile
import time

import ricochet_engine as rr


def children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("--puzzles", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    puzzles = [puzzle for _, puzzle, _ in rr.candidates(range(args.puzzles), 1) if puzzle]
    rows = []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(puzzle.line + "\n" for puzzle in puzzles))
        file.flush()
        for _ in range(args.rounds):
            wall, processor = time.perf_counter(), children()
            subprocess.run(
                [args.command, "--quiet", "solve", "--json", file.name],
                stdout=subprocess.DEVNULL, check=False,
            )  # fmt: skip
            command = (time.perf_counter() - wall, children() - processor)
            wall, processor = time.perf_counter(), time.process_time()
            with open(file.name, encoding="ascii") as lines:
                answers = rr.solve_many(rr.read(lines.read()))
            python = (time.perf_counter() - wall, time.process_time() - processor)
            assert len(answers) == len(puzzles)
            rows.append({"command": command, "python": python})
    ratio = {
        name: round(
            statistics.median(row["python"][at] for row in rows)
            / statistics.median(row["command"][at] for row in rows),
            3,
        )
        for at, name in enumerate(("wall", "processor"))
    }
    print(json.dumps({"puzzles": len(puzzles), "rounds": rows, "python / command": ratio}, indent=1))


if __name__ == "__main__":
    main()
