"""The lattice search finds ARX's optima."""

from typing import Any

import pytest

import metrics
from metrics.candidates.limits.enforced import K, L, T
from metrics.candidates.search.evaluation import Scope
from metrics.candidates.search.exploration import Exploration
from metrics.candidates.search.lattice import explore
from metrics.config.parameters import Parameters, ProfitabilityParameters
from metrics.economics.profitability import size_without_attacks
from tests.support.reference_data import arx_figures, reference
from tests.support.reference_tables import reference_table

pytestmark = pytest.mark.reference

PROFIT = ProfitabilityParameters(information_loss=True)
MODELS = {
    "k5_supp04_q8_old": {K: 5},
    "k10_supp04_q8_old": {K: 10},
    "k5_supp0_q8_old": {K: 5},
    "petworks_l5_distinct_occupation": {K: 1, L: 5},
    "k5_tequal02_occupation_7qi_old": {K: 5, T: 0.2},
    "profit_prosecutor_noattack_payout_supp1_q8_old": {K: size_without_attacks(PROFIT)},
}


def searched(model: str, **options: Any) -> tuple[dict[str, Any], Exploration]:
    """What ARX found and what the search finds."""
    expected: dict[str, Any] = arx_figures()["anonymization"][model]
    given = expected["input"]
    kinds = dict(part.split("=") for part in given["types"].split(","))
    roles = metrics.Roles(
        quasi_identifiers=[name for name, kind in kinds.items() if kind == "QI"],
        sensitive=[name for name, kind in kinds.items() if kind == "SA"],
    )
    hierarchies = metrics.read_hierarchies(reference(given["hier"]), roles.quasi_identifiers)
    found = explore(
        reference_table(given["orig"]),
        roles,
        hierarchies,
        rule=MODELS[model],
        max_suppression=given["supp"],
        measure="publisher_payout" if given["metric"] == "payout" else "loss",
        parameters=Parameters(profitability=PROFIT),
        sensitive=Scope.NONE,
        **options,
    )
    return expected, found


SEARCHES = {"all nodes": 50_000, "branch and bound": 1_400}
QUICK = {
    ("k5_supp04_q8_old", "branch and bound"),
    ("k10_supp04_q8_old", "branch and bound"),
    ("k5_supp0_q8_old", "branch and bound"),
    ("petworks_l5_distinct_occupation", "branch and bound"),
    ("k5_tequal02_occupation_7qi_old", "all nodes"),
}
"""The default run leaves the other searches out; the payout at ARX's optimum is in test_arx.py."""


@pytest.mark.parametrize(
    ("model", "max_nodes"),
    [
        pytest.param(model, number, id=f"{model}-{name}", marks=[] if (model, name) in QUICK else [pytest.mark.slow])
        for model in MODELS
        for name, number in SEARCHES.items()
    ],
)
def test_optima_are_those_of_arx(model: str, max_nodes: int) -> None:
    expected, found = searched(model, max_nodes=max_nodes)
    assert found.best is not None
    best = found.node(found.best)
    assert list(found.attributes) == expected["qi_order"]
    assert best["levels"] == expected["optimal_transformation"]
    assert best["suppressed_rows"] == expected["suppressed_rows"]
    assert found.nodes_total == expected["lattice_nodes_total"]
    statistics = expected["risk_anonymized"]["equivalence_class_statistics"]
    assert (best["classes"], best["smallest_class"]) == (statistics["num_classes"], statistics["min"])
    if found.measure == "loss":
        assert best["loss"] == pytest.approx(float(expected["lowest_score"]), rel=1e-9)
    else:
        # ARX's score is what the payout falls short of the benefit of all records.
        short = found.records * PROFIT.publisher_benefit - best["publisher_payout"]
        assert short == pytest.approx(float(expected["lowest_score"]), rel=1e-9)
    if max_nodes > found.nodes_total:
        assert (found.proven, found.nodes_evaluated) == (True, found.nodes_total)
    elif found.measure == "loss" and "k" in model[:1]:
        assert found.nodes_evaluated < found.nodes_total
