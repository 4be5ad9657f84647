"""Suppressing the fewest cells possible, against every choice of cells."""

from collections import Counter
from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from metrics.aggregates import TableAggregates
from metrics.candidates.repair.to_limits import Method, repair_to
from tests.candidates.repair.limited import QUASI_IDENTIFIERS, ROLES, cells, small_tables
from tests.support.small_tables import Cells, columns_of, table


@given(
    small_tables({"age": cells["age"], "sex": cells["sex"], "illness": st.just("flu")}, 4),
    st.integers(2, 3),
    st.booleans(),
    st.sampled_from([{}, {"age": 1.0}, {"age": 0.25, "sex": 0.75}]),
)
def test_exact_cell_suppression_suppresses_the_fewest_cells_possible(
    content: dict[str, Cells], k: int, keeps_sex: bool, weights: dict[str, float]
) -> None:
    roles = replace(ROLES, highest_levels={"sex": 0} if keeps_sex else {}, column_weights=weights)
    aggregates = TableAggregates(table(content), roles)
    if not aggregates.classes.count:
        return
    chosen = {"k_anonymity": k}
    repair = repair_to(aggregates, chosen, Method.CELLS)
    assert repair.exact
    rows = len(content["age"])
    smallest = None
    for flags in product([False, True], repeat=2 * rows):
        suppressed = {"age": list(flags[:rows]), "sex": list(flags[rows:])}
        if keeps_sex and any(
            gone and content["sex"][i] != "*" and not suppressed["age"][i] and content["age"][i] != "*"
            for i, gone in enumerate(suppressed["sex"])
        ):
            continue
        pairs = zip(*(zip(content[name], suppressed[name], strict=True) for name in QUASI_IDENTIFIERS), strict=True)
        sizes = Counter(tuple("*" if gone else cell for cell, gone in pair) for pair in pairs)
        if all(size >= k for key, size in sizes.items() if set(key) != {"*"}):
            changed = weight_changed(
                content, {name: [gone and "*" for gone in suppressed[name]] for name in suppressed}, weights
            )
            smallest = changed if smallest is None else min(smallest, changed)
    assert weight_changed(content, columns_of(repair.table), weights) == smallest


def weight_changed(before: dict[str, Cells], after: dict[str, Cells], weights: dict[str, float]) -> float:
    """The weight of the cells that are suppressed."""
    return sum(
        weights.get(name, 0.5) * sum(new == "*" != old for old, new in zip(before[name], after[name], strict=True))
        for name in QUASI_IDENTIFIERS
    )
