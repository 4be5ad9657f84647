"""Aggregates of a whole table: which class each record is in."""

from metrics import Roles
from metrics.aggregates import TableAggregates
from tests.support.small_tables import written


def test_each_record_knows_its_class() -> None:
    aggregates = TableAggregates(written("q\nb\n*\na\nb\n*"), Roles(quasi_identifiers=["q"]))
    numbers = aggregates.class_of_record()
    assert [None if i < 0 else aggregates.classes.labels(int(i))["q"] for i in numbers] == ["b", None, "a", "b", None]
