"""Parallel coordinates: each axis runs from its worst to its best value, and names both."""

from hypothesis import given
from hypothesis import strategies as st

from metrics.candidates.compare.comparison import VersionComparison, VersionMeasure
from metrics.candidates.compare.parallel_chart import parallel_coordinates
from metrics.texts import text
from tests.drawing.compared import CHOSEN, FIGURES
from tests.drawing.drawn import assert_calm, read, title
from tests.support.comparisons import comparison_of


@given(FIGURES, st.lists(st.sampled_from(CHOSEN), min_size=1, max_size=4, unique=True))
def test_parallel_coordinates_run_from_the_worst_to_the_best(figures, chosen) -> None:
    comparison = comparison_of(figures)
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
    drawn = parallel_coordinates(comparison_of(figures), ["t_closeness", "k_anonymity"])
    assert [read(text) for text in drawn.layout.yaxis.ticktext] == ["t-closeness 0.5 to 0.25", "k-anonymity all 3"]
    assert title(drawn) == text("charts.parallel_coordinates.best", version="b", won=1, metrics=2)
    alike = parallel_coordinates(comparison_of(figures), ["k_anonymity"])
    assert title(alike) == text("charts.parallel_coordinates.no_difference")
    bound = {"granularity": VersionMeasure(0.5, misstated=True)}
    bounds = VersionComparison({label: {**by, **bound} for label, by in comparison_of(figures).answers.items()})
    drawn = parallel_coordinates(bounds, ["t_closeness", "granularity"])
    assert title(drawn) == text("charts.parallel_coordinates.best", version="b", won=1, metrics=1)
    nothing = comparison_of({"a": {"k_map": None}})
    assert title(parallel_coordinates(nothing, ["k_map"])) == text("charts.parallel_coordinates.no_values")
