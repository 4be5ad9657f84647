"""Filtering and ordering classes against the rows of the class table."""

import numpy as np
import pytest

import metrics
from metrics.scoring.class_filter import (
    FARTHEST,
    LARGEST_SHARE,
    QUASI_IDENTIFIERS,
    SIZE,
    ClassFilter,
    Violation,
    failing_by_limit,
    limits_failed,
    matching_classes,
    measures,
    named_failures,
    ordered_classes,
    worst_first,
)
from metrics.scoring.class_table import ClassTable
from tests.support.small_tables import table, written

TABLE = """
age   sex  illness  stay
20-29 f    flu      1
20-29 f    flu      2
20-29 m    cold     1
30-39 f    flu      3
30-39 f    cold     1
30-39 f    cough    9
-     m    flu      1
-     m    cold     2
"""


@pytest.fixture
def classes() -> ClassTable:
    roles = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness", "stay"])
    return metrics.score(written(TABLE), roles).classes


def rows(table: ClassTable, wanted: ClassFilter) -> list[tuple[str | None, str]]:
    found = table.to_arrow(matching_classes(table, wanted)).to_pylist()
    return [(row["age"], row["sex"]) for row in found]


def test_without_conditions_every_class_is_there(classes: ClassTable) -> None:
    assert rows(classes, ClassFilter()) == [(None, "m"), ("20-29", "f"), ("20-29", "m"), ("30-39", "f")]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (ClassFilter(values={"sex": frozenset({"m"})}), [(None, "m"), ("20-29", "m")]),
        (ClassFilter(values={"age": frozenset({None, "30-39"})}), [(None, "m"), ("30-39", "f")]),
        (ClassFilter(values={"age": frozenset()}), [(None, "m"), ("20-29", "f"), ("20-29", "m"), ("30-39", "f")]),
        (ClassFilter(ranges={SIZE: (2, 2)}), [(None, "m"), ("20-29", "f")]),
        (ClassFilter(ranges={"illness.distinct": (3, 9)}), [("30-39", "f")]),
        (
            ClassFilter(ranges={"no such measure": (3, 9)}, values={"sex": frozenset({"m"})}),
            [(None, "m"), ("20-29", "m")],
        ),
        (ClassFilter(violation=Violation.LIMIT, limits={"k_anonymity": 2}), [("20-29", "m")]),
        (
            ClassFilter(
                violation=Violation.LIMIT, limits={"k_anonymity": 2, "t_closeness": 0.0}, reasons=["k_anonymity"]
            ),
            [("20-29", "m")],
        ),
        (ClassFilter(violation=Violation.P_29), [("20-29", "f"), ("20-29", "m")]),
    ],
)
def test_a_filter_keeps_the_classes_that_meet_all_its_conditions(
    classes: ClassTable, wanted: ClassFilter, expected: list[tuple[str | None, str]]
) -> None:
    assert rows(classes, wanted) == expected


def test_filtering_by_t_keeps_the_classes_whose_distance_exceeds_it(classes: ClassTable) -> None:
    distance = np.maximum(classes.t["illness"], classes.t["stay"])
    for limit in (0.0, 0.2, float(distance[1]), 0.6, 1.0):
        found = matching_classes(classes, ClassFilter(violation=Violation.LIMIT, limits={"t_closeness": limit}))
        assert found.tolist() == np.flatnonzero(distance > limit).tolist()


@pytest.mark.parametrize("descending", [False, True])
def test_classes_are_sorted_by_any_measure_in_both_directions(classes: ClassTable, descending: bool) -> None:
    everything = np.arange(len(classes))
    for name, figures in measures(classes).items():
        found = figures[ordered_classes(classes, everything, name, descending)]
        assert found.tolist() == sorted(figures.tolist(), reverse=descending)
    kept = ordered_classes(classes, everything, QUASI_IDENTIFIERS, descending).tolist()
    assert kept == sorted(everything.tolist(), reverse=descending)


def test_each_class_is_listed_under_the_limits_that_it_fails(classes: ClassTable) -> None:
    limits = {"k_anonymity": 3, "distinct_l_diversity": 2, "t_closeness": 1.0, "ambiguity": 2}
    assert {name: flags.tolist() for name, flags in failing_by_limit(classes, limits).items()} == {
        "k_anonymity": [True, True, True, False],
        "distinct_l_diversity": [False, True, True, False],
        "t_closeness": [False] * 4,
    }


def test_the_highest_risk_is_not_named_beside_a_limit_on_k_that_says_the_same(classes: ClassTable) -> None:
    assert list(named_failures(classes, {"k_anonymity": 3, "reidentification_risk": 0.4})) == ["k_anonymity"]
    both = {"k_anonymity": 2, "reidentification_risk": 0.4}
    assert list(named_failures(classes, both)) == list(both)
    assert list(named_failures(classes, {"reidentification_risk": 0.4})) == ["reidentification_risk"]


def test_the_worst_class_is_not_the_smallest_but_the_one_that_fails_most_and_is_farthest() -> None:
    sizes = {"a": "xx", "b": "yyy", "c": "xxy", "d": "xxxxxxxyyy", "e": "z"}
    cells = [(name, value) for name, values in sizes.items() for value in values]
    roles = metrics.Roles(quasi_identifiers=["q"], sensitive=["s"])
    made = table({"q": [name for name, _ in cells], "s": [value for _, value in cells]})
    classes = metrics.score(made, roles).classes
    limits = {"k_anonymity": 3, "reidentification_risk": 1 / 3, "distinct_l_diversity": 2, "t_closeness": 0.4}

    def ordered(*names: str) -> str:
        chosen = {name: limits[name] for name in names}
        index = worst_first(classes, np.arange(len(classes)), chosen)
        return "".join(str(classes.classes.labels(int(i))["q"]) for i in index)

    # All of one value: the farther from the table, the worse; the sizes are 1, 3, 2.
    assert ordered("distinct_l_diversity")[:3] == "eba"
    # k = 3 and a risk of 1/3 are one limit.
    assert ordered("k_anonymity", "reidentification_risk", "t_closeness", "distinct_l_diversity")[:3] == "eab"
    assert limits_failed(classes, limits).tolist() == [3, 2, 0, 0, 3]


def test_measures_are_those_of_the_class_table(classes: ClassTable) -> None:
    arrow = classes.to_arrow()
    found = measures(classes)
    assert set(found) == {name for name in arrow.column_names if "." in name} | {SIZE, LARGEST_SHARE, FARTHEST, "risk"}
    for name in set(found) - {LARGEST_SHARE, FARTHEST}:
        assert arrow[name].to_pylist() == pytest.approx(found[name].tolist())
