"""Repairs to limits: the smallest change where they say so, limits met when scored anew, and told what binds."""

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import Aggregates, TableAggregates
from metrics.candidates.limits.constraints import ABOVE_ZERO, Constraints
from metrics.candidates.repair.summary import no_violations_summary
from metrics.candidates.repair.to_limits import LimitedRepair, Method, limited_figures, repair_to
from metrics.config.parameters import (
    GroundDistance,
    P29Parameters,
    Parameters,
    ProfitabilityParameters,
    TClosenessParameters,
)
from metrics.errors import InputError, Unavailable
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.tables.export import to_csv
from metrics.tables.table import Table
from tests.support.small_tables import Cells, columns_of, table

AGES = Hierarchy([["21", "20s", "*"], ["25", "20s", "*"], ["33", "30s", "*"]])
ILLNESSES = Hierarchy([["flu", "lung", "*"], ["cough", "lung", "*"], ["ulcer", "stomach", "*"]])
QUASI_IDENTIFIERS = ["age", "sex"]
ROLES = metrics.Roles(quasi_identifiers=QUASI_IDENTIFIERS, sensitive=["illness"])

cells = {
    "age": st.sampled_from(["21", "25", "33", "*"]),
    "sex": st.sampled_from(["f", "m", "*"]),
    "illness": st.sampled_from(["flu", "cough", "ulcer"]),
}
numeric = {**cells, "illness": st.sampled_from(["1", "2", "10"])}


def small_tables(columns: dict[str, st.SearchStrategy[str]], most: int) -> st.SearchStrategy[dict[str, Cells]]:
    rows = st.lists(st.tuples(*columns.values()), min_size=1, max_size=most)
    return rows.map(lambda found: {name: [row[i] for row in found] for i, name in enumerate(columns)})


limits = st.builds(
    Constraints,
    k=st.sampled_from([None, 1, 2, 3]),
    l=st.sampled_from([None, 2]),
    t=st.sampled_from([None, 0.2, 0.34, 0.5]),
    p29=st.sampled_from([None, None, ABOVE_ZERO]),
    entropy_l=st.sampled_from([None, None, 1.5]),
    normalized_l=st.sampled_from([None, None, 0.7]),
    max_suppression=st.sampled_from([None, None, 0.3]),
)
distances = st.sampled_from([None, GroundDistance.EQUAL, GroundDistance.HIERARCHICAL])


def of_distance(distance: GroundDistance | None) -> Parameters:
    return Parameters(t_closeness=TClosenessParameters(distance={} if distance is None else {"illness": distance}))


def meets(candidate: Table, constraints: Constraints, parameters: Parameters, hierarchies: Hierarchies) -> bool:
    """Whether a table scored anew has a class and meets the limits, by the metrics' own figures."""
    aggregates = TableAggregates(candidate, ROLES, None, hierarchies)
    if not aggregates.classes.count:
        return False
    figures = {"k": np.zeros(1), **limited_figures(aggregates, constraints, parameters)}
    return bool(constraints.feasible(figures, candidate.rows).all())


def suppressed_in(content: dict[str, Cells]) -> int:
    return sum(all(content[name][i] == "*" for name in QUASI_IDENTIFIERS) for i in range(len(content["age"])))


def check(aggregates: Aggregates, repair: LimitedRepair, parameters: Parameters) -> None:
    """What a repair says of itself is what its file gives."""
    again = metrics.read_table(to_csv(repair.table.to_arrow()), name="again.csv")
    assert again.rows == aggregates.anonymized.rows
    assert meets(again, repair.constraints, parameters, aggregates.hierarchies) == (not repair.unmet)
    before, after = columns_of(aggregates.anonymized), columns_of(again)
    assert before["illness"] == after["illness"]
    changed = [
        sum(before[name][i] != after[name][i] for name in QUASI_IDENTIFIERS) for i in range(aggregates.anonymized.rows)
    ]
    assert (repair.records_changed, repair.cells_changed) == (sum(one > 0 for one in changed), sum(changed))
    assert repair.suppressed_now == suppressed_in(after) - suppressed_in(before)
    assert int(repair.suppressed.sum()) == suppressed_in(after)
    assert repair.without_suppressed.rows == again.rows - suppressed_in(after)
    assert (repair.cells_changed > 0) <= (len(repair.violating) > 0) <= (repair.cells_changed > 0 or bool(repair.unmet))


def with_cells(content: dict[str, Cells], suppressed: dict[str, list[bool]]) -> Table:
    """A table with further cells suppressed."""
    return table(
        {
            name: [
                "*" if gone else cell
                for cell, gone in zip(found, suppressed.get(name, [False] * len(found)), strict=True)
            ]
            for name, found in content.items()
        }
    )


