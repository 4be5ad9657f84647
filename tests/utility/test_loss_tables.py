"""What was lost, as tables and in a sentence: the metrics' own figures."""

import math

import pytest

from metrics import Hierarchy, Roles, Scorecard, score
from metrics.utility.ambiguity import Ambiguity
from metrics.utility.changes import PairChanges, changes_by_column, pair_changes
from metrics.utility.loss_tables import change_table, column_table, combination_table, flow_table, level_table
from metrics.utility.loss_verdict import loss_verdict
from metrics.utility.non_uniform_entropy import NonUniformEntropy
from tests.support.small_tables import table
from tests.utility.test_changes import pair_of

HIERARCHIES = {"age": Hierarchy([["35", "30-39"], ["39", "30-39"], ["48", "40-49"]])}


@pytest.fixture
def card() -> Scorecard:
    return score(
        table({"sex": ["m", "f", "*", "f"], "age": ["30-39", "30-39", "*", "35"]}),
        Roles(quasi_identifiers=["sex", "age"]),
        original=table({"sex": ["m", "f", "f", "f"], "age": ["35", "39", "48", "39"]}),
        hierarchies=HIERARCHIES,
    )


def results(card: Scorecard) -> tuple[dict[str, PairChanges], NonUniformEntropy, Ambiguity]:
    entropy, ambiguity = card["non_uniform_entropy"].result, card["ambiguity"].result
    assert isinstance(entropy, NonUniformEntropy)
    assert isinstance(ambiguity, Ambiguity)
    return dict(changes_by_column(card.aggregates)), entropy, ambiguity


def test_columns_most_costly_first(card: Scorecard) -> None:
    changes, entropy, ambiguity = results(card)
    rows = column_table(changes, entropy, ambiguity).to_pylist()
    assert [row["column"] for row in rows] == ["age", "sex"]
    age = rows[0]
    assert age["loss (bits)"] == entropy.columns["age"].loss
    assert math.fsum(row["share of loss"] for row in rows) == pytest.approx(1)
    assert age["score"] == entropy.columns["age"].score
    assert (age["kept"], age["generalized"], age["suppressed"], age["perturbed"]) == (0, 2, 1, 1)
    assert (age["domain"], age["domain from"]) == (3, "hierarchy")
    assert "replaced" not in age


def test_what_is_unavailable_is_left_out(card: Scorecard) -> None:
    changes, entropy, ambiguity = results(card)
    assert column_table({}, None, None).column_names == ["column"]
    assert column_table({}, None, ambiguity).column_names == ["column", "domain", "domain from"]
    assert column_table(changes, None, None).num_rows == 2
    assert "kept" not in column_table({}, entropy, None).column_names
    unsure = {"q": pair_changes(pair_of(["a", "a"], ["A", "B"]), {})}
    assert change_table(unsure).to_pylist() == [
        {"column": "q", "kept": 0, "generalized": 0, "suppressed": 0, "perturbed": 0, "replaced": 2}
    ]


def test_levels_add_up(card: Scorecard) -> None:
    _, entropy, _ = results(card)
    rows = level_table(entropy).to_pylist()
    for name, column in entropy.columns.items():
        assert math.fsum(row["loss (bits)"] for row in rows if row["column"] == name) == pytest.approx(column.loss)
    assert math.fsum(row["share of loss"] for row in rows) == pytest.approx(1)
    assert level_table(NonUniformEntropy(1.0, {}, 0, {})).num_rows == 0


def test_combinations_of_records(card: Scorecard) -> None:
    _, _, ambiguity = results(card)
    rows = combination_table(ambiguity).to_pylist()
    assert [(row["combinations"], row["records"]) for row in rows] == [(1, 1), (2, 2), (6, 1)]


def test_every_flow_the_largest_first(card: Scorecard) -> None:
    changes, _, _ = results(card)
    rows = flow_table(changes["sex"]).to_pylist()
    assert rows[0] == {"original": "f", "anonymized": "f", "change": "kept", "records": 2}
    assert {tuple(row.values()) for row in rows[1:]} == {("f", "*", "suppressed", 1), ("m", "m", "kept", 1)}


def test_the_verdict_says_what_is_there(card: Scorecard) -> None:
    changes, entropy, ambiguity = results(card)
    left = f"{entropy.value:.1%} of the information is preserved"
    assert loss_verdict(entropy, changes, ambiguity) == (
        f"{left}, 62.5% of the cells were changed and a record is consistent with 2.75 combinations of original values "
        "on average."
    )
    assert loss_verdict(entropy, {}, None) == f"{left}."
    assert loss_verdict(None, {}, ambiguity).startswith("A record is consistent with 2.75")
    assert loss_verdict(None, {}, None) == ""
