"""A taskset, tools and a game between agents for the ``verifiers`` library (version 0.4).

``verifiers`` finds environments by the name of an installed module. The package in ``python/environments`` has
those names and nothing else::

    pip install ./python/environments
    vf-validate ricochet-robots          # model-free: every reference answer scores 1, no answer scores 0
    vf-eval ricochet-robots -m MODEL --client.base-url URL --no-push --env.taskset.max-moves 5
    vf-eval ricochet-robots -m MODEL --env.taskset.tools.allow check draw  # tools over MCP
    vf-eval ricochet-bidding -m MODEL    # two agents bid for the same target
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

from .._extras import missing

try:
    import verifiers.v1 as vf
except ImportError as _error:
    raise missing("verifiers", _error) from _error

from .._native import Puzzle
from .._questions import solve
from .answers import Scoring, score_answer, verdict
from .bidding import BiddingRound
from .tasks import Config, Form, RicochetDataset, Split, image_url


class RicochetData(vf.TaskData):
    """A puzzle and how its answer is scored."""

    puzzle: str
    optimum: int
    #: a shortest solution
    answer: str
    scoring: Scoring


class RicochetTask(vf.Task[RicochetData, vf.State, vf.TaskConfig]):
    """One answer with all moves."""

    @vf.reward
    async def correct(self, trace: vf.Trace) -> float:
        """The score of the last reply: :func:`ricochet_engine.reasoning.score_answer`."""
        return self._score_of(trace.last_reply)

    @vf.metric
    async def grade(self, trace: vf.Trace) -> float:
        """The grade, from 0 (unreadable) to 4 (a shortest solution)."""
        return float(verdict(trace.last_reply, Puzzle(self.data.puzzle))[0])

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the reference answer scores 1."""
        return self._score_of(f"<answer>{self.data.answer}</answer>") == 1.0

    def _score_of(self, text: str | None) -> float:
        return score_answer(text, {"metadata": {"puzzle": self.data.puzzle}}, self.data.scoring)


class EngineToolsConfig(vf.ToolsetConfig):
    """Which tools of ``ricochet mcp`` a model may call."""

    #: The program.
    command: str = "ricochet"
    #: The names of the tools; none: no tools. ``solve``, ``evaluate`` and ``hint`` answer the task, ``check`` and
    #: ``draw`` help with it.
    allow: list[str] = []


class EngineTools(vf.Toolset[EngineToolsConfig, vf.State]):
    """The tools of the MCP server ``ricochet mcp``, which is started once for an evaluation."""

    TOOL_PREFIX = "ricochet"

    async def setup(self) -> None:
        """Starts the server."""
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client

        if shutil.which(self.config.command) is None:
            raise FileNotFoundError(
                f"{self.config.command} is not installed: these tools need the command of the same project"
            )
        program = StdioServerParameters(command=self.config.command, args=["mcp"])
        self.client = await self._exit_stack.enter_async_context(Client(stdio_client(program)))
        offered = {tool.name: tool for tool in (await self.client.list_tools()).tools}
        unknown = [name for name in self.config.allow if name not in offered]
        if unknown:
            raise ValueError(f"there is no tool {unknown[0]!r}: expected some of {', '.join(offered)}")
        self.offered = [offered[name] for name in self.config.allow]

    def register(self, mcp: Any) -> None:
        """Passes lists and calls on, with the names, descriptions and schemas of the server."""
        mcp.list_tools = self.list_tools
        mcp.call_tool = self.call_tool

    async def list_tools(self) -> list[Any]:
        """The allowed tools."""
        return list(self.offered)

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Calls an allowed tool."""
        if name not in self.config.allow:
            raise ValueError(f"there is no tool {name!r}: expected one of {', '.join(self.config.allow)}")
        return await self.client.call_tool(name, arguments)


class RicochetConfig(vf.TasksetConfig):
    """Which tasks: the fields of :class:`ricochet_engine.reasoning.Config`. ``split`` is ``train`` by default,
    so that the fixed set is never trained on."""

    min_moves: int = 2
    max_moves: int = 6
    width: int = 8
    height: int = 8
    robots: int = 4
    robots_used: int | None = None
    themes: list[str] = []
    rating: tuple[int, int] | None = None
    form: Form = "drawing"
    split: Split = "train"
    scoring: Scoring = "strict"
    seed: int = 0
    size: int = 500
    tools: EngineToolsConfig = EngineToolsConfig()


class RicochetTaskset(vf.Taskset[RicochetTask, RicochetConfig]):
    """Procedural tasks: the same seed gives the same ones."""

    def load(self) -> Iterator[RicochetTask]:
        """The tasks."""
        given = self.config
        config = Config(
            min_moves=given.min_moves, max_moves=given.max_moves, board=(given.width, given.height),
            robots=given.robots, robots_used=given.robots_used, themes=tuple(given.themes), rating=given.rating,
            form=given.form, split=given.split, scoring=given.scoring, seed=given.seed, size=given.size,
        )  # fmt: skip
        for entry in RicochetDataset(config):
            puzzle = Puzzle(entry["metadata"]["puzzle"])
            data = RicochetData(
                id=puzzle.id,
                prompt=_prompt(entry["question"], puzzle, given.form),
                puzzle=puzzle.line,
                optimum=entry["metadata"]["optimum"],
                answer=entry["answer"],
                scoring=given.scoring,
            )
            yield RicochetTask(data, self.config.task)

    @classmethod
    def toolsets(cls, config: RicochetConfig) -> list[vf.Toolset]:
        """The tools of the engine, if any are allowed."""
        return [EngineTools(config.tools)] if config.tools.allow else []


def _local() -> vf.AgentConfig:
    """An agent that only talks, and tools: it needs no sandbox, which is verifiers' default."""
    return vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class RicochetEnvConfig(vf.EnvConfig):
    """The player."""

    agent: vf.AgentConfig = _local()


