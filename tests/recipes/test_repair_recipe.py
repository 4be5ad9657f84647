"""Recipes of repairs: repeated on the same table, and what they do to another."""

from hypothesis import given
from hypothesis import strategies as st

from metrics.aggregates import TableAggregates
from metrics.candidates.limits.constraints import ABOVE_ZERO, Constraints
from metrics.candidates.repair.to_limits import Method, repair_to
from metrics.recipes.repair_recipe import recipe_of_repair
from metrics.tables.table import Table
from tests.recipes.people import ROLES, people, same_bytes, through_its_file
from tests.support.small_tables import columns_of, written

limits = st.builds(
    Constraints,
    k=st.sampled_from([None, 2, 3]),
    l=st.sampled_from([None, 2]),
    t=st.sampled_from([None, 0.34, 0.5]),
    p29=st.sampled_from([None, ABOVE_ZERO]),
)


@given(people, limits, st.sampled_from(list(Method)), st.booleans())
def test_the_recipe_of_a_repair_gives_the_same_bytes(
    before: Table, constraints: Constraints, method: Method, deleted: bool
) -> None:
    aggregates = TableAggregates(before, ROLES, None, {})
    if not aggregates.classes.count:
        return
    repair = repair_to(aggregates, constraints, method)
    if repair.unmet:
        return
    recipe = through_its_file(recipe_of_repair(aggregates, repair, deleted=deleted))
    applied = recipe.apply(before)
    assert same_bytes(applied.table, repair.without_suppressed if deleted else repair.table)
    assert applied.deleted == (int(repair.suppressed.sum()) if deleted else 0)


def test_after_a_repair_new_small_classes_are_suppressed() -> None:
    before = written("age sex illness\n21 f flu\n21 f flu\n33 m flu")
    aggregates = TableAggregates(before, ROLES, None, {})
    recipe = recipe_of_repair(aggregates, repair_to(aggregates, Constraints(k=2)))
    new = written("age sex illness\n21 f flu\n21 f flu\n33 m flu\n33 m flu\n25 f flu")
    # The listed class is suppressed although it is large enough here; the class of one record is new.
    assert columns_of(recipe.apply(new).table)["age"] == ["21", "21", "*", "*", "*"]
