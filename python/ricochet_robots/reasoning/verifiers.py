"""The entry point for the ``verifiers`` library (version 0.1; version 0.4 has no such entry point)."""

from __future__ import annotations

import json
from typing import Any

from .answers import score_answer
from .tasks import Config, RicochetDataset


def _messages(task: dict[str, Any]) -> list[dict[str, Any]]:
    """The prompt: text, and the picture if the form is ``picture``."""
    content: Any = task["question"]
    if "image" in task["metadata"]:
        content = [
            {"type": "text", "text": task["question"]},
            {"type": "image_url", "image_url": {"url": task["metadata"]["image"]}},
        ]
    return [{"role": "user", "content": content}]


def _text(completion: Any) -> str:
    """The last message of a model."""
    if isinstance(completion, str):
        return completion
    content = completion[-1]["content"] if completion else ""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def rows(tasks: RicochetDataset) -> list[dict[str, Any]]:
    """The rows of a data set in the form that ``verifiers`` reads."""
    rows = []
    for task in tasks:
        info = {"puzzle": task["metadata"]["puzzle"], "optimum": task["metadata"]["optimum"]}
        rows.append(
            {
                "prompt": _messages(task),
                "answer": task["answer"],
                "info": json.dumps(info),
                "task": "ricochet_robots",
            }
        )
    return rows


def graded(completion: Any, info: Any, **_: Any) -> float:
    """The score of a completion."""
    if isinstance(info, str):
        info = json.loads(info)
    return score_answer(_text(completion), {"metadata": info})


def load_environment(
    num_train_examples: int = 500, num_eval_examples: int = 100, **config: Any
) -> Any:
    """A single-turn environment: training and evaluation tasks on separate boards. ``config`` are the
    fields of :class:`~ricochet_robots.reasoning.Config`."""
    import verifiers as vf
    from datasets import Dataset

    def part(split: str, size: int) -> Any:
        fields = {"seed": 0, **config, "split": split, "size": size}
        return Dataset.from_list(rows(RicochetDataset(Config(**fields))))

    rubric = vf.Rubric(funcs=[graded], weights=[1.0])
    return vf.SingleTurnEnv(
        dataset=part("train", num_train_examples),
        eval_dataset=part("test", num_eval_examples),
        rubric=rubric,
    )
