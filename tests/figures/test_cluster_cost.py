"""Bytes over records: the lines hold the costs, axes name them, and the title says what a billion records take."""

import numpy as np
import pytest

from metrics.engines.cost import ClusterCost
from metrics.figures.cluster_cost import cluster_cost_figure
from tests.figures.drawn import assert_calm, read, title

RECORDS = [10**6, 10**7, 10**8, 10**9]


def costs(matching=40.0):
    return [
        ClusterCost(
            records=records,
            partitions=records // 10**6,
            partial_counts=records / 100,
            counting_bytes=records / 10,
            matching_bytes=matching * records,
            classes=10.0,
            cells={"s": 20.0},
            driver_bytes=min(records, 10**8),
            undivided_bytes=3.0 * records,
        )
        for records in RECORDS
    ]


def test_each_line_shows_one_cost_by_records():
    drawn = costs()
    figure = cluster_cost_figure(drawn)
    assert_calm(figure)
    counting, matching, driver, undivided = figure.data
    assert list(counting.x) == RECORDS
    assert list(counting.y) == [cost.counting_bytes for cost in drawn]
    assert list(matching.y) == [cost.matching_bytes for cost in drawn]
    assert list(driver.y) == [cost.driver_bytes for cost in drawn]
    assert list(undivided.y) == [cost.undivided_bytes for cost in drawn]
    assert len({(line.line.color, line.line.dash) for line in figure.data}) == 4
    assert read(counting.hovertext[1]) == ("Shuffled to count the classes 10 million records in 10 partitions: 1 MB")


def test_axes_reach_as_far_as_the_lines():
    figure = cluster_cost_figure(costs())
    x, y = figure.layout.xaxis, figure.layout.yaxis
    assert x.type == y.type == "log"
    assert x.range[0] < 6 < 9 < x.range[1]
    assert [read(text) for text in x.ticktext] == ["1 million", "10 million", "100 million", "1 billion"]
    most = max(value for line in figure.data for value in line.y)
    least = min(value for line in figure.data for value in line.y)
    assert y.range[0] <= np.log10(least) <= np.log10(most) <= y.range[1]
    assert [read(text) for text in y.ticktext] == ["1 MB", "1 GB"]


def test_nothing_is_drawn_of_matching_without_an_original():
    figure = cluster_cost_figure(costs(matching=0.0))
    assert [line.name for line in figure.data] == [
        "shuffled to count the classes",
        "held by the driver",
        "if all classes were held at once",
    ]


@pytest.mark.parametrize(
    ("matching", "finding"),
    [
        (40.0, "1 billion records: 40 GB shuffled, 100 MB held by the driver"),
        (0.0, "1 billion records: 100 MB shuffled, 100 MB held by the driver"),
    ],
)
def test_the_title_states_the_cost_of_the_largest_number_of_records(matching, finding):
    assert title(cluster_cost_figure(costs(matching))) == finding
