"""Figures of several candidates: everybody drawn as they are, in their own style, with the finding on top."""

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrics.candidates.compare.comparison import CandidateComparison, CandidateFigure
from metrics.figures.candidate_styles import COLOURS, candidate_styles, legend_room
from metrics.figures.parallel import parallel_coordinates
from metrics.figures.risk_curve import risk_curve_figure
from metrics.figures.size_curve import size_curves
from metrics.figures.stepped import MAX_POINTS
from metrics.figures.theme import MONEY, NEUTRAL, PRIVACY, UTILITY, VIOLATION
from metrics.figures.trade_off import trade_off
from metrics.privacy.reidentification_risk import reidentification_risk
from tests.figures.drawn import HOSTILE, SIZES, assert_calm, read, title
from tests.figures.test_theme import luminance

CHOSEN = ("k_anonymity", "t_closeness", "granularity", "profitability")
ROW = st.fixed_dictionaries(
    {
        "k_anonymity": st.one_of(st.none(), st.integers(1, 5)),
        "t_closeness": st.one_of(st.none(), st.floats(0, 1)),
        "granularity": st.floats(0, 1),
        "profitability": st.booleans(),
    }
)
FIGURES = st.lists(ROW, min_size=1, max_size=len(HOSTILE)).map(lambda rows: dict(zip(HOSTILE, rows, strict=False)))


def of(figures: Mapping[str, Mapping[str, float | bool | None]]) -> CandidateComparison:
    return CandidateComparison(
        {label: {one: CandidateFigure(value) for one, value in row.items()} for label, row in figures.items()}
    )


def test_thirty_six_candidates_differ_and_keep_their_style() -> None:
    labels = [str(number) for number in range(36)]
    styles = candidate_styles(labels)
    assert len(set(styles.values())) == 36
    assert len({(style.colour, style.symbol) for style in styles.values()}) == 36
    assert candidate_styles(labels[:5]) == {label: styles[label] for label in labels[:5]}


