"""The curve over all thresholds: exact steps, one line per version, the threshold where it lies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.drawing.stepped import MAX_POINTS
from metrics.privacy.reidentification_risk.chart import risk_curve_chart
from metrics.privacy.reidentification_risk.measure import reidentification_risk
from tests.drawing.drawn import HOSTILE, SIZES, assert_calm, read, title


@given(st.lists(SIZES, min_size=1, max_size=8), st.sampled_from([0, 0.05, 0.2, 0.7, 1]))
def test_lines_hold_the_share_above_every_threshold(sizes, threshold):
    results = {name: reidentification_risk(of, threshold) for name, of in zip(HOSTILE, sizes, strict=False)}
    figure = risk_curve_chart(results, threshold)
    assert_calm(figure)
    lines, points = figure.data[: len(results)], figure.data[len(results) :]
    low, high = figure.layout.xaxis.range
    assert len(points) == (len(lines) if threshold < 1 else 0)
    for point, result in zip(points, results.values(), strict=False):
        assert point.y[0] == pytest.approx(100 * result.prosecutor.records_at_risk)
    for line, result in zip(lines, results.values(), strict=True):
        assert line.line.shape == "hv"
        assert line.x[-1] == high >= result.value
        assert line.x[:-1].tolist() == result.curve.thresholds.tolist()
        assert line.y[:-1].tolist() == pytest.approx((100 * result.curve.shares).tolist())
        assert "%{x}" not in line.hovertemplate
    assert low <= threshold <= high
    assert len({(line.line.dash, line.line.color) for line in lines}) == len(lines)
    limit, labels = f"limit {100 * threshold:g}%", [read(note.text) for note in figure.layout.annotations]
    assert (limit in labels) is (threshold < 1)
    labels = [label for label in labels if label != limit]
    assert figure.layout.showlegend is (len(results) > 1 and not labels)
    assert not labels or len(labels) == len(results)
    assert len(results) <= 3 or not labels


def test_curves_of_many_class_sizes_have_few_points():
    figure = risk_curve_chart({"a": reidentification_risk(np.arange(1, 50_001))}, 0.2)
    assert all(len(trace.x) <= MAX_POINTS + 1 for trace in figure.data)


@pytest.mark.parametrize(
    ("sizes", "finding"),
    [
        ({"a": [1, 9]}, "The risk of 10% of the records is above 20%; the highest is 100%"),
        ({"a": [5, 9]}, "No record has a risk above 20%; the highest is 20%"),
        ({"a": [1, 9], "b": [5]}, "b has the smallest share of records with a risk above 20%: 0%"),
        ({"a": [6], "b": [5]}, "No version has a record with a risk above 20%"),
    ],
)
def test_the_title_states_how_many_records_are_at_risk(sizes, finding):
    results = {name: reidentification_risk(np.array(of)) for name, of in sizes.items()}
    assert title(risk_curve_chart(results, 0.2)) == finding


def test_a_limit_that_is_just_met_has_room_behind_it():
    figure = risk_curve_chart({"a": reidentification_risk(np.array([5, 9]))}, 0.2)
    assert figure.layout.xaxis.range[1] == pytest.approx(0.25)
