"""Data sets."""

from __future__ import annotations

import pytest

pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402

import ricochet_engine as rr  # noqa: E402
from ricochet_engine.table import SCHEMA, generate_table, table_of_numbers  # noqa: E402

QUICK = rr.PuzzleFilter(size=(8, 8), moves=(2, 4))


def test_a_table_is_a_function_of_its_seed(tmp_path) -> None:
    heard: list[int] = []
    table = generate_table(20, 3, QUICK, progress=heard.append, path=tmp_path / "t.parquet")
    assert table.num_rows == 20 == heard[-1] and table.schema.equals(SCHEMA)
    assert pq.read_table(tmp_path / "t.parquet").to_pylist() == table.to_pylist()
    assert [file.name for file in tmp_path.iterdir()] == ["t.parquet"]
    assert generate_table(20, 3, QUICK, threads=1).equals(table)
    last = table["number"][-1].as_py()
    halves = [table_of_numbers(part, 3, QUICK) for part in (range(0, 9), range(9, last + 1))]
    assert pa.concat_tables(halves).to_pylist() == table.to_pylist()
    for row in table.to_pylist():
        puzzle = rr.Puzzle(row["puzzle"])
        assert puzzle.is_solution(row["solution"]) and len(row["solution"].split()) == row["length"]
        assert rr.rate(puzzle).rating == row["rating"] and rr.rate(puzzle).themes == row["themes"]
        assert rr.all_solutions(puzzle).count == row["solutions"]


def test_without_ratings_and_without_rows() -> None:
    table = generate_table(3, 3, QUICK, rate=False)
    assert table["rating"].null_count == 3 and table["length"].null_count == 0
    assert generate_table(0, 3).num_rows == 0
    with pytest.raises(rr.RequestError):
        generate_table(-1, 3)


def test_the_card_describes_every_column() -> None:
    from conftest import ROOT

    card = (ROOT / "python" / "docs" / "dataset-card.md").read_text()
    for name in SCHEMA.names:
        assert f"`{name}`" in card, name
