"""A figure that makes a table look better than it is, is shown as the bound or the range that it is."""

import metrics
from metrics.candidates.compare.comparison import compare
from metrics.explanations.bounds import as_bound, bound_reason, bound_text
from metrics.metric import Direction
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from tests.support.small_tables import Cells, table


def scored(before: dict[str, Cells], after: dict[str, Cells], *sensitive: str) -> Scorecard:
    columns = [name for name in after if name not in sensitive]
    return metrics.score(table(after), metrics.Roles(columns, sensitive), original=table(before))


def test_a_bound_is_above_what_should_be_high_and_below_what_should_be_low() -> None:
    assert bound_text("80%", Direction.HIGHER).startswith("≤")
    assert bound_text("80%", Direction.LOWER).startswith("≥")
    assert bound_text("80%", Direction.LOWER).endswith("80%")


def test_a_figure_of_generalization_is_shown_as_it_is() -> None:
    card = scored({"age": ["31", "35", "42", "48"]}, {"age": ["30-39", "30-39", "40-49", "40-49"]})
    assert as_bound(card["non_uniform_entropy"], "50%") == "50%"
    assert bound_reason(card["non_uniform_entropy"]) == ""


def test_a_figure_that_counts_perturbed_values_as_kept_is_the_highest_that_may_be() -> None:
    sexes: Cells = ["m", "f", "m", "f"]
    before, after = {"age": ["31", "35", "42", "48"], "sex": sexes}, {"age": ["32", "34", "43", "47"], "sex": sexes}
    score = scored(before, after)["non_uniform_entropy"]
    assert score.not_checked is not None
    assert as_bound(score, "100%") == bound_text("100%", Direction.HIGHER)
    assert bound_reason(score) == "upper bound: changed values count as kept"
    penalty = scored(before, after)["normalized_certainty_penalty"]
    assert bound_reason(penalty) == "lower bound: changed values count as kept"


def test_of_an_attack_the_success_of_the_strongest_attacker_is_shown() -> None:
    """Who knows the class of each record is always right, others only where no label overlaps with another."""
    before = {"age": ["21", "22", "23", "24", "25", "46", "47"], "illness": [*"aabbbbb"]}
    after = {"age": ["20-29"] * 2 + ["20-49"] * 5, "illness": [*"aabbbbb"]}
    score = scored(before, after, "illness")["attribute_inference_attack"]
    assert score.value == 5 / 7
    assert score.shown == 1
    assert as_bound(score, "100%") == text("bounds.class_known", success="100%")
    assert as_bound(score, "100%", with_class=False) == "100%"


def test_an_attack_that_never_succeeds_on_perturbed_values_may_succeed_more_often() -> None:
    """One that is compared with no guessing, which would mark it already."""
    before: dict[str, Cells] = {"age": ["31", "35"] * 4, "ill": [*"abaaabbb"]}
    ages: dict[str, Cells] = {"unchanged": before["age"], "swapped": ["35", "31"] * 4}
    cards = {label: scored(before, before | {"age": age}, "ill") for label, age in ages.items()}
    scores = {label: card["disco"] for label, card in cards.items()}
    assert [score.value for score in scores.values()] == [0, 0]
    assert as_bound(scores["swapped"], "0%", perturbed=True) == bound_text("0%", Direction.LOWER)
    assert as_bound(scores["unchanged"], "0%", perturbed=False) == "0%"
    marked = {label: compare(cards).answers[label]["disco"].misstated for label in cards}
    assert marked == {"swapped": True, "unchanged": False}


def test_an_attack_that_always_succeeds_cannot_succeed_more_often() -> None:
    before: dict[str, Cells] = {"age": ["31", "35", "42", "48"]}
    score = scored(before, before)["record_linkage_attack"]
    assert score.value == 1
    assert as_bound(score, "100%", perturbed=True) == "100%"


def test_a_share_of_too_few_trials_is_not_shown() -> None:
    cells, wanted = table({"age": ["31", "31", "42", "42"]}), ["singling_out_attack"]
    score = metrics.score(cells, metrics.Roles(["age"]), original=cells, metrics=wanted)[wanted[0]]
    assert score.value == 0
    assert as_bound(score, "0%") == "—"


def test_a_figure_that_is_unavailable_stays_as_it_is() -> None:
    card = metrics.score(table({"age": ["31"]}), metrics.Roles(["age"]))
    assert as_bound(card["non_uniform_entropy"], "–") == "–"
