"""A published sample, and scores of what is counted on subsets of its columns."""

from collections.abc import Sequence
from typing import Any

from metrics import Parameters, Roles, Scorecard, score
from metrics.interruption import reporting
from metrics.texts import text
from tests.support.small_tables import Cells, table

IDS = ("sample_uniqueness", "minimal_sample_uniques", "quasi_identifier_ranking")

# Benschop, Machingauta, Welch: Statistical disclosure control: a practice guide, table 4.5.
GUIDE: dict[str, Cells] = {
    "residence": ["urban"] * 4 + ["rural"] + ["urban"] * 5,
    "gender": ["f", "f", "f", "m", "f", "m", "f", "m", "f", "f"],
    "education": [
        "secondary incomplete", "secondary incomplete", "primary incomplete", "secondary complete",
        "secondary complete", "secondary complete", "primary complete", "post-secondary", "secondary incomplete",
        "secondary incomplete",
    ],
    "labor": [
        "employed", "employed", "non-LF", "employed", "unemployed", "employed", "non-LF", "unemployed", "non-LF",
        "non-LF",
    ],
}  # fmt: skip


def scored(
    columns: dict[str, Cells],
    quasi_identifiers: list[str] | None = None,
    metrics: Sequence[str] = IDS,
    **chosen: object,
) -> Scorecard:
    roles = Roles(quasi_identifiers=quasi_identifiers or list(columns))
    return score(table(columns), roles, metrics=metrics, parameters=Parameters().with_settings(chosen))


def assert_progress(metric: Any) -> None:
    """The metric waits until it is asked for, and tells how far it is."""
    card = score(table(GUIDE), Roles(quasi_identifiers=list(GUIDE)))
    assert metric.on_demand
    assert card[metric.id].unavailable is not None
    shares: list[float] = []
    with reporting(shares.append):
        metric.compute(card.aggregates, Parameters())
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) == 4 + 6 + 4


def assert_without_suppressed(metric_id: str) -> None:
    """The figures are those of the records that are not suppressed."""
    with_them = scored({"q": ["a", "a", "b", "*", "*"], "r": ["x", "y", "*", "*", "*"]}, metrics=(metric_id,))
    without = scored({"q": ["a", "a", "b"], "r": ["x", "y", "*"]}, metrics=(metric_id,))
    assert with_them[metric_id].value is not None
    assert with_them[metric_id].to_dict() == without[metric_id].to_dict()


def no_class(card: Scorecard, identifier: str, kept: list[bool]) -> bool:
    """Whether no record is in a class, which the metric must say then."""
    if any(kept):
        return False
    expected = text("unavailable.all_suppressed") if kept else text("unavailable.no_records")
    assert card[identifier].unavailable == expected
    return True


def kept_of(rows: list[dict[str, str | None]], names: list[str]) -> list[bool]:
    """Of each record whether it is in a class."""
    return [any(row[name] != "*" for name in names) for row in rows]
