"""The game between agents: PettingZoo's own tests, and the printed rules."""

from __future__ import annotations

import doctest
import warnings

import numpy as np
import pytest

import ricochet_engine as rr

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from ricochet_engine import multiplayer  # noqa: E402
from ricochet_engine.multiplayer import RicochetRobotsGame, env  # noqa: E402


@pytest.mark.parametrize("options", [{}, {"players": 4, "robots": 5, "edition": "2013", "length": "race"}])
def test_pettingzoo_is_content(options) -> None:
    with warnings.catch_warnings():
        # It would rather have observations that are one array; its own classic games are dictionaries too.
        warnings.filterwarnings("error")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="unknown options")
        api_test(env(**options), num_cycles=300)
    seed_test(lambda: env(**options), num_cycles=50)


def test_the_example() -> None:
    result = doctest.testmod(multiplayer)
    assert result.attempted and not result.failed


def play(game: RicochetRobotsGame, moves) -> float:
    """Plays the moves of the player who shows; returns the last reward."""
    agent = game.agent_selection
    reward = 0.0
    for move in moves:
        assert game.agent_selection == agent
        game.step(1 + game.max_bid + move.action)
        reward = game.rewards[agent]
    return reward


def started(**options) -> RicochetRobotsGame:
    game = RicochetRobotsGame(**options)
    game.reset(seed=3)
    return game


def test_the_lowest_bid_shows_and_wins_the_chip() -> None:
    game = started(players=3, sand_turns=1, optimum=True)
    assert [game.agent_selection, game.infos["player_0"]["round"]] == ["player_0", 1]
    solution = rr.solve(game.position.puzzle).solution
    assert game.infos["player_1"]["optimum"] == len(solution)
    game.step(20)
    assert game.observe("player_1")["bids"].tolist() == [0, 0, 20], "oneself first"
    assert game.observe("player_1")["clock"].tolist() == [0, 0, 0, 2]
    game.step(len(solution))
    game.step(0)
    assert game.agent_selection == "player_1", "the sand has run out"
    seen = game.observe("player_0")
    assert seen["clock"].tolist() == [1, 1, len(solution), 0]
    assert seen["action_mask"].sum() == 1, "only one acts"
    assert play(game, solution) == 1.0
    assert game.infos["player_0"]["round"] == 2 and game.agent_selection == "player_1"
    assert game.observe("player_0")["chips"].tolist() == [0, 1, 0]
    assert len(game.position) == 0, "nothing is played yet"


def test_robots_stay_where_a_won_round_left_them() -> None:
    game = started(sand_turns=1)
    first = game.position.puzzle
    solution = rr.solve(first).solution
    game.step(len(solution))
    game.step(0)
    play(game, solution)
    assert game.position.robots == first.apply(solution).robots
    assert game.position.puzzle.target != first.target


def test_who_fails_loses_the_turn_and_the_robots_go_back() -> None:
    game = started(sand_turns=1, fail_reward=-0.5)
    first = game.position.puzzle
    solution = rr.solve(first).solution
    bid = len(solution)
    wrong = next(move for move in first.legal_moves if not first.apply([move]).is_solved)
    game.step(1 if bid > 1 else 2)
    game.step(bid + 3)
    assert game.agent_selection == "player_0"
    if bid > 1:
        game.step(1 + game.max_bid + wrong.action)
    else:
        game.step(0)
    assert game.rewards == {"player_0": -0.5, "player_1": 0.0}
    assert game.agent_selection == "player_1"
    assert game.position.robots == first.robots
    assert play(game, solution) == 1.0


def test_of_equal_bids_the_one_with_fewer_chips_shows() -> None:
    game = started(sand_turns=1)
    for _ in range(2):
        solution = rr.solve(game.position.puzzle).solution
        bidder = game.agent_selection
        game.step(len(solution))
        game.step(len(solution))
        shows = game.agent_selection
        chips = dict(zip(game.possible_agents, game._chips, strict=True))
        assert chips[shows] == 0
        if not any(chips.values()):
            assert shows == bidder, "the one who bid first"
        play(game, solution)
    assert game._chips == [1, 1]


def test_a_round_without_bids_is_skipped() -> None:
    game = started(patience=2)
    left = game.position.puzzle
    for _ in range(4):
        assert game.infos["player_0"]["round"] == 1
        game.step(0)
    assert game.infos["player_0"]["round"] == 2
    assert game.position.robots == left.robots and game._chips == [0, 0]


def test_what_the_mask_forbids_takes_the_turn_and_nothing_else() -> None:
    game = started(sand_turns=2)
    game.step(10)
    game.step(0)
    mask = game.observe("player_0")["action_mask"]
    assert mask[1:10].all() and not mask[10:].any(), "only a lower bid"
    game.step(12)
    assert game.observe("player_0")["bids"].tolist() == [10, 0]
    game.step(0)
    assert game.agent_selection == "player_0" and game._shows == 0
    blocked = int(np.flatnonzero(~np.array(game.position.action_mask))[0])
    before = game.position.robots
    game.step(1 + game.max_bid + blocked)
    assert game.position.robots == before and game.observe("player_0")["clock"][2] == 10
    # Time runs out all the same.
    for _ in range(2 * game.max_bid):
        if game._shows is None:
            break
        game.step(1 + game.max_bid + blocked)
    assert game.infos["player_0"]["round"] == 2


def test_games_end() -> None:
    ended = started(length=1, sand_turns=1)
    solution = rr.solve(ended.position.puzzle).solution
    ended.step(len(solution))
    ended.step(0)
    play(ended, solution)
    assert all(ended.terminations.values()) and not any(ended.truncations.values())
    assert ended._cumulative_rewards == {"player_0": 1.0, "player_1": 0.0}
    for _ in range(2):
        ended.step(None)
    assert ended.agents == []
    cut = started(max_rounds=1, patience=1)
    cut.step(0)
    cut.step(0)
    assert all(cut.truncations.values()) and not any(cut.terminations.values())


def test_a_whole_game_of_players_who_see_everything() -> None:
    game = started(players=2, sand_turns=1)
    for agent in game.agent_iter(2_000):
        _, _, over, cut, _ = game.last()
        if over or cut:
            game.step(None)
            continue
        solution = rr.solve(game.position.puzzle).solution
        if game._shows is None:
            own = game._bids.get(game.possible_agents.index(agent))
            game.step(len(solution) if own is None else 0)
        else:
            move = solution[len(game.position)]
            game.step(1 + game.max_bid + move.action)
    assert game.agents == []
    assert sum(game._chips) == 17, "all chips of the board"
    assert abs(game._chips[0] - game._chips[1]) <= 1, "equal bids go to the one with fewer chips"


def test_pictures_and_bad_options() -> None:
    game = started(render_mode="ansi", layout="1A4B3B2B")
    assert "goal:" in game.render() and game.position.puzzle.board.layout == "1A4B3B2B"
    game.render_mode = "rgb_array"
    assert game.render().shape[2] == 3
    game.reset(options={"layout": "1A2A4B3A"})
    assert game.position.puzzle.board.layout == "1A2A4B3A"
    for wrong in (
        {"players": 0},
        {"max_bid": 100},
        {"sand_turns": 1000},
        {"robots": 3},
        {"layout": "nowhere"},
        {"length": 0},
        {"render_mode": "human"},
    ):
        with pytest.raises(rr.RequestError):
            RicochetRobotsGame(**wrong)
    with pytest.warns(UserWarning, match="unknown options"):
        game.reset(options={"colour": 1})
    with pytest.raises(rr.RequestError, match="not within"):
        game.step(1000)
