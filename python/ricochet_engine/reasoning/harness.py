"""Plays tasks with a model and grades it: single answers, one move per turn, or with tools.

::

    from ricochet_engine.reasoning.harness import Endpoint, run
    report = run(tasks(limit=50), Endpoint("http://localhost:8000/v1", "my-model"), mode="turns", samples=4)
    print(report.summary())

A client is anything with the method ``complete`` of :class:`Client`; :class:`Endpoint` talks to any server with
OpenAI's chat completions. The harness decides everything else: what is asked, when an episode ends, how moves
are read and graded, and how long texts are. A client cannot report its own score.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from math import comb
from pathlib import Path
from typing import Any, Literal, Protocol

from .._errors import IllegalMoveError, RequestError
from .._native import Position, Puzzle, Solution
from .answers import SCORING_VERSION, Grade, optimum_of, parse_answer, score_of, verdict
from .tasks import Form, board_text, image_url, question, robot_names, rules

#: The version of the protocol: prompts, turns, tools and budgets. Results of different versions cannot be compared.
PROTOCOL_VERSION = 3

#: ``single``: one answer with all moves. ``turns``: one move per turn, with the new board after each. ``tools``:
#: tools that play moves and list legal ones, then one answer.
Mode = Literal["single", "turns", "tools"]
MODES: tuple[Mode, ...] = ("single", "turns", "tools")

#: Turns beyond the optimum before an episode ends.
EXTRA_TURNS = 10
#: Calls of tools in an episode.
MAX_CALLS = 30

Message = dict[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model calls."""

    id: str
    name: str
    #: JSON, as the model wrote it
    arguments: str


@dataclass(frozen=True)
class Reply:
    """A model's turn."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    #: what the server says it has used, if it does
    usage: Mapping[str, int] = field(default_factory=dict)


class Client(Protocol):
    """Completes conversations. ``messages`` and ``tools`` are those of OpenAI's chat completions; ``sample`` is the
    number of the attempt, from 0."""

    def complete(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sample: int
    ) -> Reply: ...


@dataclass(frozen=True)
class Episode:
    """One attempt at one task."""

    task: str
    group: str
    optimum: int
    sample: int
    grade: str
    score: float
    #: the moves that were graded
    moves: str | None
    length: int | None
    #: the model's turns
    turns: int
    tool_calls: int
    #: words and signs of what was said to the model and by it, counted alike for all models
    tokens_in: int
    tokens_out: int
    #: the sum of what the server reported
    usage: dict[str, int]
    seconds: float
    #: why there is no answer, if the client failed
    error: str | None = None


_TOKEN = re.compile(r"\w+|[^\w\s]")


def count_tokens(text: str) -> int:
    """Words and signs: a count that is the same for every model."""
    return sum(1 for _ in _TOKEN.finditer(text))


_TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {
                    "moves": {"type": "string", "description": 'Moves from the start, such as "RE GN"; may be empty.'}
                },
                "required": ["moves"],
            },
        },
    }
    for name, description in (
        ("play", "Plays moves from the start of the puzzle. Tells where each robot stops, or which move is illegal."),
        ("legal_moves", "Lists the legal moves after some moves, with the cell in which each ends."),
    )
]


def tools() -> list[dict[str, Any]]:
    """The tools of the mode ``tools``. They apply the rules; they do not search."""
    return json.loads(json.dumps(_TOOLS))  # type: ignore[no-any-return]


def use_tool(puzzle: Puzzle, name: str, arguments: str) -> str:
    """The answer of a tool. Mistakes are answered, not raised."""
    try:
        given = json.loads(arguments or "{}")
        text = given.get("moves", "")
        if not isinstance(text, str):
            raise TypeError
    except (ValueError, TypeError, AttributeError):
        return 'Error: expected an object such as {"moves": "RE GN"}.'
    if name not in ("play", "legal_moves"):
        return f"Error: there is no tool {name[:40]!r}: expected play or legal_moves."
    position = Position(puzzle)
    lines: list[str] = []
    moves = parse_answer(f"<answer>{text[:4000]}</answer>", puzzle) if text.strip() else Solution()
    if moves is None:
        return "Error: these are no moves: expected pairs of capital letters such as RE GN."
    for number, move in enumerate(moves, 1):
        try:
            position.push(move)
        except IllegalMoveError as error:
            return "\n".join([*lines, f"{number}. {move} is illegal: {error}"])
        x, y = position.robots[move.robot]
        lines.append(f"{number}. {move}: {move.color} stops at ({x},{y})")
    if name == "play":
        solved = "The puzzle is solved." if position.is_solved else "The puzzle is not solved yet."
        return "\n".join([*lines, solved])
    listed = []
    for move in position.legal_moves:
        x, y = position.apply(move).robots[move.robot]
        listed.append(f"{move} to ({x},{y})")
    return ", ".join(listed)


_TURN_RULES = """\
You play one move per turn. Answer each time with one move: two capital letters, the robot ({robots}) and the \
direction (N, E, S, W), like this: <answer>RE</answer>. An illegal move changes nothing but counts as a turn. There \
are at most {turns} turns."""
_TOOL_RULES = """\
You may call the tools to try moves, at most {calls} times. Then answer with all moves in one line, like this: \
<answer>RE GN RS</answer>"""


def _content(text: str, puzzle: Puzzle, form: Form) -> Any:
    """A message's content: text, with the picture in the form ``picture``."""
    if form != "picture":
        return text
    return [
        {"type": "text", "text": text},
        {"type": "image_url", "image_url": {"url": image_url(puzzle)}},
    ]


