"""The families of metrics on the verdict page."""

from dashboard.components.verdict.metric_rows import families
from tests.dashboard.application import (
    csv,
    loaded,
)


def test_low_attack_rates_on_perturbed_values_are_not_shown_as_safety() -> None:
    rows = [(str(age), illness) for age, illness in zip(range(30, 50), "ab" * 10, strict=True)]
    shifted = [(str(int(age) + 1), illness) for age, illness in rows]
    titles = []
    for released in (rows, shifted):
        tables = [csv(("age", "illness"), *of) for of in (rows, released)]
        state = loaded(*tables, age="quasi-identifier", illness="sensitive")
        card = state.card(state.labels[0])
        shown = families(card, state.policy.judge(card), {})
        titles.append(next(one["title"] for one in shown if one["title"].startswith("Attacks")))
    assert ["may understate the risk" in title for title in titles] == [False, True]
