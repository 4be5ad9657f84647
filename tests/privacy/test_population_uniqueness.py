"""Population uniqueness: the model that is chosen, and where the size of the population is from."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, Parameters, Roles, Scorecard, score
from metrics.config.population_sizes import REGIONS
from metrics.explanations.bounds import as_bound
from metrics.explanations.findings import said
from metrics.formatting import format_number, percent
from metrics.metric import FindingKind
from metrics.policy.limitable_measures import Outcome
from metrics.policy.policy import Policy
from metrics.policy.requirement import parse_requirement
from metrics.privacy.population.uniqueness_models import MODEL_NAMES
from metrics.privacy.population_uniqueness.measure import PopulationUniqueness, population_uniqueness
from metrics.scoring.catalog import BY_ID
from metrics.scoring.metric_score import Score
from metrics.texts import text
from tests.privacy.samples import frequencies_of, sizes_drawn
from tests.support.small_tables import Cells, table, written


def test_worked_example() -> None:
    parameters = Parameters().with_settings({"population_uniqueness.size": 6})
    released = written("age\n20-29\n30-39\n30-39")
    card = score(released, Roles(["age"]), parameters=parameters, metrics=["population_uniqueness"])
    # One of two classes is a single record. Of 3 of 6 people drawn, one of a class of 1 is among them 3/6 of the time,
    # and exactly one of a class of 2 (2 choose 1) (4 choose 2) / (6 choose 3) = 12/20 of the time.
    unique_if_alone = (1 / 2 * 3 / 6) / (1 / 2 * 3 / 6 + 1 / 2 * 12 / 20)
    assert card["population_uniqueness"].details["models"]["zayatz"]["number"] == pytest.approx(
        unique_if_alone / (3 / 6)
    )
    assert card["population_uniqueness"].value == pytest.approx(unique_if_alone / (3 / 6) / 6)


def scored(columns: dict[str, Cells], weight: str | None = None, **chosen: object) -> Scorecard:
    names = [name for name in columns if name != weight]
    parameters = Parameters().with_settings({f"population_uniqueness.{name}": value for name, value in chosen.items()})
    roles = Roles(quasi_identifiers=names, weight=weight)
    return score(table(columns), roles, parameters=parameters, metrics=["population_uniqueness"])


def result_of(card: Scorecard) -> PopulationUniqueness:
    result = card["population_uniqueness"].result
    assert isinstance(result, PopulationUniqueness)
    return result


def test_a_census_leaves_nothing_to_chance() -> None:
    result = population_uniqueness(frequencies_of([1, 1, 2, 3], 7))
    assert result.sample.fraction == 1
    assert result.uniques == pytest.approx(2)


# The choice


def test_without_a_unique_record_none_is_expected() -> None:
    result = population_uniqueness(frequencies_of([2, 3, 5], 1000))
    assert (result.value, result.chosen, result.details()["model"]) == (0, None, None)
    assert "no model expects a unique person among 1,000 people (as set)" in result.summary()


def test_if_every_record_is_unique_every_person_is_unique() -> None:
    result = population_uniqueness(frequencies_of([1] * 9, 1000))
    assert result.chosen == "zayatz"
    assert result.value == 1


@given(sizes_drawn, st.floats(1e-6, 1))
def test_dankars_rule_chooses_among_the_models(sizes: list[int], fraction: float) -> None:
    of = frequencies_of(sizes, max(round(sum(sizes) / fraction), sum(sizes)))
    result = population_uniqueness(of)
    assert result.interval is None
    assert 0 <= result.value <= 1
    numbers = {name: one.number for name, one in result.models.items() if one.number is not None}
    if of.fraction <= 0.1:
        assert result.chosen == ("pitman" if "pitman" in numbers else "zayatz")
    else:
        assert result.uniques == min(numbers[name] for name in ("zayatz", "snb") if name in numbers)
    details = result.details()
    assert set(details["models"]) == {"copula", "pitman", "zayatz", "snb"}
    assert "interval" not in details
    for one in details["models"].values():
        assert (one["number"] is None) == (one["unavailable"] is not None)


# What limits are judged by


def drawn(fraction: float) -> Scorecard:
    """600 records with few values in common, as a sample of this fraction."""
    source = random.Random(4)
    cells = {name: [str(int(source.paretovariate(1)) % 30) for _ in range(600)] for name in "abcde"}
    return scored(dict(cells), sampling_fraction=fraction)


@pytest.mark.parametrize(("fraction", "model"), [(0.001, "copula"), (0.03, "copula"), (0.1, "pitman"), (0.5, "snb")])
def test_a_limit_is_judged_by_the_model_that_is_advised_for_the_sampling_fraction(fraction: float, model: str) -> None:
    card = drawn(fraction)
    result, one = result_of(card), card["population_uniqueness"]
    assert (result.advised, result.details()["advised_model"]) == (model, model)
    advised = result.shares[model]
    assert one.figure == result.details()["advised_share"] == advised
    assert one.value == result.shares[str(result.chosen)]
    title = MODEL_NAMES[model]
    assert f"{percent(advised)} of {result.sample.population:,} people" in one.brief()
    assert title in one.brief()
    for limit, outcome in ((advised + 1e-6, Outcome.MET), (advised - 1e-6, Outcome.FAILED)):
        (judged,) = Policy("Ours", {"population_uniqueness": limit}).check(card).limits
        assert (judged.value, judged.outcome) == (advised, outcome)
        assert parse_requirement(f"population_uniqueness <= {limit}").holds(card) is (outcome is Outcome.MET)


def test_the_advised_model_can_be_far_from_dankars_choice() -> None:
    one = drawn(0.001)["population_uniqueness"]
    assert one.figure is not None
    assert isinstance(one.value, float)
    assert abs(one.figure - one.value) > 0.2
    assert "Dankar's rule selects" in one.summary()


def test_no_limit_is_judged_where_the_advised_model_has_no_estimate() -> None:
    result = population_uniqueness(frequencies_of([1] * 5 + [2] * 9, 10_000))
    assert (result.advised, result.advised_value) == ("copula", None)
    one = Score(BY_ID["population_uniqueness"], result, None)
    assert one.figure is None
    assert one.not_checked is not None
    assert "the Gaussian-copula model" in one.not_checked
    assert as_bound(one, format_number(one.figure)) == "—"
    assert population_uniqueness(frequencies_of([1] * 5 + [2] * 9, 100)).advised == "zayatz"


# Where the population is from

FOUR: dict[str, Cells] = {"q": ["a", "a", "b", "c"]}


def test_a_size_counts_before_a_fraction_a_region_and_weights() -> None:
    weighted: dict[str, Cells] = {**FOUR, "w": ["10", "10.5", "20", "30.2"]}
    assert result_of(scored(weighted, "w")).sample.population == 71
    assert "the survey weights" in scored(weighted, "w")["population_uniqueness"].summary()
    assert result_of(scored(weighted, "w", country="germany")).sample.population == REGIONS["Germany"]
    sampled = result_of(scored(weighted, "w", country="germany", sampling_fraction=0.05))
    assert (sampled.sample.population, sampled.sample.fraction) == (80, 0.05)
    assert "80 people (sampling fraction 0.05)" in sampled.summary()
    assert result_of(scored(weighted, "w", country="UK", sampling_fraction=0.05, size=90)).sample.population == 90
    suppressed: dict[str, Cells] = {"q": [*FOUR["q"], "*"], "w": [*weighted["w"], "500"]}
    assert result_of(scored(suppressed, "w")).sample.population == 71


def test_no_population_is_assumed() -> None:
    card = scored(FOUR)
    reason = card["population_uniqueness"].unavailable
    assert reason is not None
    for remedy in ("set it", "sampling fraction", "region", "survey-weight column"):
        assert remedy in reason
    assert card["population_uniqueness"].value is None
    # Nobody has to enter it: the verdict does not count it among what is missing.
    assert "opulation" not in said(card, FindingKind.UNMEASURED)
    with pytest.raises(InputError, match=r"sampling_fraction is not between 0 and 1"):
        scored(FOUR, sampling_fraction=1.5)


def test_a_population_smaller_than_the_table_is_refused() -> None:
    reason = scored(FOUR, size=3)["population_uniqueness"].unavailable
    assert reason is not None
    assert "(size as set) has 3 people, fewer than the table has records in classes (4)" in reason
    weights = scored({**FOUR, "w": ["0.5"] * 4}, "w")["population_uniqueness"].unavailable
    assert weights is not None
    assert "the survey weights" in weights


def test_weights_that_are_no_weights_are_only_refused_where_they_count() -> None:
    bad: dict[str, Cells] = {**FOUR, "w": ["1", "-2", "3", "4"]}
    assert scored(bad, "w")["population_uniqueness"].unavailable is not None
    assert scored(bad, "w", size=100)["population_uniqueness"].unavailable is None


@pytest.mark.parametrize(
    "cells", [["a"], ["*"] * 5, [], ["a"] * 6, ["a", "b"], [None, None, "a"], [str(i) for i in range(40)]]
)
def test_extreme_tables_have_a_share_or_a_reason(cells: list[str | None]) -> None:
    for chosen in ({"sampling_fraction": 0.5}, {"size": max(len(cells), 1)}, {"size": 10**11}):
        one = scored({"q": cells}, **chosen)["population_uniqueness"]
        assert one.summary()
        if one.value is None:
            assert one.unavailable in (text("unavailable.all_suppressed"), text("unavailable.no_records"))
        else:
            assert 0 <= one.value <= 1