class _ClientFailed(Exception):
    """There is no reply: the message says why."""


class _Talk:
    """A conversation, with what was said counted."""

    def __init__(self, client: Client, sample: int, offered: Sequence[Mapping[str, Any]] = ()) -> None:
        self.client, self.sample, self.offered = client, sample, offered
        self.messages: list[Message] = []
        self.turns = self.calls = self.tokens_in = self.tokens_out = 0
        self.usage: Counter[str] = Counter()

    def say(self, content: Any, role: str = "user", **more: Any) -> None:
        text = content if isinstance(content, str) else content[0]["text"]
        self.tokens_in += count_tokens(text)
        self.messages.append({"role": role, "content": content, **more})

    def hear(self) -> Reply:
        # A copy, so that a client cannot change what was said. Whatever it raises or returns, one attempt must not
        # end a run of thousands.
        try:
            reply = self.client.complete([dict(it) for it in self.messages], self.offered, self.sample)
            tokens = count_tokens(reply.text) + sum(count_tokens(call.arguments) for call in reply.tool_calls)
            usage = {key: int(value) for key, value in reply.usage.items()}
        except Exception as failure:
            raise _ClientFailed(f"{type(failure).__name__}: {failure}") from failure
        self.turns += 1
        self.tokens_out += tokens
        self.usage.update(usage)
        message: Message = {"role": "assistant", "content": reply.text}
        if reply.tool_calls:
            message["tool_calls"] = [
                {"id": it.id, "type": "function", "function": {"name": it.name, "arguments": it.arguments}}
                for it in reply.tool_calls
            ]
        self.messages.append(message)
        return reply


def _single(talk: _Talk, puzzle: Puzzle, form: Form) -> tuple[Grade, Solution | None]:
    talk.say(_content(question(puzzle, form), puzzle, form))
    moves = parse_answer(talk.hear().text, puzzle)
    return verdict(moves, puzzle)[0], moves


