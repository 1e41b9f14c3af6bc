"""Data sets: puzzles with their solutions and difficulty as Arrow tables, and as Parquet, CSV or JSON Lines.

The columns are described in the data set card, ``python/docs/dataset-card.md``. As a command::

    python -m ricochet_engine.table --count 10000 --seed 7 --output puzzles.parquet
    python -m ricochet_engine.table puzzles.csv --output puzzles.parquet

The second form converts rows: those of ``ricochet rate --json``, or of ``ricochet lab puzzle-set``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

from ._extras import missing

try:
    import pyarrow as pa
    import pyarrow.csv as pc
    import pyarrow.json as pj
    import pyarrow.parquet as pq
except ImportError as _error:
    raise missing("table", _error) from _error

from ._answers import Rating
from ._errors import RequestError
from ._files import replacing
from ._native import Puzzle
from ._questions import UNLIMITED, Limits, PuzzleFilter, candidates, solve_many

#: The version of the columns, which the metadata of the files contains.
SCHEMA_VERSION = "1"

#: Columns with counted features, all null if unknown.
FEATURES = (
    "free_moves",
    "legal_moves",
    "first_moves",
    "only_moves",
    "groups",
    "common_moves",
    "dependency_depth",
    "moves_away",
    "reversals",
    "passes",
    "robot_stops",
)

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("seed", pa.uint64(), nullable=False),
        pa.field("number", pa.uint64(), nullable=False),
        pa.field("puzzle", pa.string(), nullable=False),
        pa.field("layout", pa.string()),
        pa.field("width", pa.uint8(), nullable=False),
        pa.field("height", pa.uint8(), nullable=False),
        pa.field("robots", pa.uint8(), nullable=False),
        pa.field("outcome", pa.dictionary(pa.int8(), pa.string()), nullable=False),
        pa.field("length", pa.uint16()),
        pa.field("solution", pa.string()),
        pa.field("solutions", pa.uint64()),
        pa.field("difficulty", pa.dictionary(pa.int8(), pa.string())),
        pa.field("rating", pa.int32()),
        pa.field("deviation", pa.int32()),
        pa.field("robots_used", pa.uint8()),
        pa.field("helper_moves", pa.uint16()),
        *(pa.field(name, pa.uint32()) for name in FEATURES),
        pa.field("themes", pa.list_(pa.string())),
    ],
    metadata={"ricochet_engine.schema": SCHEMA_VERSION},
)


def rows_table(rows: Iterable[tuple[int, Puzzle, Rating | None]], seed: int, **solve: Any) -> pa.Table:
    """The table of matching candidates."""
    kept = list(rows)
    # A rating comes with its solution.
    unsolved = [puzzle for _, puzzle, rating in kept if rating is None or rating.outcome != "solved"]
    answers = iter(solve_many(unsolved, "flagship", **solve))
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    for number, puzzle, rating in kept:
        outcome: str
        solution: object
        if rating is not None and rating.outcome == "solved":
            outcome, length, solution = rating.outcome, rating.length, rating.solution
        else:
            answer = next(answers)
            outcome, length, solution = answer.outcome.value, answer.length, answer.solution
        row = {
            "id": puzzle.id or f"S{seed}-{number}",
            "seed": seed,
            "number": number,
            "puzzle": puzzle.line,
            "layout": puzzle.board.layout,
            "width": puzzle.width,
            "height": puzzle.height,
            "robots": len(puzzle.robots),
            "outcome": outcome,
            "length": length,
            "solution": None if solution is None else str(solution),
            "solutions": None if rating is None else rating.solutions,
            "difficulty": None if rating is None else rating.difficulty,
            "rating": None if rating is None else rating.rating,
            "deviation": None if rating is None else rating.deviation,
            "robots_used": None if rating is None else rating.robots,
            "helper_moves": None if rating is None else rating.helper_moves,
            **{name: None if rating is None else getattr(rating, name) for name in FEATURES},
            "themes": None if rating is None else rating.themes,
        }
        for name, value in row.items():
            columns[name].append(value)
    return pa.table(columns, schema=SCHEMA)


def table_of_numbers(
    numbers: Iterable[int],
    seed: int,
    filter: PuzzleFilter = PuzzleFilter(),
    *,
    rate: bool = True,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
) -> pa.Table:
    """The rows of the candidates with these numbers that match the filter. They depend only on filter, seed and
    numbers, so any machine can produce any part of a data set."""
    tested = candidates(numbers, seed, filter, rate=rate, limits=limits, threads=threads)
    rows = ((number, puzzle, rating) for number, puzzle, rating in tested if puzzle is not None)
    return rows_table(rows, seed, limits=limits, threads=threads)


def generate_table(
    n: int,
    seed: int,
    filter: PuzzleFilter = PuzzleFilter(),
    *,
    start: int = 0,
    rate: bool = True,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> pa.Table:
    """The first ``n`` candidates from number ``start`` on that match the filter, as a table. With ``path``
    it is also written as Parquet. ``rate=False`` leaves the columns of the rating null, which is much
    faster. ``progress`` is called with the number of rows so far."""
    if n < 0:
        raise RequestError("a table cannot have fewer than 0 rows")
    parts: list[pa.Table] = []
    found, batch = 0, min(256, max(8, n))
    while found < n:
        numbers = range(start, start + batch)
        part = table_of_numbers(
            numbers, seed, filter, rate=rate, limits=limits, threads=threads
        ).slice(0, n - found)
        parts.append(part)
        found += part.num_rows
        start += batch
        if progress is not None:
            progress(found)
    table = pa.concat_tables(parts) if parts else SCHEMA.empty_table()
    table = table.unify_dictionaries()
    if path is not None:
        write_parquet(table, path)
    return table


def write_parquet(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Writes a Parquet file under a temporary name and renames it, so that the file is always complete."""
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def read_rows(path: str | os.PathLike[str]) -> pa.Table:
    """The rows of a Parquet file, a CSV file or JSON Lines. Themes in one column of text become a list."""
    kind = os.path.splitext(path)[1]
    if kind == ".parquet":
        return pq.read_table(path)
    if kind == ".jsonl":
        return pj.read_json(path)
    if kind != ".csv":
        raise RequestError(f"{os.fspath(path)}: expected a name that ends with .parquet, .csv or .jsonl")
    text = pc.ConvertOptions(column_types={"Themes": pa.string()})
    table = pc.read_csv(path, convert_options=text)
    for index, name in enumerate(table.column_names):
        if name.lower() == "themes":
            lists = [(themes or "").split() for themes in table[name].to_pylist()]
            table = table.set_column(index, name, pa.array(lists, pa.list_(pa.string())))
    return table


