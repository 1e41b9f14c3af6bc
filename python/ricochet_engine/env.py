"""Gymnasium environments: ``RicochetRobots-v0`` and the native vector environment.

An action is ``4 * robot + direction`` with the directions in the order N E S W. A move that goes nowhere
is allowed and changes nothing; ``info["action_mask"]`` marks the moves that do something. An episode ends
when the goal is reached (terminated) or after ``max_steps`` steps (truncated).

::

    gymnasium.make("ricochet_engine.env:RicochetRobots-v0")

imports this module and makes the environment; once the module is imported, ``RicochetRobots-v0`` is enough.
``action_masks()`` is what MaskablePPO of sb3-contrib asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from ._extras import missing

try:
    import gymnasium as gym
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as _error:
    raise missing("gym", _error) from _error

from . import _native
from ._errors import RequestError
from ._native import Move, Position, Puzzle, Stepper
from ._questions import PuzzleFilter, PuzzleLike, as_puzzle, as_puzzles, generate, solve, solve_many
from .picture import picture

ObservationKind = Literal["planes", "dict", "text"]
Seed = int | None

#: ``gymnasium.make(ENV_ID)`` works once this module is imported.
ENV_ID = "RicochetRobots-v0"


def _space(
    kind: ObservationKind, width: int, height: int, robots: int
) -> gym.spaces.Space[Any]:
    if kind == "planes":
        return gym.spaces.Box(0, 8, (6 + 2 * robots, height, width), np.uint8)
    if kind == "dict":
        return gym.spaces.Dict(
            {
                "walls": gym.spaces.Box(0, 15, (height, width), np.uint8),
                "diagonals": gym.spaces.Box(0, 16, (height, width), np.uint8),
                "robots": gym.spaces.Box(0, 31, (robots, 2), np.uint8),
                "target": gym.spaces.Box(0, 31, (2,), np.uint8),
                "target_robot": gym.spaces.Discrete(robots + 1),
            }
        )
    if kind == "text":
        # A drawing: every character that `ricochet show` may print.
        charset = frozenset(map(chr, range(32, 127))) | {"\n"}
        return gym.spaces.Text(min_length=1, max_length=1 << 14, charset=charset)
    raise RequestError(f"there is no observation '{kind}': expected planes, dict or text")


def _observe(kind: ObservationKind, puzzle: Puzzle) -> Any:
    """The observation of a puzzle."""
    if kind == "planes":
        return _native.planes([puzzle])[0]
    if kind == "text":
        return puzzle.write("text")[0]
    arrays = _native.encode([puzzle])
    number = int(arrays["target_robot"][0])
    return {
        "walls": arrays["walls"][0],
        "diagonals": arrays["diagonals"][0],
        "robots": arrays["robots"][0],
        "target": arrays["target"][0],
        # `Discrete` has no -1: the number after the last robot means any robot.
        "target_robot": np.int64(len(puzzle.robots) if number < 0 else number),
    }


class RicochetRobotsEnv(gym.Env[Any, Any]):
    """One puzzle after the other.

    Puzzles are generated: ``filter`` describes their boards, ``moves`` the length of their shortest
    solutions (the curriculum; ``reset(options={"moves": (3, 5)})`` changes it from then on).
    ``reset(options={"puzzle": ...})`` plays a given puzzle, ``{"layout": "1A4B3B2B"}`` a random one on that
    layout. ``info`` has the action mask. With ``optimum=True`` it has the fewest moves from the start, and
    with ``distance=True`` those from the current position (None: unsolvable), which a solver computes at
    each step.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "svg", "ansi"], "render_fps": 4}

    def __init__(
        self,
        *,
        filter: PuzzleFilter = PuzzleFilter(),
        moves: tuple[int, int] | None = None,
        puzzles: Iterable[PuzzleLike] | None = None,
        observation: ObservationKind = "planes",
        max_steps: int = 64,
        optimum: bool = False,
        distance: bool = False,
        step_reward: float = 0.0,
        solve_reward: float = 1.0,
        nowhere_reward: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        self.filter: PuzzleFilter = filter
        self.moves: tuple[int, int] | None = moves or filter.moves
        self.puzzles: list[Puzzle] | None = None if puzzles is None else as_puzzles(puzzles)
        self.observation: ObservationKind = observation
        self.max_steps: int = max_steps
        self.with_optimum: bool = optimum
        self.with_distance: bool = distance
        self.rewards: tuple[float, float, float] = (step_reward, solve_reward, nowhere_reward)
        self.render_mode: str | None = render_mode
        first = self.puzzles[0] if self.puzzles else generate(1, 0, **filter.request())[0]
        self._shape = (first.width, first.height, len(first.robots))
        self.observation_space = _space(observation, *self._shape)
        self.action_space = gym.spaces.Discrete(4 * self._shape[2])
        self.position: Position = Position(first)
        self._steps = 0
        self._optimum: int | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        options = dict(options or {})
        unknown = set(options) - {"puzzle", "layout", "moves"}
        if unknown:
            raise RequestError(f"unknown options {sorted(unknown)}: expected puzzle, layout, moves")
        if "moves" in options:
            self.moves = tuple(options["moves"])
        if "puzzle" in options:
            puzzle = as_puzzle(options["puzzle"])
        else:
            puzzle = self._next_puzzle(options.get("layout"))
        shape = (puzzle.width, puzzle.height, len(puzzle.robots))
        if shape != self._shape:
            raise RequestError(f"a puzzle of {shape} in an environment of {self._shape}")
        if puzzle.is_solved:
            raise RequestError(f"{puzzle.line} is solved already")
        self.position = Position(puzzle)
        self._steps = 0
        self._optimum = puzzle.optimal
        if self._optimum is None and (self.with_optimum or self.with_distance):
            self._optimum = solve(puzzle).length
        return self._observation(), self._info()

    def _next_puzzle(self, layout: str | None) -> Puzzle:
        if self.puzzles is not None and layout is None:
            fitting = self.puzzles
            if self.moves is not None:
                least, most = self.moves
                fitting = [it for it in fitting if least <= (it.optimal or -1) <= most]
            if not fitting:
                raise RequestError(f"no puzzle has an optimum of {self.moves} moves")
            return fitting[int(self.np_random.integers(len(fitting)))]
        filter = self.filter.request()
        if layout is not None:
            filter = {k: v for k, v in filter.items() if k not in ("edition", "size", "diagonals")}
            filter["layout"] = layout
        filter["moves"] = self.moves or (1, 1 << 16)
        return generate(1, int(self.np_random.integers(1 << 62)), threads=1, **filter)[0]

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        number = int(action)
        if not self.action_space.contains(np.int64(number)):
            raise RequestError(f"action {number} is not within 0..{self.action_space.n}")  # type: ignore[attr-defined]
        self._steps += 1
        move = Move.from_action(number)
        step_reward, solve_reward, nowhere_reward = self.rewards
        reward, solved = nowhere_reward, False
        if self.position.is_legal(move):
            self.position.push(move)
            solved = self.position.is_solved
            reward = solve_reward if solved else step_reward
        truncated = not solved and self._steps >= self.max_steps
        return self._observation(), reward, solved, truncated, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions do something, as MaskablePPO of sb3-contrib asks for it."""
        return np.array(self.position.action_mask, np.bool_)

    def _now(self) -> Puzzle:
        return self.position.puzzle.replace(robots=self.position.robots)

    def _observation(self) -> Any:
        return _observe(self.observation, self._now())

    def _info(self) -> dict[str, Any]:
        mask = np.array(self.position.action_mask, np.int8)
        info: dict[str, Any] = {"action_mask": mask, "puzzle": self.position.puzzle.line}
        if self.with_optimum:
            info["optimum"] = self._optimum
        if self.with_distance:
            here = self._optimum if not len(self.position) else self._distance()
            info["distance"] = here
        return info

    def _distance(self) -> int | None:
        if self.position.is_solved:
            return 0
        return solve(self.position).length

    def render(self) -> Any:
        return render_puzzle(self._now(), self.render_mode)


def render_puzzle(puzzle: Puzzle, mode: str | None) -> Any:
    """A puzzle in a render mode of the environments."""
    if mode is None:
        return None
    if mode == "ansi":
        return puzzle.write("text")[0]
    if mode == "svg":
        return picture(puzzle).svg
    return rgb(puzzle)


def rgb(puzzle: PuzzleLike, cell: int = 24) -> npt.NDArray[np.uint8]:
    """A picture of a puzzle as an array ``(rows, columns, 3)``."""
    return _png_pixels(picture(puzzle, cell=cell).bytes("png"))


def _png_pixels(data: bytes) -> npt.NDArray[np.uint8]:
    """The pixels of an 8-bit RGB or RGBA PNG, which the engine writes."""
    import struct
    import zlib

    at, packed, shape = 8, b"", (0, 0, 0)
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            if depth != 8 or color not in (2, 6):
                raise RequestError("expected a PNG of 8-bit RGB or RGBA")
            shape = (height, width, 3 if color == 2 else 4)
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    height, width, channels = shape
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    pixels = np.zeros((height, width * channels), np.uint8)
    before = np.zeros(width * channels, np.uint8)
    for number, row in enumerate(rows):
        before = _unfiltered(int(row[0]), row[1:], before, channels)
        pixels[number] = before
    return np.ascontiguousarray(pixels.reshape(height, width, channels)[:, :, :3])


def _unfiltered(
    kind: int, row: npt.NDArray[np.uint8], above: npt.NDArray[np.uint8], step: int
) -> npt.NDArray[np.uint8]:
    """Undoes the filter of a row of a PNG."""
    if kind == 0:
        return row
    if kind == 2:
        return row + above
    if kind == 1:
        parts = row.reshape(-1, step).astype(np.uint64).cumsum(axis=0)
        return parts.astype(np.uint8).reshape(-1)
    out = [0] * step
    up = [0] * step + above.tolist()
    for i, value in enumerate(row.tolist()):
        left, over, corner = out[i], up[i + step], up[i]
        if kind == 3:
            guess = (left + over) // 2
        else:
            distances = (abs(over - corner), abs(left - corner), abs(left + over - 2 * corner))
            guess = (left, over, corner)[distances.index(min(distances))]
        out.append((value + guess) & 255)
    return np.array(out[step:], np.uint8)


class RicochetRobotsVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games at once, stepped in Rust, with reused arrays.

    Puzzles come from a bank: the given ones, or ``bank_size`` generated ones with their optima.
    ``set_curriculum`` restricts it by optimum. With ``copy=False``, ``reset`` and ``step`` return the
    environment's own arrays of observations, rewards and flags, which the next step overwrites.
    ``reset(options=...)`` takes ``puzzle`` (one for all games), ``puzzles`` (one for each), ``moves`` (the
    curriculum) and ``reset_mask``.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }
    _MODES: ClassVar[dict[AutoresetMode, str]] = {
        AutoresetMode.NEXT_STEP: "next-step",
        AutoresetMode.SAME_STEP: "same-step",
        AutoresetMode.DISABLED: "disabled",
    }

    def __init__(
        self,
        num_envs: int = 256,
        *,
        puzzles: Iterable[PuzzleLike] | None = None,
        filter: PuzzleFilter = PuzzleFilter(),
        moves: tuple[int, int] | None = None,
        bank_size: int = 1024,
        bank_seed: int = 0,
        observation: Literal["planes", "dict"] = "planes",
        max_steps: int = 64,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        action_mask: bool = True,
        step_reward: float = 0.0,
        solve_reward: float = 1.0,
        nowhere_reward: float = 0.0,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        bank = make_bank(bank_size, bank_seed, filter) if puzzles is None else puzzles
        self.bank: Sequence[Puzzle] = as_puzzles(bank)
        rewards = (step_reward, solve_reward, nowhere_reward)
        mode = AutoresetMode(autoreset_mode)
        self._stepper = Stepper(self.bank, num_envs, max_steps, self._MODES[mode], rewards)
        width, height, robots, planes = self._stepper.shape
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.autoreset_mode = mode
        self.num_envs = num_envs
        self.copy = copy
        self.render_mode = render_mode
        self.observation_kind: Literal["planes", "dict"] = observation
        self.single_observation_space = _space(observation, width, height, robots)
        self.single_action_space = gym.spaces.Discrete(4 * robots)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        n = num_envs
        self._arrays: dict[str, npt.NDArray[Any] | None] = dict.fromkeys(_ARRAYS)
        if observation == "planes":
            self._arrays["planes"] = np.zeros((n, planes, height, width), np.uint8)
        elif observation == "dict":
            self._arrays["walls"] = np.zeros((n, height, width), np.uint8)
            self._arrays["diagonals"] = np.zeros((n, height, width), np.uint8)
            self._arrays["robots"] = np.zeros((n, robots, 2), np.uint8)
            self._arrays["target"] = np.zeros((n, 2), np.uint8)
            self._arrays["target_robot"] = np.zeros(n, np.int64)
        else:
            raise RequestError(f"there is no observation '{observation}' of many games")
        if action_mask:
            self._arrays["mask"] = np.zeros((n, 4 * robots), np.bool_)
        self._arrays["optimum"] = np.full(n, -1, np.int32)
        self._last: dict[str, npt.NDArray[Any] | None] | None = None
        if mode is AutoresetMode.SAME_STEP:
            self._last = {
                key: None if array is None or key in ("mask", "optimum") else np.zeros_like(array)
                for key, array in self._arrays.items()
            }
        self._rewards = np.zeros(n, np.float32)
        self._terminated = np.zeros(n, np.bool_)
        self._truncated = np.zeros(n, np.bool_)
        if moves is not None:
            self.set_curriculum(*moves)

    def set_curriculum(self, least: int, most: int) -> int:
        """Takes new games from puzzles of ``least`` to ``most`` moves; returns how many the bank has."""
        return self._stepper.set_curriculum(least, most)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        options = dict(options or {})
        unknown = set(options) - {"puzzle", "puzzles", "moves", "reset_mask"}
        if unknown:
            raise RequestError(f"unknown options {sorted(unknown)}")
        if "moves" in options:
            self.set_curriculum(*options["moves"])
        if isinstance(seed, (list, tuple)):
            seed = seed[0] if seed else None
        mask = options.get("reset_mask")
        only = None if mask is None else np.ascontiguousarray(mask, np.bool_)
        self._stepper.reset(self._arrays, None if seed is None else int(seed) & (2**64 - 1), only)
        chosen = options.get("puzzles")
        if "puzzle" in options:
            chosen = [options["puzzle"]] * self.num_envs
        if chosen is not None:
            if len(chosen) != self.num_envs:
                raise RequestError(f"{len(chosen)} puzzles for {self.num_envs} games")
            for number, puzzle in enumerate(as_puzzles(chosen)):
                if only is None or only[number]:
                    self._stepper.put(number, puzzle, self._arrays)
        return self._observation(self._arrays), self._info()

    def step(
        self, actions: Any
    ) -> tuple[
        Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        actions = np.ascontiguousarray(actions, np.int64)
        self._stepper.step(
            actions, self._arrays, self._rewards, self._terminated, self._truncated, self._last
        )
        info = self._info()
        if self._last is not None:
            over = self._terminated | self._truncated
            if over.any():
                info["final_obs"] = self._observation(self._last)
                info["_final_obs"] = over
        if not self.copy:
            return (
                self._observation(self._arrays),
                self._rewards,
                self._terminated,
                self._truncated,
                info,
            )
        return (
            self._observation(self._arrays),
            self._rewards.copy(),
            self._terminated.copy(),
            self._truncated.copy(),
            info,
        )

    def _observation(self, arrays: dict[str, npt.NDArray[Any] | None]) -> Any:
        def out(key: str) -> npt.NDArray[Any]:
            array = arrays[key]
            assert array is not None
            return array.copy() if self.copy else array

        if self.observation_kind == "planes":
            return out("planes")
        return {key: out(key) for key in _DICT}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {}
        mask, optimum = self._arrays["mask"], self._arrays["optimum"]
        assert optimum is not None
        if mask is not None:
            info["action_mask"] = mask.copy() if self.copy else mask
        info["optimum"] = optimum.copy() if self.copy else optimum
        return info

    def position(self, number: int) -> Puzzle:
        """The current position of a game as a puzzle."""
        puzzle, robots, _ = self._stepper.position(number)
        return puzzle.replace(robots=robots)

    def distances(self, threads: int | None = None) -> npt.NDArray[np.int32]:
        """The fewest moves from the current position of each game, computed by a solver; -1 if unsolvable."""
        here = [self.position(number) for number in range(self.num_envs)]
        answers = solve_many(here, threads=threads)
        return np.array([-1 if it.length is None else it.length for it in answers], np.int32)

    def render(self) -> Any:
        if self.render_mode != "rgb_array":
            return None
        return tuple(rgb(self.position(number)) for number in range(self.num_envs))


_DICT = ("walls", "diagonals", "robots", "target", "target_robot")
_ARRAYS = ("planes", *_DICT, "mask", "optimum")


def make_bank(
    size: int, seed: int = 0, filter: PuzzleFilter = PuzzleFilter(), *, threads: int | None = None
) -> list[Puzzle]:
    """Puzzles with their optima, for environments: solvable and not solved at the start."""
    moves = filter.moves or (1, 1 << 16)
    return list(generate(size, seed, threads=threads, **{**filter.request(), "moves": moves}))


if ENV_ID not in gym.registry:
    gym.register(
        id=ENV_ID,
        entry_point="ricochet_engine.env:RicochetRobotsEnv",
        vector_entry_point="ricochet_engine.env:RicochetRobotsVectorEnv",
    )