def _with_tools(talk: _Talk, puzzle: Puzzle, form: Form) -> tuple[Grade, Solution | None]:
    prompt = f"{rules(puzzle)}\n\n{_TOOL_RULES.format(calls=MAX_CALLS)}\n\n{board_text(puzzle, form)}"
    talk.say(_content(prompt, puzzle, form))
    reply = talk.hear()
    while reply.tool_calls:
        for call in reply.tool_calls:
            talk.calls += 1
            spent = talk.calls > MAX_CALLS
            answer = "Error: no calls are left. Answer now." if spent else use_tool(puzzle, call.name, call.arguments)
            talk.say(answer, "tool", tool_call_id=call.id)
        if talk.calls > MAX_CALLS + 10:
            break
        reply = talk.hear()
    moves = parse_answer(reply.text, puzzle)
    return verdict(moves, puzzle)[0], moves


def _in_turns(talk: _Talk, puzzle: Puzzle, form: Form) -> tuple[Grade, Solution | None]:
    optimum = optimum_of(puzzle)
    most = optimum + EXTRA_TURNS
    turn_rules = _TURN_RULES.format(robots=robot_names(puzzle), turns=most)
    prompt = f"{rules(puzzle)}\n\n{turn_rules}\n\n{board_text(puzzle, form)}"
    talk.say(_content(prompt, puzzle, form))
    position, wasted, unreadable = Position(puzzle), 0, 0
    while talk.turns < most:
        moves = parse_answer(talk.hear().text, puzzle)
        if moves is None or len(moves) != 1:
            unreadable += 1
            wasted += 1
            said = "That is not one move. Answer with one move, like this: <answer>RE</answer>"
        elif not position.is_legal(moves[0]):
            wasted += 1
            said = f"{moves[0]} is illegal: the robot cannot leave its cell in that direction."
        else:
            position.push(moves[0])
            if position.is_solved:
                used = len(position) + wasted
                return (Grade.OPTIMAL if used <= optimum else Grade.SOLVED), position.moves
            said = f"{moves[0]} was played."
        if talk.turns < most:
            here = puzzle.replace(robots=position.robots)
            said = f"{said}\n\nThe board now:\n\n{board_text(here, form)}"
            talk.say(_content(said, here, form))
    if unreadable == talk.turns:
        return Grade.UNREADABLE, None
    return (Grade.LEGAL if len(position) else Grade.ILLEGAL), position.moves


_PLAY: dict[Mode, Callable[[_Talk, Puzzle, Form], tuple[Grade, Solution | None]]] = {
    "single": _single,
    "turns": _in_turns,
    "tools": _with_tools,
}


def play(
    puzzle: Puzzle, client: Client, *, mode: Mode = "single", form: Form = "drawing", sample: int = 0
) -> Episode:
    """Plays one attempt. If the client fails, the episode has the error and the score 0."""
    if mode not in _PLAY:
        raise RequestError(f"there is no mode '{mode}': expected {', '.join(MODES)}")
    talk = _Talk(client, sample, tools() if mode == "tools" else ())
    started, error = time.monotonic(), None
    grade: Grade = Grade.UNREADABLE
    moves: Solution | None = None
    try:
        grade, moves = _PLAY[mode](talk, puzzle, form)
    except _ClientFailed as failure:
        error = str(failure)
    name = puzzle.id or puzzle.line
    return Episode(
        task=name,
        group=name.rsplit("-", 1)[0] if puzzle.id else "",
        optimum=optimum_of(puzzle),
        sample=sample,
        grade=grade.name.lower(),
        score=score_of(grade, None, optimum_of(puzzle)),
        moves=None if moves is None else str(moves),
        length=None if moves is None else len(moves),
        turns=talk.turns,
        tool_calls=talk.calls,
        tokens_in=talk.tokens_in,
        tokens_out=talk.tokens_out,
        usage=dict(talk.usage),
        seconds=round(time.monotonic() - started, 3),
        error=error,
    )


def pass_at_k(attempts: int, solved: int, k: int) -> float:
    """The chance that at least one of ``k`` attempts drawn from these is right: 1 - C(n - c, k) / C(n, k)."""
    if not 1 <= k <= attempts:
        raise RequestError(f"k is {k}: expected 1 to {attempts}, the number of attempts")
    return 1.0 - comb(attempts - solved, k) / comb(attempts, k)


