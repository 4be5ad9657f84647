"""The planes of amounts: each point lies in the region of what attacking and publishing earn there."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from hypothesis import given
from hypothesis import strategies as st

from metrics.config.parameters import ProfitabilityParameters
from metrics.counting.classes import EquivalenceClasses
from metrics.economics.phase_chart import attack_plane, publisher_plane
from metrics.economics.profitability import Profitability, profitability
from metrics.texts import text
from tests.drawing.drawn import assert_calm, read, title

MAXIMA = {"adversary_cost": 100.0, "adversary_gain": 3000.0, "publisher_loss": 3000.0, "publisher_benefit": 3000.0}
AMOUNT = st.integers(41, 399).map(lambda number: number / 4)
SIZES = st.lists(st.integers(1, 200), min_size=1, max_size=9)


def profit(sizes: list[int], **amounts: Any) -> Profitability:
    classes = EquivalenceClasses((), (), np.array(sizes, dtype=np.int64), 0, None)
    return profitability(classes, ProfitabilityParameters(**amounts))


def regions(figure: go.Figure) -> list[str]:
    """The regions that the chosen point lies in; on a border, both."""
    (*areas, point) = figure.data
    (x,), (y,) = point.x, point.y
    found = []
    for area in areas:
        half = len(area.x) // 2
        lower = np.interp(x, area.x[:half], area.y[:half])
        upper = np.interp(x, area.x[:half], area.y[half:][::-1])
        if lower * (1 - 1e-9) <= y <= upper * (1 + 1e-9):
            found.append(area.name)
    return found


@given(SIZES, AMOUNT, AMOUNT)
def test_the_point_lies_in_the_region_of_the_attacks_there(sizes: list[int], cost: float, gain: float) -> None:
    result = profit(sizes, adversary_cost=cost, adversary_gain=gain)
    figure = attack_plane(result, MAXIMA)
    assert_calm(figure)
    attacked = result.records_attacked
    name = (
        text("charts.amounts.no_attack")
        if not attacked
        else text("charts.amounts.all_attacked")
        if attacked == result.records
        else text("charts.amounts.some_attacks")
    )
    assert name in regions(figure)


@given(SIZES, AMOUNT, AMOUNT)
def test_the_point_lies_in_the_region_of_what_publishing_earns(sizes: list[int], loss: float, benefit: float) -> None:
    result = profit(sizes, publisher_loss=loss, publisher_benefit=benefit)
    figure = publisher_plane(result, MAXIMA)
    assert_calm(figure)
    name = (
        text("charts.amounts.pays")
        if result.basic
        else text("charts.amounts.some_lose")
        if result.publisher_payout > 0
        else text("charts.amounts.loses")
    )
    assert name in regions(figure)


def test_regions_that_have_room_are_named() -> None:
    figure = attack_plane(profit([2, 40]), MAXIMA)
    assert title(figure) == text("charts.amounts.attack", times="2 × ")
    assert [read(note.text) for note in figure.layout.annotations] == [area.name for area in figure.data[:3]]
    assert len(attack_plane(profit([40, 41]), MAXIMA).layout.annotations) == 2
