"""P_29's figures add up to the score and count the classes that fail."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.config.parameters import P29Parameters
from metrics.drawing.theme import PRIVACY, VIOLATION
from metrics.privacy.p29.chart import MAX_ROWS, p29_attributes, p29_breakdown, p29_conditions
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
    (bars,) = figure.data
    relative = [y for y, measure in zip(bars.y, bars.measure, strict=True) if measure == "relative"]
    assert relative[:3] == list(result.terms.values())
    assert math.fsum(relative) == pytest.approx(result.value, abs=1e-15)
    assert bars.y[-1] == result.value
    if all(result.conditions.values()):
        assert len(bars.y) == 4
    else:
        assert bars.y[-2] == -bars.y[-3] == -math.fsum(relative[:3])


def test_an_open_score_ends_after_its_terms():
    bars = p29_breakdown(OPEN).data[0]
    assert [read(key) for key in bars.x] == ["class size (k)", "diversity (l)", "closeness (t)", "P_29"]
    assert list(bars.y) == [0.25, 0.1875, 0.125, 0.5625]
    assert bars.totals.marker.color == PRIVACY
    assert read(bars.hovertext[0]) == (
        "The smallest class has 2 records Weight 0.5 × (1 − 1/2) = 0.25 Lost: 0.25 of 0.5"
    )
    assert title(p29_breakdown(OPEN)).startswith("P_29 is 0.562 ")
    assert title(p29_breakdown(OPEN)).endswith("the largest shortfall is in class size (k): 0.25")


def test_a_failed_condition_reduces_the_score_to_0_in_the_figure():
    figure = p29_breakdown(SHUT)
    bars = figure.data[0]
    assert bars.x[-2] == "fails k, l, t"
    assert bars.y[-3] == -bars.y[-2] == pytest.approx(sum(SHUT.terms.values()))
    assert bars.decreasing.marker.color == VIOLATION
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
