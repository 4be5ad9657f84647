"""Curves of class sizes: the records up to every size, the limit where it lies, few points."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.drawing.size_curve import size_curves
from metrics.drawing.stepped import MAX_POINTS
from tests.drawing.drawn import HOSTILE, SIZES, assert_calm, read, title


@given(st.lists(SIZES, min_size=1, max_size=5), st.integers(1, 100))
def test_size_curves_hold_the_records_up_to_every_size(sizes, limit) -> None:
    named = dict(zip(HOSTILE, sizes, strict=False))
    drawn = size_curves(named, limit)
    assert_calm(drawn)
    assert drawn.layout.xaxis.type == "log"
    low, high = (10**end for end in drawn.layout.xaxis.range)
    for of_classes, line in zip(sizes, drawn.data, strict=True):
        assert low < line.x[0]
        assert line.x[-1] == pytest.approx(high)
        assert (line.y[0], line.y[-1]) == (0, 100)
        for at, share in list(zip(line.x, line.y, strict=True))[1:]:
            assert share == pytest.approx(100 * of_classes[of_classes <= at].sum() / of_classes.sum())
    if limit > 1:
        assert drawn.layout.shapes[0].x0 == limit
        assert read(drawn.layout.annotations[0].text) == f"limit k = {limit}"


def test_a_limit_is_labelled_at_its_logarithm() -> None:
    drawn = size_curves({"a": np.array([1, 1000])}, 10)
    assert drawn.layout.annotations[0].x == pytest.approx(math.log10(10))


@pytest.mark.parametrize(
    ("sizes", "finding"),
    [
        ({"a": [1, 9], "b": [5, 5]}, "b has no record in a class smaller than 5"),
        ({"a": [1, 9], "b": [5], "c": [7]}, "b and c have no record in a class smaller than 5"),
        ({"a": [1, 9], "b": [5], "c": [7], "d": [7]}, "3 versions have no record in a class smaller than 5"),
        ({"a": [1, 9], "b": [1, 5]}, "a has the fewest records in classes smaller than 5: 10%"),
        ({"a": [6], "b": [7]}, "No version has a record in a class smaller than 5"),
        ({"a": [1, 9]}, "a has 10% of its records in classes smaller than 5"),
        (
            {"a": [6], "b": []},
            "a has no record in a class smaller than 5; 1 version without a class",
        ),
        ({"a": []}, "There are no equivalence classes: every record is suppressed, or the table has no records"),
    ],
)
def test_the_title_of_size_curves_names_the_version_with_the_fewest_records_in_small_classes(sizes, finding) -> None:
    assert title(size_curves({name: np.array(of, dtype=np.int64) for name, of in sizes.items()}, 5)) == finding


def test_curves_of_many_class_sizes_have_few_points() -> None:
    drawn = size_curves({"a": np.arange(1, 50_001)}, 5)
    assert all(len(trace.x) <= MAX_POINTS + 2 for trace in drawn.data)
