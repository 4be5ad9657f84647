"""Merging classes: the fewest records changed, against every way to merge them."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import TableAggregates
from metrics.candidates.limits.enforced import Limits
from metrics.candidates.repair.to_limits import Method, repair_to
from metrics.config.parameters import Parameters
from tests.candidates.repair.limited import (
    AGES,
    ILLNESSES,
    QUASI_IDENTIFIERS,
    ROLES,
    cells,
    limits,
    meets,
    small_tables,
)
from tests.support.small_tables import Cells, columns_of, table


@given(small_tables(cells, 8), limits, st.sampled_from([{}, {"age": 1.0}, {"age": 0.25, "sex": 0.75}]))
def test_exact_merging_changes_the_fewest_records_or_the_least_weight(
    content: dict[str, Cells], chosen: Limits, weights: dict[str, float]
) -> None:
    roles = replace(ROLES, column_weights=weights)
    aggregates = TableAggregates(table(content), roles, None, {"age": AGES, "illness": ILLNESSES})
    if not 0 < aggregates.classes.count <= 5:
        return
    repair = repair_to(aggregates, chosen, Method.MERGE)
    members = aggregates.class_of_record().tolist()
    ways: list[tuple[float, float]] = []
    for partition in set(product(range(aggregates.classes.count), repeat=aggregates.classes.count)):
        if any(group > max(partition[:i], default=-1) + 1 for i, group in enumerate(partition)):
            continue  # the same classes together under other numbers
        joined = {name: list(cells_of) for name, cells_of in content.items()}
        for group in set(partition):
            rows = [i for i, member in enumerate(members) if member >= 0 and partition[member] == group]
            for name in QUASI_IDENTIFIERS:
                found = {content[name][i] for i in rows}
                label = common(found) if name == "age" else "*"
                for i in rows:
                    joined[name][i] = label if len(found) > 1 else content[name][i]
        if meets(table(joined), chosen, Parameters(), aggregates.hierarchies):
            ways.append(cost(content, joined, weights))
    if ways:
        assert not repair.unmet
        assert cost(content, columns_of(repair.table), weights) == min(ways)
    else:
        assert repair.unmet
    assert repair.exact or repair.unmet


def cost(before: dict[str, Cells], after: dict[str, Cells], weights: dict[str, float]) -> tuple[float, float]:
    """Records changed, then the weight of the cells changed; the weight first where there are weights."""
    changed = [
        sum(weights.get(name, 0.5) * (after[name][i] != before[name][i]) for name in QUASI_IDENTIFIERS)
        for i in range(len(before["age"]))
    ]
    records = sum(one > 0 for one in changed)
    return (sum(changed), records) if weights else (records, sum(changed))


def test_merging_into_the_nearest_class_keeps_the_column_that_weighs_more() -> None:
    corners = [(f"{age}", sex) for age in range(4) for sex in "fm"]
    content: dict[str, Cells] = {"age": [age for age, _ in corners], "sex": [sex for _, sex in corners]}
    found = {}
    for name in QUASI_IDENTIFIERS:
        roles = metrics.Roles(QUASI_IDENTIFIERS, column_weights={name: 1.0})
        repair = repair_to(TableAggregates(table(content), roles), {"k_anonymity": 2}, Method.MERGE)
        found[name] = columns_of(repair.table)
    assert (found["age"]["age"], found["sex"]["sex"]) == (content["age"], content["sex"])


def test_cells_of_columns_that_weigh_less_are_suppressed_first() -> None:
    content: dict[str, Cells] = {"age": ["1", "1", "2", "2"], "sex": ["f", "m", "f", "m"], "job": ["a"] * 4}
    for light in QUASI_IDENTIFIERS:
        roles = metrics.Roles([*QUASI_IDENTIFIERS, "job"], column_weights={light: 0.0})
        aggregates = TableAggregates(table(content), roles)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("metrics.candidates.repair.cell_suppression.fewest_cells", lambda *_: None)
            repair = repair_to(aggregates, {"k_anonymity": 2}, Method.CELLS)
        assert set(columns_of(repair.table)[light]) == {"*"}
        assert repair.cells_suppressed == 4


def common(labels: set[str | None]) -> str:
    return "20s" if labels == {"21", "25"} else "*"