@given(st.one_of(small_tables(cells, 14), small_tables(numeric, 14)), limits, distances)
def test_every_repair_meets_its_limits_or_names_those_it_cannot_meet(
    content: dict[str, Cells], constraints: Constraints, distance: GroundDistance | None
) -> None:
    numbers = content["illness"][0] in ("1", "2", "10")
    parameters = of_distance(None if numbers else distance)
    hierarchies = {"age": AGES, **({} if numbers else {"illness": ILLNESSES})}
    aggregates = TableAggregates(table(content), ROLES, None, hierarchies)
    for method in Method:
        if not aggregates.classes.count:
            with pytest.raises(Unavailable):
                repair_to(aggregates, constraints, method, parameters=parameters)
        else:
            check(aggregates, repair_to(aggregates, constraints, method, parameters=parameters), parameters)


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


@given(small_tables({"age": cells["age"], "sex": cells["sex"], "illness": st.just("flu")}, 4), st.integers(2, 3))
def test_exact_cell_suppression_suppresses_the_fewest_cells_possible(content: dict[str, Cells], k: int) -> None:
    aggregates = TableAggregates(table(content), ROLES)
    if not aggregates.classes.count:
        return
    constraints = Constraints(k=k)
    repair = repair_to(aggregates, constraints, Method.CELLS)
    assert repair.exact
    rows = len(content["age"])
    smallest = None
    for flags in product([False, True], repeat=2 * rows):
        suppressed = {"age": list(flags[:rows]), "sex": list(flags[rows:])}
        pairs = zip(*(zip(content[name], suppressed[name], strict=True) for name in QUASI_IDENTIFIERS), strict=True)
        sizes = Counter(tuple("*" if gone else cell for cell, gone in pair) for pair in pairs)
        if all(size >= k for key, size in sizes.items() if set(key) != {"*"}):
            changed = sum(
                content[name][i] != "*" for name in QUASI_IDENTIFIERS for i in range(rows) if suppressed[name][i]
            )
            smallest = changed if smallest is None else min(smallest, changed)
    assert repair.cells_changed == smallest


@given(small_tables(cells, 8), limits)
def test_exact_merging_changes_the_fewest_records(content: dict[str, Cells], constraints: Constraints) -> None:
    aggregates = TableAggregates(table(content), ROLES, None, {"age": AGES, "illness": ILLNESSES})
    if not 0 < aggregates.classes.count <= 5:
        return
    repair = repair_to(aggregates, constraints, Method.MERGE)
    members = aggregates.class_of_record().tolist()
    ways: list[tuple[int, int]] = []
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
        if meets(table(joined), constraints, Parameters(), aggregates.hierarchies):
            changed = [
                sum(joined[name][i] != content[name][i] for name in QUASI_IDENTIFIERS) for i in range(len(members))
            ]
            ways.append((sum(one > 0 for one in changed), sum(changed)))
    if ways:
        assert not repair.unmet
        assert (repair.records_changed, repair.cells_changed) == min(ways)
    else:
        assert repair.unmet
    assert repair.exact or repair.unmet


def common(labels: set[str | None]) -> str:
    return "20s" if labels == {"21", "25"} else "*"


@given(small_tables(cells, 24), limits, st.permutations(QUASI_IDENTIFIERS))
def test_heuristic_repairs_meet_the_limits_and_change_no_fewer_cells_than_exact_ones(
    content: dict[str, Cells], constraints: Constraints, importance: list[str]
) -> None:
    aggregates = TableAggregates(table(content), ROLES, None, {"age": AGES, "illness": ILLNESSES})
    if not aggregates.classes.count:
        return
    for method in Method:
        exact = repair_to(aggregates, constraints, method, importance=importance)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("metrics.candidates.repair.cell_suppression.fewest_cells", lambda *_: None)
            patch.setattr("metrics.candidates.repair.record_suppression._MAX_BRANCHES", 0)
            patch.setattr("metrics.candidates.repair.merging._MAX_PARTITIONED", 0)
            found = repair_to(aggregates, constraints, method, importance=importance)
        check(aggregates, found, Parameters())
        if exact.exact and not exact.unmet and not found.unmet:
            changed = {
                Method.RECORDS: found.suppressed_now - exact.suppressed_now,
                Method.CELLS: found.cells_changed - exact.cells_changed,
                Method.MERGE: found.records_changed - exact.records_changed,
            }
            assert changed[method] >= 0
        if found.exact:
            assert (exact.exact, exact.unmet, exact.cells_changed) == (True, found.unmet, found.cells_changed)