@pytest.mark.parametrize("colour", COLOURS)
def test_colours_of_candidates_have_contrast_and_no_other_meaning(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 3
    assert (luminance(colour) + 0.05) / (luminance("#12161C") + 0.05) >= 3
    assert colour not in {PRIVACY, UTILITY, MONEY, VIOLATION, NEUTRAL}


@given(FIGURES, st.permutations(CHOSEN), st.booleans())
@example(
    {
        label: {"k_anonymity": 1, "t_closeness": 0.5, "granularity": loss, "profitability": True}
        for label, loss in {"a": 1.0, "b": 8.5e-194, "c": 0.0}.items()
    },
    ("t_closeness", "k_anonymity", "granularity", "profitability"),
    True,
)
def test_the_trade_off_draws_every_candidate_that_has_both_figures(figures, chosen, sized) -> None:
    comparison, (x, y, size, _) = of(figures), chosen
    drawn = trade_off(comparison, x, y, size if sized else None)
    assert_calm(drawn)
    there = [label for label, row in figures.items() if row[x] is not None and row[y] is not None]
    if not there:
        assert not drawn.data
        return
    front, *points = drawn.data
    styles = candidate_styles(figures)
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
        # A better candidate never has the smaller mark; parts too close for a difference have marks of one size.
        sizes = [size for _, size in sorted(marks)]
        assert sizes == sorted(sizes)


@pytest.mark.parametrize(("x", "shape"), [("k_anonymity", "vh"), ("t_closeness", "hv")])
def test_the_pareto_front_is_drawn_as_steps_in_the_direction_of_the_metrics(x: str, shape: str) -> None:
    figures = {"a": {x: 0.2, "granularity": 0.3}, "b": {x: 0.6, "granularity": 0.9}}
    assert trade_off(of(figures), x, "granularity").data[0].line.shape == shape


@pytest.mark.parametrize(
    ("figures", "finding"),
    [
        ({"a": (1, 0.5), "b": (2, 0.4)}, "No candidate is Pareto-dominated in k-anonymity and Granularity"),
        ({"a": (1, 0.5), "b": (2, 0.6)}, "b is best in k-anonymity and Granularity"),
        (
            {"a": (1, 0.5), "b": (2, 0.4), "c": (1, 0.3)},
            "c is dominated in k-anonymity and Granularity",
        ),
        (
            {"a": (1, 0.9), "b": (9, 0.4), "c": (1, 0.3), "d": (1, 0.3), "e": (2, 0.3)},
            "2 of 5 candidates are on the Pareto front of k-anonymity and Granularity",
        ),
        (
            {"a": (1, 0.9), "b": (9, 0.4), "c": (None, 0.3)},
            "No candidate is Pareto-dominated in k-anonymity and Granularity; 1 candidate without a value",
        ),
        ({"a": (None, 0.9)}, "No candidate has a value of both k-anonymity and Granularity"),
    ],
)
def test_the_title_of_the_trade_off_names_the_dominated_candidates(figures, finding) -> None:
    named = {label: {"k_anonymity": k, "granularity": g} for label, (k, g) in figures.items()}
    assert title(trade_off(of(named), "k_anonymity", "granularity")) == finding


@given(FIGURES, st.lists(st.sampled_from(CHOSEN), min_size=1, max_size=4, unique=True))
def test_parallel_coordinates_run_from_the_worst_to_the_best(figures, chosen) -> None:
    comparison = of(figures)
    drawn = parallel_coordinates(comparison, chosen)
    assert_calm(drawn)
    measured = [one for one in chosen if comparison.measured(one)]
    assert len(drawn.layout.yaxis.ticktext or ()) == len(measured)
    if not measured:
        assert not drawn.data
        return
    for label, line in zip(figures, drawn.data, strict=True):
        for one, part in zip(measured, line.x, strict=True):
            assert (part is None) == (figures[label][one] is None)
            if label in comparison.best(one):
                assert part == 1
            assert part is None or 0 <= part <= 1


def test_each_axis_is_labelled_with_its_worst_and_best_value() -> None:
    figures = {"a": {"t_closeness": 0.5, "k_anonymity": 3}, "b": {"t_closeness": 0.25, "k_anonymity": 3}}
    drawn = parallel_coordinates(of(figures), ["t_closeness", "k_anonymity"])
    assert [read(text) for text in drawn.layout.yaxis.ticktext] == ["t-closeness 0.5000 to 0.2500", "k-anonymity all 3"]
    assert title(drawn) == "b is best on 1 of 2 metrics"
    alike = parallel_coordinates(of(figures), ["k_anonymity"])
    assert title(alike) == "The chosen metrics do not distinguish the candidates"
    nothing = of({"a": {"k_map": None}})
    assert title(parallel_coordinates(nothing, ["k_map"])) == "None of the chosen metrics has a value"


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
        ({"a": [1, 9], "b": [5, 5]}, "b has the fewest records in classes of fewer than 5 records: 0%"),
        ({"a": [1, 9], "b": [5], "c": [7]}, "b and c have the fewest records in classes of fewer than 5 records: 0%"),
        ({"a": [6], "b": [7]}, "All candidates have 0% of their records in classes of fewer than 5 records"),
        ({"a": [1, 9]}, "a has 10% of their records in classes of fewer than 5 records"),
        (
            {"a": [6], "b": []},
            "a has 0% of their records in classes of fewer than 5 records; 1 candidate without a class",
        ),
        ({"a": []}, "There are no equivalence classes: every record is suppressed, or there is none"),
    ],
)
def test_the_title_of_size_curves_names_the_candidate_with_the_fewest_records_in_small_classes(sizes, finding) -> None:
    assert title(size_curves({name: np.array(of, dtype=np.int64) for name, of in sizes.items()}, 5)) == finding


def test_many_sizes_make_few_points() -> None:
    drawn = size_curves({"a": np.arange(1, 50_001)}, 5)
    assert all(len(trace.x) <= MAX_POINTS + 2 for trace in drawn.data)


def test_a_candidate_has_one_colour_in_every_figure() -> None:
    sizes = {name: np.array([2, 5, place + 1]) for place, name in enumerate("abc")}
    styles = candidate_styles("xabc")
    comparison = of({name: {"k_anonymity": place, "granularity": place} for place, name in enumerate("abc")})
    lines = [
        size_curves(sizes, 5, styles).data,
        risk_curve_figure({name: reidentification_risk(of) for name, of in sizes.items()}, 0.2, styles).data[:3],
        parallel_coordinates(comparison, ["k_anonymity"], styles).data,
    ]
    for traces in lines:
        assert [(trace.line.color, trace.line.dash) for trace in traces] == [
            (styles[name].colour, styles[name].dash) for name in "abc"
        ]
    points = trade_off(comparison, "k_anonymity", "granularity", None, styles).data[1:]
    assert [point.marker.color for point in points] == [styles[name].colour for name in "abc"]


def test_a_long_legend_does_not_shrink_the_plot() -> None:
    few, many = ({str(name): np.array([5]) for name in range(number)} for number in (4, 13))
    taller = size_curves(many, 5).layout.height - size_curves(few, 5).layout.height
    assert taller == legend_room(13) - legend_room(4) > 0
