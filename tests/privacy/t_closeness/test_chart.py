"""Distances: every class in a bin, the limit between two bins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.config.parameters import GroundDistance
from metrics.drawing.theme import VIOLATION
from metrics.privacy.classes.worst_class import MeasuredTotals
from metrics.privacy.t_closeness.chart import MAX_BINS, MAX_PANELS, distance_distribution
from metrics.privacy.t_closeness.measure import TCloseness
from metrics.texts import text
from tests.drawing.drawn import HOSTILE, assert_calm, read, title

DISTANCES = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.2, 1 / 3, 1.0])), min_size=1, max_size=60)
LIMITS = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 5e-324, 0.2, 1 / 3, 1.0]))


def closeness(distances, limit=0.2):
    """A result with these distances by attribute."""
    per_class = {name: np.array(values, dtype=np.float64) for name, values in distances.items()}
    farthest = np.max(list(per_class.values()), axis=0)
    return TCloseness(
        per_class=per_class,
        distance=dict.fromkeys(per_class, GroundDistance.EQUAL),
        limit=limit,
        totals=MeasuredTotals(
            largest_is_worst=True,
            smallest={name: float(values.min()) for name, values in per_class.items()},
            largest={name: float(values.max()) for name, values in per_class.items()},
            failing={name: int((values > limit).sum()) for name, values in per_class.items()},
            failing_anywhere=int((farthest > limit).sum()),
            failing_records=0,
            classes=len(farthest),
        ),
    )


@given(DISTANCES, LIMITS)
def test_bins_hold_every_class_on_its_side_of_the_limit(distances, limit):
    figure = distance_distribution(closeness({"A": distances}, limit))
    assert_calm(figure)
    assert sum(sum(trace.y) for trace in figure.data) == len(distances)
    beyond = sum(sum(trace.y) for trace in figure.data if trace.marker.color == VIOLATION)
    assert beyond == sum(distance > limit for distance in distances)
    assert sum(len(trace.x) for trace in figure.data) <= MAX_BINS
    low, high = figure.layout.xaxis.range
    assert low <= limit <= high
    assert high >= max(distances) * (1 - 1e-12)


def test_attributes_are_ordered_by_their_largest_distance_and_can_be_chosen():
    result = closeness({"A": [0.1, 0.3], "B": [0.5, 0.1]})
    figure = distance_distribution(result)
    assert [read(note.text) for note in figure.layout.annotations] == [
        "B (equal distance)",
        "A (equal distance)",
        "limit t = 0.2",
    ]
    assert len(figure.layout.shapes) == 2
    assert title(figure) == "2 of 2 classes exceed t = 0.2: 1 for B and 1 for A"
    one = distance_distribution(result, ["A"])
    assert title(one) == text("charts.t_closeness.exceeded", column="A", failing=1, classes=2, limit=0.2)
    assert sum(sum(trace.y) for trace in one.data) == 2
    with pytest.raises(KeyError):
        distance_distribution(result, ["C"])


def test_the_title_states_how_many_of_many_attributes_are_shown():
    names = [*HOSTILE, *map(str, range(20))]
    figure = distance_distribution(closeness({name: [0.1, 0.9] for name in names}))
    assert_calm(figure)
    assert len(figure.layout.shapes) == MAX_PANELS
    assert f"({MAX_PANELS} of {len(names)} attributes shown)" in title(figure)


def test_classes_at_distance_0_are_drawn_in_one_bin():
    for limit in (0.0, 0.2):
        figure = distance_distribution(closeness({"A": [0.0, 0.0]}, limit))
        assert_calm(figure)
        assert [sum(trace.y) for trace in figure.data] == [2]


def test_the_t_closeness_figure_says_that_no_class_could_be_measured():
    nothing = TCloseness({}, {}, 0.2, MeasuredTotals(True, {}, {}, {}, 0, 0, 0))
    assert title(distance_distribution(nothing)) == text("charts.no_distances")
