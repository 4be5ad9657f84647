"""Small tables of people to make recipes of, and recipes written and read back."""

from hypothesis import strategies as st

import metrics
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.recipes.parsing import parse_recipe
from metrics.recipes.recipe import Recipe
from metrics.tables.export import to_csv, to_parquet
from metrics.tables.table import Table
from tests.support.small_tables import table, written

AGES = Hierarchy([["21", "20s", "*"], ["25", "20s", "*"], ["33", "30s", "*"]], name="age.csv")
ROLES = metrics.Roles(quasi_identifiers=["age", "sex"], sensitive=["illness"])
PEOPLE = written("age sex illness\n21 f flu\n25 f cough\n33 f ulcer\n21 m flu\n25 m -\n33 m flu\n21 f ulcer")

cells = {
    "age": st.sampled_from(["21", "25", "33", "*", None]),
    "sex": st.sampled_from(["f", "m", "*"]),
    "illness": st.sampled_from(["flu", "cough", "ulcer"]),
}
people = st.lists(st.tuples(*cells.values()), min_size=1, max_size=24).map(
    lambda rows: table({name: [row[place] for row in rows] for place, name in enumerate(cells)})
)


def same_bytes(one: Table, other: Table) -> bool:
    return all(form(one.to_arrow()) == form(other.to_arrow()) for form in (to_csv, to_parquet))


def through_its_file(recipe: Recipe) -> Recipe:
    written = recipe.to_yaml()
    read = parse_recipe(written.encode(), "recipe.yaml")
    assert read.to_yaml() == written
    return read
