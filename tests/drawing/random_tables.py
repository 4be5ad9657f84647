"""Random tables that figures are drawn of."""

import numpy as np

import metrics
from tests.support.small_tables import table


def many_classes() -> metrics.Scorecard:
    """The scorecard of 4,000 records in many classes, with markup in the name of a column."""
    rng = np.random.default_rng(3)
    columns = {
        "age": [f"{10 * n}-{10 * n + 9}" for n in rng.integers(0, 9, 4000)],
        "<b>place</b>": [f"=p{n}" for n in rng.geometric(0.3, 4000)],
        "illness": [f"i{n}" for n in rng.integers(0, 9, 4000)],
    }
    roles = metrics.Roles(quasi_identifiers=["age", "<b>place</b>"], sensitive=["illness"])
    return metrics.score(table(columns), roles)


NAMES = ("<b>age</b>", "place", "work")


def original() -> metrics.Table:
    """A table of 300 records with these quasi-identifiers."""
    rng = np.random.default_rng(5)
    cells = {name: [str(n) for n in rng.integers(0, 8, 300)] for name in NAMES}
    return table({**cells, "illness": [f"i{n}" for n in rng.integers(0, 4, 300)]})
