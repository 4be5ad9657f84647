"""A comparison in plain words: who is best on what, and who is dominated by whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metrics.candidates.compare import Comparison
from metrics.catalog import BY_ID
from metrics.wording import counted, listed, shown, visible

HEADLINES: Final = (
    "p29",
    "k_anonymity",
    "t_closeness",
    "reidentification_risk",
    "non_uniform_entropy",
    "granularity",
    "ambiguity",
)
"""What candidates are judged by unless others are chosen: privacy first, then utility."""
_MOST = 5


def verdict(comparison: Comparison, metric_ids: Sequence[str] = HEADLINES) -> tuple[str, ...]:
    """Plain sentences about the metrics chosen: who is best on which, then who is dominated by whom.

    Metrics that no candidate has a figure of are left out. Labels in them are not escaped.
    """
    measured = [identifier for identifier in metric_ids if comparison.measured(identifier)]
    if not measured:
        return ("None of the metrics chosen has a figure for any candidate.",)
    return (_best(comparison, measured), *_dominated(comparison, measured))


def _best(comparison: Comparison, measured: Sequence[str]) -> str:
    won: dict[str, list[str]] = {}
    for identifier in measured:
        for label in comparison.best(identifier):
            won.setdefault(label, []).append(BY_ID[identifier].title)
    if not won:
        return f"No metric chosen tells the {len(comparison.labels)} candidates apart."
    winners = sorted(won, key=lambda label: -len(won[label]))
    told = [f"{visible(label)} is best on {listed(won[label])}" for label in winners[:_MOST]]
    more = len(winners) - len(told)
    return "; ".join([*told, *([f"{more} more are best on some"] if more else [])]) + "."


def _dominated(comparison: Comparison, measured: Sequence[str]) -> list[str]:
    found = comparison.dominated(measured)
    if not found:
        by = "this metric" if len(measured) == 1 else f"these {len(measured)} metrics"
        return [f"By {by} no candidate is dominated by another."]
    told = [_by_whom(comparison, measured, label, found[label]) for label in list(found)[:_MOST]]
    more = len(found) - len(told)
    return [*told, *([f"{counted(more, 'more candidate')} {'is' if more == 1 else 'are'} dominated."] if more else [])]


def _by_whom(comparison: Comparison, measured: Sequence[str], label: str, dominating: Sequence[str]) -> str:
    """Who dominates a candidate, and where the first of them is better."""
    first = dominating[0]
    better = [
        f"{BY_ID[identifier].title} ({shown(comparison.value(first, identifier))} against "
        f"{shown(comparison.value(label, identifier))})"
        for identifier in measured
        if (change := comparison.change(first, label, identifier)) is not None and change.better
    ]
    named = [visible(other) for other in dominating[:_MOST]]
    rest = [f"{len(dominating) - len(named)} more"] if len(dominating) > len(named) else []
    whose = "it is" if not rest and len(named) == 1 else f"{named[0]} is"
    return (
        f"{visible(label)} is dominated by {listed([*named, *rest])}: "
        f"{whose} nowhere worse, and better on {listed(better)}."
    )
