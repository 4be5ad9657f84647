"""Perturbing methods beside each other: what the scorecard says of them, and columns that they refuse."""

from itertools import product

import numpy as np
import pytest

from metrics import Hierarchy, InputError, Roles, score
from metrics.candidates.methods.additive_noise import AdditiveNoise
from metrics.candidates.methods.costs import comparable_value
from metrics.candidates.methods.method import CandidateMethod
from metrics.candidates.methods.microaggregation import Microaggregation
from metrics.candidates.methods.pram import PRAM
from metrics.candidates.methods.rank_swapping import RankSwapping
from metrics.candidates.methods.top_bottom_coding import TopBottomCoding
from metrics.scoring.compared_records import perturbed_shares
from tests.candidates.methods.workers import ROLES, people
from tests.support.small_tables import cells_of, table


def test_the_largest_numbers_stay_finite() -> None:
    original = table({"age": ["1e308", "-1e308", "5"], "job": ["n"] * 3, "ill": ["x"] * 3})
    methods = (AdditiveNoise(1.0), Microaggregation(1), RankSwapping(1.0), TopBottomCoding(0.4, 0.4))
    for method, seed in product(methods, range(5)):
        made = method.apply(original, ROLES, seed=seed)
        assert all(np.isfinite(float(str(cell))) for cell in cells_of(made["age"]))


CHANGED: list[tuple[CandidateMethod, set[str]]] = [
    (PRAM(0.2), {"job"}),
    (PRAM(0.2, ("age", "job")), {"age", "job"}),
    (AdditiveNoise(0.2), {"age"}),
    (RankSwapping(0.05), {"age"}),
    (Microaggregation(5), {"age"}),
]


@pytest.mark.parametrize("trees", [False, True])
@pytest.mark.parametrize(("method", "changed"), CHANGED, ids=lambda one: getattr(one, "name", ""))
def test_the_scorecard_sees_which_columns_are_perturbed(
    method: CandidateMethod, changed: set[str], trees: bool
) -> None:
    ages = [[str(age), f"{age // 10}0s", "*"] for age in range(-40, 140)]
    jobs = [[job, "*"] for job in ("nurse", "smith", "waiter")]
    hierarchies = {"age": Hierarchy(ages), "job": Hierarchy(jobs)} if trees else {}
    original = people(2_000)
    made = method.apply(original, ROLES, hierarchies, seed=1)
    card = score(made, ROLES, original=original, hierarchies=hierarchies)
    shares = perturbed_shares(card.aggregates)
    assert {name for name, share in shares.items() if share > 0.01} == changed
    # Nothing is called lossless that was perturbed.
    for name in ("granularity", "precision", "non_uniform_entropy", "ambiguity"):
        assert comparable_value(card[name]) is None
    linked = card["record_linkage_attack"].value
    assert linked is not None
    intact = score(original, ROLES, original=original, hierarchies=hierarchies, metrics=["record_linkage_attack"])
    assert 0 <= linked < float(intact["record_linkage_attack"].value or 0)


@pytest.mark.parametrize(
    ("method", "roles"),
    [
        (AdditiveNoise(), Roles(quasi_identifiers=["job"])),
        (RankSwapping(), Roles(quasi_identifiers=["job"])),
        (TopBottomCoding(), Roles(quasi_identifiers=["job"])),
        (PRAM(), Roles(quasi_identifiers=["age"])),
        (AdditiveNoise(columns=("age", "job")), ROLES),
        (PRAM(columns=("height",)), ROLES),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_method_refuses_columns_of_unsuitable_values(method: CandidateMethod, roles: Roles) -> None:
    with pytest.raises(InputError, match=r"contains?\b|no such column"):
        method.apply(people(20), roles)
