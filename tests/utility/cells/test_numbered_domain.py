"""What anonymized values cover."""

import numpy as np

from metrics import Hierarchy, Roles
from metrics.aggregates import TableAggregates
from metrics.utility.cells.numbered_domain import NumberedDomain, numbered_domain_of
from tests.support.small_tables import Cells, table
from tests.utility.domains import WORDS


def column(before: Cells, after: Cells, hierarchy: Hierarchy | None = None) -> NumberedDomain:
    aggregates = TableAggregates(
        table({"q": after}), Roles(quasi_identifiers=["q"]), table({"q": before}), {"q": hierarchy} if hierarchy else {}
    )
    return numbered_domain_of(aggregates, "q")


def covers(of: NumberedDomain) -> list[set[int]]:
    """Per anonymized value, its elements."""
    return [
        set() if group < 0 else set(np.flatnonzero(of.groups[group] == code).tolist())
        for code, group in enumerate(of.group_of)
    ]


def test_a_label_covers_the_leaves_under_it() -> None:
    of = column(["a", "b", "c", "a"], ["AB", "b", "*", "CD"], WORDS)
    assert covers(of) == [{0, 1}, {1}, {0, 1, 2, 3}, {2, 3}]
    assert of.element.tolist() == [0, 1, 2]
    assert of.after(np.array([1, 1, 1, 1])).tolist() == [0.75, 1.75, 0.75, 0.75]


def test_a_label_on_two_levels_covers_the_leaves_of_both() -> None:
    twice = Hierarchy([["1", "5", "*"], ["5", "9", "*"], ["9", "9", "*"]])
    assert covers(column(["1", "5", "9"], ["5", "5", "9"], twice)) == [{0, 1}, {1, 2}]


def test_an_interval_covers_whole_numbers_however_they_are_written() -> None:
    of = column(["1", "1.0", "4", "2"], ["1", "01.0", "3-4", "*"])
    assert of.coverage.rule == "original values"
    of = column(["1", "1.0", "4", "2"], ["1.0", "1", "[3-5)", "*"])
    assert of.coverage.rule == "integers"
    assert of.element.tolist() == [0, 0, 3, 1]
    assert covers(of) == [{0}, {0}, {2, 3}, {0, 1, 2, 3}]


def test_a_vast_range_consists_of_the_numbers_that_occur() -> None:
    of = column(["0", "1000000000", "5"], ["0-999999999", "1000000000", "0-9"])
    assert (of.elements, of.coverage.size) == (3, 10**9 + 1)
    assert covers(of) == [{0, 1}, {2}, {0, 1}]


def test_masks_intervals_and_labels_are_recognized_by_what_they_replaced() -> None:
    of = column(["4760", "4761", "4801", "x"], ["476*", "476*", "48**", "last"])
    assert covers(of) == [{0, 1}, {2}, {3}]
    of = column(["1.5", "2.5", "7"], ["1-3", "1-3", ">=5"])
    assert covers(of) == [{0, 1}, {2}]