@given(small_tables(cells, 24), st.integers(2, 5), st.permutations(QUASI_IDENTIFIERS))
def test_the_greedy_choice_of_cells_leaves_no_class_below_k(
    content: dict[str, Cells], k: int, importance: list[str]
) -> None:
    aggregates = TableAggregates(table(content), ROLES)
    if not aggregates.classes.count:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("metrics.candidates.repair.cell_suppression.fewest_cells", lambda *_: None)
        found = repair_to(aggregates, Constraints(k=k), Method.CELLS, importance=importance)
    assert (found.aggregates.classes.sizes >= k).all()
    assert found.suppressed_now <= repair_to(aggregates, Constraints(k=k)).suppressed_now


def ages(numbers: dict[str, int], illness: str = "flu") -> dict[str, Cells]:
    """Records of one sex by age."""
    found = [age for age, number in numbers.items() for _ in range(number)]
    return {"age": found, "sex": ["f"] * len(found), "illness": [illness] * len(found)}


def test_a_table_that_meets_the_limits_stays_as_it_is() -> None:
    aggregates = TableAggregates(table(ages({"21": 3, "25": 4})), ROLES)
    for method in Method:
        repair = repair_to(aggregates, Constraints(k=3), method)
        assert (repair.exact, repair.rounds, repair.reasons, repair.unmet) == (True, (), (), ())
        assert columns_of(repair.table) == columns_of(aggregates.anonymized)
        assert all(cost.before.value == cost.after.value for cost in repair.costs)


@pytest.mark.parametrize(
    ("limits", "met", "missing"),
    [
        ({"k": 2, "l": 2, "t": 0.5}, "k of at least 2, l of at least 2 and t of at most 0.5", None),
        ({"k": 5, "l": 1, "t": 1}, "k of at least 5", "l and t have"),
        ({"k": 1, "entropy_l": 1.5, "t": 0.2}, "entropy l of at least 1.5 and t of at most 0.2", "k has"),
        ({"p29": ABOVE_ZERO}, "P_29 above 0", None),
        ({"k": 3, "normalized_l": 0.1}, "k of at least 3 and normalized entropy of at least 0.1", "t has"),
        ({"no_attack": True}, "the requirement that no attack is profitable", "k, l and t have"),
    ],
)
def test_an_all_clear_names_the_limits_that_every_class_meets(
    limits: dict[str, Any], met: str, missing: str | None
) -> None:
    sentence, complete = no_violations_summary(Constraints(**limits), P29Parameters())
    assert complete is (missing is None)
    rest = "; there is nothing to repair." if missing is None else f". {missing} no limit, so "
    assert sentence.startswith(f"Every class meets {met}{rest}")


def test_p29_without_a_limit_on_t_is_no_all_clear() -> None:
    assert no_violations_summary(Constraints(p29=ABOVE_ZERO), P29Parameters(t_max=1)) == (
        "Every class meets P_29 above 0. t has no limit, so classes may still disclose what these limits prevent.",
        False,
    )


def test_limits_that_no_class_can_miss_are_no_all_clear() -> None:
    sentence, complete = no_violations_summary(Constraints(k=1, l=1, t=1), P29Parameters())
    assert not complete
    assert sentence.startswith("No limit is set that a class could fail. k, l and t have no limit")


def test_without_limits_a_repair_changes_no_cell() -> None:
    aggregates = TableAggregates(table(ages({"21": 1})), ROLES)
    assert repair_to(aggregates, Constraints()).cells_changed == 0


def test_a_limit_that_cannot_be_met_is_named_with_the_figure_reached() -> None:
    aggregates = TableAggregates(table(ages({"21": 3, "25": 1, "33": 4})), ROLES)
    (too_many,) = repair_to(aggregates, Constraints(k=4, max_suppression=0.25)).unmet
    assert too_many == "4 records are suppressed (limit 2)"
    assert repair_to(aggregates, Constraints(k=4, max_suppression=0.5)).unmet == ()
    (too_small,) = repair_to(aggregates, Constraints(k=5)).unmet
    assert too_small == "k = 4 but must be at least 5, even of the best class"
    repaired = repair_to(aggregates, Constraints(k=9), Method.MERGE)
    assert repaired.unmet == ("the smallest class is 8 but must be at least 9",)
    assert repair_to(aggregates, Constraints(k=9), Method.CELLS).unmet == (
        "k = 8 but must be at least 9, even of one class of all records",
    )
    alike = repair_to(aggregates, Constraints(l=2))
    assert alike.unmet == ("l = 1 for illness but must be at least 2, even of the best class",)
    assert len(alike.violating) == 3


