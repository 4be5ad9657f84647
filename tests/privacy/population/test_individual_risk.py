"""Risks of survey records: published figures, many digits and bounds."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Roles, score
from metrics.privacy.population.individual_risk import expected_inverse, individual_risk
from metrics.scoring.working import Subject, working
from tests.oracle import population as oracle
from tests.support.small_tables import Cells, table, written
from tests.working.formulas import assert_derives

# Age, location, sex, education and weight of the eight records in sdcMicro's `francdat`; then what it prints of them:
# f, sum of weights and risk. M. Templ, B. Meindl, A. Kowarik, Introduction to statistical disclosure control, 2018.
FRANCDAT = [
    ("1 2 5 1 18", 2, 110.0, 0.017),
    ("1 2 1 1 45.5", 2, 84.5, 0.022),
    ("1 2 1 1 39", 2, 84.5, 0.022),
    ("3 3 1 5 17", 1, 17.0, 0.177),
    ("4 3 1 4 541", 1, 541.0, 0.012),
    ("4 3 1 1 8", 1, 8.0, 0.297),
    ("6 2 1 5 5", 1, 5.0, 0.402),
    ("1 2 5 1 92", 2, 110.0, 0.017),
]


KEYS = ["age", "location", "sex", "education"]


def test_the_risks_of_francdat_are_those_that_sdcmicro_prints() -> None:
    roles = Roles(quasi_identifiers=KEYS, weight="weight")
    rows = "\n".join(row for row, *_ in FRANCDAT)
    card = score(written(f"{' '.join(KEYS)} weight\n{rows}"), roles)
    result: Any = card["reidentification_risk"].result
    classes, weights = card.aggregates.class_of_record(), card.aggregates.class_weights
    assert weights is not None
    for position, (_, records, people, risk) in zip(classes, FRANCDAT, strict=True):
        assert result.sizes[position] == records
        assert weights[position] == people
        assert result.individual.per_class[position] == pytest.approx(risk, abs=5e-4)
    each = result.individual.per_class[classes]
    details = card["reidentification_risk"].details["individual"]
    assert details == {
        "highest": pytest.approx(each.max()),
        "mean": pytest.approx(each.mean()),
        "expected_reidentifications": pytest.approx(each.sum()),
    }
    assert "survey weights" in card["reidentification_risk"].summary()
    assert_derives(card, "reidentification_risk")
    for index in range(card.aggregates.classes.count):
        numbers = {step.title: step.number for step in working(card, "reidentification_risk", Subject(index)).steps}
        assert numbers["By the survey weights"] == result.individual.per_class[index]


@pytest.mark.parametrize("f", [*range(1, 8), 15, 28, 29, 30, 31, 40])
def test_the_expected_inverse_is_exact_to_twelve_digits(f: int) -> None:
    p = np.array([1e-12, 1e-9, 1e-5, 0.001, 0.01, 0.1, 0.3, 0.49, 0.5, 0.51, 0.8, 0.95, 0.99, 0.999999, 1.0])
    found = expected_inverse(np.full(len(p), f), p)
    assert found.tolist() == [pytest.approx(oracle.expected_inverse(f, float(at)), rel=1e-12) for at in p]


def test_the_expected_inverse_of_large_classes_nears_its_limit() -> None:
    # sdcMicro's approximation p / (f - q) is the limit for large f; bounds: 1/F for F = E[F] = f/p below, 1/f above.
    f = np.array([1_000, 10**6, 10**9, 10**9])
    p = np.array([1e-9, 0.3, 1e-3, 1.0])
    found = expected_inverse(f, p)
    assert found == pytest.approx(p / (f - (1 - p)), rel=1e-5)
    assert (found >= p / f * (1 - 1e-12)).all()
    assert (found <= 1 / f * (1 + 1e-12)).all()


@given(st.lists(st.tuples(st.integers(1, 50), st.floats(0.01, 1e6)), min_size=1, max_size=20))
def test_individual_risk_is_within_its_bounds(rows: list[tuple[int, float]]) -> None:
    sizes = np.array([f for f, _ in rows])
    weights = np.array([f * w for f, w in rows])
    found = individual_risk(sizes, weights)
    assert (found.per_class <= 1 / sizes * (1 + 1e-12)).all()
    assert (found.per_class >= np.minimum(1 / weights, 1 / sizes) * (1 - 1e-12)).all()
    assert 0 < found.mean <= found.highest * (1 + 1e-12)
    whole = individual_risk(sizes, sizes.astype(float))
    assert whole.per_class.tolist() == pytest.approx((1 / sizes).tolist(), rel=1e-12)


@pytest.mark.parametrize("weights", [["1", "0"], ["1", "-2"], ["1", "x"], ["1", None]])
def test_without_positive_weights_individual_risk_is_not_available(weights: Cells) -> None:
    card = score(table({"q": ["a", "b"], "w": weights}), Roles(quasi_identifiers=["q"], weight="w"))
    assert card["reidentification_risk"].value == 1
    details = card["reidentification_risk"].details
    assert details["individual"] is None
    assert set(details["refused"]) == {"individual"}
