"""The benchmark's harness, with scripted clients of every quality: no model is needed."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from random import Random
from typing import Any

import pytest

import ricochet_engine as rr
from ricochet_engine.reasoning import benchmark
from ricochet_engine.reasoning.harness import (
    EXTRA_TURNS,
    MAX_CALLS,
    Endpoint,
    Message,
    Reply,
    ToolCall,
    count_tokens,
    pass_at_k,
    play,
    run,
    use_tool,
)

PUZZLE = rr.Puzzle("4x3..0012.R31.o3.nsmall-1")
#: Some have only legal moves at the start, which leaves the client that breaks the rules without a choice.
PUZZLES = [PUZZLE, *(it for it in benchmark.benchmark()[::130] if len(it.legal_moves) < 4 * len(it.robots))]


class Scripted:
    """Answers with what a function makes of the conversation."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def complete(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], sample: int
    ) -> Reply:
        said = self.answer(messages, tools, sample)
        return said if isinstance(said, Reply) else Reply(said, usage={"total_tokens": 7})


def shown(messages: Sequence[Message]) -> str:
    content = messages[-1]["content"]
    return content if isinstance(content, str) else content[0]["text"]


def board_of(messages: Sequence[Message]) -> rr.Puzzle:
    """Reads the last drawing that was shown, as a program would."""
    text = next(
        text for text in (shown(messages[: end + 1]) for end in reversed(range(len(messages)))) if "+---" in text
    )
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("goal:"))
    return rr.Puzzle("\n".join(lines[start:]))


def perfect(messages: Sequence[Message], tools: Any, sample: int) -> str:
    return f"<answer>{rr.solve(board_of(messages)).solution}</answer>"


def perfect_turn(messages: Sequence[Message], tools: Any, sample: int) -> str:
    return f"I go with\n{rr.solve(board_of(messages)).solution[0]}"


def detour(messages: Sequence[Message], tools: Any, sample: int) -> str:
    """A solution that is longer than the shortest: first a move that leaves the position solvable."""
    puzzle = board_of(messages)
    best = rr.solve(puzzle).length
    for move in puzzle.legal_moves:
        rest = rr.solve(puzzle.apply([move]))
        if rest.solution is not None and len(rest.solution) >= best:
            return f"{move} {rest.solution}"
    return "none"


def illegal(messages: Sequence[Message], tools: Any, sample: int) -> str:
    puzzle = board_of(messages)
    moves = {rr.Move.from_action(action) for action in range(4 * len(puzzle.robots))}
    return f"{min(moves - set(puzzle.legal_moves))}"


def legal(messages: Sequence[Message], tools: Any, sample: int) -> str:
    puzzle = board_of(messages)
    return str(next(move for move in puzzle.legal_moves if not puzzle.is_solution([move])))


def silent(messages: Sequence[Message], tools: Any, sample: int) -> str:
    return "I do not know. We be on it."


@pytest.mark.parametrize(
    ("answer", "grade"),
    [(perfect, "optimal"), (detour, "solved"), (legal, "legal"), (illegal, "illegal"), (silent, "unreadable")],
)  # fmt: skip
def test_single_answers_of_every_quality(answer: Any, grade: str) -> None:
    report = run(PUZZLES, Scripted(answer))
    assert {episode.grade for episode in report.episodes} == {grade}
    summary = report.summary()
    assert summary[grade] == summary["episodes"] == len(PUZZLES) and summary["errors"] == 0
    assert summary["score"] == (1.0 if grade == "optimal" else 0.0)
    assert sum(part["episodes"] for part in summary["by_group"].values()) == len(PUZZLES)
    assert sum(part["episodes"] for part in summary["by_optimum"].values()) == len(PUZZLES)


def test_turns_of_every_quality() -> None:
    best = run(PUZZLES, Scripted(perfect_turn), mode="turns")
    assert all(it.grade == "optimal" and it.turns == it.optimum == it.length for it in best.episodes)

    def slips(messages: Sequence[Message], tools: Any, sample: int) -> str:
        return illegal(messages, tools, sample) if len(messages) == 1 else perfect_turn(messages, tools, sample)

    once = run(PUZZLES, Scripted(slips), mode="turns")
    assert all(it.grade == "solved" and it.turns == it.optimum + 1 for it in once.episodes)
    for answer, grade in ((illegal, "illegal"), (silent, "unreadable"), (perfect, None)):
        episode = play(PUZZLE, Scripted(answer), mode="turns")
        assert episode.turns == 3 + EXTRA_TURNS and episode.score == 0.0
        # All moves at once are no turn.
        assert episode.grade == (grade or "unreadable")
    back_and_forth = play(PUZZLE, Scripted(lambda m, t, s: "RE" if len(m) % 4 == 1 else "RW"), mode="turns")
    assert (back_and_forth.grade, back_and_forth.turns) == ("legal", 3 + EXTRA_TURNS)


