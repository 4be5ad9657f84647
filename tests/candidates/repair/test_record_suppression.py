"""Suppressing records: the fewest possible, and no class that others bring within the limits."""

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import TableAggregates
from metrics.candidates.limits.enforced import Limits
from metrics.candidates.repair.to_limits import Method, repair_to
from metrics.config.parameters import GroundDistance
from metrics.metric import ABOVE_ZERO
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
from tests.support.reference_tables import reference_table
from tests.support.small_tables import Cells, table


@given(st.one_of(small_tables(cells, 9), small_tables(numeric, 9)), limits, distances)
def test_exact_record_suppression_suppresses_the_fewest_records_possible(
    content: dict[str, Cells], chosen: Limits, distance: GroundDistance | None
) -> None:
    numbers = content["illness"][0] in ("1", "2", "10")
    parameters = of_distance(None if numbers else distance)
    aggregates = TableAggregates(table(content), ROLES, None, {} if numbers else {"illness": ILLNESSES})
    if not aggregates.classes.count:
        return
    repair = repair_to(aggregates, chosen, parameters=parameters)
    members = aggregates.class_of_record()
    smallest = None
    for gone in product([False, True], repeat=aggregates.classes.count):
        flags = [member >= 0 and gone[member] for member in members.tolist()]
        tried = with_cells(content, {name: flags for name in QUASI_IDENTIFIERS})
        if meets(tried, chosen, parameters, aggregates.hierarchies):
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
    repair = repair_to(TableAggregates(table(content), ROLES), {"t_closeness": 0.4})
    assert (repair.suppressed_now, repair.exact, repair.unmet) == (2, True, ())
    assert repair.rounds == ((1, 2),)
    (failing,) = repair.violations
    assert [*failing.values()] == [text("limits.class_above", title="t for illness", found=2 / 3, limit=0.4)]


def test_every_failing_class_goes_round_after_round_with_its_reasons() -> None:
    content = ages({"21": 4, "25": 1, "33": 2, "*": 1})
    content["sex"] = ["f"] * 7 + ["*"]
    content["illness"] = ["flu"] * 4 + ["cough", "flu", "cough", "flu"]
    repair = repair_to(TableAggregates(table(content), ROLES), {"t_closeness": 0.3}, Method.FAILING)
    assert (repair.unmet, repair.suppressed_now, repair.rounds) == ((), 3, ((1, 1), (1, 2)))
    assert [[*failing.values()] for failing in repair.violations] == [
        [text("limits.class_above", title="t for illness", found=found, limit=0.3)] for found in (5 / 7, 1 / 3)
    ]
    assert repair.without_suppressed.rows == 5  # the record that had `*` before stays


@pytest.mark.reference
def test_p29_is_raised_by_deletion_of_every_failing_class_as_published() -> None:
    before, after = (reference_table("diabetes", f"diabetes_{name}_deletion.csv.gz") for name in ("before", "after"))
    sensitive = ("diag_1", "diag_2", "diag_3", "max_glu_serum", "A1Cresult", "readmitted")
    roles = metrics.Roles(quasi_identifiers=["race", "gender", "age"], sensitive=sensitive)
    repair = repair_to(TableAggregates(before, roles), {"p29": ABOVE_ZERO}, Method.FAILING)
    assert repair.rounds == ((35, 2334),)
    assert texts(repair.without_suppressed) == texts(after)
    assert metrics.score(after, roles)["p29"].value == pytest.approx(0.8057811497937597, abs=1e-12)


def texts(content: metrics.Table) -> pa.Table:
    """The cells of a table as plain text."""
    return pa.table({column.name: column.values.take(pa.array(column.codes)) for column in content.columns})
