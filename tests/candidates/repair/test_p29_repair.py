"""A repair promises the figures that scoring its file gives, and stops only when no class violates."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import Aggregates, TableAggregates
from metrics.candidates.repair.p29_repair import P29Repair, repair_by_deletion, repair_by_merging, repaired_table
from metrics.errors import Unavailable
from tests.candidates.repair.ages import AGES
from tests.support.reference_tables import reference_table
from tests.support.small_tables import table

SENSITIVE = ("diag_1", "diag_2", "diag_3", "max_glu_serum", "A1Cresult", "readmitted")


def check_promise(aggregates: Aggregates, repair: P29Repair) -> None:
    """The repaired table has the promised classes and score, and no violating class unless only one is left."""
    table = repaired_table(aggregates, repair)
    again = TableAggregates(table, aggregates.roles, None, aggregates.hierarchies)
    if repair.result is None:
        assert again.classes.count == 0
        return
    card = metrics.score(table, aggregates.roles, hierarchies=aggregates.hierarchies)
    assert card["p29"].value == pytest.approx(repair.score, abs=1e-12)
    assert sorted(again.classes.sizes) == sorted(repair.result.components.sizes)
    assert not repair.result.violating.any() or again.classes.count == 1


@pytest.mark.reference
def test_deletion_repairs_the_diabetes_table_as_published() -> None:
    before, after = (reference_table("diabetes", f"diabetes_{name}_deletion.csv.gz") for name in ("before", "after"))
    roles = metrics.Roles(quasi_identifiers=["race", "gender", "age"], sensitive=SENSITIVE)
    aggregates = TableAggregates(before, roles)
    repair = repair_by_deletion(aggregates)
    assert repair.score == pytest.approx(0.8057811497937597, abs=1e-12)
    assert [(one.classes, one.records) for one in repair.rounds] == [(35, 2334)]
    assert texts(repaired_table(aggregates, repair)) == texts(after)


def texts(content: metrics.Table) -> pa.Table:
    """The cells of a table as plain text."""
    return pa.table({column.name: column.values.take(pa.array(column.codes)) for column in content.columns})


def table_of(rows: list[dict[str, str | None]], columns: list[str]) -> metrics.Table:
    return table({column: [row[column] for row in rows] for column in columns})


cells = st.sampled_from(["21", "25", "33", "20-29", "20-39", "*", None])
records = st.lists(
    st.fixed_dictionaries(
        {"age": cells, "sex": st.sampled_from(["f", "m", "*"]), "illness": st.sampled_from(["a", "b", "c"])}
    ),
    min_size=1,
    max_size=40,
)


@given(records, st.booleans())
def test_both_repairs_give_the_score_and_the_classes_they_promise(
    rows: list[dict[str, str | None]], with_hierarchy: bool
) -> None:
    roles = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness"])
    hierarchies = {"age": AGES} if with_hierarchy else {}
    aggregates = TableAggregates(table_of(rows, ["age", "sex", "illness"]), roles, None, hierarchies)
    if not aggregates.classes.count:
        with pytest.raises(Unavailable):
            repair_by_deletion(aggregates)
        return
    deleted = repair_by_deletion(aggregates)
    check_promise(aggregates, deleted)
    assert repaired_table(aggregates, deleted).rows == len(rows) - deleted.lost_records
    merged = repair_by_merging(aggregates)
    check_promise(aggregates, merged)
    assert repaired_table(aggregates, merged).rows == len(rows)


def test_a_table_without_violations_stays_as_it_is() -> None:
    rows = [{"age": "21", "illness": illness} for illness in "aabb"] + [{"age": "33", "illness": i} for i in "aabb"]
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    aggregates = TableAggregates(table_of(rows, ["age", "illness"]), roles)
    for repair in (repair_by_deletion(aggregates), repair_by_merging(aggregates)):
        assert repair.rounds == ()
        assert not repair.changed_classes.any()
        assert repaired_table(aggregates, repair).head(8) == aggregates.anonymized.head(8)


def test_changed_classes_are_those_with_new_labels() -> None:
    rows = [{"age": "21", "illness": "a"}, {"age": "25", "illness": "b"}] + [
        {"age": "61", "illness": illness} for illness in "abab"
    ]
    roles = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
    aggregates = TableAggregates(table_of(rows, ["age", "illness"]), roles, None, {"age": AGES})
    repair = repair_by_merging(aggregates)
    changed = {aggregates.classes.labels(int(i))["age"] for i in np.flatnonzero(repair.changed_classes)}
    assert changed == {"21", "25"}
    assert set(repair.labels["age"]) == {"20-29", "61"}
