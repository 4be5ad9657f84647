"""Combinations as drawn: bars hold every record, are few, and the title says the finding."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics.texts import text
from metrics.utility.ambiguity.chart import MAX_BINS, combination_distribution
from metrics.utility.ambiguity.measure import Ambiguity
from tests.drawing.drawn import assert_calm, marks, read, title


def spread(logs, records, domain=10):
    """An ambiguity with these combinations."""
    log10, counts = np.array(logs, dtype=np.float64), np.array(records, dtype=np.int64)
    top = float(log10.max()) if len(log10) else 0.0
    weights = 10.0 ** (log10 - top) * counts
    mean = top + math.log10(weights.sum() / counts.sum()) if len(log10) else 0.0
    return Ambiguity(0.5, 10.0 ** min(mean, 300), mean, {}, {"q": domain}, {"q": "hierarchy"}, 0, log10, counts)


@given(
    st.lists(st.tuples(st.one_of(st.just(0.0), st.floats(0, 12), st.floats(0, 900)), st.integers(1, 10**6)), min_size=1)
)
def test_bars_hold_every_record_within_the_axis(rows):
    result = spread(*zip(*rows, strict=True))
    figure = combination_distribution(result)
    assert_calm(figure)
    (bars,) = figure.data
    assert len(bars.y) <= MAX_BINS
    assert sum(bars.y) == sum(number for _, number in rows)
    low, high = figure.layout.xaxis.range
    assert low == 0 < high
    assert max(log for log, _ in rows) <= high + 1e-9
    assert all(low <= x <= high for x in bars.x)
    (line,) = figure.layout.shapes
    assert line.x0 == result.log10_mean_combinations
    assert 1 <= len(figure.layout.xaxis.tickvals) <= 7


def test_the_mean_is_labelled_and_the_title_says_the_finding():
    figure = combination_distribution(spread([0, 1, 6], [2, 5, 1], 10**6))
    assert title(figure) == text("charts.ambiguity.few_single", combinations="10")
    assert [read(note.text) for note in figure.layout.annotations] == ["mean 125,006"]
    assert read(figure.data[0].hovertext[2]) == "1 million combinations 1 record, 12.5%"
    most = text("charts.ambiguity.most_single", share=0.75)
    figure = combination_distribution(spread([0, 6], [3, 1], 10**6))
    assert title(figure) == f"{most}; {text('charts.ambiguity.any', records=0.25)}"
    figure = combination_distribution(spread([0, 2], [3, 1], 10**6))
    assert title(figure) == most
    figure = combination_distribution(spread([0], [4]))
    assert title(figure) == text("charts.ambiguity.all_single")
    assert read(figure.data[0].hovertext[0]) == "1 combination 4 records, 100%"
    assert "no record" in title(combination_distribution(spread([], [])))


def test_300_000_classes_make_few_bars():
    generator = np.random.default_rng(1)
    figure = combination_distribution(spread(generator.normal(8, 1, 300_000).clip(0), np.ones(300_000)))
    assert marks(figure) <= MAX_BINS
