"""The verdict lists the classes that the page of classes lists first, and what most of their records have."""

import metrics
from metrics import Roles
from metrics.explanations.worst_groups import worst_groups
from tests.support.small_tables import table

TABLE = table(
    {
        "age": ["20", "30", "30", "40", "40", "40", "50", "50", "50", "50"],
        "illness": ["flu", "flu", "flu", "flu", "cold", "gout", "flu", "cold", "cold", "cold"],
    }
)


def test_classes_that_fail_most_limits_come_first_and_reveal_their_most_frequent_value() -> None:
    card = metrics.score(TABLE, Roles(["age"], ["illness"]))
    found = worst_groups(card, {"k_anonymity": 3, "distinct_l_diversity": 2}, count=3)
    assert [(one.labels["age"], one.size) for one in found] == [("20", 1), ("30", 2), ("50", 4)]
    assert found[0].revealed == {"illness": ("flu", 1.0)}
    assert found[2].revealed["illness"][1] == 3 / 4
    assert [one.labels["age"] for one in worst_groups(card, {}, count=2)] == ["20", "30"]


def test_without_a_sensitive_attribute_nothing_is_revealed() -> None:
    (first, *_) = worst_groups(metrics.score(TABLE, Roles(["age"])), {})
    assert first.revealed == {}
