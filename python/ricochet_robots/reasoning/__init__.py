"""Reasoning tasks: a puzzle as text or picture, an answer as moves, and a graded score.

    >>> from ricochet_robots.reasoning import Config, RicochetDataset
    >>> tasks = RicochetDataset(Config(seed=1, size=10))
    >>> tasks.score_answer(tasks[0]["answer"], tasks[0])
    1.0

Tasks have the shape of reasoning-gym's (``question``, ``answer``, ``metadata``, ``score_answer``), which need
not be installed; :func:`register` adds the data set to it. :func:`load_environment` is the entry point of
the ``verifiers`` library. :mod:`~ricochet_robots.reasoning.benchmark` has a fixed set of 1,000 puzzles.
"""

from .answers import Grade, parse_answer, score_answer, verdict
from .tasks import Config, RicochetDataset, register, split_of
from .verifiers import load_environment

__all__ = [
    "Config", "Grade", "RicochetDataset", "load_environment", "parse_answer", "register",
    "score_answer", "split_of", "verdict",
]  # fmt: skip
