"""The steps of a recipe: which cells a recoding changes, and each step in a sentence."""

from metrics.candidates.limits.enforced import K, L, T
from metrics.recipes.recipe import Recipe
from metrics.recipes.steps import DeleteSuppressed, Generalize, Recode, Rule, SuppressClasses
from tests.recipes.people import PEOPLE, through_its_file
from tests.support.small_tables import columns_of


def test_a_recoding_changes_listed_cells_alone() -> None:
    recode = Recode(
        ("age", "sex"),
        (
            Rule(("21", "f"), ("20s", "*"), 1),
            Rule(("21", "f"), (None, "null")),
            Rule(("33", "m"), None),
            Rule(("90", "f"), ("old", "f")),
        ),
    )
    applied = through_its_file(Recipe((recode,))).apply(PEOPLE)
    found = columns_of(applied.table)
    assert found["age"] == ["20s", "25", "33", "21", "25", None]
    assert found["sex"] == ["*", "f", "f", "m", "m", "null"]
    assert applied.kept.tolist() == [0, 1, 2, 3, 4, 6]


def test_a_recipe_describes_its_steps_in_sentences() -> None:
    rule = {K: 5, L: 2, T: 0.3}
    steps = (
        Generalize("age", 1, 2),
        SuppressClasses(("age",), rule, ("illness",)),
        Recode(("age",), (Rule(("*",), None),)),
        DeleteSuppressed(("age",)),
    )
    assert list(Recipe(steps).lines()) == [
        "age: level 1 of 2",
        "Classes with fewer than 5 records, fewer than 2 values of a sensitive attribute or a distance above 0.3 are "
        "suppressed; they are determined anew in each table",
        "Records with listed combinations of age are deleted (1 combination); in a new table, this affects only "
        "records with exactly these cells",
        "Records with * in every quasi-identifier are deleted",
    ]


def test_a_report_describes_the_steps_in_a_few_words() -> None:
    recode = Recode(("age",), (Rule(("20s",), ("*",)), Rule(("30s",), ("*",)), Rule(("*",), None)))
    steps = (Generalize("age", 1, 2), Generalize("sex", 0, 1), recode, SuppressClasses(("age",), {K: 5}))
    assert Recipe(steps).brief(suppressed=True) == (
        "generalization (age: level 1 of 2, sex: level 0 of 1)",
        "recoding of 2 combinations of values and deletion of the records with 1 combination of values",
        "suppression of any class with fewer than 5 records",
    )
    assert len(Recipe(steps).brief(suppressed=False)) == 2
    assert Recipe(steps[-1:]).brief(suppressed=False) == ("suppression of any class with fewer than 5 records",)
