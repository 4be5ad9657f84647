"""What the package exports, for people who have data frames."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import pytest

import metrics
from metrics import Roles, recipe_of_levels

FRAME = pd.DataFrame({"age": ["31", "32", "41", "42"] * 3, "sex": ["f", "m"] * 6, "job": ["a", "b", "c"] * 4})
ROLES = Roles(quasi_identifiers=["age", "sex"], sensitive="job")
LEVELS = {"age": 1}
CALLS: Mapping[str, Callable[[Any], Any]] = {
    "score": lambda data: metrics.score(data, ROLES, original=data).to_dict()["metrics"],
    "explore": lambda data: metrics.explore(data, ROLES, k=3).to_dict()["best"],
    "generalized_table": lambda data: metrics.generalized_table(data, ROLES, None, LEVELS).to_arrow().to_pydict(),
    "make_candidate": lambda data: metrics.make_candidate(data, "pram", ROLES, seed=7).to_arrow().to_pydict(),
    "recipe_of_levels": lambda data: recipe_of_levels(data, ROLES, None, LEVELS).to_yaml(),
    "Recipe.apply": lambda data: recipe_of_levels(FRAME, ROLES, None, LEVELS).apply(data).table.to_arrow().to_pydict(),
    "Recipe.unknown_values": lambda data: recipe_of_levels(FRAME, ROLES, None, LEVELS).unknown_values(data),
    "direct_identifiers": metrics.direct_identifiers,
    "k_anonymity": lambda data: metrics.k_anonymity(data, ["age", "sex"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_data_frame_gives_what_a_table_gives(name: str) -> None:
    assert CALLS[name](FRAME) == CALLS[name](metrics.read_table(FRAME, name="frame"))


def test_the_name_of_one_column_is_not_taken_for_a_list_of_letters() -> None:
    roles = Roles(quasi_identifiers="age", sensitive="job", key_sets={"neighbour": "age"})
    assert roles == Roles(quasi_identifiers=["age"], sensitive=["job"], key_sets={"neighbour": ["age"]})


def test_one_metric_can_be_named_without_a_list() -> None:
    card = metrics.score(FRAME, ROLES, metrics="k_anonymity")
    assert [score.metric.id for score in card if score.value is not None] == ["k_anonymity"]


def test_a_table_does_not_show_its_cells_where_it_is_printed() -> None:
    assert repr(metrics.read_table(FRAME, name="people.csv")) == "Table('people.csv', 12 records, 3 columns)"
