"""The payout figure holds every record once and draws its thresholds where attacks end."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics.drawing.theme import VIOLATION
from metrics.economics.cost_chart import attacks_by_cost
from metrics.economics.payout_chart import payout_by_class
from metrics.texts import text
from tests.drawing.drawn import SIZES, assert_calm, marks, profit, read, title

AMOUNTS = st.integers(0, 2000)


def bars(figure, *, attacked):
    """Records drawn as attacked, or as not."""
    return sum(
        sum(trace.y) for trace in figure.data if trace.type == "bar" and (trace.marker.color == VIOLATION) == attacked
    )


@given(SIZES, AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS)
def test_records_and_payout_add_up(sizes, cost, gain, loss, benefit):
    result = profit(sizes, adversary_cost=cost, adversary_gain=gain, publisher_loss=loss, publisher_benefit=benefit)
    figure = payout_by_class(result)
    assert_calm(figure)
    assert bars(figure, attacked=True) == result.records_attacked
    assert bars(figure, attacked=False) == result.records - result.records_attacked
    assert marks(figure) <= 2 * 60


def test_a_bucket_is_attacked_or_not():
    figure = payout_by_class(profit(np.arange(1, 200)))
    attacked, safe = (set(trace.x) for trace in figure.data[:2])
    assert not attacked & safe
    assert "75" in safe


def test_thresholds_are_drawn_and_labelled():
    figure = payout_by_class(profit([74, 75, 76, 77]))
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == 1.5
    assert [read(note.text) for note in figure.layout.annotations] == [
        text("charts.profitability.attack_free", size=76)
    ]


def test_thresholds_out_of_sight_are_still_named():
    small = payout_by_class(profit([2, 3]))
    assert read(small.layout.annotations[0].text) == text("charts.profitability.attack_free", size=76)
    free = payout_by_class(profit([2, 3], adversary_cost=0))
    assert read(free.layout.annotations[0].text) == text("charts.profitability.free_note")
    assert len(small.layout.shapes) == len(free.layout.shapes) == 0


def test_the_payouts_of_the_worked_example_are_drawn_by_class_size():
    figure = payout_by_class(profit([2, 3]))
    assert read(figure.data[0].hovertext[0]) == (
        "Classes of 2 records 1 class with 2 records, 2 of them profitable to attack "
        "Publisher's payout: 2,100, per record 1,050"
    )


def test_the_heading_says_in_which_classes_attacks_are_profitable() -> None:
    expected = text("charts.profitability.small_classes", size=74)
    assert title(payout_by_class(profit([74, 75], adversary_cost=4, adversary_gain=300))) == expected
    assert title(payout_by_class(profit([75, 80]))) == text("charts.profitability.none")
    assert title(payout_by_class(profit([2], adversary_cost=0))) == text("charts.profitability.free")


def test_class_sizes_from_one_to_a_million_are_drawn_with_few_marks():
    figure = payout_by_class(profit(np.unique(np.logspace(0, 6, 5000).astype(np.int64))))
    assert_calm(figure)
    assert marks(figure) <= 2 * 60


@given(SIZES, AMOUNTS, AMOUNTS)
def test_the_records_attacked_fall_with_the_cost_to_none_at_the_break_even(sizes, cost, gain):
    result = profit(sizes, adversary_cost=cost, adversary_gain=gain)
    figure = attacks_by_cost(result)
    assert_calm(figure)
    if not gain:
        assert not figure.data
        return
    (line,) = figure.data
    last = gain / min(sizes)
    assert (np.diff(line.y) <= 0).all()
    assert {y for x, y in zip(line.x, line.y, strict=True) if x > last * (1 + 1e-9)} == {0}
    assert title(figure) == text("charts.profitability.by_cost", cost=last)
    for x, y in list(zip(line.x, line.y, strict=True))[::20]:
        if 1e-6 < gain / x % 1 < 1 - 1e-6:  # attacks on no class break even
            assert y == profit(sizes, adversary_cost=x, adversary_gain=gain).records_attacked
