"""ARX's three squared errors: by hand on the positions of values in a hierarchy, and where there is no figure."""

import pytest

from metrics import Hierarchy, Roles
from metrics.aggregates import TableAggregates
from metrics.utility.arx_squared_error import ArxSquaredError, arx_squared_error, positions
from tests.support.small_tables import Cells, table

GRADES = Hierarchy([["low", "below", "*"], ["medium", "below", "*"], ["high", "above", "*"], ["top", "above", "*"]])


def of_grades(before: Cells, after: Cells, hierarchy: Hierarchy | None = GRADES) -> ArxSquaredError | None:
    given = {"grade": hierarchy} if hierarchy else {}
    aggregates = TableAggregates(
        table({"grade": after}), Roles(quasi_identifiers=["grade"]), table({"grade": before}), given
    )
    return arx_squared_error({"grade": aggregates.comparison.pair("grade")}, aggregates.hierarchies)


def test_a_label_spans_the_rows_of_the_hierarchy_under_it() -> None:
    found = positions(table({"grade": ["low", "above", "*"]})["grade"], GRADES)
    assert found is not None
    assert dict(zip(["low", "above", "*"], zip(found.low.tolist(), found.high.tolist(), strict=True), strict=True)) == {
        "low": (0, 0),
        "above": (2, 3),
        "*": (0, 3),
    }


def test_the_errors_of_a_generalized_and_a_kept_grade_equal_those_by_hand() -> None:
    found = of_grades(["low", "top"], ["below", "top"])
    assert found is not None
    # low is 0 and becomes 0 to 1, whose middle is 1/2; top stays 3. The centroid of 0 and 3 is 3/2.
    assert (found.sse_sst.raw, found.sse_sst.largest) == (1 / 4, 1**2 + (3 / 2) ** 2)
    # The farther end is 1 away from low; at most it would be 3 away from either.
    assert (found.by_column["grade"].raw, found.by_column["grade"].largest) == (1, 9 + 9)
    # The same in standard deviations of 3/2, on average over both records.
    assert found.record_level is not None
    assert found.record_level.raw == pytest.approx((1 / 1.5) / 2)
    assert found.record_level.score == pytest.approx(1 - 1 / 6)


def test_an_unchanged_column_loses_nothing() -> None:
    found = of_grades(["low", "medium", "top"], ["low", "medium", "top"])
    assert found is not None
    assert found.record_level is not None
    assert (found.sse_sst.score, found.by_column["grade"].score, found.record_level.score) == (1, 1, 1)


def test_without_a_hierarchy_that_holds_every_value_there_is_no_figure() -> None:
    assert of_grades(["low", "top"], ["below", "top"], None) is None
    assert of_grades(["low", "top"], ["middling", "top"]) is None
    assert of_grades(["low", "unheard-of"], ["below", "top"]) is None


def test_errors_computed_record_by_record_equal_those_by_value(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ["low", "medium", "high", "top", "low"], ["below", "below", "*", "top", "low"]
    by_value = of_grades(*cells)
    monkeypatch.setattr("metrics.utility.arx_squared_error._MAX_CELLS", 0)
    by_record = of_grades(*cells)
    assert by_value is not None
    assert by_record is not None
    assert by_record.record_level == by_value.record_level
