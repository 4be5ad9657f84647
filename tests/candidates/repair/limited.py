"""Small random tables and limits to repair them to, and whether a repaired table keeps what the repair says of it."""

import numpy as np
from hypothesis import strategies as st

import metrics
from metrics.aggregates import TableAggregates
from metrics.candidates.limits.enforced import Limits
from metrics.candidates.limits.of_nodes import feasible
from metrics.candidates.repair.to_limits import limited_measures
from metrics.config.parameters import GroundDistance, Parameters, TClosenessParameters
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.metric import ABOVE_ZERO
from metrics.tables.table import Table
from tests.support.small_tables import Cells, table

AGES = Hierarchy([["21", "20s", "*"], ["25", "20s", "*"], ["33", "30s", "*"]])
ILLNESSES = Hierarchy([["flu", "lung", "*"], ["cough", "lung", "*"], ["ulcer", "stomach", "*"]])
QUASI_IDENTIFIERS = ["age", "sex"]
ROLES = metrics.Roles(quasi_identifiers=QUASI_IDENTIFIERS, sensitive=["illness"])

cells = {
    "age": st.sampled_from(["21", "25", "33", "*"]),
    "sex": st.sampled_from(["f", "m", "*"]),
    "illness": st.sampled_from(["flu", "cough", "ulcer"]),
}
numeric = {**cells, "illness": st.sampled_from(["1", "2", "10"])}


def small_tables(columns: dict[str, st.SearchStrategy[str]], most: int) -> st.SearchStrategy[dict[str, Cells]]:
    rows = st.lists(st.tuples(*columns.values()), min_size=1, max_size=most)
    return rows.map(lambda found: {name: [row[i] for row in found] for i, name in enumerate(columns)})


limits = st.fixed_dictionaries(
    {},
    optional={
        "k_anonymity": st.sampled_from([1, 2, 3]),
        "distinct_l_diversity": st.just(2),
        "t_closeness": st.sampled_from([0.2, 0.34, 0.5]),
        "p29": st.just(ABOVE_ZERO),
        "entropy_l_diversity": st.just(1.5),
        "normalized_entropy_l_diversity": st.just(0.7),
        "suppression": st.just(0.3),
    },
)
distances = st.sampled_from([None, GroundDistance.EQUAL, GroundDistance.HIERARCHICAL])


def of_distance(distance: GroundDistance | None) -> Parameters:
    return Parameters(t_closeness=TClosenessParameters(distance={} if distance is None else {"illness": distance}))


def meets(candidate: Table, chosen: Limits, parameters: Parameters, hierarchies: Hierarchies) -> bool:
    """Whether a table scored anew has a class and meets the limits, by the metrics' own figures."""
    aggregates = TableAggregates(candidate, ROLES, None, hierarchies)
    if not aggregates.classes.count:
        return False
    figures = {"k": np.zeros(1), **limited_measures(aggregates, chosen, parameters)}
    return bool(feasible(chosen, figures, candidate.rows).all())


def with_cells(content: dict[str, Cells], suppressed: dict[str, list[bool]]) -> Table:
    """A table with further cells suppressed."""
    return table(
        {
            name: [
                "*" if gone else cell
                for cell, gone in zip(found, suppressed.get(name, [False] * len(found)), strict=True)
            ]
            for name, found in content.items()
        }
    )


def ages(numbers: dict[str, int], illness: str = "flu") -> dict[str, Cells]:
    """Records of one sex by age."""
    found = [age for age, number in numbers.items() for _ in range(number)]
    return {"age": found, "sex": ["f"] * len(found), "illness": [illness] * len(found)}
