"""Data sets."""

from __future__ import annotations

import pytest

pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402

import ricochet_engine as rr  # noqa: E402
from ricochet_engine.table import SCHEMA, generate_table, main, read_rows, table_of_numbers  # noqa: E402

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


def test_rows_are_made_and_converted_by_a_command(tmp_path, capsys) -> None:
    made = tmp_path / "made.parquet"
    main(["--count", "4", "--seed", "3", "--output", str(made)])
    rows = read_rows(made).to_pylist()
    assert len(rows) == 4 and all(row["rating"] for row in rows)
    for kind in ("jsonl", "csv"):
        there = tmp_path / f"rows.{kind}"
        main([str(made), "-o", str(there)])
        back = read_rows(there).to_pylist()
        for row, same in zip(rows, back, strict=True):
            assert same["themes"] == row["themes"] and same["rating"] == row["rating"]
            assert same["puzzle"] == row["puzzle"]
    for wrong in (["-o", "x.parquet"], [str(made), "-o", "x.txt"], [str(tmp_path / "no.csv"), "-o", str(made)]):
        with pytest.raises(SystemExit) as ended:
            main(wrong)
        assert ended.value.code == 2
    assert "expected a name that ends with" in capsys.readouterr().err


def test_the_puzzle_set_becomes_parquet(tmp_path) -> None:
    rows = tmp_path / "puzzles.csv"
    rows.write_text(
        "PuzzleId,Position,Moves,Rating,Themes\nS1-0,8x8..0073.R67,GE RE RS,900,placed-blocker quiet-start\nS1-1,8x8..00.R77,RE RS,607,\n"
    )
    main([str(rows), "-o", str(tmp_path / "puzzles.parquet")])
    table = pq.read_table(tmp_path / "puzzles.parquet")
    assert table["Themes"].to_pylist() == [["placed-blocker", "quiet-start"], []]
    assert table["Rating"].to_pylist() == [900, 607]
