"""A real Spark cluster gives the figures of the same tables in memory, and outlives a worker."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import narwhals as nw
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
from metrics.engines.backend import GenericBackend
from metrics.engines.cost import cluster_cost, measured
from metrics.engines.lazy import LazyTable
from metrics.engines.spark import Spark
from metrics.errors import InputError
from tests.engines.alike import COUNTED, apart, differences
from tests.engines.conftest import Cluster, end
from tests.engines.small_files import BAD, CASES, compare, file_of, refuse
from tests.support.command_line import call

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

# Names that differ in case alone, and one that engines like for counts.
ROLES = metrics.Roles(quasi_identifiers=["N", "n"], sensitive=["count", "s"], key="id")
GROUPS = metrics.Hierarchy([["1", "1-2", "*"], ["2", "1-2", "*"], ["3", "3-4", "*"], ["4", "3-4", "*"]])


@dataclass
class Watch:
    """Who is told whenever a count begins."""

    told: Callable[[], None] = lambda: None


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def spark(cluster: Cluster, watch: Watch) -> Iterator[Spark]:
    """A session of the cluster."""
    with Spark(cluster.master, progress=lambda asked: watch.told()) as session:
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


def test_every_metric_as_in_memory(spark: Spark, files: tuple[Path, Path]) -> None:
    wanted = in_memory(files)
    assert sum(score.value is not None for score in wanted) > 20
    frames = [spark._session.read.parquet(str(path)) for path in files]
    found = metrics.score(frames[1], ROLES, original=frames[0], hierarchies={"N": GROUPS}, metrics=COUNTED)
    assert differences(wanted, found) == []


def test_a_worker_killed_at_work(spark: Spark, watch: Watch, files: tuple[Path, Path], cluster: Cluster) -> None:
    tracker = spark._session.sparkContext.statusTracker()

    def kill_at_work() -> None:
        """End the first worker with its executor as soon as a job runs."""
        while not tracker.getActiveJobsIds():
            time.sleep(0.001)
        end(cluster.workers[0])

    killer = threading.Thread(target=kill_at_work)

    def begin() -> None:
        """At the first count."""
        watch.told = lambda: None
        killer.start()

    watch.told = begin
    original, anonymized = map(spark.table, files)
    few = ("p29", "t_closeness", "non_uniform_entropy", "ambiguity", "profitability")
    counted = metrics.score(anonymized, ROLES, original=original, hierarchies={"N": GROUPS}, metrics=few)
    killer.join()
    assert cluster.workers[0].poll() is not None
    assert differences(in_memory(files, few), counted) == []


def shuffled(spark: Spark, count: Callable[[], object]) -> tuple[int, int]:
    """Rows and bytes that Spark says it wrote to be shuffled during a count."""
    context = spark._session.sparkContext._jsc.sc()
    before = context.dagScheduler().nextStageId()
    count()
    context.listenerBus().waitUntilEmpty()
    stages = [
        context.statusStore().lastStageAttempt(stage) for stage in range(before, context.dagScheduler().nextStageId())
    ]
    return sum(one.shuffleWriteRecords() for one in stages), sum(one.shuffleWriteBytes() for one in stages)


def test_the_predicted_cost_is_what_spark_shuffles(spark: Spark) -> None:
    # Spark makes the records itself: nothing but a group-by shuffles then.
    columns = {"q": 50, "r": 20, "s": 9}
    frames = []
    for side in ("before", "after"):
        texts = [f"CAST(pmod(xxhash64(id, '{side} {name}'), {values}) AS STRING)" for name, values in columns.items()]
        records = spark._session.range(0, 40_000, 1, 8)
        frames.append(records.selectExpr("CAST(id AS STRING) AS c0", *(f"{x} AS c{i}" for i, x in enumerate(texts, 1))))
    names = ["id", *columns]
    before, after = (metrics.read_table(frame.toArrow().rename_columns(names), name="held") for frame in frames)
    roles = metrics.Roles(quasi_identifiers=["q", "r"], sensitive=["s"], key="id")
    of = measured(metrics.score(after, roles, original=before, metrics=[]).aggregates)
    expected = cluster_cost(of, 40_000, 8)

    engine = GenericBackend("pyspark")
    # Given, the decimal sign need not be told by some records, which go to one place for that.
    original, table = (LazyTable("table", names, nw.from_native(frame), engine, decimal=".") for frame in frames)
    rows, size = shuffled(spark, lambda: table.relation().count(["q", "r", "s"]))
    assert rows == pytest.approx(expected.partial_counts, rel=0.02)
    assert size == pytest.approx(expected.counting_bytes, rel=0.02)

    def match() -> None:
        """Check the key, and count the pairs of each quasi-identifier."""
        pairing = table.match(original, roles.matching)
        for name in ("q", "r"):
            pairing.count_pair(name)

    _, size = shuffled(spark, match)
    assert size == pytest.approx(expected.matching_bytes, rel=0.2)


@pytest.mark.parametrize("case", CASES)
def test_a_small_file_gives_the_records_of_memory(spark: Spark, tmp_path: Path, case: str) -> None:
    content, choices, _, expected = CASES[case]
    compare(spark.table, file_of(tmp_path, content), choices, expected)


@pytest.mark.parametrize("case", BAD)
def test_what_memory_refuses_spark_refuses(spark: Spark, tmp_path: Path, case: str) -> None:
    refuse(spark.table, tmp_path, *BAD[case])


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
    assert "set a column that identifies records" in str(card["non_uniform_entropy"].unavailable)


def test_missing_file(spark: Spark) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        spark.table("nowhere.parquet")


def test_more_combinations_than_the_driver_may_fetch(spark: Spark, tmp_path: Path) -> None:
    pq.write_table(pa.table({"q": [f"{number:040}" for number in range(60_000)]}), tmp_path / "many.parquet")
    with pytest.raises(InputError, match="exceed the memory of the driver"):
        metrics.score(spark.table(tmp_path / "many.parquet"), metrics.Roles(quasi_identifiers=["q"]))


def test_files_of_different_columns(spark: Spark, tmp_path: Path) -> None:
    pq.write_table(pa.table({"q": ["a"], "s": ["x"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"q": ["a"], "z": ["x"]}), tmp_path / "2.parquet")
    with pytest.raises(InputError, match=r"^2\.parquet: .*differ from 1\.parquet"):
        spark.table(tmp_path)
    with pytest.raises(InputError, match="differ"):
        spark.table(tmp_path.as_uri())


def test_missing_key_column(spark: Spark, files: tuple[Path, Path]) -> None:
    roles = metrics.Roles(quasi_identifiers=["N"], key="name")
    with pytest.raises(InputError, match=r'^anonymized\.parquet, column "name": the table has no such column'):
        metrics.score(spark.table(files[1]), roles, original=spark.table(files[0]))


def test_classes_looked_at_some_at_a_time(spark: Spark, files: tuple[Path, Path]) -> None:
    few = ("p29", "t_closeness", "recursive_cl_diversity", "reidentification_risk", "profitability", "ambiguity",
           "precision", "discernibility", "average_class_size", "population_uniqueness")  # fmt: skip
    told: list[tuple[int, int]] = []
    original, anonymized = map(spark.table, files)
    counted = metrics.score(
        anonymized,
        ROLES,
        original=original,
        hierarchies={"N": GROUPS},
        metrics=few,
        max_classes=3,
        progress=lambda done, parts: told.append((done, parts)),
    )
    assert len(told) > 2
    wanted = in_memory(files, few)
    assert differences(wanted, counted) == []
    rows = [row for table in counted.class_tables() for row in table.to_arrow().to_pylist()]
    assert list(apart(wanted.classes.to_arrow().to_pylist(), rows, "")) == []
    # What the workers held meanwhile they hold no more.
    assert spark._session.sparkContext._jsc.getPersistentRDDs().size() == 0
