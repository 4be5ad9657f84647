"""The hierarchy that a pair of tables shows of itself."""

import pytest

from metrics import Hierarchy, Roles, score
from metrics.errors import Unavailable
from metrics.hierarchies.implied import implied_hierarchy
from metrics.matching.records import match_records
from metrics.tables.matching_rule import MatchingRule
from tests.support.small_tables import Cells, table


def implied(before: Cells, after: Cells) -> Hierarchy:
    original, anonymized = table({"q": before}), table({"q": after})
    matching = match_records(original, anonymized, MatchingRule())
    return implied_hierarchy(matching.count_pair("q"))


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        (["a", "b"], ["a", "b"], {("a", "a", "*"), ("b", "b", "*")}),
        (["a", "b", "a"], ["A", "*", "*"], {("a", "A", "*"), ("b", "b", "*")}),
        (["a", "b", "a"], ["A", "A", "a"], {("a", "A", "*"), ("b", "A", "*")}),
        (["", "b"], ["*", ""], {("", "", "*"), ("b", "b", "*")}),
        (["a", "b"], ["b", "a"], {("a", "a", "*"), ("b", "b", "*")}),
        (["a", None], ["A", "A"], {("a", "A", "*"), ("", "A", "*")}),
    ],
)
def test_the_implied_hierarchy_maps_each_value_to_its_generalization(
    before: Cells, after: Cells, rows: set[tuple[str, ...]]
) -> None:
    assert set(implied(before, after).rows) == rows


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (["a", "a"], ["A", "B"], "one of its values was generalized in two ways"),
        (["a", "b"], ["A", None], "has blank cells where the original has none"),
        (["a", "b"], ["A", ""], "has blank cells where the original has none"),
    ],
)
def test_tables_that_imply_no_hierarchy_are_reported_with_the_reason(before: Cells, after: Cells, reason: str) -> None:
    with pytest.raises(Unavailable, match=reason):
        implied(before, after)


def test_the_worked_example_needs_no_hierarchy() -> None:
    found = score(
        table({"born": ["197*", "198*", "198*", "198*"]}),
        Roles(quasi_identifiers=["born"]),
        original=table({"born": ["1970", "1981", "1983", "1988"]}),
    )["non_uniform_entropy"]
    assert found.value == pytest.approx(0.4056, abs=5e-5)
    assert found.details["loss_by_level"] == {"born": {"1": pytest.approx(4.7549, abs=5e-5)}}
    assert found.details["perturbed_cells"] == {"born": 0}


def test_cells_that_the_hierarchy_cannot_explain_are_counted_as_perturbed() -> None:
    hierarchy = Hierarchy([["35", "3*"], ["39", "3*"], ["48", "4*"]])
    before, after = ["35", "39", "39", "48", "48"], ["35", "35", "4*", "4*", "*"]
    found = score(
        table({"age": [*before, *["35"] * 196]}),
        Roles(quasi_identifiers=["age"]),
        original=table({"age": [*before, *["35"] * 196]}),
        hierarchies={"age": hierarchy},
    )
    assert found["non_uniform_entropy"].details["perturbed_cells"] == {"age": 0}
    found = score(
        table({"age": [*after, *["35"] * 196]}),
        Roles(quasi_identifiers=["age"]),
        original=table({"age": [*before, *["35"] * 196]}),
        hierarchies={"age": hierarchy},
    )
    assert found["non_uniform_entropy"].details["perturbed_cells"] == {"age": 2}
    assert found["non_uniform_entropy"].details["ambiguous_labels"] == {}
