"""Spark gives the figures of the same tables in memory; all of its work is done by this one process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
from metrics.engines import spark as engine
from metrics.engines.spark import Spark
from metrics.errors import InputError
from tests.engines.alike import COUNTED, apart, differences
from tests.engines.small_files import BAD, CASES, REFUSED, compare, file_of, refuse
from tests.engines.spark_tables import HIERARCHIES, in_memory
from tests.support.command_line import call

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
MASTER = "local[2]"
OF_EACH_KIND = ("k_anonymity", "t_closeness", "non_uniform_entropy", "kl_divergence", "association_change")
"""Of classes, of their sensitive values, and of values beside the original's: alone, all together, and in pairs."""
SAMPLED = ("much at once", "much else at once")
"""Files that show most of what the others show; the others are read by the slow tests."""


@pytest.fixture(scope="module")
def spark(spark_folder: Path) -> Iterator[Spark]:
    """A session."""
    with Spark(MASTER) as session:
        yield session


@pytest.mark.parametrize(
    "chosen",
    [pytest.param(OF_EACH_KIND, id="of each kind"), pytest.param(COUNTED, id="every", marks=pytest.mark.slow)],
)
def test_spark_gives_metrics_the_value_they_have_in_memory(
    spark: Spark, files: tuple[Path, Path], chosen: Sequence[str]
) -> None:
    roles = metrics.Roles(quasi_identifiers=["N", "n"], sensitive=["count"], key="id")
    original, anonymized = map(spark.table, files)
    found = metrics.score(anonymized, roles, original=original, hierarchies=HIERARCHIES, metrics=chosen)
    wanted = in_memory(files, roles, chosen)
    assert sum(score.value is not None for score in wanted) >= min(len(chosen), 21)
    assert differences(wanted, found) == []


def test_spark_frames_judged_in_parts_without_a_key_score_as_in_memory(spark: Spark, files: tuple[Path, Path]) -> None:
    roles = metrics.Roles(quasi_identifiers=["N"], sensitive=["count"])
    few = ("p29", "t_closeness", "reidentification_risk", "profitability", "k_anonymity")
    wanted = metrics.score(metrics.read_table(files[1]), roles, metrics=few)
    reports: list[tuple[int, int]] = []
    original, anonymized = (spark._session.read.parquet(str(path)) for path in files)
    found = metrics.score(
        anonymized,
        roles,
        original=original,
        metrics=[*few, "non_uniform_entropy"],
        max_classes=1,
        progress=lambda done, parts: reports.append((done, parts)),
    )
    assert reports == [(0, 3), (1, 3), (2, 3), (3, 3)]
    for identifier in few:
        assert list(apart(wanted[identifier].to_dict(), found[identifier].to_dict(), identifier)) == []
    assert "set a column that identifies records" in str(found["non_uniform_entropy"].unavailable)
    rows = [row for table in found.class_tables() for row in table.to_arrow().to_pylist()]
    assert list(apart(wanted.classes.to_arrow().to_pylist(), rows, "")) == []
    # What the workers held meanwhile they hold no more.
    assert spark._session.sparkContext._jsc.getPersistentRDDs().size() == 0


@pytest.mark.parametrize(
    "case",
    [
        case if case in SAMPLED or in_spark == REFUSED else pytest.param(case, marks=pytest.mark.slow)
        for case, (*_, in_spark) in CASES.items()
    ],
)
def test_a_small_file_gives_the_records_of_memory(spark: Spark, tmp_path: Path, case: str) -> None:
    content, choices, _, expected = CASES[case]
    compare(spark.table, file_of(tmp_path, content), choices, expected)


@pytest.mark.parametrize("case", BAD)
def test_spark_refuses_every_file_that_is_refused_in_memory(spark: Spark, tmp_path: Path, case: str) -> None:
    refuse(spark.table, tmp_path, *BAD[case])


def test_spark_refuses_a_file_that_does_not_exist(spark: Spark) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        spark.table("nowhere.parquet")


def test_more_combinations_than_the_driver_can_hold_are_refused(spark: Spark, tmp_path: Path) -> None:
    pq.write_table(pa.table({"q": [f"{number:0500}" for number in range(5_000)]}), tmp_path / "many.parquet")
    with pytest.raises(InputError, match="exceed the memory of the driver"):
        metrics.score(spark.table(tmp_path / "many.parquet"), metrics.Roles(quasi_identifiers=["q"]))


def test_spark_refuses_a_folder_of_files_with_different_columns(spark: Spark, tmp_path: Path) -> None:
    pq.write_table(pa.table({"q": ["a"], "s": ["x"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"q": ["a"], "z": ["x"]}), tmp_path / "2.parquet")
    with pytest.raises(InputError, match=r"^2\.parquet: .*differ from 1\.parquet"):
        spark.table(tmp_path)
    with pytest.raises(InputError, match="differ"):
        spark.table(tmp_path.as_uri())


def test_a_cluster_without_a_free_worker_is_reported(spark: Spark, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_EXECUTOR_TIMEOUT_SECONDS", -1.0)
    closed: list[Spark] = []
    monkeypatch.setattr(Spark, "close", lambda session: closed.append(session))
    with pytest.raises(InputError, match="no worker of the Spark cluster started in time"):
        spark._await_executor()
    assert closed == [spark]


def test_a_cluster_that_does_not_answer_is_reported_in_one_line(
    java: None, files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [N, n]\nsensitive: [s]\n")
    inputs = ("score", "--engine", "spark", "--anonymized", files[1], "--roles", tmp_path / "roles.yaml")
    unreachable = call(capfd, *inputs, "--master", "spark://127.0.0.1:9")
    assert (unreachable.status, unreachable.err.count("\n")) == (2, 1)
    assert "the Spark cluster cannot be reached" in unreachable.err


def test_the_command_with_local_spark_prints_the_scores_of_the_command_in_memory(
    spark: Spark, files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # The last test: the command takes over the session, and ends it.
    (tmp_path / "roles.yaml").write_text("quasi_identifiers: [N, n]\nsensitive: [s]\n")
    inputs = ("score", "--anonymized", files[1], "--roles", tmp_path / "roles.yaml", "--metrics", "k_anonymity")
    wanted = call(capfd, *inputs, "--json")
    done = call(capfd, *inputs, "--json", "--engine", "spark", "--master", MASTER)
    assert (done.status, done.err) == (0, "")
    assert done.object["metrics"]["k_anonymity"] == wanted.object["metrics"]["k_anonymity"]