def test_tools() -> None:
    asked: list[str] = []

    def careful(messages: Sequence[Message], tools: Any, sample: int) -> Reply | str:
        assert [tool["function"]["name"] for tool in tools] == ["play", "legal_moves"]
        if messages[-1]["role"] == "user":
            calls = (ToolCall("1", "play", '{"moves": "GE RE RS"}'), ToolCall("2", "legal_moves", "{}"))
            return Reply("Let me see.", calls)
        asked.extend(str(it["content"]) for it in messages[-2:])
        assert [it["tool_call_id"] for it in messages[-2:]] == ["1", "2"]
        return "<answer>GE RE RS</answer>"

    episode = play(PUZZLE, Scripted(careful), mode="tools")
    assert (episode.grade, episode.tool_calls, episode.turns) == ("optimal", 2, 2)
    assert "The puzzle is solved." in asked[0] and "RE to (3,0)" in asked[1]

    def endless(messages: Sequence[Message], tools: Any, sample: int) -> Reply:
        return Reply("", (ToolCall("1", "play", '{"moves": ""}'),))

    lost = play(PUZZLE, Scripted(endless), mode="tools")
    assert lost.grade == "unreadable" and MAX_CALLS < lost.tool_calls < MAX_CALLS + 20


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("play", '{"moves": "RE RE"}', "2. RE is illegal"),
        ("play", '{"moves": ""}', "not solved yet"),
        ("play", '{"moves": "go on"}', "these are no moves"),
        ("play", '{"moves": 3}', "expected an object"),
        ("play", "[]", "expected an object"),
        ("play", "no JSON", "expected an object"),
        ("legal_moves", '{"moves": "BN"}', "these are no moves"),
        ("solve", "{}", "there is no tool 'solve'"),
    ],
)
def test_mistakes_with_tools_are_answered(name: str, arguments: str, said: str) -> None:
    assert said in use_tool(PUZZLE, name, arguments)


def test_a_client_cannot_change_the_rules() -> None:
    """It gets copies, its own counts of tokens are kept apart, and what it raises is an error with the score 0."""

    def cheats(messages: list[Message], tools: list[Any], sample: int) -> Reply:
        messages.clear()
        tools.clear()
        return Reply("", usage={"completion_tokens": -10**6, "score": 1})

    episode = play(PUZZLE, Scripted(cheats), mode="tools")
    assert episode.score == 0.0 and episode.tokens_in > 100 and episode.tokens_out == 0

    def fails(messages: Any, tools: Any, sample: int) -> str:
        raise OSError("no route")

    failed = play(PUZZLE, Scripted(fails))
    assert failed.score == 0.0 and failed.error == "OSError: no route"


def test_forms() -> None:
    def looks(messages: Sequence[Message], tools: Any, sample: int) -> str:
        content = messages[-1]["content"]
        assert content[1]["image_url"]["url"].startswith("data:image/png;base64,")
        return "RE"

    assert play(PUZZLE, Scripted(looks), form="picture").grade == "legal"
    assert play(PUZZLE, Scripted(looks), form="picture", mode="turns").turns == 3 + EXTRA_TURNS
    told = play(PUZZLE, Scripted(lambda m, t, s: "GE RE RS" * ("Walls between" in shown(m))), form="coordinates")
    assert told.grade == "optimal"


def test_pass_at_k() -> None:
    assert pass_at_k(5, 0, 3) == 0.0 and pass_at_k(5, 5, 1) == 1.0 and pass_at_k(5, 3, 3) == 1.0
    assert pass_at_k(4, 1, 1) == 0.25 and pass_at_k(4, 1, 2) == 0.5
    with pytest.raises(rr.RequestError):
        pass_at_k(2, 1, 3)
    report = run(PUZZLES, Scripted(lambda m, t, s: perfect(m, t, s) if s == 1 else "RE"), samples=4)
    assert report.pass_at(1) == pytest.approx(0.25) and report.pass_at(4) == 1.0
    assert report.summary()["pass_at"].keys() == {"1", "2", "4"}


