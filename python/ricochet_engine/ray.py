"""Many machines, with Ray: solve, generate, rate and count all states in shards.

::

    import ray
    from ricochet_engine.ray import solve

    ray.init("auto")
    manifest = solve("puzzles.txt", "out/", shards=1000)

A shard is a function of its number: it takes every ``shards``-th unit of work, so neighbours go to
different shards. Its rows are written to ``part-NNNNN.parquet`` under a temporary name and renamed, and a
small ``part-NNNNN.json`` next to it marks it as complete. After a crash, or the loss of machines, start the
run again with the same arguments to continue; parts from other arguments are refused. At the end,
``manifest.json`` lists all parts. All machines must see the same directory.

``ray.data`` distributes the work: actors keep their solver's tables between shards, and the task of a node
that dies is given to another.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ._extras import missing

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as _error:
    raise missing("ray", _error) from _error

from . import __version__
from ._errors import RequestError
from ._files import replacing
from ._questions import UNLIMITED, Limits, PuzzleLike, PuzzleFilter, as_puzzles, rate_many, solve_many
from .table import table_of_numbers, write_parquet

_SOLVED = pa.schema(
    [
        pa.field("number", pa.uint64(), nullable=False),
        pa.field("puzzle", pa.string(), nullable=False),
        pa.field("solver", pa.string(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("length", pa.uint16()),
        pa.field("solution", pa.string()),
        pa.field("optimal", pa.bool_(), nullable=False),
        pa.field("lower_bound", pa.uint16()),
        pa.field("limit", pa.string()),
        pa.field("nodes", pa.uint64(), nullable=False),
    ]
)
_RATED = pa.schema(
    [
        pa.field("number", pa.uint64(), nullable=False),
        pa.field("puzzle", pa.string(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("difficulty", pa.string()),
        pa.field("rating", pa.int32()),
        pa.field("deviation", pa.int32()),
        pa.field("length", pa.uint16()),
        pa.field("solutions", pa.uint64()),
        pa.field("robots_used", pa.uint8()),
        pa.field("helper_moves", pa.uint16()),
    ]
)
_COUNTED = pa.schema(
    [
        pa.field("number", pa.uint64(), nullable=False),
        pa.field("puzzle", pa.string(), nullable=False),
        pa.field("distance", pa.int16(), nullable=False),
        pa.field("states", pa.uint64(), nullable=False),
    ]
)


class ShardWorker:
    """Computes shards. A Ray actor that also works without Ray."""

    def __init__(self, task: Mapping[str, Any], directory: str) -> None:
        self.task: dict[str, Any] = dict(task)
        self.directory: Path = Path(directory)
        self.fingerprint: str = fingerprint(task)
        self._lines: list[str] | None = None

    def __call__(self, batch: pa.Table) -> pa.Table:
        """The manifests of the shards whose numbers are in the batch."""
        manifests = [json.dumps(self.make(number)) for number in batch["id"].to_pylist()]
        return pa.table({"manifest": manifests})

    def make(self, shard: int) -> dict[str, Any]:
        """Writes a shard unless it exists, and returns its manifest."""
        done = read_part(self.directory, shard, self.fingerprint)
        if done is not None:
            return done
        table = self._table(range(shard, self._units(), self.task["shards"]))
        path = self.directory / f"{part_name(shard)}.parquet"
        write_parquet(table, path)
        manifest = {
            "shard": shard,
            "file": path.name,
            "rows": table.num_rows,
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "task": self.fingerprint,
        }
        _write_json(self.directory / f"{part_name(shard)}.json", manifest)
        return manifest

    def _puzzles(self) -> list[str]:
        if self._lines is None:
            self._lines = (self.directory / "input.txt").read_text(encoding="ascii").splitlines()
        return self._lines

    def _units(self) -> int:
        return int(self.task["units"])

    def _table(self, numbers: range) -> pa.Table:
        kind = self.task["kind"]
        limits = Limits(**self.task["limits"])
        if kind == "generate":
            filter = PuzzleFilter(**{k: _tuple(v) for k, v in self.task["wishes"].items()})
            seed, rated = self.task["seed"], self.task["rate"]
            return table_of_numbers(numbers, seed, filter, rate=rated, limits=limits, threads=1)
        puzzles = [self._puzzles()[number] for number in numbers]
        if kind == "solve":
            return _solved(numbers, puzzles, self.task["solver"], limits)
        if kind == "rate":
            return _rated(numbers, puzzles, limits)
        return _counted(numbers, puzzles)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _solved(numbers: range, puzzles: list[str], solver: str, limits: Limits) -> pa.Table:
    answers = solve_many(puzzles, solver, limits=limits, threads=1)
    rows = [
        {
            "number": number,
            "puzzle": line,
            "solver": it.solver,
            "outcome": it.outcome.value,
            "length": it.length,
            "solution": None if it.solution is None else str(it.solution),
            "optimal": it.optimal,
            "lower_bound": it.lower_bound,
            "limit": it.limit,
            "nodes": it.stats.nodes,
        }
        for number, line, it in zip(numbers, puzzles, answers, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=_SOLVED)


def _rated(numbers: range, puzzles: list[str], limits: Limits) -> pa.Table:
    rows = []
    ratings = rate_many(puzzles, limits=limits, threads=1)
    for number, line, it in zip(numbers, puzzles, ratings, strict=True):
        fields = asdict(it)
        fields["robots_used"] = fields.pop("robots")
        rows.append({"number": number, "puzzle": line, **fields})
    return pa.Table.from_pylist(rows, schema=_RATED)


def _counted(numbers: range, puzzles: list[str]) -> pa.Table:
    from ._native import Puzzle, Tablebase

    rows: list[dict[str, Any]] = []
    for number, line in zip(numbers, puzzles, strict=True):
        table = Tablebase.build(Puzzle(line), threads=1)
        counts = [(-1, table.unsolvable), *enumerate(table.histogram.tolist())]
        rows.extend(
            {"number": number, "puzzle": line, "distance": distance, "states": states}
            for distance, states in counts
        )
    return pa.Table.from_pylist(rows, schema=_COUNTED)


def part_name(shard: int) -> str:
    """The name of a shard's files without their extension."""
    return f"part-{shard:05d}"


