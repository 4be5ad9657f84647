"""Suppressing records: the fewest possible, and no class that others bring within the limits."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metrics.aggregates import TableAggregates
from metrics.candidates.limits.constraints import Constraints
from metrics.candidates.repair.to_limits import repair_to
from metrics.config.parameters import GroundDistance
from metrics.texts import text
from tests.candidates.repair.limited import (
    ILLNESSES,
    QUASI_IDENTIFIERS,
    ROLES,
    ages,
    cells,
    distances,
    limits,
    meets,
    numeric,
    of_distance,
    small_tables,
    with_cells,
)
from tests.support.small_tables import Cells, table


@given(st.one_of(small_tables(cells, 9), small_tables(numeric, 9)), limits, distances)
def test_exact_record_suppression_suppresses_the_fewest_records_possible(
    content: dict[str, Cells], constraints: Constraints, distance: GroundDistance | None
) -> None:
    numbers = content["illness"][0] in ("1", "2", "10")
    parameters = of_distance(None if numbers else distance)
    aggregates = TableAggregates(table(content), ROLES, None, {} if numbers else {"illness": ILLNESSES})
    if not aggregates.classes.count:
        return
    repair = repair_to(aggregates, constraints, parameters=parameters)
    members = aggregates.class_of_record()
    smallest = None
    for gone in product([False, True], repeat=aggregates.classes.count):
        flags = [member >= 0 and gone[member] for member in members.tolist()]
        tried = with_cells(content, {name: flags for name in QUASI_IDENTIFIERS})
        if meets(tried, constraints, parameters, aggregates.hierarchies):
            cost = int(np.dot(aggregates.classes.sizes, gone))
            smallest = cost if smallest is None else min(smallest, cost)
    assert repair.exact  # so few classes are never left to a heuristic
    if smallest is None:
        assert repair.unmet
    else:
        assert not repair.unmet
        assert repair.suppressed_now == smallest


def test_a_class_is_kept_if_suppressing_another_brings_it_within_the_limits() -> None:
    content = ages({"21": 2, "25": 2, "33": 2})
    content["illness"] = ["flu", "cough", "flu", "cough", "ulcer", "ulcer"]
    repair = repair_to(TableAggregates(table(content), ROLES), Constraints(t=0.4))
    assert (repair.suppressed_now, repair.exact, repair.unmet) == (2, True, ())
    assert repair.rounds == ((1, 2),)
    assert repair.reasons == (text("limits.class_above", title="t for illness", found=2 / 3, limit=0.4),)
