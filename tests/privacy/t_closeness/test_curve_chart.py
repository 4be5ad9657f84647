"""The curve over all limits: exact steps, few points, the limit where it lies."""

import numpy as np
import pytest
from hypothesis import given

from metrics.drawing.stepped import MAX_POINTS
from metrics.privacy.t_closeness.curve_chart import exceeding_curve
from tests.drawing.drawn import assert_calm, read, title
from tests.privacy.t_closeness.test_curve import CLASSES, DISTANCES, measured


@given(CLASSES, DISTANCES)
def test_lines_hold_the_share_beyond_every_limit(rows, limit):
    _, curve = measured(rows)
    figure = exceeding_curve(curve, limit)
    assert_calm(figure)
    records, classes, *points = figure.data
    for line, whole, beyond in ((classes, len(rows), curve.classes), (records, curve.kept, curve.records)):
        assert line.line.shape == "hv"
        assert line.x[:-1].tolist() == curve.limits.tolist()
        assert line.customdata[:-1].tolist() == beyond.tolist()
        assert line.y.tolist() == pytest.approx((100 * line.customdata / whole).tolist())
    low, high = figure.layout.xaxis.range
    assert low <= limit <= high
    assert max(line[-1] for line in (records.x, classes.x)) == high >= curve.limits[-1]
    exceeding = curve.exceeding(limit)
    limited = [100 * exceeding.records / curve.kept, 100 * exceeding.classes / len(rows)] if limit < 1 else []
    assert [point.y[0] for point in points] == pytest.approx(limited)
    assert (f"limit t = {limit:g}" in [read(note.text) for note in figure.layout.annotations]) is (limit < 1)


def test_many_classes_make_few_points():
    random = np.random.default_rng(0)
    _, curve = measured([(t, 0.0, 3) for t in random.random(50_000)])
    figure = exceeding_curve(curve, 0.2)
    assert all(len(trace.x) <= MAX_POINTS + 1 for trace in figure.data)
    line = figure.data[1]
    at = np.linspace(0, 0.99, 500)
    drawn = line.y[np.searchsorted(line.x, at, side="right") - 1]
    exact = [100 * curve.exceeding(t).classes / 50_000 for t in at]
    assert np.abs(drawn - exact).max() < 0.4


@pytest.mark.parametrize(
    ("rows", "finding"),
    [
        ([(0.0, 0.0, 5)], "Every class has the distribution of the whole table: t = 0"),
        ([(0.5, 0.1, 5)], "The largest distance of a class is t = 0.5"),
        (
            [(0.5, 0.1, 5), (0.1, 0.2, 5), (0.3, 0.1, 5), (0.1, 0.1, 1)],
            "At least half of the classes are within t = 0.2",
        ),
        (
            [(0.1, 0.1, 5)] * 3 + [(0.9, 0.1, 5)],
            "At least half of the classes are within t = 0.1",
        ),
        ([(0.15, 0.1, 5)] * 3, "The largest distance of a class is t = 0.15"),
    ],
)
def test_the_title_gives_the_median(rows, finding):
    assert title(exceeding_curve(measured(rows)[1], 0.2)) == finding
