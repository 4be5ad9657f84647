"""What became of each cell and which value became which, against records looked at one by one."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Hierarchy, Roles, read_hierarchies
from metrics.aggregates import TableAggregates
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.matching.records import match_records
from metrics.tables.matching_rule import MatchingRule
from metrics.utility.cells.changes import (
    CHANGES,
    Change,
    ColumnChanges,
    PairChanges,
    cells_changed,
    changes_by_column,
    flow,
    pair_changes,
)
from metrics.utility.non_uniform_entropy.measure import column_loss
from tests.oracle.reading import perturbed_records
from tests.support.reference_data import reference
from tests.support.reference_tables import reference_table
from tests.support.scenes import Scene, pair_scenes
from tests.support.small_tables import Cells, table

AGES = [["35", "30-39", "*"], ["39", "30-39", "*"], ["48", "40-49", "*"], ["*", "*", "*"]]


def pair_of(before: Cells, after: Cells) -> Combinations:
    original, anonymized = table({"q": before}), table({"q": after})
    return match_records(original, anonymized, MatchingRule()).count_pair("q")


def became(before: str | None, after: str | None, rows: list[list[str]]) -> Change:
    """What became of one cell, by walking up the hierarchy."""
    old, new = before or "", after or ""
    if old == new:
        return Change.KEPT
    if new == "*":
        return Change.SUPPRESSED
    (own,) = [row for row in rows if row[0] == old]
    return Change.GENERALIZED if new in own else Change.PERTURBED


@given(pair_scenes())
def test_every_cell_changes_in_the_way_found_cell_by_cell(scene: Scene) -> None:
    for name in scene.quasi_identifiers:
        before, after = scene.original[name], scene.anonymized[name]
        original, anonymized = table({name: before}), table({name: after})
        pair = match_records(original, anonymized, MatchingRule()).count_pair(name)
        found = pair_changes(pair, {column: Hierarchy(rows) for column, rows in scene.hierarchies.items()})
        assert found.totals.records == scene.rows
        if found.why_indistinct is None and name in scene.hierarchies:
            hierarchy = Hierarchy(scene.hierarchies[name])
            rows = [list(row) for row in hierarchy.rows]
            expected = Counter(became(*cells, rows) for cells in zip(before, after, strict=True))
            assert column_loss(pair, hierarchy).perturbed == found.totals.perturbed
            assert {kind: found.totals.count(kind) for kind in CHANGES} == {kind: expected[kind] for kind in CHANGES}
            continue
        equal = sum((old or "") == (new or "") for old, new in zip(before, after, strict=True))
        suppressed = sum(new == "*" != old for old, new in zip(before, after, strict=True))
        assert (found.totals.kept, found.totals.suppressed) == (equal, suppressed)
        assert found.totals.perturbed == perturbed_records(before, after, None)
        assert bool(found.totals.replaced) == (found.why_indistinct is not None)


def test_cells_are_kept_generalized_suppressed_or_perturbed() -> None:
    before = ["35", "39", "39", "39", "39", "*", "48"]
    after = ["35", "35", "30-39", "40-49", "*", "*", "*"]
    found = pair_changes(pair_of(before, after), {"q": Hierarchy(AGES)}).totals
    assert found == ColumnChanges(kept=2, generalized=1, suppressed=2, perturbed=2)
    assert (found.records, found.changed) == (7, 5)


def test_a_suppressed_cell_is_not_perturbed_if_the_star_is_on_two_levels() -> None:
    rows = [["a", "*", "*"], ["b", "B", "*"]]
    assert pair_changes(pair_of(["a", "b"], ["*", "*"]), {"q": Hierarchy(rows)}).totals.suppressed == 2
    assert column_loss(pair_of(["a", "b"], ["*", "*"]), Hierarchy(rows)).perturbed == 0


def test_deleted_records_are_suppressed() -> None:
    original = table({"id": ["1", "2", "3"], "q": ["35", "39", "48"]}, "original")
    anonymized = table({"id": ["2"], "q": ["30-39"]}, "anonymized")
    roles = Roles(quasi_identifiers=["q"], key="id")
    aggregates = TableAggregates(anonymized, roles, original, {"q": Hierarchy(AGES)})
    changes = changes_by_column(aggregates)
    assert changes["q"].totals == ColumnChanges(kept=0, generalized=1, suppressed=2, perturbed=0)
    assert cells_changed(changes) == (3, 3)
    assert changes_by_column(aggregates) is changes


def test_a_missing_value_equals_a_blank_one() -> None:
    assert pair_changes(pair_of([None, "a"], ["", "a"]), {}).totals.kept == 2


def test_without_a_fitting_hierarchy_changed_cells_count_as_replaced_with_the_reason() -> None:
    found = pair_changes(pair_of(["a", "a", "a", "b"], ["A", "B", "*", "b"]), {})
    assert found.totals == ColumnChanges(kept=1, generalized=0, suppressed=1, perturbed=0, replaced=2)
    assert found.why_indistinct is not None
    assert "generalized in two ways" in found.why_indistinct
    missed = pair_changes(pair_of(["35"], ["odd"]), {"q": Hierarchy(AGES)}).why_indistinct
    assert missed is not None
    assert missed.startswith('the hierarchy of "q" lacks 1 of the anonymized values; add it to')


def test_without_an_original_changes_of_cells_are_unavailable() -> None:
    with pytest.raises(Unavailable, match="original"):
        changes_by_column(TableAggregates(table({"q": ["a"]}), Roles(quasi_identifiers=["q"])))


# Some numbers of the first hierarchy stand as leaves and, for others, as middles of an interval.
@pytest.mark.reference
@pytest.mark.parametrize(("folder", "generalized"), [("adult_hierarchy", 967), ("adult_hierarchy_intervals", 0)])
def test_the_changes_of_age_in_adult_depend_on_its_hierarchy_as_known(folder: str, generalized: int) -> None:
    roles = Roles(quasi_identifiers=["age", "sex"])
    original, anonymized = (
        reference_table("petworks", "adult", name) for name in ("adult.csv", "adult_anonymized.csv")
    )
    hierarchies = read_hierarchies(reference("petworks", "adult", folder))
    aggregates = TableAggregates(anonymized, roles, original, hierarchies)
    changes = changes_by_column(aggregates)
    perturbed = 21072 - generalized
    assert changes["age"].totals == ColumnChanges(860, generalized, 8230, perturbed)
    assert changes["sex"].totals == ColumnChanges(kept=21932, generalized=0, suppressed=8230, perturbed=0)
    drawn = flow(changes["age"])
    assert drawn.records == 30162
    assert len(drawn.links) <= 60
    assert sum(link.records for link in drawn.links if link.change is Change.PERTURBED) == perturbed


# Flow

WORDS = st.sampled_from(["*", *"abcdefghijklmnop"])


@given(
    st.lists(st.tuples(WORDS, WORDS), max_size=80), st.integers(5, 60), st.integers(0, 10), st.sampled_from([0, 1, 2])
)
def test_a_flow_holds_every_record(cells: list[tuple[str, str]], most: int, values: int, repeats: int) -> None:
    cells = cells * repeats
    changes = pair_changes(pair_of([old for old, _ in cells], [new for _, new in cells]), {})
    found = flow(changes, most, values)
    assert found.records == len(cells)
    assert len(found.links) <= most
    assert [link.records for link in found.links] == sorted((link.records for link in found.links), reverse=True)
    for side, end, position in ((found.original, "source", 0), (found.anonymized, "target", 1)):
        counts = Counter(cell[position] for cell in cells)
        assert len(side) <= values + 1
        assert [node.folded > 0 for node in side] == sorted(node.folded > 0 for node in side)
        assert sum(node.folded or 1 for node in side) == len(counts)
        shown = {node.label for node in side if not node.folded}
        for i, node in enumerate(side):
            flowing = sum(link.records for link in found.links if getattr(link, end) == i)
            assert node.records == flowing
            assert node.folded or counts[str(node.label)] == flowing
            assert node.folded != 1
        least = min((counts[str(label)] for label in shown - {"*"}), default=0)
        assert all(number <= least for label, number in counts.items() if label not in {*shown, "*"} and least)
    totals = Counter[Change]()
    for link in found.links:
        totals[link.change] += link.records
    assert {kind: totals[kind] for kind in CHANGES} == {kind: changes.totals.count(kind) for kind in CHANGES}


def test_values_in_the_flow_are_in_reading_order_beside_their_originals() -> None:
    before = ["9", "10", "11", "20", "21", "9"]
    after = ["5-9", "10-19", "10-19", "20-29", "*", "5-9"]
    found = flow(pair_changes(pair_of(before, after), {}))
    assert [node.label for node in found.original] == ["9", "10", "11", "20", "21"]
    assert [node.label for node in found.anonymized] == ["5-9", "10-19", "20-29", "*"]
    assert (found.links[0].source, found.links[0].target, found.links[0].records) == (0, 0, 2)


def test_perturbed_numbers_in_the_flow_stay_in_their_order() -> None:
    found = flow(pair_changes(pair_of(["1", "2", "3", "40"], ["41", "3", "2", "1"]), {}))
    assert [node.label for node in found.anonymized] == ["1", "2", "3", "41"]


def test_changes_can_be_narrowed_to_one_anonymized_value() -> None:
    changes = pair_changes(pair_of(["a", "b", "c"], ["A", "A", "*"]), {})
    only = changes.restricted_to(changes.pair.columns[1].code_of["A"])
    assert isinstance(only, PairChanges)
    assert only.totals == ColumnChanges(kept=0, generalized=2, suppressed=0, perturbed=0)
    assert [node.label for node in flow(only).original] == ["a", "b"]
