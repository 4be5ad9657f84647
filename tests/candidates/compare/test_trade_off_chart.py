"""The trade-off: every version that has both figures, the Pareto front as steps, the finding on top."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics.candidates.compare.trade_off_chart import trade_off
from metrics.drawing.version_styles import version_styles
from tests.drawing.compared import CHOSEN, FIGURES
from tests.drawing.drawn import assert_calm, title
from tests.support.comparisons import comparison_of


@given(FIGURES, st.permutations(CHOSEN), st.booleans())
@example(
    {
        label: {"k_anonymity": 1, "t_closeness": 0.5, "granularity": loss, "profitability": True}
        for label, loss in {"a": 1.0, "b": 8.5e-194, "c": 0.0}.items()
    },
    ("t_closeness", "k_anonymity", "granularity", "profitability"),
    True,
)
def test_the_trade_off_draws_every_version_that_has_both_figures(figures, chosen, sized) -> None:
    comparison, (x, y, size, _) = comparison_of(figures), chosen
    drawn = trade_off(comparison, x, y, size if sized else None)
    assert_calm(drawn)
    there = [label for label, row in figures.items() if row[x] is not None and row[y] is not None]
    if not there:
        assert not drawn.data
        return
    front, *points = drawn.data
    styles = version_styles(figures)
    assert [(point.x[0], point.y[0]) for point in points] == [(figures[label][x], figures[label][y]) for label in there]
    assert [(point.marker.color, point.marker.symbol) for point in points] == [
        (styles[label].colour, styles[label].symbol) for label in there
    ]
    assert sorted(zip(front.x, front.y, strict=True)) == sorted(
        (figures[label][x], figures[label][y]) for label in comparison.pareto_front(x, y)
    )
    assert list(front.x) == sorted(front.x)
    if sized:
        parts = dict(zip(figures, comparison.parts(size), strict=True))
        marks = [(parts[label], point.marker.size) for label, point in zip(there, points, strict=True)]
        # A better version never has the smaller mark; parts too close for a difference have marks of one size.
        sizes = [size for _, size in sorted(marks)]
        assert sizes == sorted(sizes)


@pytest.mark.parametrize(("x", "shape"), [("k_anonymity", "vh"), ("t_closeness", "hv")])
def test_the_pareto_front_is_drawn_as_steps_in_the_direction_of_the_metrics(x: str, shape: str) -> None:
    figures = {"a": {x: 0.2, "granularity": 0.3}, "b": {x: 0.6, "granularity": 0.9}}
    assert trade_off(comparison_of(figures), x, "granularity").data[0].line.shape == shape


@pytest.mark.parametrize(
    ("figures", "finding"),
    [
        ({"a": (1, 0.5), "b": (2, 0.4)}, "No version is better than another in both k-anonymity and granularity"),
        ({"a": (1, 0.5), "b": (2, 0.6)}, "b is best in k-anonymity and granularity"),
        (
            {"a": (1, 0.5), "b": (2, 0.4), "c": (1, 0.3)},
            "c is dominated in k-anonymity and granularity",
        ),
        (
            {"a": (1, 0.9), "b": (9, 0.4), "c": (1, 0.3), "d": (1, 0.3), "e": (2, 0.3)},
            "2 of 5 versions are on the Pareto front of k-anonymity and granularity",
        ),
        (
            {"a": (1, 0.9), "b": (9, 0.4), "c": (None, 0.3)},
            "No version is better than another in both k-anonymity and granularity; 1 version without a value",
        ),
        ({"a": (None, 0.9)}, "No version has a value of both k-anonymity and Granularity"),
    ],
)
def test_the_title_of_the_trade_off_names_the_dominated_versions(figures, finding) -> None:
    named = {label: {"k_anonymity": k, "granularity": g} for label, (k, g) in figures.items()}
    assert title(trade_off(comparison_of(named), "k_anonymity", "granularity")) == finding
