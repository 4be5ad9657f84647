"""Released intervals that do not contain the true value, because a hierarchy is wrong."""

import metrics
from metrics import Hierarchy, Policy, Roles
from metrics.explanations.recommendation import recommend
from metrics.explanations.released_values import false_intervals, false_intervals_summary
from tests.support.small_tables import table

ORIGINAL = {"age": ["4", "5", "6", "7"], "zip": ["1", "1", "2", "2"]}
RELEASED = {"age": ["0-4", "0-4", "5-9", "5-9"], "zip": ["1", "1", "2", "2"]}
WRONG = Hierarchy([["4", "0-4", "*"], ["5", "0-4", "*"], ["6", "5-9", "*"], ["7", "5-9", "*"]])


def scored(released: dict[str, list[str]], hierarchy: Hierarchy | None = WRONG) -> metrics.Scorecard:
    """The scores of a table made by the hierarchy."""
    hierarchies = {} if hierarchy is None else {"age": hierarchy}
    return metrics.score(table(released), Roles(["age", "zip"]), original=table(ORIGINAL), hierarchies=hierarchies)


def test_the_share_of_cells_whose_interval_excludes_the_true_value_is_named() -> None:
    card = scored(RELEASED)
    assert false_intervals(card.aggregates) == {"age": 0.25}  # 5 is not in 0-4
    assert (false_intervals_summary(card.aggregates) or "").startswith(
        "25% of the released values of age are intervals that"
    )
    found = recommend({"one": card}, Policy("Any", {"k_anonymity": 1}))
    assert found.of("one")[0].startswith("Do not release this table yet, although it meets")


def test_true_intervals_and_perturbed_columns_are_not_named() -> None:
    assert false_intervals_summary(scored({**RELEASED, "age": ["0-4", "5-9", "5-9", "5-9"]}, None).aggregates) is None
    assert not false_intervals(scored(RELEASED, None).aggregates)  # without a hierarchy, 0-4 replaces 5
    alone = metrics.score(table(RELEASED), Roles(["age", "zip"]))
    assert not false_intervals(alone.aggregates)