def test_a_class_is_kept_if_suppressing_another_brings_it_within_the_limits() -> None:
    content = ages({"21": 2, "25": 2, "33": 2})
    content["illness"] = ["flu", "cough", "flu", "cough", "ulcer", "ulcer"]
    repair = repair_to(TableAggregates(table(content), ROLES), Constraints(t=0.4))
    assert (repair.suppressed_now, repair.exact, repair.unmet) == (2, True, ())
    assert repair.rounds == ((1, 2),)
    assert repair.reasons == ("t = 0.6667 for illness but must be at most 0.4000",)


def test_a_table_of_one_class_can_be_repaired_to_k_but_not_to_l() -> None:
    roles = metrics.Roles(quasi_identifiers=["age"])
    aggregates = TableAggregates(table({"age": ["21", "21"]}), roles)
    for method in Method:
        assert repair_to(aggregates, Constraints(k=2), method).unmet == ()
        assert repair_to(aggregates, Constraints(k=3), method).unmet
        with pytest.raises(Unavailable, match="no column is tagged as sensitive"):
            repair_to(aggregates, Constraints(l=2), method)


def test_a_table_without_records_cannot_be_repaired() -> None:
    with pytest.raises(Unavailable, match="no records"):
        repair_to(TableAggregates(table({"age": []}), metrics.Roles(quasi_identifiers=["age"])), Constraints(k=2))


def test_limits_on_profitability_determine_the_smallest_class_kept() -> None:
    aggregates = TableAggregates(table(ages({"21": 4, "25": 3, "33": 2})), ROLES)

    def kept(constraints: Constraints, **amounts: object) -> int:
        parameters = Parameters(profitability=ProfitabilityParameters(**amounts))  # type: ignore[arg-type]
        repair = repair_to(aggregates, constraints, parameters=parameters)
        assert repair.unmet == ()
        return int(repair.aggregates.classes.sizes.min())

    assert kept(Constraints(no_attack=True), adversary_cost=3, adversary_gain=9) == 4
    assert kept(Constraints(profitable=True), adversary_cost=3, adversary_gain=9, publisher_benefit=100) == 4 - 1
    assert kept(Constraints(profitable=True), adversary_cost=1, publisher_loss=300, publisher_benefit=100) == 4
    assert kept(Constraints(profitable=True), adversary_cost=100, adversary_gain=300, allow_attack=False) == 4
    with pytest.raises(InputError, match="attacks cost nothing"):
        kept(Constraints(no_attack=True), adversary_cost=0)
    with pytest.raises(InputError, match="has no benefit"):
        kept(Constraints(profitable=True), publisher_benefit=0)


@pytest.mark.parametrize("k", [2, 5, 11])
def test_greedy_cell_suppression_reaches_k_and_keeps_important_columns(k: int) -> None:
    random = np.random.default_rng(3)
    names = [f"q{i}" for i in range(5)]
    content = {name: [str(one) for one in random.integers(0, 2 + i, 600)] for i, name in enumerate(names)}
    roles = metrics.Roles(quasi_identifiers=names)
    aggregates = TableAggregates(table(content), roles)
    found = repair_to(aggregates, Constraints(k=k), Method.CELLS)
    assert not found.exact
    assert found.unmet == ()
    assert found.aggregates.classes.sizes.min() >= k
    whole = repair_to(aggregates, Constraints(k=k))
    assert found.cells_changed < 5 * whole.suppressed_now
    stars = {
        first: repair_to(aggregates, Constraints(k=k), Method.CELLS, importance=[first]).table[first]
        for first in ("q1", "q3")
    }
    for first, column in stars.items():
        other = repair_to(aggregates, Constraints(k=k), Method.CELLS, importance=[*(n for n in names if n != first)])
        assert (column.codes == column.code_of.get("*", -1)).sum() <= (
            other.table[first].codes == other.table[first].code_of.get("*", -1)
        ).sum()


def test_a_repair_reports_the_scores_before_and_after_it() -> None:
    original = table(ages({"21": 3, "25": 1}))
    aggregates = TableAggregates(original, ROLES, original, {"age": AGES})
    repair = repair_to(aggregates, Constraints(k=2))
    for cost in repair.costs:
        before, after = cost.before, cost.after
        assert before.metric is after.metric
        card = metrics.score(repair.table, ROLES, original=original, hierarchies={"age": AGES})
        assert card[after.metric.id].value == after.value
    granularity = next(cost for cost in repair.costs if cost.before.metric.id == "granularity")
    assert granularity.before.value == 1
    assert granularity.after.value is not None
    assert granularity.after.value < 1