def fingerprint(task: Mapping[str, Any]) -> str:
    """Identifies a task."""
    return hashlib.sha256(json.dumps(task, sort_keys=True).encode()).hexdigest()


def _write_json(path: Path, value: Any) -> None:
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1) + "\n")


def read_part(directory: Path, shard: int, task: str) -> dict[str, Any] | None:
    """The manifest of a shard; None if the shard is not complete."""
    path = directory / f"{part_name(shard)}.json"
    if not path.exists():
        return None
    manifest: dict[str, Any] = json.loads(path.read_text())
    if manifest["task"] != task:
        raise RequestError(f"{path} belongs to another task")
    file = directory / manifest["file"]
    complete = file.exists() and file.stat().st_size == manifest["bytes"]
    return manifest if complete else None


def run(
    task: Mapping[str, Any],
    directory: str | os.PathLike[str],
    *,
    workers: int | None = None,
) -> dict[str, Any]:
    """Computes all missing shards on all nodes of the cluster and writes the manifest."""
    here = Path(directory)
    mark = fingerprint(task)
    shards = int(task["shards"])
    open_shards = [n for n in range(shards) if read_part(here, n, mark) is None]
    if open_shards:
        try:
            import ray
            import ray.data
        except ImportError as error:
            raise missing("ray", error) from error

        if workers is None:
            workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        workers = min(workers, len(open_shards))
        # One block per shard, built here: tasks that split blocks might not get a core next to the actors.
        blocks = [pa.table({"id": pa.array([shard], pa.int64())}) for shard in open_shards]
        data = ray.data.from_arrow(blocks).map_batches(
            ShardWorker,
            fn_constructor_args=(dict(task), str(here.resolve())),
            batch_size=1,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(size=workers),
            # If a node dies, its actors restart on another one, and their shards wait for that. Each actor
            # reserves half a core, so there is room until more than half of the cores are lost.
            num_cpus=0.5,
        )
        for _ in data.iter_rows():
            pass
    parts = [read_part(here, n, mark) for n in range(shards)]
    lost = [n for n, part in enumerate(parts) if part is None]
    if lost:
        raise RequestError(f"shards {lost[:20]} are missing: run it again")
    manifest = {
        "task": dict(task),
        "fingerprint": mark,
        "version": __version__,
        "rows": sum(part["rows"] for part in parts if part is not None),
        "bytes": sum(part["bytes"] for part in parts if part is not None),
        "parts": parts,
    }
    _write_json(here / "manifest.json", manifest)
    # All parts are complete, so these were left by processes that were killed.
    for left in here.glob("*.tmp"):
        left.unlink(missing_ok=True)
    return manifest


