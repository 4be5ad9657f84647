"""P_29's figures add up to the score and count the classes that fail."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.config.parameters import P29Parameters
from metrics.drawing.theme import VIOLATION
from metrics.privacy.p29.chart import MAX_ROWS, p29_attributes, p29_breakdown, p29_conditions
from metrics.privacy.p29.triangle_chart import p29_triangle, weights_at
from metrics.texts import text
from tests.drawing.drawn import HOSTILE, assert_calm, joint, marks, read, title

SHARE = st.floats(0, 1)
CLASSES = st.lists(st.tuples(st.integers(1, 9), SHARE, SHARE, SHARE, SHARE), min_size=1, max_size=6)
WEIGHTS = st.sampled_from([(0.5, 0.25, 0.25), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.2, 0.3, 0.5)])

OPEN = joint([2, 4], {"A": [0.5, 1.0]}, {"A": [0.0, 0.4]})
SHUT = joint([1, 3, 4], {"A": [0, 0, 1], "B": [0, 1, 1]}, {"A": [0.6, 0.1, 0.1], "B": [0.2, 0.7, 0.1]})


@given(CLASSES, WEIGHTS)
def test_bars_add_up_to_the_score(classes, weights):
    sizes, *columns = zip(*classes, strict=True)
    entropy, distance = dict(zip("AB", columns[:2], strict=True)), dict(zip("AB", columns[2:], strict=True))
    result = joint(sizes, entropy, distance, P29Parameters(*weights))
    figure = p29_breakdown(result)
    assert_calm(figure)
    found, missing, score, rest = figure.data
    assert list(found.x) == list(result.terms.values())
    assert [math.fsum(both) for both in zip(found.x, missing.x, strict=True)] == pytest.approx(list(weights))
    assert list(missing.base) == pytest.approx([math.fsum(both) for both in zip(found.base, found.x, strict=True)])
    assert list(score.x) == [result.value]
    assert rest.x[0] == pytest.approx(math.fsum(found.x) if rest.name == "lost" else 1 - result.value)
    assert (rest.name == "lost") == (not all(result.conditions.values()))


def test_an_open_score_is_the_sum_of_its_terms():
    figure = p29_breakdown(OPEN)
    found, missing, score, _ = figure.data
    assert list(found.x) == [0.25, 0.1875, 0.125]
    assert list(missing.x) == [0.25, 0.0625, 0.125]
    assert list(score.x) == [0.5625]
    assert read(found.hovertext[0]) == (
        "The smallest class has 2 records Weight 0.5 × (1 − 1/2) = 0.25 Lost: 0.25 of 0.5"
    )
    assert title(figure) == text("charts.p29.shortfall", term="k term", lost=0.25, weight=0.5)
    assert [read(note.text) for note in figure.layout.annotations] == [
        "k 0.25",
        "l 0.188",
        "t 0.125",
        "0.562",
    ]


def test_a_failed_condition_reduces_the_score_to_0_in_the_figure():
    figure = p29_breakdown(SHUT)
    score, lost = figure.data[2:]
    assert score.x[0] == 0
    assert lost.x[0] == pytest.approx(sum(SHUT.terms.values()))
    assert lost.marker.line.color == VIOLATION
    assert title(figure).startswith(
        "P_29 is 0: 2 of 3 classes fail condition k, l or t; without the conditions, it would be "
    )


def test_one_class_fails_one_condition():
    one = joint([3, 3], {"A": [0, 1]}, {"A": [0.1, 0.1]})
    assert title(p29_breakdown(one)).startswith("P_29 is 0: 1 of 2 classes fails condition l;")


def test_attributes_show_their_means_least_diverse_first():
    figure = p29_attributes(SHUT)
    assert_calm(figure)
    diversity, distance = figure.data
    assert list(diversity.y) == list(distance.y) == ["A", "B"]
    assert list(diversity.x) == [SHUT.attribute_l["A"], SHUT.attribute_l["B"]]
    assert list(distance.x) == [SHUT.attribute_t["A"], SHUT.attribute_t["B"]]
    assert title(figure) == text(
        "charts.p29.two_attributes", least_diverse="A", diversity="0.333", farthest="B", distance="0.389"
    )
    same = joint([2, 4], {"A": [0.5, 0.5], "B": [1, 1]}, {"A": [0, 0.4], "B": [0, 0]})
    assert title(p29_attributes(same)) == text("charts.p29.same_attribute", column="A", diversity="0.5", distance="0.5")
    assert title(p29_attributes(OPEN)) == text(
        "charts.p29.only_attribute", column="A", diversity="0.75", distance="0.5"
    )


def test_conditions_count_classes_and_records_by_reason():
    figure = p29_conditions(SHUT)
    assert_calm(figure)
    bars = figure.data[0]
    assert dict(zip(map(read, bars.y), bars.x, strict=True)) == {
        "k = 1: single record": 1,
        "single value: A": 2,
        "single value: B": 1,
        "variational t > 0.5: A": 1,
        "variational t > 0.5: B": 1,
    }
    assert read(bars.hovertext[1]) == "single value: A 2 classes with 4 records"
    assert bars.marker.color == VIOLATION
    assert title(figure) == text("charts.p29.failing", reason="single value", column="A", classes=2, failing=2)


def test_the_p29_figure_says_that_no_class_fails_a_condition():
    figure = p29_conditions(OPEN)
    assert_calm(figure)
    assert title(figure) == text("charts.p29.no_failing", classes=2)


def test_figures_of_hundreds_of_attributes_state_how_many_are_not_shown():
    names = [*HOSTILE, *(f"column {i}" for i in range(300))]
    result = joint([1, 2], {name: [0, 1] for name in names}, {name: [0.9, 0.1] for name in names})
    for figure in (p29_attributes(result), p29_conditions(result), p29_breakdown(result)):
        assert_calm(figure)
        assert marks(figure) <= 2 * MAX_ROWS
    assert "30 of 313 attributes shown" in title(p29_attributes(result))
    assert "(597 reasons not shown)" in title(p29_conditions(result))


@given(st.floats(-1, 2), st.floats(-1, 2))
def test_every_point_of_the_triangle_is_a_choice_of_weights(x, y):
    weights = weights_at(x, y)
    assert P29Parameters(*weights)
    assert weights_at(weights[2] + weights[0] / 2, weights[0]) == weights


def test_the_triangle_shows_the_score_with_all_weight_on_one_term():
    figure = p29_triangle(OPEN)
    assert_calm(figure)
    assert [read(note.text) for note in figure.layout.annotations] == [
        "all on k: 0.5",
        "all on l: 0.75",
        "all on t: 0.5",
    ]
    assert title(figure) == text("charts.p29.weights", worst=0.5, best=0.75)
    _, lines, chosen = figure.data
    assert (chosen.x[0], chosen.y[0]) == (0.5, 0.5)
    # A line of equal score 0.6 ends where 0.5 + 0.25 w_l is 0.6 on two edges.
    ends = [(x, y) for x, y in zip(lines.x, lines.y, strict=True) if x is not None]
    assert {round(1 - y - (x - y / 2), 9) for x, y in ends} == {0.4, 0.8}
