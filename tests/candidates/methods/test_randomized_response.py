"""Randomized response: its probabilities, where its values come from, and that nothing keeps its randomness."""

from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

from metrics import Hierarchy, InputError, Roles, make_candidate, read_recipe, score
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.recipes.recipe import recipe_of_method
from tests.candidates.methods.workers import SIGMAS
from tests.support.small_tables import Cells, cells_of, columns_of, table

ROLES = Roles(["age"], ["ill", "stay"])
TREES = {"ill": Hierarchy([["flu", "*"], ["asthma", "*"], ["never seen", "*"], ["", "*"]])}
ROWS = 20_000
CELLS: dict[str, Cells] = {
    "age": [str(row % 50) for row in range(ROWS)],
    "ill": [("flu", "flu", "asthma", None)[row % 4] for row in range(ROWS)],
    "stay": ["3"] * ROWS,
}


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 20.0])
def test_cells_are_kept_and_changed_as_often_as_stated(epsilon: float) -> None:
    original = table(CELLS)
    made = make_candidate(original, "k-rr", ROLES, TREES, epsilon=epsilon)
    assert [made[name] is original[name] for name in ("age", "stay")] == [True, True]
    before, after = CELLS["ill"], cells_of(made["ill"])
    by = made["ill"].randomization
    assert by is not None
    assert by.values == ("flu", "asthma", "never seen", None)
    assert by.epsilon == pytest.approx(epsilon, abs=1e-6)
    held, counted = Counter(before), Counter(zip(before, after, strict=True))
    other = 1 / (2.718281828459045**epsilon + 3)
    for true, published in ((one, two) for one in held for two in by.values):
        expected = 1 - 3 * other if true == published else other
        allowed = SIGMAS * sqrt(expected * (1 - expected) / held[true]) + 1e-12
        assert abs(counted[true, published] / held[true] - expected) <= allowed


def test_epsilon_is_told_of_each_column_and_of_a_record() -> None:
    assert RandomizedResponse().in_words == "ε 1 per column"
    assert RandomizedResponse(columns=("ill",)).in_words == "ε 1 for ill"
    two = RandomizedResponse(columns=("sex",), epsilons=("ill=0.5",))
    assert two.in_words == "ε 1 for sex and 0.5 for ill, 1.5 per record"


def test_the_shares_are_estimated_from_what_is_published() -> None:
    made = make_candidate(table(CELLS), "k-rr", ROLES, TREES, epsilon=2)
    result = score(made, ROLES, original=table(CELLS), metrics=["local_dp"])["local_dp"].result
    found = result.columns["ill"]  # type: ignore[union-attr]
    assert found.true.tolist() == [0.5, 0.25, 0, 0.25]
    assert found.frequencies.estimated == pytest.approx(found.true, abs=0.05)


def test_no_seed_is_taken_or_kept_and_each_draw_is_another(tmp_path: Path) -> None:
    original = table(CELLS)
    with pytest.raises(InputError, match="takes no seed"):
        make_candidate(original, "k-rr", ROLES, TREES, seed=1)
    recipe = recipe_of_method(RandomizedResponse(), original, ROLES, TREES, seed=None)
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe.to_yaml(), encoding="utf-8")
    assert "seed" not in path.read_text(encoding="utf-8")
    drawn = [columns_of(one.apply(original).table)["ill"] for one in (recipe, recipe, read_recipe(path))]
    assert len(set(map(tuple, drawn))) == 3
    assert read_recipe(path).apply(original).table["ill"].randomization is not None


@pytest.mark.parametrize(
    ("cells", "trees", "columns", "reason"),
    [
        (["flu", "cold"], TREES, (), "its hierarchy lacks"),
        (["flu", None], {"ill": Hierarchy([["flu", "*"], ["cold", "*"]])}, (), "a missing cell is an empty value"),
        (["flu", "*"], TREES, (), "its hierarchy lacks"),
        (["flu", "flu"], {"ill": Hierarchy([["flu", "*"]])}, (), "two values or more"),
        (["flu", "flu"], {}, (), "no sensitive attribute has a hierarchy"),
        (["flu", "flu"], TREES, ("age",), "two values or more"),
    ],
)
def test_values_never_come_from_the_data(
    cells: Cells, trees: dict[str, Hierarchy], columns: tuple[str, ...], reason: str
) -> None:
    original = table({"age": ["1", "2"], "ill": cells, "stay": ["1", "2"]})
    with pytest.raises(InputError, match=reason):
        RandomizedResponse(columns=columns).apply(original, ROLES, trees)


def test_a_table_without_records_stays() -> None:
    original = table({name: [] for name in CELLS})
    assert columns_of(RandomizedResponse().apply(original, ROLES, TREES)) == columns_of(original)
