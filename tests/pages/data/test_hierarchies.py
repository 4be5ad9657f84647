"""The list of hierarchies calls a value missing only where a metric needs it."""

import pytest

from dashboard.workspace import Slot, Workspace
from metrics.config.roles import Role
from metrics.hierarchies.hierarchy import Hierarchy
from pages.data.hierarchies import missed_values
from pages.data.matching import problems
from tests.dashboard.application import csv

ORIGINAL = csv(["q", "s"], ["1", "flu"], ["2", "cold"], ["3", "other"])
CANDIDATE = csv(["q", "s"], ["1", "flu"], ["9", "cold"], ["*", "*"])
KNOWN = {
    "q": Hierarchy([["1", "*"], ["2", "*"]], name="q.csv"),
    "s": Hierarchy([["flu", "*"], ["mumps", "*"]], name="s.csv"),
}


def state(**roles: Role) -> Workspace:
    made = Workspace()
    made.tables.add(Slot.ORIGINAL, "original.csv", ORIGINAL)
    made.tables.add(Slot.ANONYMIZED, "candidate.csv", CANDIDATE)
    made.roles = roles
    return made


@pytest.mark.parametrize(
    ("column", "roles", "missed"),
    [
        (
            "q",
            {"q": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE},
            [("3", "original.csv"), ("9", "candidate.csv")],
        ),
        ("s", {"q": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}, [("cold", "candidate.csv")]),
        ("q", {"q": Role.SENSITIVE, "s": Role.QUASI_IDENTIFIER}, []),
        ("s", {"q": Role.QUASI_IDENTIFIER, "s": Role.INSENSITIVE}, []),
    ],
    ids=["quasi-identifier", "sensitive, its suppressed record left out", "numbers have an order", "not needed"],
)
def test_values_missing_from_a_hierarchy_are_listed_only_if_a_metric_needs_them(
    column: str, roles: dict[str, Role], missed: list[tuple[str, str]]
) -> None:
    made = state(**roles)
    made.hierarchies = {column: KNOWN[column]}
    found = missed_values(made, column, KNOWN[column])
    assert sorted(found) == sorted(missed)
    assert bool(found) == any("lacks a value of this row" in sentence for sentence in problems(made))
