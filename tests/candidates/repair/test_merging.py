"""Merging classes: the fewest records changed, against every way to merge them."""

from itertools import product

from hypothesis import given

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
from tests.support.small_tables import Cells, table


@given(small_tables(cells, 8), limits)
def test_exact_merging_changes_the_fewest_records(content: dict[str, Cells], chosen: Limits) -> None:
    aggregates = TableAggregates(table(content), ROLES, None, {"age": AGES, "illness": ILLNESSES})
    if not 0 < aggregates.classes.count <= 5:
        return
    repair = repair_to(aggregates, chosen, Method.MERGE)
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
        if meets(table(joined), chosen, Parameters(), aggregates.hierarchies):
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
