"""Tries the installed Python package: ``python smoke.py``, or ``python smoke.py all`` with every extra."""

import importlib.resources
import sys

import ricochet_engine as rr

answer = rr.solve("7650+42+E2302B12+C9")
assert (answer.length, answer.optimal) == (25, True), answer
assert importlib.resources.files(rr).joinpath("py.typed").is_file()
print(f"{rr.__version__} solves")

if sys.argv[1:]:
    from gymnasium.utils.env_checker import check_env
    from ricochet_engine.env import RicochetRobotsEnv

    check_env(RicochetRobotsEnv(), skip_render_check=True)
    print("the environment passes check_env")
if sys.argv[1:] == ["all"]:
    for name in ["multiplayer", "picture", "planning", "ray", "reasoning.bidding", "reasoning.harness",
                 "reasoning.tasks", "reasoning.textarena", "reasoning.verifiers", "table"]:  # fmt: skip
        importlib.import_module(f"ricochet_engine.{name}")
    print("every module finds what it needs")
