"""The game of bids in words, TextArena and verifiers. Their libraries are installed with --long."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import ROOT

import ricochet_engine as rr
from ricochet_engine.reasoning import RicochetDataset, score_answer

pytest.importorskip("pettingzoo")

from ricochet_engine.reasoning.bidding import BiddingRound  # noqa: E402


def play(seed: int, *players: Any) -> BiddingRound:
    """Each player is a function of the round that returns its text."""
    game = BiddingRound(seed, len(players))
    steps = 0
    while not game.over:
        assert "+---" in game.observe()
        game.act(players[game.turn](game))
        steps += 1
        assert steps < 100
    return game


def expert(game: BiddingRound) -> str:
    return f"<answer>{rr.solve(game.puzzle).solution}</answer>" if game.showing else f"<bid>{game.optimum}</bid>"


def braggart(game: BiddingRound) -> str:
    return "I cannot." if game.showing else "<bid>1</bid>"


def slow(game: BiddingRound) -> str:
    """Bids two more than the optimum, and shows a shortest solution."""
    if game.showing:
        return str(rr.solve(game.puzzle).solution)
    return f"Seen it: <bid>{game.optimum + 2}</bid>"


def silent(game: BiddingRound) -> str:
    return "pass"


def test_rounds_with_bids() -> None:
    for seed in range(4):
        assert play(seed, expert, silent).rewards == [1.0, 0.0]
        won = play(seed, slow, expert)
        assert won.rewards == [0.0, 1.0] and won.optimal
        if won.optimum > 1:
            assert play(seed, expert, braggart).rewards == [1.0, 0.0], "a bid that cannot be shown is worth nothing"
        late = play(seed, slow, silent)
        assert late.rewards == [1.0, 0.0] and not late.optimal
        assert play(seed, silent, silent).rewards == [0.0, 0.0]


def test_nonsense_is_a_pass() -> None:
    def nonsense(game: BiddingRound) -> str:
        return "<bid>0</bid> <bid>999</bid> <bid>x</bid>" * 1000

    assert play(1, nonsense, expert).rewards == [0.0, 1.0]
    assert play(1, nonsense, nonsense).rewards == [0.0, 0.0]


def test_text_arena() -> None:
    ta = pytest.importorskip("textarena")
    from ricochet_engine.reasoning.textarena import ENV_ID

    ta.envs.registration.check_env_exists(ENV_ID)

    def episode(choose: Any, seed: int = 3) -> tuple[float, rr.Solution, rr.Puzzle]:
        env = ta.make(ENV_ID, max_moves=4)
        env.reset(num_players=1, seed=seed)
        inner = env.unwrapped if hasattr(env, "unwrapped") else env.env
        done = False
        while not done:
            _, observation = env.get_observation()
            assert "illegal" in str(observation)
            done, _ = env.step(choose(inner.position))
        rewards, _ = env.close()
        return rewards[0], inner.position.moves, inner.puzzle

    reward, moves, puzzle = episode(lambda position: f"I play [{rr.solve(position).solution[0]}].")
    assert reward == 1.0 and puzzle.is_solution(moves) and len(moves) == puzzle.optimal
    assert episode(lambda position: "[RE]", 3)[2] == puzzle, "the same seed"

    def detour(position: rr.Position) -> str:
        if len(position) == 0:
            best = rr.solve(position).length
            for move in position.legal_moves:
                after = rr.solve(position.apply([move]))
                if after.length is not None and after.length >= best:
                    return f"[{move}]"
        return f"[{rr.solve(position).solution[0]}]"

    reward, moves, puzzle = episode(detour)
    task = {"metadata": {"puzzle": puzzle.line}}
    assert 0 < reward < 1 and reward == score_answer(moves, task, "shaped")
    assert episode(lambda position: "no brackets")[0] == 0.0


@pytest.fixture()
def verifiers(monkeypatch: pytest.MonkeyPatch) -> Any:
    vf = pytest.importorskip("verifiers.v1")
    monkeypatch.syspath_prepend(str(ROOT / "python" / "environments"))
    return vf


def test_a_taskset_of_verifiers(verifiers: Any) -> None:
    vf = verifiers
    from ricochet_engine.reasoning.verifiers import RicochetConfig

    taskset = vf.load_taskset(RicochetConfig(id="ricochet-robots", size=3, max_moves=4, scoring="shaped"))
    tasks = list(taskset)
    assert len(tasks) == 3 and len({task.key for task in tasks}) == 3
    expected = list(RicochetDataset(seed=0, size=3, max_moves=4, split="train", scoring="shaped"))
    for task, entry in zip(tasks, expected, strict=True):
        assert task.data.prompt == entry["question"]
        assert asyncio.run(task.validate(None))
        for text in ("<answer>{}</answer>", "{}\nThat should be on the target.", "We be on it.", "RN RS RN", "{} RN", ""):
            answer = text.format(entry["answer"])
            assert asyncio.run(reward_of(task, answer)) == score_answer(answer, entry, "shaped")


async def reward_of(task: Any, answer: str) -> float:
    from ricochet_engine.reasoning.verifiers import RicochetTask

    return await RicochetTask.correct(task, SimpleNamespace(last_reply=answer))


class ScriptedAgent:
    """What ``BiddingEnv`` asks of an agent. Each answer is one turn; without another one the agent has ended."""

    def __init__(self, vf: Any, answer: Any) -> None:
        self.vf, self.answer = vf, answer
        self.seen: list[str] = []
        self.task: Any = None
        self.trace = SimpleNamespace(rewards={}, metrics={})
        self.trace.record_reward = lambda name, value, weight: self.trace.rewards.update({name: value * weight})
        self.trace.record_metric = lambda name, value: self.trace.metrics.update({name: value})

    @asynccontextmanager
    async def interaction(self, task: Any) -> AsyncIterator[ScriptedAgent]:
        self.task = task
        yield self

    async def turn(self, message: str) -> Any:
        from verifiers.v1.agent import Segment

        self.seen.append(message)
        text = self.answer(message)
        if text is None:
            return Segment([], terminated=True)
        return Segment([self.vf.AssistantMessage(content=text)])


def shown_board(message: str) -> rr.Puzzle:
    return rr.Puzzle(message[message.index("goal:") : message.index("\nBids:")])


def solver(message: str) -> str:
    answer = rr.solve(shown_board(message))
    return f"<answer>{answer.solution}</answer>" if "Show your" in message else f"<bid>{answer.length}</bid>"


def test_a_round_of_verifiers_with_scripted_agents(verifiers: Any) -> None:
    vf = verifiers
    from ricochet_engine.reasoning.verifiers import BiddingEnv, BiddingTaskset, BiddingTasksetConfig

    taskset = BiddingTaskset(BiddingTasksetConfig(id="ricochet-bidding", seed=5))
    tasks = list(taskset.take(3))
    assert [task.data.seed for task in tasks] == [5, 6, 7] and not taskset.bounded
    assert all(asyncio.run(task.validate(None)) for task in tasks)

    def of(*answers: Any) -> list[ScriptedAgent]:
        agents = [ScriptedAgent(vf, answer) for answer in answers]
        both = SimpleNamespace(player_0=agents[0], player_1=agents[1])
        asyncio.run(BiddingEnv.run(SimpleNamespace(), tasks[0], both))
        return agents

    def rewards(agents: list[ScriptedAgent]) -> list[float]:
        return [agent.trace.rewards["chip"] for agent in agents]

    won = of(solver, lambda message: "pass")
    assert rewards(won) == [1.0, 0.0] and won[0].trace.metrics == {"optimal": 1.0}
    assert "whoever shows the shortest solution" in won[0].task.data.system_prompt
    assert "player 0: " in won[1].seen[-1] and "you: " in won[0].seen[-1]
    assert rewards(of(lambda message: "I am not sure.", solver)) == [0.0, 1.0]
    # An agent that has ended passes for the rest of the round.
    assert rewards(of(lambda message: None, solver)) == [0.0, 1.0]
    assert rewards(of(lambda message: None, lambda message: None)) == [0.0, 0.0]


def test_the_tools_of_verifiers(verifiers: Any) -> None:
    """The toolset starts ``ricochet mcp``, offers what is allowed and passes calls on."""
    from ricochet_engine.reasoning.verifiers import EngineTools, EngineToolsConfig, RicochetConfig, RicochetTaskset

    program = os.environ.get("RICOCHET") or shutil.which("ricochet")
    if program is None:
        pytest.skip("needs the command ricochet")
    assert RicochetTaskset.toolsets(RicochetConfig(id="ricochet-robots")) == []

    async def use(*allow: str, command: str = program) -> tuple[list[str], Any]:
        config = EngineToolsConfig(command=command, allow=list(allow))
        (toolset,) = RicochetTaskset.toolsets(RicochetConfig(id="ricochet-robots", tools=config))
        assert isinstance(toolset, EngineTools) and toolset.server_name == "ricochet"
        async with toolset._exit_stack:
            await toolset.setup()
            served = SimpleNamespace()
            toolset.register(served)
            names = [tool.name for tool in await served.list_tools()]
            with pytest.raises(ValueError, match="there is no tool 'solve'"):
                await served.call_tool("solve", {"puzzle": "4x3..0012.R31"})
            return names, await served.call_tool("check", {"puzzle": "4x3..0012.R31", "moves": "GE RE RS"})

    names, answer = asyncio.run(use("check", "draw"))
    assert names == ["check", "draw"] and not answer.is_error
    assert "solve" in str(answer.content) or "solved" in str(answer.structured_content)
    with pytest.raises(Exception) as failed:  # in groups of the task groups around it
        asyncio.run(use("magic"))
    assert "there is no tool 'magic': expected some of solve" in "".join(traceback.format_exception(failed.value))
    with pytest.raises(FileNotFoundError, match="is not installed"):
        asyncio.run(use("check", command="no-such-program"))


@pytest.mark.long
@pytest.mark.parametrize("name", ["ricochet-robots", "ricochet-bidding"])
def test_the_checker_of_verifiers(verifiers: Any, tmp_path: Path, name: str) -> None:
    """vf-validate: every reference answer scores 1, and no answer scores less; every round can be won."""
    folders = [str(ROOT / "python" / "environments"), os.environ.get("PYTHONPATH", "")]
    path = os.pathsep.join(filter(None, folders))
    command = Path(sys.executable).with_name("vf-validate")
    done = subprocess.run(
        [command, name, "--runtime.type", "subprocess", "-o", str(tmp_path), "-n", "5"],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
