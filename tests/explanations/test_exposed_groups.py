"""Every exposed person is in one group, and a group is described by what is more frequent in it than in all."""

import metrics
from metrics import Roles
from metrics.explanations.exposed_groups import exposed_groups
from tests.support.small_tables import table

TABLE = table(
    {
        "age": ["20", "30", "30", "40", "40", "40", "50", "50", "50", "50"],
        "illness": ["flu", "flu", "flu", "flu", "cold", "gout", "flu", "cold", "cold", "cold"],
    }
)


def test_people_alone_are_told_from_those_whose_value_is_certain_and_from_those_who_fail_another_limit() -> None:
    card = metrics.score(TABLE, Roles(["age"], ["illness"]))
    alone, revealed, failing = exposed_groups(card, {"k_anonymity": 4})
    assert (alone.finding, alone.worst) == ("1 person is alone in their class", 0)
    assert (revealed.finding, revealed.worst) == ("2 other people are in classes with a single illness", 1)
    assert (failing.finding, failing.worst) == ("3 other people are in classes that fail a limit", 2)
    (typical,) = failing.typical
    assert (typical.column, typical.label, typical.share, typical.overall) == ("age", "40", 1.0, 0.3)


def test_where_nobody_is_exposed_the_smallest_class_is_shown() -> None:
    records = table({"age": ["20", "20", "30", "30", "30"], "illness": ["flu", "cold", "flu", "cold", "cold"]})
    (only,) = exposed_groups(metrics.score(records, Roles(["age"], ["illness"])), {})
    assert only.finding.endswith("the smallest class has 2 records")
    assert only.worst == 0
    (without,) = exposed_groups(metrics.score(records, Roles(["age"])), {})
    assert without == only
