"""Groups by some of the quasi-identifiers: more combinations than 64 bits number, and more subsets than are counted."""

from metrics.privacy.classes.column_subsets import SubsetCounts
from tests.privacy.subsets import IDS, scored
from tests.support.small_tables import Cells


def test_groups_of_more_combinations_than_64_bits_can_number_are_the_classes() -> None:
    columns: dict[str, Cells] = {f"q{i}": [f"v{(i * j) % 97}" for j in range(400)] for i in range(1, 24)}
    card = scored(columns, **{"quasi_identifier_ranking.max_columns": 1, "minimal_sample_uniques.max_columns": 1})
    names = list(columns)
    group, totals = SubsetCounts(card.aggregates.classes).groups(range(len(names)))
    assert len(set(group.tolist())) == card.aggregates.classes.count
    assert totals.sum() == 400
    assert totals[group].tolist() == card.aggregates.classes.sizes.tolist()


def test_groups_by_one_of_two_columns_equal_those_by_hand() -> None:
    card = scored({"q": ["a", "a", "b", "b", "b"], "r": ["x", "y", "x", "x", "y"]})
    classes = card.aggregates.classes
    group, totals = SubsetCounts(classes).groups([0])
    assert {classes.labels(at)["q"]: int(totals[group[at]]) for at in range(classes.count)} == {"a": 2, "b": 3}
    group, totals = SubsetCounts(classes).groups([1])
    assert {classes.labels(at)["r"]: int(totals[group[at]]) for at in range(classes.count)} == {"x": 3, "y": 2}


def test_too_many_subsets_are_refused() -> None:
    card = scored(
        {f"q{i}": ["a", "b"] for i in range(60)},
        **{"minimal_sample_uniques.max_columns": 5, "quasi_identifier_ranking.max_columns": 5},
    )
    for name in IDS[1:]:
        reason = card[name].unavailable
        assert reason is not None
        assert f"set {name}.max_columns lower" in reason