def _input(
    kind: str,
    puzzles: str | os.PathLike[str] | Iterable[PuzzleLike],
    directory: str | os.PathLike[str],
    shards: int,
    limits: Limits,
    **more: Any,
) -> dict[str, Any]:
    """The task for a list of puzzles, which is stored next to the parts."""
    if isinstance(puzzles, (str, os.PathLike)):
        from ._questions import read_file

        lines = [puzzle.line for puzzle in read_file(puzzles)]
    else:
        lines = [puzzle.line for puzzle in as_puzzles(puzzles)]
    here = Path(directory)
    here.mkdir(parents=True, exist_ok=True)
    text = "".join(line + "\n" for line in lines)
    kept = here / "input.txt"
    if kept.exists() and kept.read_text(encoding="ascii") != text:
        raise RequestError(f"{kept} has other puzzles: use another directory")
    if not kept.exists():
        with replacing(kept) as temporary:
            temporary.write_text(text, encoding="ascii")
    return {
        "kind": kind,
        "shards": max(1, min(shards, len(lines))),
        "units": len(lines),
        "input": hashlib.sha256(text.encode()).hexdigest(),
        "limits": asdict(limits),
        **more,
    }


def solve(
    puzzles: str | os.PathLike[str] | Iterable[PuzzleLike],
    directory: str | os.PathLike[str],
    *,
    shards: int = 100,
    solver: str = "flagship",
    limits: Limits = UNLIMITED,
    workers: int | None = None,
) -> dict[str, Any]:
    """Solves a file or a list of puzzles."""
    task = _input("solve", puzzles, directory, shards, limits, solver=solver)
    return run(task, directory, workers=workers)


def rate(
    puzzles: str | os.PathLike[str] | Iterable[PuzzleLike],
    directory: str | os.PathLike[str],
    *,
    shards: int = 100,
    limits: Limits = UNLIMITED,
    workers: int | None = None,
) -> dict[str, Any]:
    """Rates a file or a list of puzzles."""
    return run(_input("rate", puzzles, directory, shards, limits), directory, workers=workers)


def census(
    puzzles: str | os.PathLike[str] | Iterable[PuzzleLike],
    directory: str | os.PathLike[str],
    *,
    shards: int = 100,
    workers: int | None = None,
) -> dict[str, Any]:
    """Counts all states of each puzzle's board and goal by their distance (-1: unsolvable)."""
    task = _input("census", puzzles, directory, shards, UNLIMITED)
    return run(task, directory, workers=workers)


def generate(
    candidates: int,
    seed: int,
    directory: str | os.PathLike[str],
    *,
    filter: PuzzleFilter = PuzzleFilter(),
    rate: bool = True,
    shards: int = 100,
    limits: Limits = UNLIMITED,
    workers: int | None = None,
) -> dict[str, Any]:
    """Tests this many candidates and keeps those that match the filter, with the data set card's columns."""
    Path(directory).mkdir(parents=True, exist_ok=True)
    task = {
        "kind": "generate",
        "shards": max(1, min(shards, candidates)),
        "units": candidates,
        "seed": seed,
        # The key of earlier versions, so that their runs can be continued.
        "wishes": filter.request(),
        "rate": rate,
        "limits": asdict(limits),
    }
    # A round trip through JSON, so that the task is the same when it is read again.
    return run(json.loads(json.dumps(task)), directory, workers=workers)


def read(directory: str | os.PathLike[str]) -> pa.Table:
    """All rows of a finished run, in the order of their numbers; every part is checked."""
    here = Path(directory)
    manifest = json.loads((here / "manifest.json").read_text())
    tables = []
    for part in manifest["parts"]:
        data = (here / part["file"]).read_bytes()
        if hashlib.sha256(data).hexdigest() != part["sha256"]:
            raise RequestError(f"{part['file']} is damaged: delete it and run again")
        tables.append(pq.read_table(pa.BufferReader(data)))
    table = pa.concat_tables(tables).unify_dictionaries()
    return table.sort_by("number")
