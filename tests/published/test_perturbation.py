"""Perturbed and synthetic tables: what sdcMicro 5.8.1, synthpop 1.9-3 and glm gave in R 4.2.2, to 1e-9."""

from typing import Any

import pytest

from metrics import Roles, Scorecard, score
from tests.support.small_tables import table, written

ORIGINAL = """
    age pay days
    23 1200 2
    31 2500 5
    35 1800 1
    38 3100 7
    42 2900 3
    47 4200 9
    51 3600 4
    58 5100 12
    64 2700 6
    70 1500 15
    29 2200 2
    55 4700 8
"""
PERTURBED = """
    age pay days
    24 1250 2
    31 2500 4
    33 1700 1
    38 3400 7
    45 2890 3
    47.5 4150 10
    50 3700 4
    58 4800 11
    61 2750 6
    71 1300 15
    29 2210 3
    54 4690 8
"""


def compared(original: str, perturbed: str) -> Scorecard:
    return score(written(perturbed), Roles(["age", "pay", "days"]), original=written(original))


def test_measures_of_perturbed_numbers_equal_those_of_sdcmicro() -> None:
    card = compared(ORIGINAL, PERTURBED)
    # dUtility(x, xm, method = "IL1s") is the sum, "IL1old" the mean of all cells.
    assert card["standardized_difference"].details["sum"] == pytest.approx(1.931439355100357, rel=1e-9)
    assert card["standardized_difference"].value == pytest.approx(0.053651093197232137, rel=1e-9)
    assert card["eigenvalue_difference"].value == pytest.approx(0.22093752612959483, rel=1e-9)
    eigenvalues = [2.05116871585640004, 0.71905920621451580, 0.22977207792908472]
    assert card["eigenvalue_difference"].details["eigenvalues_before"] == pytest.approx(eigenvalues, rel=1e-9)


def test_measures_of_missing_numbers_equal_those_of_sdcmicro() -> None:
    card = compared(ORIGINAL.replace("35 1800 1", "35 - 1"), PERTURBED.replace("45 2890 3", "45 2890 -"))
    assert card["standardized_difference"].details["sum"] == pytest.approx(1.8729417583241308, rel=1e-9)
    assert card["eigenvalue_difference"].value == pytest.approx(0.41305565232464059, rel=1e-9)


def test_interval_disclosure_counts_numbers_and_sdcmicro_records() -> None:
    """mean(abs(x - xm) <= 0.05 * sd(x)) in R; dRisk(x, xm) is 0, as no record has all its numbers within."""
    card = compared(ORIGINAL, PERTURBED)
    assert card["interval_disclosure"].value == pytest.approx(0.55555555555555558, rel=1e-9)
    shares = {"age": 0.41666666666666669, "pay": 0.58333333333333337, "days": 0.66666666666666663}
    assert card["interval_disclosure"].attributes == pytest.approx(shares, rel=1e-9)


PEOPLE = written("""
    sex age ill
    f 30 flu
    f 30 flu
    f 40 flu
    m 40 cold
    m 50 cold
    m 50 flu
    f 40 cold
    m 30 flu
    f 50 asthma
    m 30 cold
""")
SYNTHETIC = written("""
    sex age ill
    f 30 flu
    f 30 flu
    f 40 cold
    m 40 cold
    m 40 flu
    m 60 flu
    m 50 cold
    m 30 flu
    f 30 flu
    m 50 cold
    f 60 flu
    m 30 flu
""")


def test_cap_and_disco_equal_those_of_synthpop() -> None:
    """disclosure(synthetic, people, keys = c("sex", "age"), target = "ill"); its figures are percentages."""
    card = score(SYNTHETIC, Roles(["sex", "age"], ["ill"]), original=PEOPLE)
    cap, disco = card["correct_attribution"], card["disco"]
    figures: dict[str, Any] = {
        "DiSCO": disco.value,
        "DiS": disco.details["certain"]["ill"],
        "Dorig": disco.details["original"]["ill"],
        "iS": cap.details["found"],
        "DCAP": cap.value,
        "CAPd": cap.details["original"]["ill"],
        "baseCAPd": cap.details["baseline"],
    }
    expected = {"DiSCO": 50, "DiS": 80, "Dorig": 40, "iS": 90, "DCAP": 55, "CAPd": 70, "baseCAPd": 42}
    assert {name: 100 * figure for name, figure in figures.items()} == pytest.approx(expected, rel=1e-9)
    # TCAP: its code divides by the people found, its vignette by those for whom the table is certain.
    assert disco.value / cap.details["found"] == pytest.approx(0.55555555555555557, rel=1e-9)
    assert disco.details["right_if_certain"]["ill"] == pytest.approx(50 / 80, rel=1e-9)


def test_pmse_equals_that_of_a_generalized_linear_model_in_r() -> None:
    """glm(t ~ q * r, family = binomial) of 10 original and 12 synthetic records, and synthpop's ratio of it."""
    original = table({"q": [*"aaabbbcccc"], "r": [*"xyyxxyxyxy"]})
    synthetic = table({"q": [*"abbbccaabcbc"], "r": [*"xxyyxyyxxxxy"]})
    found = score(synthetic, Roles(["q", "r"]), original=original, metrics=["pmse"])["pmse"]
    assert found.details["coefficients"] == 5
    assert found.value == pytest.approx(0.011570247933878701, rel=1e-3)
    assert found.details["ratio"] == pytest.approx(0.45173333333311483, rel=1e-3)
