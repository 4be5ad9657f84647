"""The chart of frequencies: released, estimated and true shares, the most frequent values first."""

import numpy as np
import pytest

from metrics import k_rr
from metrics.privacy.local_dp.chart import MOST, frequency_chart
from metrics.privacy.local_dp.measure import RandomizedColumn
from metrics.texts import text
from tests.drawing.drawn import title

BY = k_rr(["flu", "asthma", None], float(np.log(4)))


def test_shares_are_drawn_beside_their_estimates() -> None:
    # A value stays with 4/6, and is drawn with 1/6: (0.5 − 1/6) / (1/2) = 2/3.
    column = RandomizedColumn(BY, np.array([50.0, 40.0, 10.0]), np.array([0.6, 0.4, 0.0]))
    released, estimated, true = frequency_chart("ill", column).data
    assert list(released.x) == pytest.approx([50, 40, 10])
    assert list(estimated.x) == pytest.approx([200 / 3, 140 / 3, -40 / 3])
    assert list(true.x) == pytest.approx([60, 40, 0])
    assert list(estimated.error_x.array)[-1] >= 0
    assert title(frequency_chart("ill", column)) == text("charts.frequencies.finding", column="ill", values=3, within=3)


def test_without_an_original_there_is_no_true_share_and_many_values_are_cut() -> None:
    values = [str(number) for number in range(100)]
    column = RandomizedColumn(k_rr(values, 5), np.full(100, 50.0), None)
    figure = frequency_chart("zip", column)
    assert [len(trace.x) for trace in figure.data] == [MOST, MOST]
    assert "percentage points" in title(figure)
