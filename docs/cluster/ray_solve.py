"""Solves a file of puzzles on a Ray cluster: ray job submit -- python docs/cluster/ray_solve.py IN OUT"""

import sys

import ray

from ricochet_robots.ray import solve

ray.init("auto")
manifest = solve(sys.argv[1], sys.argv[2], shards=1000)
print(f"{manifest['rows']} rows in {len(manifest['parts'])} parts")
