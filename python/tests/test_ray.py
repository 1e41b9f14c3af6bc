"""Shards of the Ray module: without Ray, and on a real cluster of several nodes of which one is killed."""

from __future__ import annotations

import json
import threading
import time

import pytest

pytest.importorskip("pyarrow")

import ricochet_engine as rr  # noqa: E402
from ricochet_engine import ray as shards  # noqa: E402


def puzzles(n: int) -> list[rr.Puzzle]:
    return rr.generate(n, 4, size=(8, 8), moves=(1, 5), threads=1)


def task_of(tmp_path, n: int = 20, count: int = 4) -> dict[str, object]:
    return shards._input("solve", puzzles(n), tmp_path, count, rr.Limits(), solver="flagship")


def test_a_shard_is_a_function_of_its_number(tmp_path) -> None:
    task = task_of(tmp_path)
    worker = shards.ShardWorker(task, str(tmp_path))
    first = worker.make(2)
    before = (tmp_path / first["file"]).stat().st_mtime_ns
    assert worker.make(2) == first, "it is there already"
    assert (tmp_path / first["file"]).stat().st_mtime_ns == before
    (tmp_path / "part-00002.json").unlink()
    assert shards.ShardWorker(task, str(tmp_path)).make(2)["sha256"] == first["sha256"]
    (tmp_path / first["file"]).write_bytes(b"cut")
    assert worker.make(2)["sha256"] == first["sha256"], "a part that is not whole is made again"
    other = {**task, "solver": "iddfs"}
    with pytest.raises(rr.RequestError, match="another task"):
        shards.ShardWorker(other, str(tmp_path)).make(2)
    with pytest.raises(rr.RequestError, match="other puzzles"):
        task_of(tmp_path, 21)
    assert not list(tmp_path.glob("*.tmp"))


def test_a_finished_run_leaves_nothing_of_killed_processes(tmp_path) -> None:
    """All parts are there, so this needs no cluster."""
    task = task_of(tmp_path)
    worker = shards.ShardWorker(task, str(tmp_path))
    for shard in range(4):
        worker.make(shard)
    (tmp_path / "part-00001.parquet.0123.tmp").write_bytes(b"half of it")
    assert shards.run(task, tmp_path)["rows"] == 20
    assert not list(tmp_path.glob("*.tmp"))


def check_rows(directory, expected: list[rr.Puzzle]) -> None:
    """No row is lost and none is there twice, and every one is right."""
    table = shards.read(directory)
    assert table["number"].to_pylist() == list(range(len(expected)))
    assert table["puzzle"].to_pylist() == [puzzle.line for puzzle in expected]
    assert table["length"].to_pylist() == [puzzle.optimal for puzzle in expected]


@pytest.mark.long
def test_a_cluster_that_loses_a_node(tmp_path) -> None:
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    doomed = cluster.add_node(num_cpus=1)
    cluster.add_node(num_cpus=1)
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        cluster.wait_for_nodes()
        assert len([node for node in ray.nodes() if node["Alive"]]) == 3
        # Work that takes long enough to kill a node in the meantime.
        expected = rr.generate(300, 4, moves=(6, 7))
        killed = threading.Event()

        def kill_when_it_runs() -> None:
            while len(list(tmp_path.glob("part-*.json"))) < 5:
                time.sleep(0.01)
            cluster.remove_node(doomed, allow_graceful=False)
            killed.set()

        killer = threading.Thread(target=kill_when_it_runs)
        killer.start()
        manifest = shards.solve(expected, tmp_path, shards=60, solver="naive")
        assert killed.is_set(), "the node was killed before the end"
        killer.join()
        assert len([node for node in ray.nodes() if node["Alive"]]) == 2
        assert manifest["rows"] == len(expected) and len(manifest["parts"]) == 60
        check_rows(tmp_path, expected)
        # A run that is started again goes on where it was.
        for shard in (3, 17):
            (tmp_path / f"part-{shard:05d}.json").unlink()
        kept = (tmp_path / "part-00004.parquet").stat().st_mtime_ns
        again = shards.solve(expected, tmp_path, shards=60, solver="naive")
        assert json.dumps(again) == json.dumps(manifest)
        assert (tmp_path / "part-00004.parquet").stat().st_mtime_ns == kept
        # The other kinds of work.
        made = shards.generate(40, 3, tmp_path / "made", filter=rr.PuzzleFilter(size=(8, 8)), shards=4)
        assert made["rows"] == shards.read(tmp_path / "made").num_rows > 20
        rated = shards.rate(expected[:8], tmp_path / "rated", shards=3)
        assert rated["rows"] == 8
        lines = ["4x3..0012.R31", "4x3..0012.R11"]
        shards.census(lines, tmp_path / "counted", shards=2)
        counted = shards.read(tmp_path / "counted").to_pylist()
        assert sum(row["states"] for row in counted if row["number"] == 0) == 132
    finally:
        ray.shutdown()
        cluster.shutdown()
