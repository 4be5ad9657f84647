"""Class sizes, and an attribute in one class beside the whole table."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Roles
from metrics.aggregates import TableAggregates
from metrics.drawing.classes import MAX_VALUES, class_distribution, class_size_distribution
from metrics.drawing.theme import PRIVACY, VIOLATION
from metrics.texts import text
from tests.drawing.drawn import HOSTILE, SIZES, assert_calm, marks, read, title
from tests.support.small_tables import table


def histogram(groups, values, name="S"):
    """The histogram of `values` in classes of `groups`, and the class of a group's name."""
    content = table({"Q": groups, name: values})
    aggregates = TableAggregates(content, Roles(quasi_identifiers=["Q"], sensitive=[name]))
    index = {aggregates.classes.labels(i)["Q"]: i for i in range(aggregates.classes.count)}
    return aggregates.histogram(name), index


@given(SIZES, st.integers(1, 500))
def test_bars_count_every_class_and_colour_the_small_ones(sizes, limit):
    figure = class_size_distribution(sizes, limit)
    assert_calm(figure)
    assert sum(sum(trace.y) for trace in figure.data) == len(sizes)
    small = sum(sum(trace.y) for trace in figure.data if trace.marker.color == VIOLATION)
    assert small == (sizes < limit).sum()
    assert marks(figure) <= 60


def test_the_title_says_how_many_are_too_small():
    sizes = np.array([1, 4, 5, 5, 2000])
    for drawn, limit, template, figures in (
        (sizes, 5, "too_small", {"below": 2, "classes": 5, "k": 5}),
        (sizes[:2], 2, "too_small", {"below": 1, "classes": 2, "k": 2}),
        (sizes[2:], 5, "all_large_enough", {"classes": 3, "k": 5, "smallest": 5}),
        (sizes, 1, "all_between", {"classes": 5, "smallest": 1, "largest": 2000, "median": 5}),
        (np.full(3, 7), 1, "all_equal", {"classes": 3, "size": 7}),
        (np.array([1]), 1, "only_class", {"size": 1}),
    ):
        assert title(class_size_distribution(drawn, limit)) == text(f"charts.class_sizes.{template}", **figures)


def test_the_limit_is_drawn_between_the_buckets_and_labelled():
    figure = class_size_distribution(np.array([1, 2, 3, 4, 5, 6]), 3)
    assert figure.layout.shapes[0].x0 == 1.5
    assert figure.layout.annotations[0].text == "limit k\u00a0=\u00a03"
    assert [trace.marker.color for trace in figure.data] == [VIOLATION, PRIVACY]
    assert figure.data[0].hovertext[0] == "Classes of 1 record<br>1 class<br>1 record"


def test_300_000_classes_make_few_bars():
    sizes = np.random.default_rng(0).geometric(0.001, 300_000).astype(np.int64)
    assert marks(class_size_distribution(sizes, 5)) <= 60


def test_the_figure_of_class_sizes_says_that_there_are_no_classes():
    figure = class_size_distribution(np.zeros(0, dtype=np.int64), 5)
    assert_calm(figure)
    assert "no equivalence classes" in title(figure)


def test_the_shares_of_values_in_a_class_are_drawn_beside_those_of_the_table():
    counted, index = histogram(list("aaab"), ["10", "9", "9", "10"])
    figure = class_distribution(counted, index["a"], t=1 / 6, entropy=0.9183)
    assert_calm(figure)
    within, whole = figure.data
    assert list(within.y) == ["9", "10"]
    assert list(within.x) == pytest.approx([200 / 3, 100 / 3])
    assert list(whole.x) == [50, 50]
    assert within.hovertext[0] == "9<br>66.7% of this class: 2 of 3 records"
    assert re.findall(r"[\d.]+", title(figure)) == ["3", "2", "0.167", "0.918"]


def test_the_title_says_that_a_class_reveals_its_sensitive_value():
    counted, index = histogram(list("aab"), ["x", "x", "y"])
    same = text("charts.class_distribution.single_value", records=2, column="S")
    alone = text("charts.class_distribution.single_record", column="S")
    assert [title(class_distribution(counted, index[key])) for key in "ab"] == [same, alone]


def test_most_different_values_are_drawn_and_the_rest_folded():
    values = [str(i) for i in range(1000)]
    counted, index = histogram(["a"] * 1000 + ["b"] * 50, values + ["500"] * 50)
    figure = class_distribution(counted, index["b"])
    assert len(figure.data[0].y) == MAX_VALUES + 1
    for trace in figure.data:
        assert sum(trace.x) == pytest.approx(100)
    assert "500" in figure.data[0].y
    assert figure.data[0].y[-1] == "970 other values"
    numbers = [int(key) for key in figure.data[0].y[:-1]]
    assert numbers == sorted(numbers)


def test_values_of_any_look_stay_apart_and_harmless():
    values = [*HOSTILE, "(empty)", None, "(missing)", "00123", "123"]
    counted, index = histogram(["a"] * len(values), values, name="<b>S</b> $x$")
    figure = class_distribution(counted, index["a"])
    assert_calm(figure)
    assert len(set(figure.data[0].y)) == len(values)
    assert all(len(read(tick)) <= 24 for tick in figure.layout.yaxis.ticktext)
    assert any(read(text).replace(" ", "").startswith("x" * 90) for text in figure.data[0].hovertext)


def test_a_class_of_a_single_value_has_bars_of_100_percent():
    counted, index = histogram(["a"], ["x"])
    figure = class_distribution(counted, index["a"], t=0.0, entropy=0.0)
    assert_calm(figure)
    assert [list(trace.x) for trace in figure.data] == [[100], [100]]
