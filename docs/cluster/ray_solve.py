"""Solves a file of puzzles on a Ray cluster.

ray job submit --working-dir . -- python docs/cluster/ray_solve.py IN OUT [SHARDS]
"""

import sys

import ray

from ricochet_engine.ray import solve

source, directory, *shards = sys.argv[1:]
ray.init("auto")
manifest = solve(source, directory, shards=int(shards[0]) if shards else 100)
print(f"{manifest['rows']} rows in {len(manifest['parts'])} parts")