def test_tokens_are_counted_alike() -> None:
    assert count_tokens("Red (R): east, 12!") == 9
    short = play(PUZZLE, Scripted(lambda m, t, s: "RE"))
    long = play(PUZZLE, Scripted(lambda m, t, s: "so " * 100 + "\nRE"))
    assert long.tokens_out - short.tokens_out == 100 and long.tokens_in == short.tokens_in
    assert short.usage == {"total_tokens": 7}


def test_a_run_goes_on_where_it_was(tmp_path) -> None:
    out = tmp_path / "run.jsonl"
    asked: list[int] = []

    def flaky(messages: Sequence[Message], tools: Any, sample: int) -> str:
        asked.append(sample)
        if len(asked) == 3:
            raise OSError("busy")
        return perfect(messages, tools, sample)

    first = run(PUZZLES[:4], Scripted(flaky), out=out, workers=1)
    assert first.summary()["errors"] == 1
    with open(out, "a") as file:
        file.write('{"task": "cut o')
    again = run(PUZZLES[:4], Scripted(flaky), out=out, workers=1)
    assert len(asked) == 5 and again.summary()["score"] == 1.0
    assert run(PUZZLES[:4], Scripted(silent), out=out).summary()["score"] == 1.0, "nothing is played again"
    with pytest.raises(rr.RequestError, match="another run"):
        run(PUZZLES[:4], Scripted(silent), out=out, mode="turns")


def test_an_interrupted_run_keeps_what_was_finished(tmp_path) -> None:
    """Also what was finished after a slow first episode began."""
    out, go = tmp_path / "run.jsonl", threading.Event()
    asked: list[str] = []

    def answers(messages: Sequence[Message], tools: Any, sample: int) -> str:
        asked.append(shown(messages))
        if len(asked) == 1:
            assert go.wait(60)
        return perfect(messages, tools, sample)

    def interrupt(episode: Any) -> None:
        if len(asked) >= 3:
            go.set()
            raise KeyboardInterrupt

    assert len(PUZZLES) > 4
    with pytest.raises(KeyboardInterrupt):
        run(PUZZLES, Scripted(answers), out=out, workers=2, progress=interrupt)
    episodes = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    kept = {it["task"] for it in episodes if it["error"] is None}
    assert 2 <= len(kept) == len(asked) < len(PUZZLES)
    asked.clear()
    again = run(PUZZLES, Scripted(answers), out=out, workers=2)
    assert again.summary()["score"] == 1.0 and len(asked) == len(PUZZLES) - len(kept)


@pytest.mark.parametrize(
    "failure",
    [http.client.IncompleteRead(b""), http.client.BadStatusLine("x"), AttributeError("message"), RuntimeError("odd")],
    ids=lambda it: type(it).__name__,
)
def test_a_client_that_fails_ends_only_its_episode(failure: Exception) -> None:
    def fails(messages: Any, tools: Any, sample: int) -> str:
        raise failure

    report = run(PUZZLES[:2], Scripted(fails))
    assert report.summary()["errors"] == 2
    assert all(it.error.startswith(type(failure).__name__) for it in report.episodes)
    nothing = play(PUZZLE, Scripted(lambda m, t, s: Reply(None)))  # type: ignore[arg-type]
    assert nothing.error is not None and nothing.score == 0.0


@pytest.mark.parametrize("bad", [{"mode": "song"}, {"samples": 0}])
def test_bad_runs(bad: dict[str, Any]) -> None:
    with pytest.raises(rr.RequestError):
        run(PUZZLES, Scripted(silent), **bad)
    with pytest.raises(rr.RequestError):
        run([], Scripted(silent))
    with pytest.raises(rr.RequestError):
        run([PUZZLE, PUZZLE], Scripted(silent))


class FakeServer(BaseHTTPRequestHandler):
    """A server that is busy at first and then answers as the perfect client does."""

    seen: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        FakeServer.seen.append({**body, "auth": self.headers.get("Authorization"), "path": self.path})
        if len(FakeServer.seen) == 1:
            self.send_response(429)
            self.send_header("Retry-After", "0")
            self.end_headers()
            return
        if body["model"] == "wrong":
            self.send_error(400, "no such model")
            return
        text = perfect(body["messages"], (), 0)
        answer = {"choices": [{"message": {"content": text}}], "usage": {"prompt_tokens": 5, "details": {}}}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


