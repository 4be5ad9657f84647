"""A Spark cluster of several processes: the figures of memory, and a worker that is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import metrics
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
