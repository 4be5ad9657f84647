"""SafePub as a method: what is left of a table, that the draw is secret, and what is refused."""

from typing import Any

import numpy as np
import pytest

from metrics import Hierarchy, InputError, Roles, Table, make_candidate, score
from metrics.candidates.generalization.levels import column_levels
from metrics.candidates.methods import safepub
from metrics.candidates.methods.catalog import method_named
from metrics.candidates.methods.costs import method_costs
from metrics.privacy.safepub.bound import k_for
from metrics.recipes.parsing import parse_recipe
from metrics.recipes.recipe import recipe_of_method
from tests.support.small_tables import columns_of, table

ROLES = Roles(["age"], ["ill"], identifiers=["name"])
TREES = {
    "age": Hierarchy([[str(age), f"{age // 10}0s", "all", "*"] for age in range(20, 60)]),
    "ill": Hierarchy([["flu", "lungs"], ["asthma", "lungs"], ["ulcer", "stomach"]]),
}
WEAK: dict[str, Any] = {"epsilon": 1, "delta": 0.05}


def people(number: int = 400) -> Table:
    ill = ["flu", "asthma", "flu", "ulcer"]
    return table(
        {
            "name": [f"P{i}" for i in range(number)],
            "ward": [str(i % 5) for i in range(number)],
            "age": [str(20 + i % 40) for i in range(number)],
            "ill": [ill[i % 4] for i in range(number)],
        }
    )


def test_every_record_left_is_an_original_one_on_the_chosen_levels() -> None:
    original, method = people(), method_named("safepub", {**WEAK, "levels": ("age=1", "ill=1")})
    made, positions = method.sample(original, ROLES, TREES)  # type: ignore[attr-defined]
    cells = columns_of(made)
    assert len(set(positions.tolist())) == made.rows < original.rows
    for column, level in (("age", 1), ("ill", 1)):
        row = {leaf[0]: leaf[level] for leaf in TREES[column].rows}
        before = columns_of(original)[column]
        assert cells[column] == [row[str(before[place])] for place in positions]
    assert set(cells["name"]) == set(cells["ward"]) == {"*"}
    k = k_for(1, 0.05, 0.6321)
    assert k is not None
    assert score(made, ROLES)["safepub"].details["k"] >= k
    assert list(zip(cells["age"], cells["ill"], strict=True)) == sorted(zip(cells["age"], cells["ill"], strict=True))


def test_records_are_kept_with_the_probability_and_small_classes_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [int(safepub._kept(10_000, 0.6321).sum()) for _ in range(20)]
    assert np.mean(kept) == pytest.approx(6321, abs=6 * (10_000 * 0.6321 * 0.3679 / 20) ** 0.5)
    assert not safepub._kept(1000, 0).any()
    monkeypatch.setattr(safepub, "_kept", lambda records, probability: np.ones(records, dtype=bool))
    k = k_for(1, 0.05, 0.6321)
    assert k is not None
    few, many = ["20"] * (k - 1), ["30"] * k
    original = table({"age": few + many, "ill": ["flu"] * (2 * k - 1), "name": ["x"] * (2 * k - 1)})
    made = make_candidate(original, "safepub", ROLES, {}, **WEAK, levels=("age=0", "ill=0"))
    assert columns_of(made)["age"] == ["30"] * k
    with pytest.raises(InputError, match=f"no class of {k + 1} records is left"):
        make_candidate(original, "safepub", ROLES, {}, **WEAK, levels=("age=0", "ill=0"), as_arx=True)


def test_the_draw_differs_each_time_and_is_in_no_recipe() -> None:
    original, method = people(), method_named("safepub", WEAK)
    first, second = (method.sample(original, ROLES, TREES)[1].tolist() for _ in range(2))  # type: ignore[attr-defined]
    assert first != second
    recipe = recipe_of_method(method, original, ROLES, TREES, seed=None)
    assert "seed" not in recipe.to_yaml()
    applied = parse_recipe(recipe.to_yaml().encode(), "recipe.yaml").apply(original)
    assert applied.deleted == original.rows - applied.table.rows > 0
    assert columns_of(applied.table)["name"] == ["*"] * applied.table.rows
    pairs = {(row["original"], row["released"]) for row in applied.mapping().to_pylist() if row["column"] == "ill"}
    assert pairs <= {("flu", "lungs"), ("asthma", "lungs"), ("ulcer", "stomach")}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"beta": 0.7}, "larger than ε allows"),
        ({"epsilon": 0}, "out of range"),
        ({"delta": 0}, "out of range"),
        ({"levels": ("ward=1",)}, "not the level of a released column"),
        ({"levels": ("age",)}, "not the level of a released column"),
        ({"levels": ("age=9",)}, "no level 9"),
        ({"seed": 3}, "takes no seed"),
    ],
)
def test_what_would_break_the_promise_is_refused(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make_candidate(people(), "safepub", ROLES, TREES, **{**WEAK, **given})


def test_a_person_with_several_records_is_refused() -> None:
    roles = Roles(["age"], ["ill"], person="ward")
    with pytest.raises(InputError, match="several records"):
        make_candidate(people(), "safepub", roles, TREES, **WEAK)


def test_a_recipe_also_refuses_a_person_with_several_records() -> None:
    columns = columns_of(people())
    each = table({**columns, "who": [str(row) for row in range(people().rows)]})
    roles = Roles(["age"], ["ill"], person="who")
    written = recipe_of_method(method_named("safepub", WEAK), each, roles, TREES, seed=None).to_yaml()
    recipe = parse_recipe(written.encode(), "recipe.yaml")
    assert recipe.apply(each).table.rows < each.rows
    with pytest.raises(InputError, match="several records"):
        recipe.apply(table({**columns, "who": ["same"] * people().rows}))


@pytest.mark.parametrize(
    ("degree", "levels"),
    [
        (0.4, (0, 2, 0, 1, 1, 1, 1, 1, 0)),
        (0.5, (1, 2, 1, 1, 2, 1, 1, 1, 1)),
        (0.6, (1, 2, 1, 1, 2, 1, 1, 1, 1)),
        (0.8, (1, 3, 1, 2, 2, 2, 2, 2, 1)),
    ],
)
def test_presets_give_the_levels_of_the_tests_of_arx_on_adult(degree: float, levels: tuple[int, ...]) -> None:
    heights = (1, 4, 1, 2, 3, 2, 2, 2, 1)
    columns = {
        f"c{i}": Hierarchy([["a", *(f"{n}" for n in range(1, height)), "*"]]) for i, height in enumerate(heights)
    }
    found = safepub.SafePub(degree=degree)._levels_of(
        [column_levels(table({name: ["a"]})[name], tree, "adult") for name, tree in columns.items()]
    )
    assert found == levels


def test_the_comparison_of_methods_scores_it_beside_the_records_it_deleted() -> None:
    costs = {cost.title: cost for cost in method_costs(people(4000), ROLES, TREES, k=4)}
    found = costs["SafePub"]
    assert found.unavailable is None
    assert found.smallest_class is not None
    assert found.smallest_class >= 74
    assert found.figures is not None
    assert found.figures["non_uniform_entropy"] is not None
    assert found.figures["record_linkage_attack"] is None  # nobody can tell whose records are in the sample
