"""What was lost, as tables: the metrics' own figures."""

import math

import pytest

from metrics.explanations.loss_tables import change_table, column_loss_table, combination_table, flow_table, level_table
from metrics.utility.cells.changes import pair_changes
from metrics.utility.non_uniform_entropy.measure import NonUniformEntropy
from tests.utility.cells.test_changes import pair_of
from tests.utility.losses import lost_by_four


def test_columns_are_listed_with_the_largest_loss_first() -> None:
    changes, entropy, ambiguity = lost_by_four()
    rows = column_loss_table(changes, entropy, ambiguity).to_pylist()
    assert [row["column"] for row in rows] == ["age", "sex"]
    age = rows[0]
    assert age["loss (bits)"] == entropy.columns["age"].loss
    assert math.fsum(row["share of loss"] for row in rows) == pytest.approx(1)
    assert age["score"] == entropy.columns["age"].score
    assert (age["kept"], age["generalized"], age["suppressed"], age["perturbed"]) == (0, 2, 1, 1)
    assert (age["domain"], age["domain from"]) == (3, "hierarchy")
    assert "replaced" not in age


def test_unavailable_losses_are_left_out() -> None:
    changes, entropy, ambiguity = lost_by_four()
    assert column_loss_table({}, None, None).column_names == ["column"]
    assert column_loss_table({}, None, ambiguity).column_names == ["column", "domain", "domain from"]
    assert column_loss_table(changes, None, None).num_rows == 2
    assert "kept" not in column_loss_table({}, entropy, None).column_names
    unsure = {"q": pair_changes(pair_of(["a", "a"], ["A", "B"]), {})}
    assert change_table(unsure).to_pylist() == [
        {"column": "q", "kept": 0, "generalized": 0, "suppressed": 0, "perturbed": 0, "replaced": 2}
    ]


def test_the_losses_of_levels_add_up_to_those_of_columns() -> None:
    _, entropy, _ = lost_by_four()
    rows = level_table(entropy).to_pylist()
    for name, column in entropy.columns.items():
        assert math.fsum(row["loss (bits)"] for row in rows if row["column"] == name) == pytest.approx(column.loss)
    assert math.fsum(row["share of loss"] for row in rows) == pytest.approx(1)
    assert level_table(NonUniformEntropy(1.0, {}, 0, {})).num_rows == 0


def test_records_are_counted_by_their_number_of_combinations() -> None:
    _, _, ambiguity = lost_by_four()
    rows = combination_table(ambiguity).to_pylist()
    assert [(row["combinations"], row["records"]) for row in rows] == [(1, 1), (2, 2), (6, 1)]


def test_flows_of_values_are_listed_with_the_largest_first() -> None:
    changes, _, _ = lost_by_four()
    rows = flow_table(changes["sex"]).to_pylist()
    assert rows[0] == {"original": "f", "anonymized": "f", "change": "kept", "records": 2}
    assert {tuple(row.values()) for row in rows[1:]} == {("f", "*", "suppressed", 1), ("m", "m", "kept", 1)}
