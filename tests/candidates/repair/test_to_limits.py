"""Repairs to limits: the smallest change where they say so, limits met when scored anew, and told what binds."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.aggregates import Aggregates, TableAggregates
from metrics.candidates.limits.enforced import Limits
from metrics.candidates.repair.summary import change_summary
from metrics.candidates.repair.to_limits import LimitedRepair, Method, repair_to
from metrics.config.parameters import GroundDistance, Parameters, ProfitabilityParameters
from metrics.errors import InputError, Unavailable
from metrics.tables.export import to_csv
from metrics.texts import text
from tests.candidates.repair.limited import (
    AGES,
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
)
from tests.support.small_tables import Cells, columns_of, table


def suppressed_in(content: dict[str, Cells]) -> int:
    return sum(all(content[name][i] == "*" for name in QUASI_IDENTIFIERS) for i in range(len(content["age"])))


def check(aggregates: Aggregates, repair: LimitedRepair, parameters: Parameters) -> None:
    """What a repair says of itself is what its file gives."""
    again = metrics.read_table(to_csv(repair.table.to_arrow()), name="again.csv")
    assert again.rows == aggregates.anonymized.rows
    assert meets(again, repair.limits, parameters, aggregates.hierarchies) == (not repair.unmet)
    before, after = columns_of(aggregates.anonymized), columns_of(again)
    assert before["illness"] == after["illness"]
    changed = [
        sum(before[name][i] != after[name][i] for name in QUASI_IDENTIFIERS) for i in range(aggregates.anonymized.rows)
    ]
    assert (repair.records_changed, repair.cells_changed) == (sum(one > 0 for one in changed), sum(changed))
    assert repair.suppressed_now == suppressed_in(after) - suppressed_in(before)
    before_too = repair.method is not Method.FAILING
    assert int(repair.suppressed.sum()) == (suppressed_in(after) if before_too else repair.suppressed_now)
    assert repair.without_suppressed.rows == again.rows - int(repair.suppressed.sum())
    assert (repair.cells_changed > 0) <= (len(repair.violating) > 0) <= (repair.cells_changed > 0 or bool(repair.unmet))


@given(st.one_of(small_tables(cells, 14), small_tables(numeric, 14)), limits, distances)
def test_every_repair_meets_its_limits_or_names_those_it_cannot_meet(
    content: dict[str, Cells], chosen: Limits, distance: GroundDistance | None
) -> None:
    numbers = content["illness"][0] in ("1", "2", "10")
    parameters = of_distance(None if numbers else distance)
    hierarchies = {"age": AGES, **({} if numbers else {"illness": ILLNESSES})}
    aggregates = TableAggregates(table(content), ROLES, None, hierarchies)
    for method in Method:
        if not aggregates.classes.count:
            with pytest.raises(Unavailable):
                repair_to(aggregates, chosen, method, parameters=parameters)
        else:
            check(aggregates, repair_to(aggregates, chosen, method, parameters=parameters), parameters)


@given(small_tables(cells, 24), limits, st.permutations(QUASI_IDENTIFIERS))
def test_heuristic_repairs_meet_the_limits_and_change_no_fewer_cells_than_exact_ones(
    content: dict[str, Cells], chosen: Limits, importance: list[str]
) -> None:
    aggregates = TableAggregates(table(content), ROLES, None, {"age": AGES, "illness": ILLNESSES})
    if not aggregates.classes.count:
        return
    for method in Method:
        exact = repair_to(aggregates, chosen, method, importance=importance)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("metrics.candidates.repair.cell_suppression.fewest_cells", lambda *_: None)
            patch.setattr("metrics.candidates.repair.record_suppression._MAX_BRANCHES", 0)
            patch.setattr("metrics.candidates.repair.merging._MAX_PARTITIONED", 0)
            found = repair_to(aggregates, chosen, method, importance=importance)
        check(aggregates, found, Parameters())
        if exact.exact and not exact.unmet and not found.unmet:
            changed = {
                Method.FAILING: found.suppressed_now - exact.suppressed_now,
                Method.RECORDS: found.suppressed_now - exact.suppressed_now,
                Method.CELLS: found.cells_changed - exact.cells_changed,
                Method.MERGE: found.records_changed - exact.records_changed,
            }
            assert changed[method] >= 0
        if found.exact:
            assert (exact.exact, exact.unmet, exact.cells_changed) == (True, found.unmet, found.cells_changed)


@given(small_tables(cells, 12), limits, st.sampled_from([{"sex": 0}, {"age": 1}, {"age": 0, "sex": 0}]), st.booleans())
def test_no_repair_generalizes_a_column_beyond_its_highest_level(
    content: dict[str, Cells], chosen: Limits, highest: dict[str, int], is_exact: bool
) -> None:
    roles = replace(ROLES, highest_levels=highest)
    aggregates = TableAggregates(table(content), roles, None, {"age": AGES, "illness": ILLNESSES})
    if not aggregates.classes.count:
        return
    allowed = {"age": AGES.rows, "sex": (("f", "*"), ("m", "*"))}
    for method in (Method.CELLS, Method.MERGE):
        with pytest.MonkeyPatch.context() as patch:
            if not is_exact:
                patch.setattr("metrics.candidates.repair.cell_suppression.fewest_cells", lambda *_: None)
                patch.setattr("metrics.candidates.repair.merging._MAX_PARTITIONED", 0)
            repair = repair_to(aggregates, chosen, method)
        assert repair.unmet or meets(repair.table, chosen, Parameters(), aggregates.hierarchies)
        for row in range(repair.table.rows):
            for name, level in highest.items():
                before, after = content[name][row], columns_of(repair.table)[name][row]
                labels = {label for labels in allowed[name] if before in labels for label in labels[: level + 1]}
                assert repair.suppressed[row] or after in labels | {before}


def test_a_table_that_meets_the_limits_stays_as_it_is() -> None:
    aggregates = TableAggregates(table(ages({"21": 3, "25": 4})), ROLES)
    for method in Method:
        repair = repair_to(aggregates, {"k_anonymity": 3}, method)
        assert (repair.exact, repair.rounds, len(repair.violating), repair.unmet) == (True, (), 0, ())
        assert change_summary(repair) == text("repair.nothing_changed")
        assert columns_of(repair.table) == columns_of(aggregates.anonymized)
        assert all(cost.before.value == cost.after.value for cost in repair.costs)


def test_without_limits_a_repair_changes_no_cell() -> None:
    aggregates = TableAggregates(table(ages({"21": 1})), ROLES)
    assert repair_to(aggregates, {}).cells_changed == 0


def below(title: str, found: float, limit: float) -> str:
    return text("limits.class_below", title=title, found=found, limit=limit)


def test_a_limit_that_cannot_be_met_is_named_with_the_figure_reached() -> None:
    aggregates = TableAggregates(table(ages({"21": 3, "25": 1, "33": 4})), ROLES)
    (too_many,) = repair_to(aggregates, {"k_anonymity": 4, "suppression": 0.25}).unmet
    assert too_many == text("limits.max_suppression", found=4, limit=2)
    assert repair_to(aggregates, {"k_anonymity": 4, "suppression": 0.5}).unmet == ()
    (too_small,) = repair_to(aggregates, {"k_anonymity": 5}).unmet
    assert too_small == text("repair.best_class", shortfall=below("k", 4, 5))
    repaired = repair_to(aggregates, {"k_anonymity": 9}, Method.MERGE)
    assert repaired.unmet == (text("limits.k", found=8, limit=9),)
    assert repair_to(aggregates, {"k_anonymity": 9}, Method.CELLS).unmet == (
        text("repair.one_class", shortfall=below("k", 8, 9)),
    )
    alike = repair_to(aggregates, {"distinct_l_diversity": 2})
    assert alike.unmet == (text("repair.best_class", shortfall=below("l for illness", 1, 2)),)
    assert len(alike.violating) == 3


def test_a_table_of_one_class_can_be_repaired_to_k_but_not_to_l() -> None:
    roles = metrics.Roles(quasi_identifiers=["age"])
    aggregates = TableAggregates(table({"age": ["21", "21"]}), roles)
    for method in Method:
        assert repair_to(aggregates, {"k_anonymity": 2}, method).unmet == ()
        assert repair_to(aggregates, {"k_anonymity": 3}, method).unmet
        with pytest.raises(Unavailable, match=text("unavailable.no_sensitive")):
            repair_to(aggregates, {"distinct_l_diversity": 2}, method)


def test_a_limit_on_record_linkage_is_judged_on_the_result_by_the_strongest_attacker() -> None:
    ages = [*["21", "35", "42"] * 3, "47", "59"]
    content = table({"age": ages})
    aggregates = TableAggregates(content, metrics.Roles(quasi_identifiers=["age"]), content)
    # One of each class of three is found if * is ruled out: 3 of 11, more than 25.5% if * is possible.
    assert repair_to(aggregates, {"k_anonymity": 3, "record_linkage_attack": 0.28}, Method.RECORDS).unmet == ()
    (unmet,) = repair_to(aggregates, {"k_anonymity": 3, "record_linkage_attack": 0.26}, Method.RECORDS).unmet
    assert text("limits.record_linkage", found=3 / 11, limit=0.26) in unmet


def test_a_table_without_records_cannot_be_repaired() -> None:
    with pytest.raises(Unavailable, match="no records"):
        repair_to(TableAggregates(table({"age": []}), metrics.Roles(quasi_identifiers=["age"])), {"k_anonymity": 2})


def test_limits_on_profitability_determine_the_smallest_class_kept() -> None:
    aggregates = TableAggregates(table(ages({"21": 4, "25": 3, "33": 2})), ROLES)

    def kept(chosen: Limits, **amounts: object) -> int:
        parameters = Parameters(profitability=ProfitabilityParameters(**amounts))  # type: ignore[arg-type]
        repair = repair_to(aggregates, chosen, parameters=parameters)
        assert repair.unmet == ()
        return int(repair.aggregates.classes.sizes.min())

    assert kept({"no_attack": True}, adversary_cost=3, adversary_gain=9) == 4
    assert kept({"profitability": True}, adversary_cost=3, adversary_gain=9, publisher_benefit=100) == 4 - 1
    assert kept({"profitability": True}, adversary_cost=1, publisher_loss=300, publisher_benefit=100) == 4
    assert kept({"profitability": True}, adversary_cost=100, adversary_gain=300, allow_attack=False) == 4
    with pytest.raises(InputError, match="attacks cost nothing"):
        kept({"no_attack": True}, adversary_cost=0)
    with pytest.raises(InputError, match="has no benefit"):
        kept({"profitability": True}, publisher_benefit=0)


def test_a_repair_reports_the_scores_before_and_after_it() -> None:
    original = table(ages({"21": 3, "25": 1}))
    aggregates = TableAggregates(original, ROLES, original, {"age": AGES})
    repair = repair_to(aggregates, {"k_anonymity": 2})
    for cost in repair.costs:
        before, after = cost.before, cost.after
        assert before.metric is after.metric
        card = metrics.score(repair.table, ROLES, original=original, hierarchies={"age": AGES})
        assert card[after.metric.id].value == after.value
    granularity = next(cost for cost in repair.costs if cost.before.metric.id == "granularity")
    assert granularity.before.value == 1
    assert granularity.after.value is not None
    assert granularity.after.value < 1
