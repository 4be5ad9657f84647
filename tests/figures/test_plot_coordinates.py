"""Values, lines and bars lie where Plotly draws them, as shares of the plot."""

import numpy as np
import pytest

from metrics.figures.plot_coordinates import PlotAxis, bar_parts, plot_axis, scatter_lanes, scatter_points

UNIT = PlotAxis(0, 1)
"""An axis on which values are shares."""


def test_a_linear_axis_maps_values_in_proportion() -> None:
    axis = PlotAxis(10, 30)
    assert axis.shares([10, 15, 30]).tolist() == [0, 0.25, 1]
    assert axis.position(0.25) == 15
    assert PlotAxis(30, 10).shares([10, 15, 30]).tolist() == [1, 0.75, 0]  # downwards


def test_a_logarithmic_axis_maps_powers_of_ten_to_equal_steps() -> None:
    axis = plot_axis({"type": "log", "range": (0, 4)}, [], "x")
    assert axis is not None
    assert axis.shares([1, 10, 100, 10_000]) == pytest.approx([0, 0.25, 0.5, 1])
    assert axis.position(0.5) == 2  # annotations give the exponent


def test_what_an_axis_cannot_show_has_no_place() -> None:
    assert np.isnan(PlotAxis(0, 1).shares([None]))
    assert np.isnan(PlotAxis(0, 1, logarithmic=True).shares([0, -1])).all()
    assert np.isnan(PlotAxis(0, 1, categories={"a": 0}).shares(["b"]))


def test_categories_stand_in_the_order_of_the_axis_and_shapes_by_their_places() -> None:
    axis = plot_axis({"type": "category", "categoryarray": ["a", "b", "c"], "range": (-0.5, 2.5)}, [], "y")
    assert axis is not None
    assert axis.shares(["c", "a"]) == pytest.approx([5 / 6, 1 / 6])
    assert axis.shares([0, 2.5], shape=True) == pytest.approx([1 / 6, 1])


def test_an_axis_without_a_range_ends_a_little_beyond_the_data() -> None:
    traces = [{"x": [10, None, 30]}, {"x": [50], "xaxis": "x2"}]
    axis = plot_axis({"domain": (0.5, 1)}, traces, "x")
    assert axis is not None
    assert (axis.low, axis.high, axis.domain) == (9, 31, 0.5)
    from_zero = plot_axis({"rangemode": "tozero"}, traces, "x")
    assert from_zero is not None
    assert (from_zero.low, from_zero.high) == (0, 31.5)
    assert plot_axis({}, [{"x": ["a"]}], "x") is None
    assert plot_axis({}, [], "x") is None


def test_marks_lie_at_their_points_and_those_beyond_the_plot_are_left_out() -> None:
    trace = {"mode": "markers", "x": [0.1, 0.5, 2], "y": [0.2, None, 0.5]}
    assert scatter_points(trace, UNIT, UNIT).tolist() == [[0.1, 0.2]]


def test_a_line_is_followed_in_small_steps_from_point_to_point() -> None:
    points = scatter_points({"mode": "lines", "x": [0, 1], "y": [0.5, 1]}, UNIT, UNIT)
    assert points[0].tolist() == [0, 0.5]
    assert points[-1].tolist() == [1, 1]
    assert np.abs(np.diff(points, axis=0)).max() < 0.05
    assert points[:, 1] == pytest.approx(0.5 + points[:, 0] / 2)


@pytest.mark.parametrize(("shape", "corner"), [("hv", [1, 0]), ("vh", [0, 1])])
def test_a_step_bends_where_its_shape_says(shape: str, corner: list[int]) -> None:
    trace = {"mode": "lines", "line": {"shape": shape}, "x": [0, 1], "y": [0, 1]}
    points = scatter_points(trace, UNIT, UNIT)
    assert corner in points.tolist()
    assert ((points == 0) | (points == 1)).any(axis=1).all()


def test_a_bar_fills_its_category_and_ends_at_its_value() -> None:
    trace = {"type": "bar", "x": ["a", "b"], "y": [10, 4]}
    categories = PlotAxis(-0.5, 1.5, categories={"a": 0, "b": 1})
    tips, rectangles = bar_parts([trace], categories, PlotAxis(0, 20), {})[id(trace)]
    assert rectangles == pytest.approx(np.array([[0.05, 0, 0.45, 0.5], [0.55, 0, 0.95, 0.2]]))
    assert tips[0] == pytest.approx([0.25, 0.5])
    assert np.isnan(tips[1]).any()  # labels point to the longest bars only


def test_grouped_bars_share_a_category_and_stacked_ones_begin_where_the_last_ended() -> None:
    first, second = ({"type": "bar", "orientation": "h", "y": ["a"], "x": [x]} for x in (30, 50))
    along, across = PlotAxis(0, 100), PlotAxis(-0.5, 0.5, categories={"a": 0})
    grouped = bar_parts([first, second], along, across, {"barmode": "group"})
    assert grouped[id(first)][1] == pytest.approx(np.array([[0, 0.1, 0.3, 0.5]]))
    assert grouped[id(second)][1] == pytest.approx(np.array([[0, 0.5, 0.5, 0.9]]))
    stacked = bar_parts([first, second], along, across, {"barmode": "stack"})
    assert stacked[id(first)][1] == pytest.approx(np.array([[0, 0.1, 0.3, 0.9]]))
    assert stacked[id(second)][1] == pytest.approx(np.array([[0.3, 0.1, 0.8, 0.9]]))
    assert stacked[id(first)][0] == pytest.approx(np.array([[0.15, 0.5]]))  # the end is covered: the middle
    assert stacked[id(second)][0] == pytest.approx(np.array([[0.8, 0.5]]))


def test_scatters_of_one_category_lie_in_lanes_that_share_its_width() -> None:
    axis = plot_axis({"type": "category", "categoryarray": ["a"], "range": (0.5, -0.5)}, [], "y")
    assert axis is not None
    traces = [{"type": "scatter", "orientation": "h", "x": [0.5], "y": ["a"]} for _ in range(2)]
    lanes = scatter_lanes(traces, {"scattermode": "group", "scattergap": 0.2})
    places = [scatter_points(trace, UNIT, axis, lanes[id(trace)])[0, 1] for trace in traces]
    assert places == pytest.approx([0.7, 0.3])  # the first above, as the axis leads downwards
    assert scatter_lanes(traces, {}) == {}
