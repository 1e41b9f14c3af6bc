"""A round with bids as a game in words, for agents that write text.

The rules, the timer and ties are those of the rooms, through
:class:`~ricochet_engine.multiplayer.RicochetRobotsGame`; this module only says what a player sees and reads what
it answers. Needs the extra ``pettingzoo``.
"""

from __future__ import annotations

import re

from .._native import Puzzle
from ..multiplayer import RicochetRobotsGame
from .answers import parse_answer
from .tasks import board_text, rules

_RULES = """\
You play Ricochet Robots against others: all look at the same board, and whoever shows the shortest solution wins \
the chip. In your turn, bid the number of moves of a solution you have found, like this: <bid>7</bid>, or answer \
pass. A bid has to be lower than your own last one. After the first bid, the others have {sand} more turns. Then the \
lowest bidder (of equal bids, the earlier one) shows the solution, like this: <answer>RE GN RS</answer>. It wins if \
it reaches the target within the bid; otherwise the next bidder shows. If nobody bids in {patience} turns each, the \
round ends without a winner."""
_BID = re.compile(r"<bid>\s*([0-9]{1,3})\s*</bid>", re.IGNORECASE)


class BiddingRound:
    """One round of the game. ``turn`` is the player to act; ``observe`` says what it sees, ``act`` takes its answer.

    An answer that cannot be read is a pass. While it shows, a player gives all moves at once: those that are
    illegal or too many end its show.
    """

    def __init__(
        self, seed: int, players: int = 2, *, sand_turns: int = 2, patience: int = 2
    ) -> None:
        self.game: RicochetRobotsGame = RicochetRobotsGame(
            players=players, length=1, max_rounds=1, sand_turns=sand_turns, patience=patience, optimum=True
        )
        self.game.reset(seed=seed)
        self.puzzle: Puzzle = self.game.position.puzzle
        self.optimum: int | None = self.game.infos[self.game.agents[0]]["optimum"]
        self.rewards: list[float] = [0.0] * players
        #: whether the chip was won with a shortest solution
        self.optimal: bool = False
        form = _RULES.format(sand=sand_turns, patience=patience)
        self.rules: str = f"{form}\n\n{rules(self.puzzle)}"

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.game._is_over()

    @property
    def turn(self) -> int:
        """The number of the player to act."""
        return self.game.possible_agents.index(self.game.agent_selection)

    @property
    def showing(self) -> bool:
        """Whether the player to act has to show."""
        return self.game._shows is not None

    def observe(self) -> str:
        """What the player to act sees."""
        bids = [
            f"{'you' if seat == self.turn else f'player {seat}'}: {bid}" for seat, bid in sorted(self.game._bids.items())
        ]
        lines = [board_text(self.puzzle, "drawing"), "", f"Bids: {', '.join(bids) or 'none'}."]
        if self.showing:
            lines.append(f"Show your solution of at most {self.game._bids[self.turn]} moves: <answer>...</answer>")
        else:
            lines.append("Your turn: <bid>...</bid> or pass.")
        return "\n".join(lines)

    def act(self, text: str) -> None:
        """Takes the answer of the player to act."""
        if self.showing:
            self._show(text)
        else:
            bids = _BID.findall(text)
            bid = int(bids[-1]) if bids else 0
            self._step(bid if self.game._mask(self.turn)[min(bid, self.game.max_bid)] and bid <= self.game.max_bid else 0)

    def _show(self, text: str) -> None:
        shower = self.turn
        for move in parse_answer(text, self.puzzle) or ():
            if not self.game.position.is_legal(move):
                break
            self._step(self.game.max_bid + 1 + move.action)
            if self.over or self.game._shows != shower:
                return
        self._step(0)  # gives up

    def _step(self, action: int) -> None:
        before = self.game._bids
        self.game.step(action)
        for seat, agent in enumerate(self.game.possible_agents):
            reward = self.game.rewards.get(agent, 0.0)
            self.rewards[seat] += reward
            if reward > 0 and self.optimum is not None:
                # The moves of the show are gone by now; a lower bid than the optimum cannot win.
                self.optimal = before.get(seat) == self.optimum
