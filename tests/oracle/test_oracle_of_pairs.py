"""The oracle of information loss, presence and profitability reproduces the published figures."""

import math
from fractions import Fraction
from pathlib import Path

import pytest

from tests import oracle
from tests.oracle.written import Table, table
from tests.support.reference_data import arx_figures, read_hierarchies, read_records, reference

ADULT_8_QI = [
    "sex", "age", "race", "marital-status", "education", "native-country", "occupation", "salary-class",
]  # fmt: skip
ADULT_9_QI = [*ADULT_8_QI, "workclass"]
ADULT_3_QI = ["marital-status", "native-country", "occupation"]

# Non-uniform entropy

YEARS = table("born", "1970", "1981", "1983", "1988")
DECADES = table("born", "197*", "198*", "198*", "198*")
YEAR_HIERARCHY = [[str(year), f"{year // 10}*", "*"] for year in range(1970, 1990)]


def test_the_oracle_gives_the_worked_figures_of_non_uniform_entropy() -> None:
    result = oracle.non_uniform_entropy(YEARS, DECADES, ["born"], {"born": YEAR_HIERARCHY})
    assert result.loss["born"] == pytest.approx(4.7549, abs=5e-5)
    assert result.largest_loss["born"] == 8
    assert result.score == pytest.approx(1 - 3 * math.log2(3) / 8)
    assert round(result.score, 4) == 0.4056


def test_the_non_uniform_entropy_of_the_oracle_adds_the_loss_of_each_level() -> None:
    anonymized = table("born", "1970", "198*", "198*", "*")
    result = oracle.non_uniform_entropy(YEARS, anonymized, ["born"], {"born": YEAR_HIERARCHY})
    # Level 1 counts the three records from there on (all 198*), level 2 the last one alone.
    assert result.loss["born"] == pytest.approx(3 * math.log2(3))
    higher = oracle.non_uniform_entropy(YEARS, table("born", "*", "198*", "*", "*"), ["born"], {"born": YEAR_HIERARCHY})
    # Level 1: 1, 3, 3, 3 alike. Level 2, without the second record: 197* once and 198* twice become three.
    assert higher.loss["born"] == pytest.approx(3 * math.log2(3) + math.log2(3) + 2 * math.log2(3 / 2))
    same = oracle.non_uniform_entropy(YEARS, YEARS, ["born"], {})
    assert (same.score, same.loss["born"]) == (1, 0)
    gone = oracle.non_uniform_entropy(YEARS, table("born", *"****"), ["born"], {})
    assert gone.score == 0
    constant = table("born", "1970", "1970")
    assert oracle.non_uniform_entropy(constant, table("born", "*", "*"), ["born"], {}).score == 1


# The oracle takes seconds for adult's 30,000 records. The default run compares the library with the same figures, and
# with the oracle on smaller tables.


@pytest.fixture(scope="module")
def adult() -> tuple[Table, Table]:
    """The original and the anonymized records."""
    folder = reference("petworks", "adult")
    return read_records(folder / "adult.csv"), read_records(folder / "adult_anonymized.csv")


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize(
    ("folder", "quasi_identifiers", "expected"),
    [
        ("adult_hierarchy", ADULT_3_QI, 0.6385286721819015),
        ("adult_hierarchy", ADULT_8_QI, 0.6740002378300514),
        ("adult_hierarchy", ADULT_9_QI, 0.6691909578638351),
        ("adult_hierarchy_intervals", ADULT_9_QI, 0.6691909578638351),
    ],
)
def test_the_oracle_gives_the_non_uniform_entropy_of_adult_by_arx(
    adult: tuple[Table, Table], folder: str, quasi_identifiers: list[str], expected: float
) -> None:
    hierarchies = read_hierarchies(reference("petworks", "adult", folder))
    result = oracle.non_uniform_entropy(*adult, quasi_identifiers, hierarchies)
    assert result.score == pytest.approx(expected, abs=1e-12)
    arx = arx_figures()["evaluation"]["adult/all9qi/hier_current"]
    per_column = arx["quality"]["non_uniform_entropy"]["per_attribute"]
    for name in quasi_identifiers:
        assert result.loss[name] == pytest.approx(per_column[name]["raw_result"], rel=1e-9)
        assert result.largest_loss[name] == pytest.approx(per_column[name]["raw_maximum"], rel=1e-9)


# Ambiguity


def test_the_oracle_gives_the_worked_figures_of_ambiguity() -> None:
    years = table("born", "1977", "1988")
    decades: Table = [{"born": "1970 - 1979"}, {"born": "1980 - 1989"}]
    result = oracle.ambiguity(years, decades, ["born"], {})
    assert result.mean_combinations == 10
    # 20 of the integers 1970 to 1989: (20 - 2) of (2 x 20 - 2) combinations lost.
    assert result.score == 1 - Fraction(18, 38)
    assert oracle.ambiguity(years, years, ["born"], {}).mean_combinations == 1
    assert oracle.ambiguity(years, years, ["born"], {}).score == 1


