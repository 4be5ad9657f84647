"""Up to three lines are named where they run; a label lies at its line, where the others are far."""

import plotly.graph_objects as go
import pytest

from metrics.figures.direct_labels import line_labels
from metrics.figures.theme import figure, number_axis


def line(name: str, *y: float) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": [1, 10, 100],
        "y": list(y),
        "line": {"color": "#000"},
    }


def bars(number: int) -> list[dict[str, object]]:
    return [{"type": "bar", "name": str(place), "x": ["a"], "y": [1]} for place in range(number)]


def test_a_label_is_on_its_line_where_the_lines_are_apart() -> None:
    upper, lower = line_labels([line("upper", 0, 80, 100), line("lower", 0, 10, 100)], {"type": "log", "range": (0, 2)})
    assert upper["x"] == lower["x"] == pytest.approx(1, abs=0.05)
    assert (upper["y"], upper["yanchor"]) == (pytest.approx(80, abs=5), "bottom")
    assert (lower["y"], lower["yanchor"]) == (pytest.approx(10, abs=5), "top")
    assert (upper["xanchor"], lower["xanchor"]) == ("right", "left")
    threshold = {"xref": "x", "x0": 10, "x1": 10}
    moved = line_labels(
        [line("upper", 0, 80, 100), line("lower", 0, 10, 100)], {"type": "log", "range": (0, 2)}, [threshold]
    )
    assert all(abs(one["x"] - 1) > 0.3 for one in moved)


@pytest.mark.parametrize(
    ("number", "annotations", "legend"), [(1, 0, False), (2, 2, False), (3, 3, False), (4, 0, True)]
)
def test_more_than_three_lines_have_a_legend(number: int, annotations: int, legend: bool) -> None:
    lines = [line(str(place), place, place, place) for place in range(number)]
    drawn = figure(lines, "A finding", legend=True, xaxis=number_axis("x"))
    assert len(drawn.layout.annotations) == annotations
    assert drawn.layout.showlegend is legend


def test_lines_that_run_together_or_have_long_names_have_a_legend() -> None:
    apart, near = [line("a", 0, 80, 100), line("b", 0, 10, 100)], [line("a", 0, 80, 100), line("b", 0, 79, 100)]
    long = [line("candidate_balanced.csv", 0, 80, 100), apart[1]]
    shown = [figure(lines, "A finding", legend=True, xaxis=number_axis("x")).layout for lines in (apart, near, long)]
    assert [bool(one.showlegend) for one in shown] == [False, True, True]
    assert [len(one.annotations) for one in shown] == [2, 0, 0]


def test_up_to_three_bars_have_their_legend_above_and_one_has_none() -> None:
    places = {number: figure(bars(number), "A finding", legend=True).layout for number in (1, 3, 4)}
    assert places[1].showlegend is False
    assert places[3].legend.y > 1
    assert places[4].legend.y < 0
    assert places[3].height == places[4].height > places[1].height


def test_up_to_three_bars_bear_their_names_where_these_fit() -> None:
    def drawn(*lengths: list[float], **layout: str) -> go.Figure:
        shares = [
            {"type": "bar", "orientation": "h", "name": f"part {i}", "y": ["a", "b"], "x": one}
            for i, one in enumerate(lengths)
        ]
        return figure(shares, "A finding", legend=True, **{"barmode": "stack", **layout})

    fits = drawn([30, 60], [70, 40])
    assert [tuple(one.text) for one in fits.data] == [("", "part 0"), ("part 1", "")]
    assert not fits.layout.showlegend
    for other in (drawn([5, 10], [95, 90]), drawn([30, 60], [70, 40], barmode="group"), drawn(*[[25, 25]] * 4)):
        assert other.layout.showlegend
        assert [one.text for one in other.data] == [None] * len(other.data)