class RicochetEnv(vf.Env[RicochetEnvConfig]):
    """One agent that answers."""

    async def run(self, task: vf.Task[Any, Any, Any], agents: vf.Agents) -> None:
        """Asks the agent."""
        await agents.agent.run(task)


def _prompt(question: str, puzzle: Puzzle, form: Form) -> Any:
    if form != "picture":
        return question
    content = [
        vf.TextContentPart(text=question),
        vf.ImageUrlContentPart(image_url=vf.ImageUrlSource(url=image_url(puzzle))),
    ]
    return [vf.UserMessage(content=content)]


class BiddingData(vf.TaskData):
    """A round: its board, robots and target come from the seed."""

    seed: int


class BiddingTask(vf.Task[BiddingData, vf.State, vf.TaskConfig]):
    """A round of bidding. Its rewards come from the game."""

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether a player that bids the optimum wins the chip, against one that passes."""
        game = BiddingRound(self.data.seed)
        answer = solve(game.puzzle)
        while not game.over:
            bid = f"<answer>{answer.solution}</answer>" if game.showing else f"<bid>{answer.length}</bid>"
            game.act(bid if game.turn == 0 else "pass")
        return game.rewards == [1.0, 0.0] and game.optimal


class BiddingTasksetConfig(vf.TasksetConfig):
    """Which rounds."""

    seed: int = 0


class BiddingTaskset(vf.Taskset[BiddingTask, BiddingTasksetConfig]):
    """Rounds without end."""

    INFINITE = True

    def load(self) -> Iterator[BiddingTask]:
        """The rounds."""
        seed = self.config.seed
        while True:
            yield BiddingTask(BiddingData(name=f"round {seed}", seed=seed), self.config.task)
            seed += 1


class BiddingConfig(vf.EnvConfig):
    """The two players."""

    player_0: vf.AgentConfig = _local()
    player_1: vf.AgentConfig = _local()


class BiddingEnv(vf.Env[BiddingConfig]):
    """Two agents bid for the same target; who shows a solution within the lower bid wins the chip. The rules are
    those of the rooms: see :class:`~ricochet_engine.reasoning.bidding.BiddingRound`."""

    async def run(self, task: vf.Task[Any, Any, Any], agents: vf.Agents) -> None:
        """Plays the round."""
        game = BiddingRound(task.data.seed)
        seat = vf.Task(vf.TaskData(idx=task.data.idx, system_prompt=game.rules))
        async with (
            agents.player_0.interaction(seat) as first,
            agents.player_1.interaction(seat) as second,
        ):
            players = (first, second)
            while not game.over:
                segment = await players[game.turn].turn(game.observe())
                # An agent that has ended, such as at its limit of tokens, waits from then on.
                game.act("pass" if segment.terminated else segment.last_reply)
        for player, reward in zip(players, game.rewards, strict=True):
            player.trace.record_reward("chip", reward, 1.0)
            player.trace.record_metric("optimal", float(game.optimal))


if __name__ == "__main__":
    EngineTools.run()