@dataclass(frozen=True)
class Report:
    """All episodes of a run."""

    mode: Mode
    form: Form
    samples: int
    episodes: tuple[Episode, ...]

    def pass_at(self, k: int) -> float:
        """The mean of :func:`pass_at_k` over the tasks."""
        right: Counter[str] = Counter()
        tried: Counter[str] = Counter()
        for it in self.episodes:
            tried[it.task] += 1
            right[it.task] += it.score == 1.0
        return sum(pass_at_k(tried[task], right[task], k) for task in tried) / len(tried)

    def summary(self) -> dict[str, Any]:
        """Scores: in all, by kind of board and by optimum."""

        def part(episodes: Sequence[Episode]) -> dict[str, Any]:
            n = len(episodes)
            grades = Counter(it.grade for it in episodes)
            return {
                "episodes": n,
                "score": round(sum(it.score for it in episodes) / n, 4),
                **{grade.name.lower(): grades[grade.name.lower()] for grade in reversed(Grade)},
            }

        n = len(self.episodes)
        groups = sorted({it.group for it in self.episodes})
        lengths = sorted({it.optimum for it in self.episodes})
        ks = [k for k in (1, 2, 4, 8, 16, 32, 64) if k < self.samples] + [self.samples]
        return {
            "protocol": PROTOCOL_VERSION,
            "scoring": SCORING_VERSION,
            "mode": self.mode,
            "form": self.form,
            "samples": self.samples,
            **part(self.episodes),
            "errors": sum(it.error is not None for it in self.episodes),
            "pass_at": {str(k): round(self.pass_at(k), 4) for k in ks},
            "tokens_in": round(sum(it.tokens_in for it in self.episodes) / n, 1),
            "tokens_out": round(sum(it.tokens_out for it in self.episodes) / n, 1),
            "by_group": {group: part([it for it in self.episodes if it.group == group]) for group in groups},
            "by_optimum": {
                str(length): part([it for it in self.episodes if it.optimum == length]) for length in lengths
            },
        }


