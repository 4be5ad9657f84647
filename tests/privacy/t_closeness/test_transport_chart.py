"""Moved mass drawn: what is drawn sums to t, and long attributes stay few marks."""

import numpy as np
import pytest
from hypothesis import given

from metrics import Hierarchy
from metrics.aggregates import TableAggregates
from metrics.config.parameters import GroundDistance
from metrics.drawing.stepped import MAX_POINTS
from metrics.errors import Unavailable
from metrics.privacy.classes.ground_distances import class_distances
from metrics.privacy.t_closeness.transport_chart import MAX_NODES, MAX_VALUES, transport_plan_chart
from metrics.privacy.t_closeness.transport_plan import EqualMass, OrderedMass, transport_plan
from tests.drawing.drawn import HOSTILE, assert_calm, read, title
from tests.privacy.t_closeness.test_transport_plan import DISEASES, SEED, aggregates_of
from tests.support.scenes import Scene, sensitive_scenes
from tests.support.small_tables import table


def seed_figure(column, distance):
    histogram = aggregates_of(SEED, ["born"]).histogram(column)
    return transport_plan_chart(transport_plan(histogram, 0, distance, DISEASES), column)


@given(sensitive_scenes())
def test_every_figure_of_a_transport_plan_follows_the_theme(scene: Scene):
    hierarchies = {name: Hierarchy(rows) for name, rows in scene.hierarchies.items()}
    aggregates = TableAggregates(table(scene.anonymized), scene.roles, hierarchies=hierarchies)
    if not aggregates.classes.count:
        return
    for name, histogram in aggregates.sensitive().items():
        for distance in GroundDistance:
            try:
                class_distances(histogram, distance, hierarchies.get(name))
            except Unavailable:
                continue
            mass = transport_plan(histogram, 0, distance, hierarchies.get(name))
            figure = transport_plan_chart(mass, name)
            assert_calm(figure)
            assert bool(figure.data) is (mass.t > 0)
            if not mass.t:
                assert title(figure).startswith("Nothing must be moved")


def test_equal_bars_on_either_side_sum_to_t():
    figure = seed_figure("disease", GroundDistance.EQUAL)
    more, less = figure.data
    assert list(more.y) == ["flu", "stomach-cancer"]
    assert list(less.y) == ["gastritis"]
    assert sum(more.x) == pytest.approx(20) == -sum(less.x)
    assert title(figure) == "20% of this class's records would have to change their disease: t = 0.2"


def test_ordered_lines_enclose_t():
    figure = seed_figure("salary", GroundDistance.ORDERED)
    in_table, in_class = figure.data
    assert in_class.fill == "tonexty"
    assert in_class.line.shape == in_table.line.shape == "hv"
    assert np.abs(in_class.y - in_table.y).sum() / 4 == pytest.approx(37.5)
    assert title(figure) == "salary is lower here than in the table: the area between the lines is t = 0.375"
    assert list(figure.layout.xaxis.ticktext) == ["3", "4", "5", "6", "8"]


def test_hierarchical_nodes_sum_to_t():
    figure = seed_figure("disease", GroundDistance.HIERARCHICAL)
    (bars,) = figure.data
    assert dict(zip(bars.y, bars.x, strict=True)) == pytest.approx({"disease": 1 / 10, "stomach": 1 / 20})
    finding = "0.1 of the distance of 0.15 lies between the broadest groups"
    assert title(figure) == f"disease: {finding}"
    assert "moves 10% of the records at 1/2 each: 0.05" in read(bars.hovertext[1])
    assert "gastritis: −20%" in read(bars.hovertext[1])
    root, stomach = figure.layout.annotations
    assert root.xshift < stomach.xshift


def test_a_figure_of_many_values_folds_the_small_ones():
    labels = tuple(f"value {i}" for i in range(200))
    in_class = np.full(200, 1 / 200)
    in_table = np.arange(200) / np.arange(200).sum()
    figure = transport_plan_chart(EqualMass(labels, in_class, in_table, 0.25), "s")
    assert_calm(figure)
    assert len(figure.layout.yaxis.categoryarray) == MAX_VALUES + 1
    more, less = figure.data
    assert sum(more.x) == pytest.approx(100 * np.maximum(in_class - in_table, 0).sum())
    assert sum(more.x) + sum(less.x) == pytest.approx(0, abs=1e-9)


def test_a_figure_of_many_ranks_keeps_few_points():
    labels = tuple(str(i) for i in range(100_000))
    in_table = np.linspace(0, 1, 100_001)[1:]
    figure = transport_plan_chart(OrderedMass(labels, in_table**2, in_table, 1 / 6), "s")
    assert_calm(figure)
    assert all(len(trace.x) <= MAX_POINTS for trace in figure.data)
    assert title(figure).startswith("s is higher here")


def test_a_figure_of_a_large_tree_keeps_the_costly_nodes():
    leaves = [f"{a}{b}{c}" for a in "0123456789" for b in "0123456789" for c in "01"]
    tree = Hierarchy([[leaf, f"{leaf[:2]}*", f"{leaf[0]}**", "*"] for leaf in leaves])
    cells = [leaf for i, leaf in enumerate(leaves) for _ in range(i % 7 + 1)]
    content = table({"q": [str(i % 5) for i in range(len(cells))], "s": cells})
    histogram = aggregates_of(content, ["q"]).histogram("s")
    mass = transport_plan(histogram, 2, GroundDistance.HIERARCHICAL, tree)
    figure = transport_plan_chart(mass, "s")
    assert_calm(figure)
    (bars,) = figure.data
    assert len(bars.y) <= MAX_NODES
    assert bars.y[0] == "*"
    assert "nodes shown)" in title(figure)


def test_markup_in_labels_of_a_transport_plan_is_shown_as_plain_text():
    tree = Hierarchy([[label, f"{label} or so", "<b>root</b>"] for label in HOSTILE if label])
    cells = [label for label in HOSTILE if label]
    content = table({"q": ["a"] * 3 + ["b"] * (len(cells) - 3), "s": cells})
    histogram = aggregates_of(content, ["q"]).histogram("s")
    for distance in (GroundDistance.EQUAL, GroundDistance.HIERARCHICAL):
        assert_calm(transport_plan_chart(transport_plan(histogram, 0, distance, tree), "<i>$s$</i>"))
