"""Conditions on a scorecard."""

import pytest

from metrics import InputError, Roles, score
from metrics.policy.requirement import parse_requirement
from tests.support.small_tables import table, written

CARD = score(written("q s\na x\na y\nb x\nb y\nb y"), Roles(quasi_identifiers=["q"], sensitive=["s"]))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("k_anonymity >= 2", True),
        ("k_anonymity>2", False),
        (" k_anonymity  ==  2.0 ", True),
        ("k_anonymity != 2", False),
        ("k_anonymity <= 2", True),
        ("k_anonymity < 2", False),
        ("k_anonymity < inf", True),
        ("p29.k_min >= 2", True),
        ("p29.violating_classes == 0", True),
        ("profitability == true", True),
        ("profitability == False", False),
        ("profitability.no_attack == false", True),
        ("t_closeness.fulfilled == 1", True),
        ("ambiguity >= 0", False),
        ("ambiguity != 0", False),
        ("non_uniform_entropy.loss < 9", False),
        ("k_anonymity >= 1e0", True),
    ],
)
def test_a_requirement_compares_a_figure_and_fails_if_the_figure_is_undefined(text: str, holds: bool) -> None:
    assert parse_requirement(text).holds(CARD) is holds


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not a requirement; write ID OP NUMBER"),
        ("k_anonymity", "is not a requirement"),
        ("k_anonymity => 2", "is not a requirement"),
        ("k_anonymity = 2", "is not a requirement"),
        ("2 <= k_anonymity", 'there is no metric "2"'),
        ("k >= 2", 'there is no metric "k"; did you mean k_anonymity'),
        ("k_anonymity >= two", "does not compare with a number"),
        ("k_anonymity >= nan", "does not compare with a number"),
        ("k_anonymity >= 2 and p29 > 0", "is not a requirement"),
    ],
)
def test_a_text_that_is_no_requirement_is_refused_with_the_reason(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        parse_requirement(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("p29.absent == 0", 'p29 has no figure "absent"; use k_min, Nk,'),
        ("p29.reasons == 0", 'p29 has no figure "reasons"; use k_min, Nk,'),
    ],
)
def test_a_detail_that_is_no_figure_of_the_metric_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        parse_requirement(text).holds(CARD)


def test_the_reason_is_given_where_a_metric_is_unavailable() -> None:
    requirement = parse_requirement("ambiguity > 5")
    assert not requirement.holds(CARD)
    assert requirement.failure(CARD) == (
        'Not met: ambiguity > 5 (not measured: "q" has no hierarchy, and without the original its domain is unknown).'
    )


def test_the_figure_compared_is_the_detail() -> None:
    assert parse_requirement("p29.k_min > 5").figure(CARD) == 2
    assert parse_requirement("k_anonymity > 5").figure(CARD) == 2
    assert parse_requirement("ambiguity > 5").figure(CARD) is None


def test_a_requirement_is_not_met_where_a_column_has_no_figure() -> None:
    ages, sexes = [str(20 + i % 6) for i in range(60)], ["f", "m"] * 30
    original, release = ({"age": cells, "sex": sexes} for cells in (ages, [*ages[1:], ages[0]]))
    card = score(table(release), Roles(["age", "sex"]), original=table(original))
    for text in ("precision >= 0.999", "precision <= 1", "precision.raw < 1", "granularity >= 0.5"):
        requirement = parse_requirement(text)
        assert not requirement.holds(card)
        assert "100% of the released values of age" in requirement.failure(card)
    assert parse_requirement("precision >= 0.999").figure(card) == 1
    failure = parse_requirement("k_anonymity > 50").failure(card)
    assert "k_anonymity > 50" in failure
    assert "10" in failure


def test_an_attack_is_required_to_fail_for_the_strongest_attacker() -> None:
    """A suppressed record is a possible match of everybody; without it, everybody else is found."""
    original = table({"q": ["a", "b", "c", "d"], "s": ["x", "y", "x", "y"]})
    card = score(table({"q": ["a", "b", "c", "*"], "s": ["x", "y", "x", "y"]}), Roles(["q"], ["s"]), original=original)
    assert card["record_linkage_attack"].value == pytest.approx(0.625)
    assert card["record_linkage_attack"].attack.max_success == pytest.approx(0.75)
    assert not parse_requirement("record_linkage_attack <= 0.7").holds(card)
    assert parse_requirement("record_linkage_attack <= 0.75").holds(card)