def run(
    puzzles: Iterable[Puzzle],
    client: Client,
    *,
    mode: Mode = "single",
    form: Form = "drawing",
    samples: int = 1,
    workers: int = 4,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[Episode], object] | None = None,
) -> Report:
    """Plays every puzzle ``samples`` times, several at once. With ``out``, every episode is appended to that
    file as a line of JSON, and a run that was stopped goes on where it was; a file of another mode, form or
    version is refused. Episodes that failed are played again."""
    if mode not in _PLAY:
        raise RequestError(f"there is no mode '{mode}': expected {', '.join(MODES)}")
    if samples < 1:
        raise RequestError("samples must be at least 1")
    asked = list(puzzles)
    names = [puzzle.id or puzzle.line for puzzle in asked]
    if not asked or len(set(names)) < len(names):
        raise RequestError("expected puzzles with different names, and at least one")
    head = {"protocol": PROTOCOL_VERSION, "scoring": SCORING_VERSION, "mode": mode, "form": form}
    done = _resume(Path(out), head) if out is not None else {}
    jobs = [(puzzle, sample) for puzzle in asked for sample in range(samples)]
    todo = [it for it in jobs if (it[0].id or it[0].line, it[1]) not in done]
    writing, stopped = threading.Lock(), threading.Event()

    class Stoppable:
        def complete(
            self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sample: int
        ) -> Reply:
            if stopped.is_set():
                raise InterruptedError("the run was stopped")
            return client.complete(messages, tools, sample)

    def one(puzzle: Puzzle, sample: int) -> Episode:
        episode = play(puzzle, Stoppable(), mode=mode, form=form, sample=sample)
        # Written by the thread that played it, so that an interrupted run keeps everything that was finished.
        with writing:
            if out is not None:
                with open(out, "a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(episode)) + "\n")
            done[episode.task, episode.sample] = episode
        return episode

    with ThreadPoolExecutor(max(1, workers)) as pool:
        playing = [pool.submit(one, *it) for it in todo]
        try:
            for future in as_completed(playing):
                episode = future.result()
                if progress is not None:
                    progress(episode)
        except BaseException:
            # Ctrl-C: nothing more is asked, and leaving the block waits for the answers to what was asked.
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    episodes = tuple(done[puzzle.id or puzzle.line, sample] for puzzle, sample in jobs)
    return Report(mode, form, samples, episodes)


def _resume(path: Path, head: Mapping[str, Any]) -> dict[tuple[str, int], Episode]:
    """The finished episodes of a file, which begins with the run's settings. A last line that was cut off is
    dropped."""
    if not path.exists() or not path.stat().st_size:
        path.write_text(json.dumps(head) + "\n", encoding="utf-8")
        return {}
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    first, *lines = whole.splitlines() or [""]
    try:
        found = json.loads(first)
    except ValueError:
        found = None
    if found != dict(head):
        raise RequestError(f"{path} is of another run: {first[:200]}")
    episodes = (Episode(**json.loads(line)) for line in lines)
    return {(it.task, it.sample): it for it in episodes if it.error is None}


class Endpoint:
    """A server with OpenAI's chat completions, such as vLLM, llama.cpp, Ollama or a hosted one. ``options`` are
    sent with every request, such as ``temperature``. A server that is busy, cannot be reached or breaks off is asked
    again ``retries`` times, after 1, 2, 4 … seconds times ``pause``, or when the server says."""

    def __init__(
        self, base_url: str, model: str, *, api_key: str | None = None, timeout: float = 600, retries: int = 4,
        pause: float = 1.0, **options: Any,
    ) -> None:  # fmt: skip
        if not base_url.startswith(("http://", "https://")):
            raise RequestError(f"base_url: expected an address such as http://localhost:8000/v1, not {base_url!r}")
        self.url: str = base_url.rstrip("/") + "/chat/completions"
        self.model: str = model
        self.api_key: str | None = api_key
        self.timeout: float = timeout
        self.retries: int = retries
        self.pause: float = pause
        self.options: dict[str, Any] = options

    def complete(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sample: int
    ) -> Reply:
        """Asks the server."""
        body: dict[str, Any] = {"model": self.model, "messages": list(messages), **self.options}
        if tools:
            body["tools"] = list(tools)
        headers = {"Content-Type": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers)
        for attempt in range(self.retries + 1):
            wait = self.pause * 2.0**attempt
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as response:
                    return _reply(json.load(response))
            except urllib.error.HTTPError as error:
                if error.code not in (429, 500, 502, 503, 504) or attempt == self.retries:
                    told = error.read(2000).decode(errors="replace")
                    raise OSError(f"{self.url}: {error.code} {error.reason}: {told}") from None
                after = error.headers.get("Retry-After", "")
                wait = float(after) if after.isdigit() else wait
            except (http.client.HTTPException, OSError) as error:
                # No connection, or one that broke off. An answer that takes too long would do so again.
                if attempt == self.retries or isinstance(error, TimeoutError):
                    raise OSError(f"{self.url}: {type(error).__name__}: {error}") from None
            time.sleep(min(60.0, wait))
        raise AssertionError("the last attempt returns or raises")


def _reply(answer: Any) -> Reply:
    try:
        message = answer["choices"][0]["message"]
        text = message.get("content")
        calls = tuple(
            ToolCall(str(it.get("id", "")), str(it["function"]["name"]), str(it["function"].get("arguments") or ""))
            for it in message.get("tool_calls") or ()
        )
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ValueError(f"the server's answer has no message: {json.dumps(answer)[:500]}") from None
    if isinstance(text, list):  # in parts
        text = "".join(str(it.get("text") or "") for it in text if isinstance(it, dict))
    usage = answer.get("usage")
    counts = {key: value for key, value in usage.items() if isinstance(value, int)} if isinstance(usage, dict) else {}
    return Reply(text if isinstance(text, str) else "", calls, counts)
