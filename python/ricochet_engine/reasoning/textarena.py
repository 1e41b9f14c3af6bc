"""A game for TextArena: one puzzle, one move per turn.

::

    import textarena as ta
    import ricochet_engine.reasoning.textarena
    env = ta.make("RicochetRobots-v0", max_moves=4)

A move is written in brackets, such as ``[RE]``. The reward at the end is the score of the moves that were played,
as :func:`ricochet_engine.reasoning.score_answer` gives it; an illegal move is an invalid move of TextArena.
"""

from __future__ import annotations

import re
from typing import Any

from .._extras import missing

try:
    import textarena as ta
except ImportError as _error:
    raise missing("textarena", _error) from _error

from .answers import Scoring, optimum_of, parse_answer, score_of, verdict
from .tasks import Config, RicochetDataset, Split, board_text, robot_names, rules

#: The name of the environment.
ENV_ID = "RicochetRobots-v0"

_BRACKETS = re.compile(r"\[([^\[\]]{1,40})\]")


class RicochetRobotsEnv(ta.Env):  # type: ignore[misc]
    """A puzzle of ``min_moves`` to ``max_moves`` moves. It is over when it is solved or after ``max_turns`` turns."""

    def __init__(
        self,
        min_moves: int = 2,
        max_moves: int = 6,
        board: tuple[int, int] | None = (8, 8),
        robots: int = 4,
        split: Split = "train",
        scoring: Scoring = "shaped",
        max_turns: int = 30,
    ) -> None:
        super().__init__()
        self.config: Config = Config(
            min_moves=min_moves, max_moves=max_moves, board=board, robots=robots, split=split, scoring=scoring
        )
        self.config.validate()
        self.max_turns = max_turns

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begins with the puzzle of the seed."""
        from .._native import Position, Puzzle

        self.state = ta.SinglePlayerState(num_players=num_players, max_turns=self.max_turns, seed=seed)
        tasks = RicochetDataset(Config(**{**vars(self.config), "seed": seed, "size": 1}))
        self.puzzle: Puzzle = Puzzle(tasks[0]["metadata"]["puzzle"])
        self.position: Position = Position(self.puzzle)
        self.state.reset(game_state={"puzzle": self.puzzle.line}, player_prompt_function=self._prompt)
        self._show_board()

    def get_board_str(self) -> str:
        """The board as characters."""
        return board_text(self.puzzle.replace(robots=self.position.robots), "drawing")

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        return (
            f"{rules(self.puzzle, self.config.scoring)}\n\nMake one move per turn: the robot "
            f"({robot_names(self.puzzle)}) and the direction (N, E, S, W) in brackets, such as [RE]."
        )

    def _show_board(self) -> None:
        self.state.add_observation(
            message=self.get_board_str(), observation_type=ta.ObservationType.GAME_BOARD
        )

    def _score(self) -> float:
        grade, length = verdict(self.position.moves, self.puzzle)
        return score_of(grade, length, optimum_of(self.puzzle), self.config.scoring)

    def step(self, action: str) -> Any:
        """Plays the move in the last brackets."""
        self.state.add_observation(
            message=action, observation_type=ta.ObservationType.PLAYER_ACTION
        )
        found = _BRACKETS.findall(action[-10_000:])
        moves = parse_answer(found[-1], self.puzzle) if found else None
        if moves is None or len(moves) != 1:
            self._invalid("Expected one move in brackets, such as [RE].")
        elif not self.position.is_legal(moves[0]):
            self._invalid(f"{moves[0]} is illegal: the robot cannot leave its cell in that direction.")
        else:
            self.position.push(moves[0])
            if self.position.is_solved:
                used, best = len(self.position), optimum_of(self.puzzle)
                self.state.set_outcome(
                    reward=self._score(), reason=f"Solved in {used} moves; the fewest possible are {best}."
                )
            elif self.state.check_turn_limit():
                self.state.set_outcome(reward=self._score(), reason="The turn limit has been reached.")
            else:
                self._show_board()
        return self.state.step()

    def _invalid(self, reason: str) -> None:
        self.state.set_invalid_move(reward=0.0, reason=reason)


if ENV_ID not in ta.envs.registration.ENV_REGISTRY:
    ta.envs.registration.register(
        id=ENV_ID,
        entry_point="ricochet_engine.reasoning.textarena:RicochetRobotsEnv",
        default_wrappers=[ta.wrappers.LLMObservationWrapper],
    )
