"""Losses by column and level add up to the metric's own."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.texts import text
from metrics.utility.non_uniform_entropy.chart import MAX_COLUMNS, loss_by_column
from metrics.utility.non_uniform_entropy.measure import ColumnLoss, NonUniformEntropy
from tests.drawing.drawn import HOSTILE, assert_calm, marks, read, title

LOSSES = st.lists(
    st.tuples(st.dictionaries(st.integers(0, 5), st.floats(0, 1e6), max_size=4), st.floats(0, 1e6)),
    min_size=1,
    max_size=50,
)


def losses(columns):
    """A result with these (loss by level, bits left) by column."""
    made = {
        name: ColumnLoss(math.fsum(levels.values()), math.fsum(levels.values()) + left, levels, 0)
        for name, (levels, left) in columns.items()
    }
    loss, largest = (math.fsum(getattr(c, part) for c in made.values()) for part in ("loss", "largest"))
    return NonUniformEntropy(1 - loss / largest if largest else 1.0, made, 0, {})


@given(LOSSES)
def test_bars_hold_all_that_was_lost_and_all_that_is_left(columns):
    result = losses({f"c{i}": column for i, column in enumerate(columns)})
    figure = loss_by_column(result)
    assert_calm(figure)
    *levels, left = figure.data
    lost = math.fsum(bits for trace in levels for bits in trace.x)
    assert lost == pytest.approx(math.fsum(c.loss for c in result.columns.values()), abs=1e-6)
    kept = math.fsum(c.largest - c.loss for c in result.columns.values())
    assert math.fsum(left.x) == pytest.approx(kept, abs=1e-3)
    assert len(left.y) <= MAX_COLUMNS + 1
    assert marks(figure) <= 7 * (MAX_COLUMNS + 1)


def test_columns_are_ordered_by_their_loss_and_levels_are_named():
    figure = loss_by_column(losses({"age": ({1: 10.0, 2: 0.0}, 30.0), "sex": ({0: 0.0, 3: 40.0}, 10.0)}))
    assert [trace.name for trace in figure.data] == ["lost to level 1", "lost to level 3", "kept"]
    assert list(figure.data[0].y) == ["sex", "age"]
    assert [list(trace.x) for trace in figure.data] == [[0, 10], [40, 0], [10, 30]]
    assert read(figure.data[1].hovertext[0]) == (
        "sex Lost by level 3: 40 bits, 80% of the total loss This column lost 40 bits, 80% of the total loss"
    )
    assert title(figure) == "44.4% of the information is kept; sex accounts for 80% of the loss"
    depths = [trace.marker.color for trace in figure.data[:2]]
    assert depths == ["rgba(138, 143, 152, 0.62)", "rgba(138, 143, 152, 1.00)"]


def test_what_is_left_of_perturbed_columns_has_another_colour():
    result = replace(losses({"age": ({1: 10.0}, 30.0), "sex": ({1: 4.0}, 10.0)}), not_generalized={"age": 0.9})
    _, kept, perturbed = loss_by_column(result).data
    assert (kept.name, list(kept.x)) == ("kept", [10])
    assert (perturbed.name, list(perturbed.x)) == ("kept or perturbed", [30])
    assert kept.marker.color != perturbed.marker.color


def test_the_share_of_a_column_is_a_lower_bound_where_it_alone_lost_more_than_is_counted():
    result = losses({"age": ({1: 10.0}, 30.0), "sex": ({1: 4.0}, 10.0)})
    figures = {"value": result.value, "column": "age", "share": 10 / 14}
    for bounded in ({"not_generalized": {"age": 0.9}}, {"misread": {"age": 0.9}}):
        assert replace(result, **bounded).brief() == text("non_uniform_entropy.preserved_at_most_there", **figures)
    for perturbed in ({"sex": 0.9}, {"age": 0.9, "sex": 0.9}):
        found = replace(result, not_generalized=perturbed).brief()
        assert found == text("non_uniform_entropy.preserved_at_most", **figures)


def test_a_column_without_loss_and_a_table_without_columns_are_drawn():
    figure = loss_by_column(losses({"a": ({0: 0.0}, 5.0)}))
    assert_calm(figure)
    assert [trace.name for trace in figure.data] == ["kept"]
    assert_calm(loss_by_column(losses({"a": ({}, 0.0)})))
    assert "no quasi-identifier" in title(loss_by_column(NonUniformEntropy(1.0, {}, 0, {})))


def test_columns_beyond_the_maximum_are_drawn_as_one_bar():
    names = [*HOSTILE, *(f"c{i}" for i in range(100))]
    figure = loss_by_column(losses({name: ({1: 1.0}, 1.0) for name in names}))
    assert_calm(figure)
    assert figure.data[0].y[-1] == f"{len(names) - MAX_COLUMNS} other columns"
    assert sum(figure.data[0].x) == len(names)
