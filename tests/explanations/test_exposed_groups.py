"""Every exposed person is in one group, and a group is described by what is more frequent in it than in all."""

from dataclasses import replace

import metrics
from metrics import Hierarchy, Roles
from metrics.explanations.exposed_groups import exposed_groups
from metrics.explanations.findings import said
from metrics.metric import FindingKind
from metrics.tables.randomization import Sampling
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


def test_of_a_secret_sample_a_single_value_holds_only_for_those_whose_records_are_in_it() -> None:
    original = table({"age": ["20", "21", "22", "23", "24", "30"], "ill": ["flu", "flu", "flu", "cold", "cold", "flu"]})
    released = table({"age": ["20s"] * 3, "ill": ["flu"] * 3})
    sample, roles = replace(released, sampled=Sampling(1, 0.1, 0.6, 3)), Roles(["age"], ["ill"])
    decades = {"age": Hierarchy([[str(age), f"{age // 10}0s"] for age in range(20, 40)])}
    card = metrics.score(sample, roles, original=original, hierarchies=decades)
    sentence = "All 3 published records in 1 class have the same ill within their class."
    known = f"{sentence} Of everybody who fits these classes, published or not, 60% have it."
    assert said(card, FindingKind.ATTRIBUTE_DISCLOSURE) == known
    assert [group.finding for group in exposed_groups(card, {})] == [known]
    assert said(card, FindingKind.LOST_RECORDS) == (
        "3 of 6 records were left out (not sampled, or in classes below k)."
    )
    alone = metrics.score(sample, roles)
    assert said(alone, FindingKind.ATTRIBUTE_DISCLOSURE) == f"{sentence} Others who fit these classes may have another."
    for false in (replace(released, sampled=Sampling(1, 0.1, 0.6, 4)), released):  # of a class too small for SafePub
        assert "reveals ill" in said(metrics.score(false, roles), FindingKind.ATTRIBUTE_DISCLOSURE)