def write_rows(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Writes Parquet, CSV or JSON Lines, by the end of the name. In CSV, lists are separated by spaces and
    objects are JSON."""
    kind = os.path.splitext(path)[1]
    if kind == ".parquet":
        write_parquet(table, path)
        return
    if kind not in (".csv", ".jsonl"):
        raise RequestError(f"{os.fspath(path)}: expected a name that ends with .parquet, .csv or .jsonl")
    with replacing(path) as temporary:
        if kind == ".jsonl":
            with open(temporary, "w", encoding="utf-8", newline="\n") as file:
                for batch in table.to_batches():
                    file.writelines(json.dumps(row) + "\n" for row in batch.to_pylist())
            return
        for index, (name, type_) in enumerate(zip(table.column_names, table.schema.types, strict=True)):
            if pa.types.is_list(type_):
                cells = [None if cell is None else " ".join(cell) for cell in table[name].to_pylist()]
            elif pa.types.is_struct(type_):
                cells = [None if cell is None else json.dumps(cell) for cell in table[name].to_pylist()]
            else:
                continue
            table = table.set_column(index, name, pa.array(cells, pa.string()))
        pc.write_csv(table, temporary)


def main(arguments: list[str] | None = None) -> None:
    """Makes or converts a data set."""
    parser = argparse.ArgumentParser(
        prog="python -m ricochet_engine.table",
        description="Makes a data set of rated puzzles, or converts one to Parquet, CSV or JSON Lines.",
    )
    parser.add_argument("rows", nargs="?", help="rows to convert: .csv, .jsonl or .parquet")
    parser.add_argument("--output", "-o", required=True, help="a file that ends with .parquet, .csv or .jsonl")
    parser.add_argument("--count", type=int, help="how many puzzles to make")
    parser.add_argument("--seed", type=int, default=0, help="the random seed (default: 0)")
    parser.add_argument("--threads", "-j", type=int, help="threads (default: all cores)")
    chosen = parser.parse_args(arguments)
    if (chosen.rows is None) == (chosen.count is None):
        parser.error("expected either rows to convert or --count")
    try:
        if chosen.rows is not None:
            table = read_rows(chosen.rows)
        else:
            shown = (lambda rows: print(f"\r{rows} rows", end="", file=sys.stderr)) if sys.stderr.isatty() else None
            table = generate_table(chosen.count, chosen.seed, threads=chosen.threads, progress=shown)
        write_rows(table, chosen.output)
    except (RequestError, OSError, pa.ArrowInvalid) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(f"{table.num_rows} rows in {chosen.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
