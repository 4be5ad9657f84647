"""A repaired table: records under other labels, and no identifier."""

import numpy as np

from metrics import Roles
from metrics.candidates.repair.relabelling import relabelled
from metrics.counting.grouping import DELETED
from tests.support.small_tables import table


def test_records_take_over_the_labels_of_their_number_and_show_no_identifier() -> None:
    people = table({"name": ["Ann", "Ben", "Cem"], "age": ["31", "32", "40"], "illness": ["a", "b", "a"]})
    roles = Roles(quasi_identifiers=["age"], sensitive=["illness"], identifiers=["name"])
    made = relabelled(people, roles, {"age": ["30-39", None]}, np.array([0, DELETED, 1]))
    assert made.to_arrow().to_pydict() == {
        "name": ["*", "*", "*"],
        "age": ["30-39", "32", None],
        "illness": ["a", "b", "a"],
    }
