"""A real Spark cluster gives the figures of the same tables in memory, and outlives a worker."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
from metrics.engines.spark import Spark
from metrics.errors import InputError
from tests.command_line import call
from tests.engines.alike import COUNTED, differences
from tests.engines.conftest import Cluster, end

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

# Names that differ in case alone, and one that engines like for counts.
ROLES = metrics.Roles(quasi_identifiers=["N", "n"], sensitive=["count", "s"], key="id")
GROUPS = metrics.Hierarchy([["1", "1-2", "*"], ["2", "1-2", "*"], ["3", "3-4", "*"], ["4", "3-4", "*"]])


@pytest.fixture(scope="module")
def spark(cluster: Cluster) -> Iterator[Spark]:
    """A session of the cluster."""
    with Spark(cluster.master) as session:
        yield session


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An original and an anonymized table: some records deleted or suppressed, in another order, some cells missing."""
    folder = tmp_path_factory.mktemp("tables")
    chance = random.Random(29)
    records = [
        (
            f"r{i}",
            chance.choice("1234"),
            chance.choice(["a", "b ", "b"]),
            chance.choice([1, 2, 3, None]),
            chance.choice("xy"),
        )
        for i in range(400)
    ]
    names = ["id", "N", "n", "count", "s"]
    kept = [record for record in records if chance.random() < 0.9]
    chance.shuffle(kept)
    changed = [
        (i, "*", "*", c, s) if chance.random() < 0.1 else (f" {i}", "1-2" if N in "12" else "3-4", n, c, s)
        for i, N, n, c, s in kept
    ]
    paths = []
    for name, rows in (("original", records), ("anonymized", changed)):
        table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
        pq.write_table(table, folder / f"{name}.parquet", row_group_size=100)
        paths.append(folder / f"{name}.parquet")
    return paths[0], paths[1]


def in_memory(files: tuple[Path, Path], wanted: Sequence[str] = COUNTED) -> metrics.Scorecard:
    """The card to be equalled."""
    original, anonymized = map(metrics.read_table, files)
    return metrics.score(anonymized, ROLES, original=original, hierarchies={"N": GROUPS}, metrics=wanted)


def test_command_line(
    cluster: Cluster, files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # Before any session of these tests takes the cluster's cores.
    roles = tmp_path / "roles.yaml"
    roles.write_text("quasi_identifiers: [N, n]\nsensitive: [s]\n")
    inputs = ("score", "--engine", "spark", "--anonymized", files[1], "--roles", roles)
    unreachable = call(capfd, *inputs, "--master", "spark://127.0.0.1:9")
    assert (unreachable.status, unreachable.err.count("\n")) == (2, 1)
    assert "the Spark cluster cannot be reached" in unreachable.err
    unmatched = call(capfd, *inputs, "--original", files[0], "--master", cluster.master)
    assert (unmatched.status, unmatched.err.count("\n")) == (2, 1)
    assert "add key: COLUMN to the roles" in unmatched.err
    done = call(capfd, *inputs, "--master", cluster.master, "--metrics", "k_anonymity", "--json")
    assert (done.status, done.err) == (0, "")
    without_key = metrics.Roles(quasi_identifiers=["N", "n"], sensitive=["s"])
    expected = metrics.score(metrics.read_table(files[1]), without_key)
    assert done.object["metrics"]["k_anonymity"]["value"] == expected["k_anonymity"].value


def test_every_metric_as_in_memory_and_a_killed_worker(
    spark: Spark, files: tuple[Path, Path], cluster: Cluster
) -> None:
    wanted = in_memory(files)
    assert sum(score.value is not None for score in wanted) > 20
    frames = [spark._session.read.parquet(str(path)) for path in files]
    found = metrics.score(frames[1], ROLES, original=frames[0], hierarchies={"N": GROUPS}, metrics=COUNTED)
    assert differences(wanted, found) == []

    killed = threading.Timer(0.5, end, [cluster.workers[0]])
    killed.start()
    original, anonymized = map(spark.table, files)
    few = ("p29", "t_closeness", "non_uniform_entropy", "ambiguity", "profitability")
    counted = metrics.score(anonymized, ROLES, original=original, hierarchies={"N": GROUPS}, metrics=few)
    killed.join()
    assert cluster.workers[0].poll() is not None
    assert differences(in_memory(files, few), counted) == []


def test_csv_as_in_memory(spark: Spark, files: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('id;q;s\n1; a;"x;1"\n2;;x\n3;a;\n4;NULL;x\n')
    roles = metrics.Roles(quasi_identifiers=["q"], sensitive=["s"])
    wanted = metrics.score(metrics.read_table(path), roles, metrics=["k_anonymity", "p29"])
    found = metrics.score(spark.table(path), roles, metrics=["k_anonymity", "p29"])
    assert differences(wanted, found) == []


def test_pairs_need_a_key(spark: Spark, files: tuple[Path, Path]) -> None:
    roles = metrics.Roles(quasi_identifiers=["N"], sensitive=["s"])
    card = metrics.score(spark.table(files[1]), roles, original=spark.table(files[0]), metrics=["non_uniform_entropy"])
    assert "tag a column that identifies records" in str(card["non_uniform_entropy"].unavailable)


def test_missing_file(spark: Spark) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        spark.table("nowhere.parquet")