def test_an_endpoint(tmp_path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    server = HTTPServer(("127.0.0.1", 0), FakeServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/v1/"
        FakeServer.seen.clear()
        episode = play(PUZZLE, Endpoint(url, "m", api_key="secret", temperature=0.5))
        assert episode.grade == "optimal" and episode.usage == {"prompt_tokens": 5}
        last = FakeServer.seen[-1]
        assert (last["path"], last["auth"], last["temperature"]) == (
            "/v1/chat/completions", "Bearer secret", 0.5,
        )  # fmt: skip
        wrong = play(PUZZLE, Endpoint(url, "wrong"))
        assert wrong.error is not None and "400" in wrong.error
        monkeypatch.setenv("MY_KEY", "abc")
        out = tmp_path / "out.jsonl"
        arguments = ["run", "--base-url", url, "--model", "m", "--limit", "6", "--key-variable", "MY_KEY"]
        assert benchmark.main([*arguments, "--out", str(out), "--samples", "2"]) == 0
        summary = json.loads(capsys.readouterr().out)
        assert summary["score"] == 1.0 and summary["episodes"] == 12 and summary["samples"] == 2
        assert len(out.read_text().splitlines()) == 13
        assert FakeServer.seen[-1]["auth"] == "Bearer abc"
        # A run without answers does not look like a model that knows nothing.
        assert benchmark.main(["run", "--base-url", url, "--model", "wrong", "--limit", "2"]) == 1
        assert "2 of 2 attempts failed and count as 0" in capsys.readouterr().err
    finally:
        server.shutdown()
        server.server_close()
    with pytest.raises(rr.RequestError):
        Endpoint("localhost:80", "m")


class OddServer(BaseHTTPRequestHandler):
    """Plays a script: a number of bytes after which it breaks off, or an answer."""

    script: list[Any] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        step = OddServer.script.pop(0)
        if step is None:
            return  # closes the connection without an answer
        data = json.dumps(step).encode() if not isinstance(step, bytes) else step
        self.send_response(200)
        self.send_header("Content-Length", str(len(data) + (5 if isinstance(step, bytes) else 0)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


def said(message: Any) -> dict[str, Any]:
    return {"choices": [{"message": message}]}


@pytest.mark.parametrize(
    ("script", "grade", "error"),
    [
        ([None, b"{", said({"content": "GE RE RS"})], "optimal", None),
        ([said({"content": [{"type": "text", "text": "GE RE RS"}]})], "optimal", None),
        ([{**said({"content": "GE RE RS"}), "usage": [1]}], "optimal", None),
        ([said({"content": None})], "unreadable", None),
        ([said(None)], "unreadable", "has no message"),
        ([{"choices": []}], "unreadable", "has no message"),
        ([{"error": {"message": "overloaded"}}], "unreadable", "overloaded"),
        (["text"], "unreadable", "has no message"),
        ([None] * 3, "unreadable", "RemoteDisconnected"),
        ([b"{"] * 3, "unreadable", "IncompleteRead"),
    ],
)
def test_an_odd_endpoint(script: list[Any], grade: str, error: str | None) -> None:
    """A connection that breaks off is tried again; an answer without a message is an error, not a crash."""
    OddServer.script = list(script)
    server = HTTPServer(("127.0.0.1", 0), OddServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        client = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "m", retries=2, pause=0)
        episode = play(PUZZLE, client)
    finally:
        server.shutdown()
        server.server_close()
    assert episode.grade == grade and not OddServer.script
    assert episode.error is None if error is None else error in str(episode.error)
    # Nobody listens there any more.
    gone = play(PUZZLE, client)
    assert gone.error is not None and "refused" in gone.error


def test_new_tasks_by_seed() -> None:
    """Tasks that no model can have seen, from the same kinds of boards; the same seed gives the same ones."""
    made = benchmark.fresh(7, 24)
    assert made == benchmark.fresh(7, 24) and made != benchmark.fresh(8, 24)
    assert len(made) == 24 and not set(made) & set(benchmark.benchmark())
    assert {puzzle.id.split("-")[0] for puzzle in made} == {"5x5", "8x8", "official", "diagonals"}
    for puzzle, answer in zip(made, rr.solve_many(made), strict=True):
        assert answer.length == puzzle.optimal


def test_the_baselines_are_graded_as_models_are() -> None:
    """A player's moves score the same through the harness and directly."""
    for puzzle in PUZZLES:
        moves = benchmark.greedy_player(puzzle, Random(1))
        episode = play(puzzle, Scripted(lambda m, t, s, moves=moves: str(moves)))
        direct = benchmark.verdict(moves, puzzle)[0]
        assert episode.grade == direct.name.lower()
