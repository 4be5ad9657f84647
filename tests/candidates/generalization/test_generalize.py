"""A generalized table is the original with other labels, records of small classes suppressed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.candidates.generalization.generalize import generalized_table, suppressed_by
from metrics.candidates.limits.enforced import K, L
from metrics.errors import InputError
from tests.candidates.lattices import AGES, Original, originals, slow_generalized
from tests.support.small_tables import cells_of, columns_of, records, table

ROLES = metrics.Roles(quasi_identifiers=["age"], sensitive=["illness"])
PEOPLE = table({"illness": ["flu", "flu", "cold", "flu"], "age": ["21", "25", "33", "61"]})


@given(originals(), st.integers(1, 4), st.data())
def test_a_generalized_table_is_that_made_record_by_record(original: Original, k: int, data: st.DataObject) -> None:
    content, roles, hierarchies = original
    chosen = set(roles.quasi_identifiers)
    heights = {name: hierarchies[name].height if name in hierarchies else 1 for name in content.names if name in chosen}
    levels = {name: data.draw(st.integers(0, height)) for name, height in heights.items()}
    made = generalized_table(content, roles, hierarchies, levels, rule={K: k})
    rows = records({name: cells_of(content[name]) for name in content.names})
    expected = slow_generalized(rows, hierarchies, levels, k)
    for name in content.names:
        assert [cell or "" for cell in cells_of(made[name])] == [row[name] or "" for row in expected]
    assert made.names == content.names


def test_columns_not_named_stay_on_the_lowest_level_and_other_columns_as_they_are() -> None:
    assert columns_of(generalized_table(PEOPLE, ROLES, {"age": AGES}, {})) == columns_of(PEOPLE)
    made = generalized_table(PEOPLE, ROLES, {"age": AGES}, [1])
    assert columns_of(made) == {"illness": ["flu", "flu", "cold", "flu"], "age": ["20-29", "20-29", "30-39", "60-69"]}


def test_the_records_to_suppress_can_be_chosen_one_by_one() -> None:
    flags = np.array([True, False, False, True])
    made = generalized_table(PEOPLE, ROLES, {"age": AGES}, [2], rule={K: 4}, suppressed=flags)
    assert cells_of(made["age"]) == ["*", "20-39", "20-39", "*"]
    assert cells_of(made["illness"]) == cells_of(PEOPLE["illness"])
    with pytest.raises(InputError):
        generalized_table(PEOPLE, ROLES, {"age": AGES}, [2], suppressed=flags[:3])


def test_a_rule_names_the_records_of_the_classes_that_it_does_not_keep() -> None:
    """The rule on l looks at illnesses: the first class has one, the second two; `*` is in no class."""
    content = table({"age": ["20-29", "20-29", "30-39", "30-39", "*"], "illness": ["flu", "flu", "flu", "cold", "flu"]})
    assert suppressed_by(content, ROLES, None, {K: 2}).tolist() == [False] * 5
    assert suppressed_by(content, ROLES, None, {K: 2, L: 2}).tolist() == [True, True, False, False, False]


def test_levels_that_do_not_exist_are_refused() -> None:
    for wrong in ([4], [-1], [0, 0], {"illness": 1}):
        with pytest.raises(InputError):
            generalized_table(PEOPLE, ROLES, {"age": AGES}, wrong)
