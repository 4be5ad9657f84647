"""What a session keeps of attacks: results by the known columns, and which hold-out tables it refuses."""

from dashboard.state.attack_state import AttackState
from dashboard.workspace import Slot
from metrics import Parameters, Roles
from metrics.aggregates import TableAggregates
from tests.dashboard.application import (
    FEW,
    sample_workspace,
)
from tests.support.small_tables import table


def test_a_holdout_with_records_of_the_original_is_refused() -> None:
    state = sample_workspace(FEW)
    assert state.attackable_holdout() is not None
    original = state.tables.original
    assert original is not None
    state.tables.add(Slot.HOLDOUT, "same.csv", original.file.unpacked()[:10_000].rpartition(b"\n")[0] + b"\n")
    held = state.tables.holdout
    assert held is not None
    # Its identifier shows that these are people of the original, and without one their other values do.
    assert state.attackable_holdout() is None
    refused = AttackState().refused_holdout(held.table, original.table, Roles(["age"], key="record_id"))
    assert refused is not None
    assert "records of the original" in refused
    assert "equal exactly one record" in str(AttackState().refused_holdout(held.table, original.table, Roles(["age"])))
    lacking = AttackState().refused_holdout(table({"sex": ["f"]}), None, Roles(["age"]))
    assert lacking is not None
    assert "lacks" in lacking


def test_attack_results_are_cached_by_the_known_columns() -> None:
    cells = {"age": ["1", "1", "2", "3"], "sex": list("ffmm"), "s": list("xxyz")}
    aggregates = TableAggregates(table(cells), Roles(["age", "sex"], ["s"]), table(cells))
    state, parameters = AttackState(), Parameters()
    first = state.scores(aggregates, parameters)
    other = state.scores(aggregates, parameters.with_settings({"attack.known": ["age"]}))
    again = state.scores(aggregates, parameters)
    assert first["record_linkage_attack"].value == 0.75
    assert other["record_linkage_attack"] is not first["record_linkage_attack"]
    assert all(again[identifier] is first[identifier] for identifier in first)
    assert "hold-out" in str(first["membership_attack"].unavailable)
    # Predicates do not depend on what is known.
    assert other["singling_out_attack"] is first["singling_out_attack"]
