"""Groups that a report names: far above all others, by any column, and never an identifier."""

import numpy as np

import metrics
from metrics.report import report_html
from metrics.report.groups import uneven_groups
from metrics.scoring.by_group import Burden
from tests.support.small_tables import Cells, table


def test_a_report_names_groups_that_are_notably_burdened() -> None:
    before: dict[str, Cells] = {
        "id": [str(number) for number in range(400)],
        "q": [f"{number % 4}" for number in range(400)],
        "job": ["guard" if number < 100 else "nurse" for number in range(400)],
        "even": [*("yn" * 200)],
    }
    after: dict[str, Cells] = {"q": ["*" if number < 60 else "0" for number in range(400)]}
    roles = metrics.Roles("q", identifiers="id")
    card = metrics.score(table(after), roles, original=table(before))
    assert uneven_groups(card) == [("job guard", "100", "60% (0%)", "0% (0%)")]
    assert uneven_groups(metrics.score(table(after), metrics.Roles("q"))) == []
    html = report_html(card)
    assert "Groups suppressed or at risk more often" in html
    assert '<th scope="row">job guard</th><td>100</td><td>60% (0%)</td>' in html


def test_small_differences_are_left_out_even_of_many_people() -> None:
    people = 20_000
    lost = np.arange(people) % 100 < np.where(np.arange(people) < people // 2, 4, 1)
    before: dict[str, Cells] = {"q": ["0"] * people, "g": ["a"] * (people // 2) + ["b"] * (people // 2)}
    card = metrics.score(
        table({"q": np.where(lost, "*", "0").tolist()}),
        metrics.Roles("q"),
        original=table(before),
        metrics=["k_anonymity"],
    )
    assert metrics.by_group(card, "g").standing_out(Burden.SUPPRESSED)
    assert uneven_groups(card) == []
