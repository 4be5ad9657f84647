"""What a generalized value covers: intervals, integers, hierarchies, original values."""

import math

import pytest

from metrics import Hierarchy, Roles, score
from metrics.hierarchies.domain import outside_intervals, range_of_number
from metrics.utility.ambiguity.measure import Ambiguity
from tests.support.small_tables import table


def judged(before: list[str | None], after: list[str | None], hierarchy: Hierarchy | None = None) -> Ambiguity:
    found = score(
        table({"q": after}),
        Roles(quasi_identifiers=["q"]),
        original=table({"q": before}),
        hierarchies={} if hierarchy is None else {"q": hierarchy},
    )["ambiguity"].result
    assert isinstance(found, Ambiguity)
    return found


@pytest.mark.parametrize(
    ("before", "after", "rule", "size", "mean"),
    [
        # The worked example of the seed's page.
        (["1977", "1988"], ["1970 - 1979", "1980 - 1989"], "integers", 20, 10),
        (["1", "5"], ["*", "5"], "integers", 5, 3),
        (["1", "50"], ["<=40", ">40"], "integers", 50, 25),
        (["3", "-3"], ["3", "-3"], "integers", 7, 1),
        (["30", "39"], ["[30-40)", "[30-40)"], "integers", 10, 10),
        # Codes with leading zeros are text, as 00123 always is.
        (["00123", "00150"], ["00123", "*"], "original values", 2, 1.5),
        # Doubles cannot tell neighbours of this size apart.
        (["12345678901234567890", "12345678901234567899"], ["12345678901234567890", "*"], "original values", 2, 1.5),
        (["9" * 308, "-" + "9" * 308], ["9" * 308, "*"], "original values", 2, 1.5),
        (["1", "2"], ["1 - " + "9" * 308, "2"], "original values", 2, 1.5),
        # Decimals in an interval.
        (["1.5", "2.5", "9"], ["[1-3]", "[1-3]", "9"], "original values", 3, 5 / 3),
        (["a", "b", "a"], ["a", "*", "a"], "original values", 2, 4 / 3),
        (["a", None], ["a", None], "original values", 2, 1),
        # Masks stand for what fits them; other labels for what they replaced.
        (["47677", "47602", "13053"], ["476**", "476**", "13053"], "original values", 3, 5 / 3),
        (["47677", "47602", "13053"], ["47*", "47*", "1*"], "original values", 3, 5 / 3),
        (["a+b", "axb", "ab"], ["a*b", "a*b", "ab"], "original values", 3, 5 / 3),
        (["France", "Spain", "Peru"], ["Europe", "Europe", "Peru"], "original values", 3, 5 / 3),
    ],
)  # fmt: skip
def test_the_domain_of_a_column_is_chosen_by_its_values(
    before: list[str | None], after: list[str | None], rule: str, size: int, mean: float
) -> None:
    found = judged(before, after)
    assert (found.rules["q"], found.domains["q"]) == (rule, size)
    assert found.mean_combinations == pytest.approx(mean, rel=1e-12)
    assert found.value == pytest.approx(1 - (mean - 1) / (size - 1))
    assert judged(before, before).value == 1


def test_a_hierarchy_takes_precedence_over_intervals_in_the_domain() -> None:
    years = Hierarchy([[str(year), f"{year // 10}*"] for year in range(1970, 1990)])
    found = judged(["1977", "1988"], ["197*", "*"], years)
    assert (found.rules["q"], found.domains["q"], found.mean_combinations) == ("hierarchy", 20, 15)


def test_without_hierarchy_and_original_the_domain_is_unknown() -> None:
    roles = Roles(quasi_identifiers=["q", "r"])
    anonymized = table({"q": ["a"], "r": ["b"]})
    unknown = score(anonymized, roles)["ambiguity"].unavailable
    assert unknown == '"q" has no hierarchy, and without the original its domain is unknown'
    hierarchies = {name: Hierarchy([[value, "*"], ["z", "*"]]) for name, value in (("q", "a"), ("r", "b"))}
    assert score(anonymized, roles, hierarchies=hierarchies)["ambiguity"].value == 1


@pytest.mark.parametrize("columns", [3, 40, 120])
def test_many_columns_keep_their_score(columns: int) -> None:
    # Every record suppressed: 0; none: 1; half of them: a half. 120 columns of 1,000 values make 1e360 combinations.
    names = [f"q{i}" for i in range(columns)]
    before = table({name: ["0", "999"] for name in names})
    roles = Roles(quasi_identifiers=names)
    for after, expected, log10 in (
        (["*", "*"], 0.0, 3 * columns),
        (["0", "999"], 1.0, 0),
        (["0", "*"], 0.5, 3 * columns - math.log10(2)),
    ):
        anonymized = table({name: after for name in names})
        found = score(anonymized, roles, original=before, metrics=["ambiguity"])["ambiguity"]
        assert found.value == pytest.approx(expected, abs=1e-8)
        assert found.details["log10_mean_combinations"] == pytest.approx(log10, abs=1e-8)
        mean = found.to_dict()["details"]["mean_combinations"]
        assert mean == (None if log10 > 308 else pytest.approx(10**log10, rel=1e-6))


def test_a_number_outside_the_interval_above_it_is_a_mistake_in_the_hierarchy() -> None:
    rows = [["4", "0-4", "0-9"], ["5", "0-4", "0-9"], ["10", "5-14", "0-9"], ["x", "0-4", "0-9"], ["7", "[0-7[", "*"]]
    assert outside_intervals(Hierarchy(rows)) == {"5": "0-4", "10": "0-9", "7": "[0-7["}


def test_a_hierarchy_is_read_with_the_decimal_mark_of_its_leaves() -> None:
    rows = [["1,5", "[1; 2["], ["2,5", "[1; 2["], ["0,5", "1,5"], ["3", "1,5"]]
    assert outside_intervals(Hierarchy(rows)) == {"2,5": "[1; 2["}
    assert range_of_number(Hierarchy(rows), 1, 2) == "0,5 to 3"


def test_a_number_for_several_values_stands_for_their_range() -> None:
    middles = Hierarchy([[str(age), str(5 * (age // 5) + 2), "*"] for age in range(12)])
    assert [range_of_number(middles, level, 3) for level in range(3)] == ["", "0 to 4", ""]
    assert range_of_number(Hierarchy([["a", "1"], ["b", "1"]]), 1, 0) == ""
    assert range_of_number(Hierarchy([["1", "1", "*"], ["2", "2", "*"]]), 1, 0) == ""
