"""Metrics computed from some classes at a time equal those of all, and the worst classes are listed."""

import numpy as np
import polars as pl
import pytest

import metrics
from metrics.aggregates import TableAggregates
from metrics.engines import table_of
from metrics.errors import Unavailable
from metrics.metric import Severity
from metrics.scoring import by_partition
from metrics.scoring.by_partition import examine_by_partition
from metrics.scoring.catalog import BY_ID
from metrics.tables.table import Table

ROLES = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness"])
METRICS = [BY_ID[name] for name in ("distinct_l_diversity", "entropy_l_diversity", "t_closeness")]


def frame(records: int = 200) -> pl.DataFrame:
    random = np.random.default_rng(4)
    return pl.DataFrame(
        {
            "age": random.integers(20, 50, records).astype(str),
            "sex": random.choice(["f", "m"], records),
            "illness": random.choice(["flu", "cold", "cough"], records),
        }
    )


def in_parts(content: pl.DataFrame, most: int) -> TableAggregates:
    return TableAggregates(table_of(content.lazy(), "anonymized"), ROLES, max_classes=most)


def in_memory(content: pl.DataFrame) -> TableAggregates:
    whole = table_of(content, "anonymized")
    assert isinstance(whole, Table)
    return TableAggregates(whole, ROLES)


@pytest.mark.parametrize("most", [20, 100])
def test_results_are_those_of_all_classes_whatever_is_listed(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_partition, "LISTED_CLASSES", 3)
    listed = examine_by_partition(in_parts(frame(), most), METRICS, metrics.Parameters())
    card = metrics.score(frame(), ROLES)
    for metric in METRICS:
        result = metric.compute(listed, metrics.Parameters())
        assert result.value == pytest.approx(card[metric.id].value)
        assert result.details() == card[metric.id].details


def test_the_worst_classes_are_listed_whatever_part_they_are_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_partition, "LISTED_CLASSES", 5)
    listed = examine_by_partition(in_parts(frame(), 20), METRICS, metrics.Parameters())
    sizes = in_memory(frame()).classes.sizes
    assert sorted(listed.classes.sizes.tolist()) == sorted(sizes.tolist())[:5]


def test_progress_is_told_for_every_part_and_ends_with_all() -> None:
    reports: list[tuple[int, int]] = []
    examine_by_partition(
        in_parts(frame(), 20), METRICS, metrics.Parameters(), lambda done, of: reports.append((done, of))
    )
    number = reports[0][1]
    assert number > 1
    assert reports == [(done, number) for done in range(number + 1)]


def test_a_metric_that_is_unavailable_says_why_and_the_others_have_results() -> None:
    known = metrics.Parameters().with_settings({"t_closeness.distance.illness": "ordered"})
    listed = examine_by_partition(in_parts(frame(), 20), METRICS, known)
    with pytest.raises(Unavailable, match="illness"):
        BY_ID["t_closeness"].compute(listed, known)
    assert BY_ID["distinct_l_diversity"].compute(listed, known).value == 1


def test_class_sizes_are_counted_along_the_way() -> None:
    aggregates = in_parts(frame(), 20)
    examine_by_partition(aggregates, METRICS, metrics.Parameters())
    expected = in_memory(frame()).class_sizes
    found = aggregates.class_sizes
    assert (found.sizes.tolist(), found.counts.tolist()) == (expected.sizes.tolist(), expected.counts.tolist())


@pytest.mark.parametrize("known", [False, True], ids=["sensitive values unknown", "the others known"])
def test_the_verdict_on_revealed_values_counts_the_records_of_all_parts(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_partition, "LISTED_CLASSES", 3)
    parameters = metrics.Parameters().with_settings({"sensitive.others_as_quasi_identifiers": known})
    content = frame(90).with_columns(pl.Series("ward", ["a", "b", "c"] * 30))
    roles = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness", "ward"])
    parts, whole = (
        metrics.score(data, roles, parameters=parameters, max_classes=20) for data in (content.lazy(), content)
    )
    assert parts.aggregates.is_partitioned
    assert parts.listed is not None
    finding = BY_ID["distinct_l_diversity"].finding
    assert finding is not None
    of_parts, of_whole = (finding(card["distinct_l_diversity"].result, card.aggregates) for card in (parts, whole))
    assert of_parts == of_whole
    assert of_parts is not None
    assert of_parts.severity is Severity.RISK
