"""The multiplayer game: a PettingZoo environment of rounds with bids.

All players look at one board. A player who sees a solution bids its number of moves; the first bid starts the
sand timer. When it runs out, the lowest bidder shows the solution: the player moves the robots and wins the
chip if the target is reached within the bid. Otherwise the robots go back and the next bidder shows. The code
is that of the rooms of ``ricochet serve``, so ties, returned chips and robots that stay where a won round
left them follow the same rules.

Agents act in turn (AEC): one after the other while all think; during a show only the player who shows.

    >>> from ricochet_engine.multiplayer import env
    >>> game = env(players=2)
    >>> game.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = game.last()
    >>> game.step(7)  # a bid of seven moves
    >>> game.agent_selection
    'player_1'
"""

from __future__ import annotations

import json
import warnings
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._extras import missing

try:
    import gymnasium as gym
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as _error:
    raise missing("pettingzoo", _error) from _error

from . import _native
from ._errors import RequestError
from ._native import Move, Position, Puzzle, Room
from ._questions import solve
from .env import render_puzzle

#: The length of a turn. The sand timer and shows last a number of turns.
_TURN_MS = 5_000
#: The most turns of the sand timer or a show: the room's limit of half an hour.
_MAX_TURNS = 360


class RicochetRobotsGame(AECEnv):  # type: ignore[misc]
    """A game of several rounds on one printed board.

    Actions: 0 waits, or gives up a show; ``1`` to ``max_bid`` bids that number of moves; ``max_bid + 1 +
    action`` plays a move, where ``action`` is ``4 * robot + direction`` as in the other environments. An
    action that the mask does not allow changes nothing but uses up the turn.

    Observations are dictionaries. ``observation`` has the planes of the current board; ``bids`` and ``chips``
    have one number for each player, the agent first and then in the order of the seats (0: no bid).
    ``clock`` has four numbers: whether a show is in progress, the player who shows (numbered as in ``bids``;
    0 is the agent itself, or no one), the moves left in the show, and the turns left on the timer (0: not
    running). ``action_mask`` is part of the observation, as in PettingZoo's classic games.

    After the first bid each other player has ``sand_turns`` more turns. If there is no bid for ``patience``
    turns each, the round is skipped and its chip leaves the game. A chip is worth ``chip_reward``, a failed
    show ``fail_reward``. ``length`` is ``"all-chips"``, ``"race"`` (8, 6 or 5 chips with 2, 3 or 4
    players) or a number of rounds; every game is truncated after ``max_rounds`` rounds. With
    ``optimum=True`` a solver solves every round, and ``info["optimum"]`` has the length.
    """

    metadata: dict[str, Any] = {
        "name": "ricochet_robots_v0",
        "render_modes": ["rgb_array", "svg", "ansi"],
        "is_parallelizable": False,
        "render_fps": 4,
    }

    #: the round's puzzle with the moves of the current show
    position: Position

    def __init__(
        self,
        *,
        players: int = 2,
        edition: Literal["1999", "2003", "2013"] = "1999",
        layout: str | None = None,
        robots: Literal[4, 5] = 4,
        must_ricochet: bool = False,
        length: Literal["all-chips", "race"] | int = "all-chips",
        max_bid: int = 24,
        sand_turns: int = 3,
        patience: int = 3,
        max_rounds: int = 100,
        optimum: bool = False,
        chip_reward: float = 1.0,
        fail_reward: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        for name, value, most in (
            ("players", players, 16),
            ("max_bid", max_bid, 99),
            ("sand_turns", sand_turns, _MAX_TURNS // max(players, 1)),
            ("patience", patience, None),
            ("max_rounds", max_rounds, None),
        ):
            if value < 1 or (most is not None and value > most):
                allowed = "1 or more" if most is None else f"1 to {most}"
                raise RequestError(f"{name}: expected {allowed}, not {value}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            expected = ", ".join(self.metadata["render_modes"])
            raise RequestError(f"there is no render mode '{render_mode}': expected {expected}")
        self.render_mode = render_mode
        self.max_bid: int = max_bid
        self.patience: int = patience
        self.max_rounds: int = max_rounds
        self.rewards_of: tuple[float, float] = (chip_reward, fail_reward)
        self.with_optimum = optimum
        self._options: dict[str, Any] = {
            "edition": int(edition),
            "layout": layout,
            "robots": robots,
            "must_ricochet": must_ricochet,
            "length": {"rounds": length} if isinstance(length, int) else length,
            "sand_ms": sand_turns * players * _TURN_MS,
            "show_ms": 2 * max_bid * _TURN_MS,
            "pause_ms": 0,
            "seats": players,
        }
        Room(json.dumps(self._options), 0, players)  # reports invalid options now
        self.possible_agents: list[str] = [f"player_{number}" for number in range(players)]
        self.agents: list[str] = []
        actions = 1 + max_bid + 4 * robots
        clock = np.array([1, players - 1, 99, sand_turns * players], np.int16)
        self.observation_spaces: dict[str, gym.spaces.Dict] = {
            agent: gym.spaces.Dict(
                {
                    "observation": gym.spaces.Box(0, 8, (6 + 2 * robots, 16, 16), np.uint8),
                    "bids": gym.spaces.Box(0, 99, (players,), np.int16),
                    "chips": gym.spaces.Box(0, 500, (players,), np.int16),
                    "clock": gym.spaces.Box(np.zeros(4, np.int16), clock, dtype=np.int16),
                    "action_mask": gym.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, gym.spaces.Discrete] = {agent: gym.spaces.Discrete(actions) for agent in self.possible_agents}
        self._np_random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. ``options={"layout": "1A4B3B2B"}`` plays it on that layout."""
        options = options or {}
        unknown = sorted(set(options) - {"layout"})
        if unknown:
            # PettingZoo's tests require environments to accept unknown options.
            warnings.warn(f"unknown options {unknown}: expected layout", stacklevel=2)
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        of_game = {**self._options, "layout": options.get("layout", self._options["layout"])}
        players = len(self.possible_agents)
        self._room = Room(json.dumps(of_game), int(self._np_random.integers(1 << 62)), players)
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._now = 0
        self._waits = 0
        self._optimum: int | None = None
        self._round = 0
        self._apply_events([])

    def step(self, action: Any) -> None:
        """Plays the action of ``agent_selection`` and lets its turn pass."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = int(action)
        if not self.action_spaces[agent].contains(number):
            raise RequestError(f"action {number} is not within 0..{self.action_spaces[agent].n}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._apply_events(self._act(self.possible_agents.index(agent), number))
        self._accumulate_rewards()
        self._deads_step_first()

    def _act(self, seat: int, action: int) -> list[dict[str, Any]]:
        """Sends an action to the room, lets the turn pass, and returns the events."""
        player = seat + 1
        events: list[str] = []
        if self._shows is not None:
            if action == 0:
                events += self._room.give_up(self._now, player)[0]
            elif action > self.max_bid:
                move = Move.from_action(action - 1 - self.max_bid)
                events += self._room.show(self._now, player, move)[0]
        elif 1 <= action <= self.max_bid:
            events += self._room.bid(self._now, player, action)[0]
        else:
            self._waits += 1
            if not self._bids and self._waits >= self.patience * len(self.agents):
                for voter in range(1, len(self.agents) + 1):
                    events += self._room.skip(self._now, voter)[0]
        self._now += _TURN_MS
        events += self._room.tick(self._now)
        return [json.loads(event) for event in events]

    def _apply_events(self, events: list[dict[str, Any]]) -> None:
        """Applies events, prepares the next round if needed, and selects the next agent."""
        chip_reward, fail_reward = self.rewards_of
        for event in events:
            if event["event"] == "show-failed":
                self.rewards[self._agent(event["player"])] += fail_reward
            elif event["event"] == "round-ended" and event["result"]["how"] == "won":
                self.rewards[self._agent(event["result"]["player"])] += chip_reward
        cut = self._round >= self.max_rounds and any(it["event"] == "round-ended" for it in events)
        while not cut and self._room.to_prepare is not None:
            self._prepare(Puzzle(self._room.to_prepare))
        view = json.loads(self._room.view)
        over = view["phase"] == "over"
        seats = range(len(self.possible_agents))
        self._chips = [player["chips"] for player in view["players"]]
        self._shows: int | None = None
        self._bids: dict[int, int] = {}
        self._moves_left = self._sand = 0
        new_round = False
        if over or cut:
            self.terminations = dict.fromkeys(self.agents, over)
            self.truncations = dict.fromkeys(self.agents, not over)
            robots = [(x, y) for x, y in view["game"]["robots"]]
            self.position = Position(self.position.puzzle.replace(robots=robots))
        else:
            now = view["round"]
            new_round = now["number"] != self._round
            self._round = now["number"]
            self._bids = {stake["player"] - 1: stake["length"] for stake in now["stakes"]}
            if now["until"] is not None and view["show"] is None:
                self._sand = max(0, -(-(now["until"] - self._now) // _TURN_MS))
            show = view["show"]
            if show is not None:
                self._shows = show["player"] - 1
                moves = show["moves"].split()
                self._moves_left = show["bid"] - len(moves)
            self.position = Position(Puzzle(now["puzzle"]), show["moves"] if show else None)
        if new_round:
            self._waits = 0
            # The first player to think has an advantage, so players take turns at it.
            self._turn = (self._round - 1) % len(seats)
        elif self._shows is None and not (over or cut):
            self._turn = (self._turn + 1) % len(seats)
        acting = self._turn if self._shows is None else self._shows
        self.agent_selection = self.possible_agents[acting]
        info: dict[str, Any] = {"puzzle": self.position.puzzle.line, "round": self._round}
        if self.with_optimum:
            info["optimum"] = self._optimum
        self.infos = {agent: dict(info) for agent in self.agents}

    def _prepare(self, puzzle: Puzzle) -> None:
        if not self.with_optimum:
            self._room.prepare(self._now)
            return
        answer = solve(puzzle)
        self._optimum = answer.length
        self._room.prepare(self._now, answer.solution, unsolvable=not answer.is_solved)

    def _agent(self, player: int) -> str:
        return self.possible_agents[player - 1]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What an agent sees."""
        seat = self.possible_agents.index(agent)
        players = len(self.possible_agents)
        order = [(seat + i) % players for i in range(players)]
        shows = 0 if self._shows is None else (self._shows - seat) % players
        clock = (int(self._shows is not None), shows, self._moves_left, self._sand)
        return {
            "observation": _native.planes([self._current_puzzle()])[0],
            "bids": np.array([self._bids.get(it, 0) for it in order], np.int16),
            "chips": np.array([self._chips[it] for it in order], np.int16),
            "clock": np.array(clock, np.int16),
            "action_mask": self._mask(seat),
        }

    def _mask(self, seat: int) -> npt.NDArray[np.int8]:
        mask = np.zeros(self.action_spaces[self.possible_agents[seat]].n, np.int8)
        mask[0] = 1
        if self._shows == seat:
            mask[1 + self.max_bid :] = self.position.action_mask
        elif self._shows is None and not self._is_over():
            mask[1 : min(self._bids.get(seat, self.max_bid + 1), self.max_bid + 1)] = 1
        return mask

    def _is_over(self) -> bool:
        return any(self.terminations.values()) or any(self.truncations.values())

    def _current_puzzle(self) -> Puzzle:
        return self.position.puzzle.replace(robots=self.position.robots)

    def render(self) -> Any:
        """The current board in the render mode of the environment."""
        return render_puzzle(self._current_puzzle(), self.render_mode)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


def raw_env(**options: Any) -> RicochetRobotsGame:
    """The unwrapped environment. It takes the options of :class:`RicochetRobotsGame`."""
    return RicochetRobotsGame(**options)


def env(**options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: actions outside the space and calls in the wrong order
    are errors."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**options)))
