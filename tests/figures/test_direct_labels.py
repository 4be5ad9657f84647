"""Up to three series bear their names where they are drawn; more, or names without room, have a legend."""

from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest

from metrics.figures.theme import categories, category_axis, figure, number_axis

X, LOG = number_axis("x"), number_axis("x", type="log", rangemode="normal", range=(0, 2))


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


def drawn(*traces: dict[str, object], **layout: Any) -> go.Figure:
    return figure(traces, "A finding", legend=True, **{"xaxis": X, "yaxis": number_axis("y"), **layout})


def test_a_label_is_beside_its_line_where_the_lines_are_apart() -> None:
    upper, lower = drawn(line("upper", 0, 80, 100), line("lower", 0, 10, 100), xaxis=LOG).layout.annotations
    assert (upper.text, lower.text) == ("upper", "lower")
    assert not upper.showarrow
    assert not lower.showarrow
    # Points of the lines in the share of the axis where they are apart; a label does not lie on either.
    assert 0.4 < upper.x < 1.6
    assert 0.4 < lower.x < 1.6
    assert upper.y > lower.y


def test_a_label_does_not_cross_a_threshold_if_there_is_room_elsewhere() -> None:
    threshold = {"type": "line", "xref": "x", "yref": "y domain", "x0": 10, "x1": 10, "y0": 0, "y1": 1}
    labels = drawn(line("upper", 0, 80, 100), line("lower", 0, 10, 100), xaxis=LOG, shapes=[threshold]).layout
    shares = {"left": (0, 1), "center": (-0.5, 0.5), "right": (-1, 0)}
    for label in labels.annotations:
        width = 2 * 7 * len(label.text) / 290
        begin, end = (label.x + share * width for share in shares[label.xanchor])
        assert not begin < 1 < end


@pytest.mark.parametrize(
    ("number", "annotations", "legend"), [(1, 0, False), (2, 2, False), (3, 3, False), (4, 0, True)]
)
def test_more_than_three_lines_have_a_legend(number: int, annotations: int, legend: bool) -> None:
    shown = drawn(*(line(str(place), place, place, place) for place in range(number)))
    assert len(shown.layout.annotations) == annotations
    assert shown.layout.showlegend is legend


def test_lines_that_run_together_are_joined_to_their_labels() -> None:
    shown = drawn(line("a", 0, 80, 100), line("b", 0, 79, 100), xaxis=LOG)
    assert not shown.layout.showlegend
    assert any(label.showarrow for label in shown.layout.annotations)
    for label in shown.layout.annotations:
        x, y = (label.x, label.y) if label.showarrow else (None, None)
        assert y is None or y == pytest.approx((80 if label.text == "a" else 79) * min(x, 1), abs=25)


def test_names_for_which_there_is_no_room_have_a_legend() -> None:
    shown = drawn(line("a" * 70, 0, 80, 100), line("b", 0, 10, 100))
    assert shown.layout.showlegend
    assert not shown.layout.annotations


def test_labels_never_cover_each_other() -> None:
    names = ["candidate_light.csv", "candidate_balanced.csv", "candidate_strict.csv"]
    shown = drawn(*(line(name, 0, 50 + 20 * place, 100) for place, name in enumerate(names)), xaxis=LOG)
    assert len(shown.layout.annotations) == 3
    heights = sorted(label.ay if label.showarrow else label.y for label in shown.layout.annotations)
    assert min(high - low for low, high in pairwise(heights)) * 260 / 110 >= 12


def test_marks_in_rows_are_named_beside_one_of_them() -> None:
    keys = categories(["first", "second"])
    marks = [
        {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": keys, "marker": {"size": 11}}
        for name, x in (("diversity", [0.6, 0.9]), ("distance", [0.65, 0.3]))
    ]
    shown = drawn(*marks, xaxis=number_axis("mean", range=[0, 1]), yaxis=category_axis(keys, keys, downwards=True))
    labels = {label.text: label for label in shown.layout.annotations}
    assert set(labels) == {"diversity", "distance"}
    assert not shown.layout.showlegend
    assert labels["distance"].x < labels["diversity"].x  # the second row, where the marks are apart


@pytest.mark.parametrize("guessing", [0.1, 0.5, 0.9])
def test_marks_in_lanes_are_named_beside_them_and_are_no_bars(guessing: float) -> None:
    keys = categories(["linkage"])
    marks = [
        {"type": "scatter", "mode": "markers", "orientation": "h", "name": name, "x": [x], "y": keys}
        for name, x in (("light", guessing), ("strict", 0.4))
    ]
    axes = {"xaxis": number_axis("success", range=[0, 1]), "yaxis": category_axis(keys, keys, downwards=True)}
    shown = drawn(*marks, scattermode="group", scattergap=0.3, **axes)
    assert [one.text for one in shown.data] == [None, None]


def test_grouped_bars_are_named_at_the_ends_of_long_ones() -> None:
    keys = categories(["a", "b", "c"])
    shares = [
        {"type": "bar", "orientation": "h", "name": name, "y": keys, "x": x}
        for name, x in (("this class", [60, 5, 0]), ("whole table", [20, 30, 10]))
    ]
    axes = {"xaxis": number_axis("share", range=[0, 100]), "yaxis": category_axis(keys, keys, downwards=True)}
    shown = drawn(*shares, barmode="group", **axes)
    ends = {label.text: (label.x, round(label.y)) for label in shown.layout.annotations}
    assert ends["this class"] == (pytest.approx(62, abs=4), 0)
    assert ends["whole table"] == (pytest.approx(32, abs=4), 1)


def test_up_to_three_bars_without_room_have_their_legend_above_and_one_has_none() -> None:
    places = {number: figure(bars(number), "A finding", legend=True).layout for number in (1, 3, 4)}
    assert places[1].showlegend is False
    assert places[3].legend.y > 1
    assert places[4].legend.y < 0
    assert places[3].height == places[4].height > places[1].height


def test_up_to_three_stacked_bars_bear_their_names_where_these_fit() -> None:
    def stacked(*lengths: list[float]) -> go.Figure:
        shares = [
            {"type": "bar", "orientation": "h", "name": f"part {i}", "y": ["a", "b"], "x": one}
            for i, one in enumerate(lengths)
        ]
        axes = {"xaxis": number_axis("share", range=[0, 100]), "yaxis": category_axis(["a", "b"], ["a", "b"])}
        return drawn(*shares, barmode="stack", **axes)

    fits = stacked([30, 60], [70, 40])
    assert [tuple(one.text) for one in fits.data] == [("", "part 0"), ("part 1", "")]
    assert not fits.layout.showlegend
    for other in (stacked([5, 10], [95, 90]), stacked(*[[25, 25]] * 4)):
        assert other.layout.showlegend
        assert not other.layout.annotations  # lines to parts would cross the parts of others
        assert [one.text for one in other.data] == [None] * len(other.data)
