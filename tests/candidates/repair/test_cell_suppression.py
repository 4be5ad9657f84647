"""Suppressing cells greedily: every class reaches k, and important columns are kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import TableAggregates
from metrics.candidates.repair.to_limits import Method, repair_to
from tests.candidates.repair.limited import QUASI_IDENTIFIERS, ROLES, cells, small_tables
from tests.support.small_tables import Cells, table


@given(small_tables(cells, 24), st.integers(2, 5), st.permutations(QUASI_IDENTIFIERS))
def test_the_greedy_choice_of_cells_leaves_no_class_below_k(
    content: dict[str, Cells], k: int, importance: list[str]
) -> None:
    aggregates = TableAggregates(table(content), ROLES)
    if not aggregates.classes.count:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("metrics.candidates.repair.cell_suppression.fewest_cells", lambda *_: None)
        found = repair_to(aggregates, {"k_anonymity": k}, Method.CELLS, importance=importance)
    assert (found.aggregates.classes.sizes >= k).all()
    assert found.suppressed_now <= repair_to(aggregates, {"k_anonymity": k}).suppressed_now


@pytest.mark.parametrize("k", [2, 5, 11])
def test_greedy_cell_suppression_reaches_k_and_keeps_important_columns(k: int) -> None:
    random = np.random.default_rng(3)
    names = [f"q{i}" for i in range(5)]
    content = {name: [str(one) for one in random.integers(0, 2 + i, 600)] for i, name in enumerate(names)}
    roles = metrics.Roles(quasi_identifiers=names)
    aggregates = TableAggregates(table(content), roles)
    found = repair_to(aggregates, {"k_anonymity": k}, Method.CELLS)
    assert not found.exact
    assert found.unmet == ()
    assert found.aggregates.classes.sizes.min() >= k
    whole = repair_to(aggregates, {"k_anonymity": k})
    assert found.cells_changed < 5 * whole.suppressed_now
    stars = {
        first: repair_to(aggregates, {"k_anonymity": k}, Method.CELLS, importance=[first]).table[first]
        for first in ("q1", "q3")
    }
    for first, column in stars.items():
        other = repair_to(aggregates, {"k_anonymity": k}, Method.CELLS, importance=[*(n for n in names if n != first)])
        assert (column.codes == column.code_of.get("*", -1)).sum() <= (
            other.table[first].codes == other.table[first].code_of.get("*", -1)
        ).sum()
