"""Labels read as numbers: the bounds between which they lie, and which columns are numeric."""

import numpy as np

from metrics import Hierarchy
from metrics.hierarchies.numerals import bounds, is_numeric
from tests.support.small_tables import Cells, table


def read(cells: Cells, original: Cells = ("10", "90"), hierarchy: Hierarchy | None = None) -> list[tuple[float, float]]:
    of = bounds(table({"q": cells})["q"], table({"q": original})["q"], hierarchy)
    return list(zip(of.low.tolist(), of.high.tolist(), strict=True))


def test_labels_count_as_the_numbers_between_their_bounds() -> None:
    assert read(["5", "-1.5e1", "20-29", "[30, 40)", "<=40", ">40", "4**", "-4*"]) == [
        (5, 5),
        (-15, -15),
        (20, 29),
        (30, 40),
        (10, 40),
        (40, 90),
        (400, 499),
        (-49, -40),
    ]
    assert read([">100", "<5"]) == [(100, 100), (5, 5)]
    assert np.isnan(read(["*", "", None, "old", "00123", "0012*", "4*x"])).all()
    young = Hierarchy([["18", "young", "*"], ["25", "young", "*"], ["70", "old", "*"], ["x", "old", "*"]])
    assert read(["young", "18"], hierarchy=young) == [(18, 25), (18, 18)]
    assert np.isnan(read(["old", "*"], hierarchy=young)).all()


def test_a_column_is_numeric_if_all_its_values_except_missing_ones_are_numbers() -> None:
    assert is_numeric(table({"q": ["1", None, "*", "", "2.5"]})["q"])
    for cells in (["1", "a"], ["00123", "5"], [None, ""], ["*"], []):
        assert not is_numeric(table({"q": cells})["q"])
