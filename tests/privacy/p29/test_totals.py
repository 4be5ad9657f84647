"""What classes come to in P_29: parts of the classes, merged, come to the same as all of them."""

from dataclasses import replace
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.metric import merged as merged_totals
from metrics.privacy.p29.measure import P29Components
from metrics.privacy.p29.totals import DistanceTotals, P29Totals

CLASSES = st.lists(
    st.tuples(st.integers(1, 9), st.floats(0, 1), st.floats(0, 1), st.integers(0, 2)), min_size=1, max_size=12
)
"""By class: its records, l, t, and the part it is in."""


def totals(classes: list[tuple[int, float, float, int]]) -> P29Totals:
    """What these classes come to."""
    sizes, entropy, distance, _ = (np.array(of) for of in zip(*classes, strict=True))
    return P29Components(sizes, {"ill": entropy}, {"ill": distance}).totals


@given(CLASSES)
def test_merged_parts_come_to_the_same_as_all_classes(classes: list[tuple[int, float, float, int]]) -> None:
    parts = [totals(of) for part in range(3) if (of := [one for one in classes if one[3] == part])]
    merged, whole = reduce(merged_totals, parts), totals(classes)
    assert merged.classes == whole.classes == len(classes)
    assert merged.k_min == whole.k_min
    assert merged.entropy["ill"].mean == pytest.approx(whole.entropy["ill"].mean)
    assert merged.entropy["ill"].smallest == whole.entropy["ill"].smallest
    assert merged.distance["ill"].mean_normalized == pytest.approx(whole.distance["ill"].mean_normalized, abs=1e-9)


def test_violations_of_parts_add_up() -> None:
    part = totals([(2, 0.5, 0.1, 0)])
    parts = [
        replace(part, violating_classes=1, violating_records=2, violating_by_condition={"k": 1, "l": 0, "t": 1}),
        replace(part, violating_classes=3, violating_records=9, violating_by_condition={"k": 0, "l": 2, "t": 1}),
    ]
    merged = reduce(merged_totals, parts)
    assert (merged.violating_classes, merged.violating_records) == (4, 11)
    assert merged.violating_by_condition == {"k": 1, "l": 2, "t": 2}


def test_the_normalized_mean_of_equal_distances_is_0() -> None:
    assert DistanceTotals(3, 0.5, 0.5, 0.0).mean_normalized == 0
