"""Searching by analyses: the front and the best are those of every table scored, and what was not run is said."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.candidates.generalization.generalize import generalized_table
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.finding import not_run_finding, search_finding
from metrics.candidates.search.lattice import explore
from metrics.config.analyses import Analysis, Count, Crosstab, Linear, Logistic, Mean, Term
from metrics.config.parameters import Parameters
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.tables.table import Table
from metrics.texts import text
from tests.support.examples import fewer_examples
from tests.support.small_tables import table

AGES = Hierarchy([[str(age), f"{age // 10}0s", "young" if age < 30 else "old", "*"] for age in range(20, 50)])
TOWNS = Hierarchy([["Ely", "east", "*"], ["York", "north", "*"], ["Leeds", "north", "*"]])
TREES = {"age": AGES, "town": TOWNS}
ROLES = metrics.Roles(["age", "sex", "town"], ["pay", "ill"])
COUNTED = {
    "pay by sex": Mean("pay", "sex"),
    "pay by age and town": Mean("pay", [Term("age", level=2), "town"]),
    "ill and town": Crosstab(["ill", "town"]),
}
REGRESSIONS = {
    "pay": Linear("pay", ["age", "sex", Term("town", control=True)]),
    "ill": Logistic("ill", "flu", [Term("age", level=1), "town"]),
}


def people(seed: int, records: int = 60) -> Table:
    rng = np.random.default_rng(seed)
    age, sex, town = rng.integers(20, 50, records), rng.integers(0, 2, records), rng.integers(0, 3, records)
    pay = 1000 + 20 * age + 300 * sex + 100 * (town > 0) + rng.normal(0, 100, records)
    ill = rng.random(records) < 0.2 + 0.01 * age
    return table(
        {
            "age": [str(value) for value in age],
            "sex": ["fm"[value] for value in sex],
            "town": [("Ely", "York", "Leeds")[value] for value in town],
            "pay": [f"{value:.0f}" for value in pay],
            "ill": ["flu" if value else "cold" for value in ill],
        }
    )


def scored(original: Table, found: Exploration, parameters: Parameters) -> Iterator[tuple[float, float]]:
    """Risk and analyses kept of every node that meets the limits, from its table."""
    for index in np.flatnonzero(found.feasible()).tolist():
        made = generalized_table(original, ROLES, TREES, found.levels_of(index), rule=found.rule)
        card = metrics.score(
            made,
            ROLES,
            original=original,
            hierarchies=TREES,
            parameters=parameters,
            metrics=["reidentification_risk", "analyses"],
        )
        yield card["reidentification_risk"].value, card["analyses"].value


def front(points: list[tuple[float, float]]) -> set[tuple[float, float]]:
    rounded = {(round(risk, 9), round(kept, 9)) for risk, kept in points}
    return {
        one
        for one in rounded
        if not any(other != one and other[0] <= one[0] and other[1] >= one[1] for other in rounded)
    }


@fewer_examples()
@given(
    st.integers(0, 10**6),
    st.sampled_from([COUNTED, REGRESSIONS, {**COUNTED, **REGRESSIONS, "York": Count({"town": ["York"]})}]),
    st.sampled_from([0.0, 0.2, 1.0]),
)
def test_front_and_best_are_those_of_every_table(seed: int, analyses: dict[str, Analysis], suppression: float) -> None:
    original, parameters = people(seed), Parameters(analyses=analyses)
    arguments = {"k": 2, "limits": {"suppression": suppression, "k_anonymity": 2}, "parameters": parameters}
    found = explore(original, ROLES, TREES, measure="analyses", **arguments)
    points = list(scored(original, found, parameters))
    assert found.proven
    assert found.not_evaluated == 0
    if not points:
        assert found.best is None
        return
    names = ("reidentification_risk", "analyses")
    on_front = [
        tuple(float(found.figures[name][index]) for name in names) for index in found.pareto_front(*names).tolist()
    ]
    assert front(on_front) == front(points)
    assert found.best is not None
    assert found.figures["analyses"][found.best] == pytest.approx(max(kept for _, kept in points))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("metrics.candidates.search.analyses_search._MAX_REGRESSED", 1)
        few = explore(original, ROLES, TREES, measure="analyses", **arguments)
    assert few.bound is not None
    assert few.bound >= found.figures["analyses"][found.best] - 1e-9
    large = explore(original, ROLES, TREES, measure="analyses", max_nodes=5, **arguments)
    if large.nodes_evaluated < large.nodes_total:
        assert (large.bound, large.proven) == (None, False)
    none = explore(original, ROLES, TREES, measure="analyses", max_seconds=1e-9, **arguments)
    if none.best is None and none.feasible().any():
        assert search_finding(none) == text("search.analyses_not_begun")
    if few.not_evaluated:
        assert f"{few.not_evaluated} other" in not_run_finding(few)
    else:
        assert "cannot keep more" in not_run_finding(few) or not not_run_finding(few)


def test_without_saved_analyses_the_proposed_ones_are_run() -> None:
    original = people(1)
    found = explore(original, ROLES, TREES, k=3, measure="analyses")
    assert found.best is not None
    parameters = Parameters(analyses=metrics.propose_analyses(original, ROLES, TREES))
    same = explore(original, ROLES, TREES, k=3, measure="analyses", parameters=parameters)
    assert np.array_equal(found.figures["analyses"], same.figures["analyses"], equal_nan=True)
    assert "of the analyses kept" in search_finding(found)
    assert search_finding(found).endswith("others are as good.")
    assert "as good" not in search_finding(explore(original, ROLES, TREES, k=3))
    with pytest.raises(InputError, match="the roles suggest none"):
        explore(original, metrics.Roles(["age", "sex"]), TREES, measure="analyses")
    with pytest.raises(InputError, match="supports no analysis"):
        explore(original, ROLES, TREES, measure="analyses", parameters=Parameters(analyses={"a": Mean("ill")}))