@pytest.mark.parametrize(
    ("cell", "covered"),
    [
        ("1970 - 1979", 10), ("1970-1979", 10), ("[30-40)", 10), ("[30-40]", 11), ("(30-40]", 10),
        ("[20, 30[", 10), ("-5 - -1", 5), ("-3", 1), ("7", 1),
    ],
)  # fmt: skip
def test_an_integer_interval_covers_its_integers(cell: str, covered: int) -> None:
    original = table("n", "-100", "2000")
    result = oracle.ambiguity(original, [{"n": cell}, {"n": "*"}], ["n"], {})
    assert result.combinations == covered + 2101


def test_the_domain_reaches_from_the_smallest_to_the_largest_integer_seen() -> None:
    original = table("n", "33", "41", "38")
    anonymized = table("n", "[30-40)", "*", "38")
    assert oracle.ambiguity(original, anonymized, ["n"], {}).combinations == 10 + 12 + 1


def test_without_integers_the_domain_is_what_the_original_holds() -> None:
    original = table("a b", "x 00123", "y 00124", "x 00123")
    anonymized = table("a b", "x *", "* 00124", "x *")
    result = oracle.ambiguity(original, anonymized, ["a", "b"], {})
    assert (result.combinations, result.mean_combinations) == (6, 2)
    assert result.score == 1 - Fraction(3, 9)
    starred = table("a", "1", "*", "5")
    assert oracle.ambiguity(starred, starred, ["a"], {}).combinations == 1 + 3 + 1
    with pytest.raises(ValueError, match="unknown without a hierarchy"):
        oracle.ambiguity(original, table("a", "x", "z", "x"), ["a"], {})


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize(
    ("folder", "combinations", "expected"),
    [
        ("adult_hierarchy_intervals", 8465443861932, 0.7271401100722763),
        # Age 42 is a leaf and the label of 41 to 45, 50 a leaf and the root: the widest reading counts.
        ("adult_hierarchy", 8465443913689, 0.7271401084040343),
    ],
)
def test_the_oracle_gives_the_known_ambiguity_of_the_adult_table(
    adult: tuple[Table, Table], folder: str, combinations: int, expected: float
) -> None:
    result = oracle.ambiguity(*adult, ADULT_9_QI, read_hierarchies(reference("petworks", "adult", folder)))
    assert result.combinations == combinations
    assert float(result.score) == pytest.approx(expected, abs=1e-15)
    if folder == "adult_hierarchy_intervals":
        assert float(result.mean_combinations) == 280665866.38591605


@pytest.mark.reference
def test_presence_scores_as_in_arx() -> None:
    original = read_records(reference("petworks", "presence", "presence.csv"))
    anonymized = read_records(reference("petworks", "presence", "presence_transformed.csv"))
    hierarchies = read_hierarchies(reference("petworks", "presence", "presence_hierarchy"))
    quasi_identifiers = ["zip", "age", "nationality"]
    result = oracle.ambiguity(original, anonymized, quasi_identifiers, hierarchies)
    assert result.combinations == 1107
    assert float(result.score) == pytest.approx(0.7227272727272727)
    entropy = oracle.non_uniform_entropy(original, anonymized, quasi_identifiers, hierarchies)
    assert entropy.score == pytest.approx(0.21303977845387156)


# Profitability


def test_the_oracle_gives_the_worked_figures_of_profitability() -> None:
    records = table("born", "197*", "198*", "198*")
    result = oracle.profitability(records, ["born"], 4, 300, 300, 1200)
    assert (result.holds, result.basic, result.strict, result.no_attack) == (True, True, False, False)
    assert result.records_attacked == 3
    assert result.publisher_payout == (1200 - 300) + 2 * (1200 - 150)
    assert not oracle.profitability(records, ["born"], 4, 300, 300, 1200, allow_attack=False).holds


def test_delta_is_profitable_but_not_attack_free(seed_tables: Path) -> None:
    records = read_records(seed_tables / "delta" / "delta_anonymized.csv")
    result = oracle.profitability(records, ["zip", "age", "nationality"], 4, 300, 300, 1200)
    assert (result.basic, result.no_attack, result.strict) == (True, False, False)
    assert (result.publisher_payout, result.records_attacked) == (5400, 5)


def test_the_oracle_treats_equal_gain_and_cost_as_no_attack() -> None:
    pair = table("q", "1", "1", "*")
    # Gain x 1/2 equals the cost: nobody attacks, yet the strict definition wants three records.
    at_cost = oracle.profitability(pair, ["q"], "0.3", "0.6", 10, 1)
    assert (at_cost.records_attacked, at_cost.no_attack, at_cost.strict) == (0, False, False)
    assert at_cost.publisher_payout == 2
    three = oracle.profitability([*pair, {"q": "1"}], ["q"], "0.3", "0.6", 10, 1, allow_attack=False)
    assert (three.no_attack, three.holds) == (True, True)
    # Risk equal to the benefit is not profitable.
    assert not oracle.profitability(pair, ["q"], 0, 1, 10, 5).basic
    free = oracle.profitability(pair, ["q"], 0, 0, 10, 5)
    assert (free.records_attacked, free.no_attack, free.strict) == (0, True, True)
