"""Attacks give what anonymeter 1.1.0 and privattacks 1.4 give where the definitions agree; both were run once."""

import numpy as np
import pandas as pd
import pytest

from metrics import Parameters, Roles, read_table, score
from tests.support.sample import SAMPLE

SIX = ("sex", "age", "zip_code", "marital_status", "occupation", "admission")
PEOPLE = 400


def perturbed_pair() -> tuple[pd.DataFrame, pd.DataFrame]:
    """People with two numbers, and the same with noise; no two are equally far from each other."""
    random = np.random.default_rng(29)
    income, rent = random.permutation(np.arange(PEOPLE) * 50), random.permutation(np.arange(PEOPLE) * 50)
    ward = np.array(list("ABCD"))[(income // 3000 + rent // 4000) % 4]
    original = pd.DataFrame({"income": income * 1000, "rent": rent * 1000, "ward": ward})
    released = original.assign(
        income=(income + random.integers(-60, 61, PEOPLE)) * 1000 + np.arange(PEOPLE),
        rent=(rent + random.integers(-60, 61, PEOPLE)) * 1000 + random.permutation(PEOPLE),
    )
    return original, released


@pytest.mark.parametrize(
    ("attack", "known", "successes"),
    [
        # InferenceEvaluator(aux_cols=known, secret="ward", n_attacks=400)
        ("attribute_inference_attack", ("income",), 264),
        ("attribute_inference_attack", ("rent",), 256),
        ("attribute_inference_attack", ("income", "rent"), 400),
        # LinkabilityEvaluator(aux_cols=(["income"], ["rent"]), n_neighbors=1, n_attacks=400)
        ("two_source_linkage_attack", ("income", "rent"), 102),
    ],
)
def test_inference_and_linkability_successes_equal_those_of_anonymeter(
    attack: str, known: tuple[str, ...], successes: int
) -> None:
    original, released = perturbed_pair()
    card = score(
        released,
        Roles(quasi_identifiers=["income", "rent"], sensitive=["ward"]),
        original=original,
        parameters=Parameters().with_settings({"attack.known": known}),
        metrics=[attack],
    )
    assert card[attack].value == pytest.approx(successes / PEOPLE, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "known", "linkage", "inference"),
    [
        ("hospital", SIX, 0.9905, 0.9912),
        ("hospital", ("age", "sex"), 0.0199, 0.1627),
        ("candidate_light", SIX, 0.2293, 0.3493),
        ("candidate_light", ("age", "sex"), 0.0040, 0.1321),
    ],
)
def test_bayes_vulnerabilities_equal_those_of_privattacks(
    name: str, known: tuple[str, ...], linkage: float, inference: float
) -> None:
    """Posterior and prior Bayes vulnerability of a table published as it is."""
    table = read_table(SAMPLE / f"{name}.csv")
    card = score(
        table,
        Roles(quasi_identifiers=SIX, sensitive=["diagnosis"]),
        original=table,
        parameters=Parameters().with_settings({"attack.known": known}),
        metrics=["record_linkage_attack", "attribute_inference_attack"],
    )
    found = card["record_linkage_attack"], card["attribute_inference_attack"]
    assert [one.value for one in found] == pytest.approx([linkage, inference], rel=1e-12)
    assert [one.details["baseline"] for one in found] == pytest.approx([0.0001, 0.1054], rel=1e-12)
