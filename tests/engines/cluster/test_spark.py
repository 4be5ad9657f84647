"""A Spark cluster of several processes: the figures of memory, what it shuffles, and a worker that is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import narwhals as nw
import pytest

import metrics
from metrics.engines.backend import GenericBackend
from metrics.engines.cost import cluster_cost, measured_counts
from metrics.engines.lazy import LazyTable
from metrics.engines.spark import Spark
from tests.engines.alike import COUNTED, apart, differences
from tests.engines.conftest import Cluster, end
from tests.engines.spark_tables import HIERARCHIES, in_memory
from tests.support.command_line import call

pytestmark = [
    # A master and two workers are five processes of Java; tests/engines/test_spark.py has the same figures from one.
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
ROLES = metrics.Roles(quasi_identifiers=["N", "n"], sensitive=["count", "s"], key="id")


@dataclass
class Watch:
    """Who is told whenever a count begins."""

    begun: Callable[[], None] = lambda: None


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def spark(cluster: Cluster, watch: Watch) -> Iterator[Spark]:
    """A session of the cluster."""
    with Spark(cluster.master, progress=lambda asked: watch.begun()) as session:
        yield session


def test_the_command_with_a_spark_cluster_prints_the_scores_of_the_command_in_memory(
    cluster: Cluster, files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # Before any session of these tests takes the cluster's cores.
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [N, n]\nsensitive: [s]\n")
    inputs = ("score", "--anonymized", files[1], "--roles", tmp_path / "roles.yaml", "--metrics", "k_anonymity")
    wanted = call(capfd, *inputs, "--json")
    done = call(capfd, *inputs, "--json", "--engine", "spark", "--master", cluster.master)
    assert (done.status, done.err) == (0, "")
    assert done.object["metrics"]["k_anonymity"] == wanted.object["metrics"]["k_anonymity"]


def test_a_spark_cluster_gives_every_metric_the_value_it_has_in_memory(spark: Spark, files: tuple[Path, Path]) -> None:
    wanted = in_memory(files, ROLES, COUNTED)
    assert sum(score.value is not None for score in wanted) > 20
    frames = [spark._session.read.parquet(str(path)) for path in files]
    found = metrics.score(frames[1], ROLES, original=frames[0], hierarchies=HIERARCHIES, metrics=COUNTED)
    assert differences(wanted, found) == []


def test_a_spark_cluster_judging_in_parts_scores_as_in_memory(spark: Spark, files: tuple[Path, Path]) -> None:
    few = ("p29", "t_closeness", "recursive_cl_diversity", "reidentification_risk", "profitability", "ambiguity",
           "precision", "discernibility", "average_class_size", "population_uniqueness")  # fmt: skip
    original, anonymized = map(spark.table, files)
    found = metrics.score(anonymized, ROLES, original=original, hierarchies=HIERARCHIES, metrics=few, max_classes=3)
    wanted = in_memory(files, ROLES, few)
    assert differences(wanted, found) == []
    rows = [row for table in found.class_tables() for row in table.to_arrow().to_pylist()]
    assert list(apart(wanted.classes.to_arrow().to_pylist(), rows, "")) == []
    assert spark._session.sparkContext._jsc.getPersistentRDDs().size() == 0


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
    of = measured_counts(metrics.score(after, roles, original=before, metrics=[]).aggregates)
    expected = cluster_cost(of, 40_000, 8)

    engine = GenericBackend("pyspark")
    # Given, the decimal mark need not be told by some records, which go to one place for that.
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


def test_scores_are_unchanged_if_a_worker_is_killed_during_the_count(
    spark: Spark, watch: Watch, files: tuple[Path, Path], cluster: Cluster
) -> None:
    tracker = spark._session.sparkContext.statusTracker()

    def kill_at_work() -> None:
        """End the first worker with its executor as soon as a job runs."""
        while not tracker.getActiveJobsIds():
            time.sleep(0.001)
        end(cluster.workers[0])

    killer = threading.Thread(target=kill_at_work)

    def begin() -> None:
        """At the first count."""
        watch.begun = lambda: None
        killer.start()

    watch.begun = begin
    original, anonymized = map(spark.table, files)
    few = ("p29", "t_closeness", "non_uniform_entropy", "ambiguity", "profitability")
    counted = metrics.score(anonymized, ROLES, original=original, hierarchies=HIERARCHIES, metrics=few)
    killer.join()
    assert cluster.workers[0].poll() is not None
    assert differences(in_memory(files, ROLES, few), counted) == []
