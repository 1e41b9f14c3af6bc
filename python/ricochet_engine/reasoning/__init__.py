"""Reasoning tasks for language models: a puzzle as text or picture, an answer as moves, and a score.

    >>> from ricochet_engine.reasoning import Config, RicochetDataset
    >>> tasks = RicochetDataset(Config(seed=1, size=10))
    >>> tasks.score_answer(tasks[0]["answer"], tasks[0])
    1.0

Tasks have the shape of reasoning-gym's (``question``, ``answer``, ``metadata``, ``score_answer``), which need
not be installed. All front ends read and score an answer alike:

- :func:`register` adds the data set and its curriculum to reasoning-gym
- :mod:`~ricochet_engine.reasoning.benchmark`: the fixed set of 1,000 puzzles, new ones by seed, baselines, and
  runs with a model
- :mod:`~ricochet_engine.reasoning.harness`: the protocol of these runs
- :mod:`~ricochet_engine.reasoning.verifiers`: a taskset and a game of two agents for verifiers
- :mod:`~ricochet_engine.reasoning.textarena`: a game for TextArena
"""

from .answers import SCORING_VERSION, Grade, Scoring, parse_answer, score_answer, verdict
from .tasks import LEVELS, TECHNIQUES, Config, RicochetDataset, level, register, split_of, technique

__all__ = [
    "LEVELS", "SCORING_VERSION", "TECHNIQUES", "Config", "Grade", "RicochetDataset", "Scoring", "level",
    "parse_answer", "register", "score_answer", "split_of", "technique", "verdict",
]  # fmt: skip
