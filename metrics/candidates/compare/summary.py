"""The conclusions of a comparison: the best candidate by each metric, and the dominated candidates."""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.candidates.compare.comparison import CandidateComparison
from metrics.scoring.catalog import BY_ID, HEADLINES
from metrics.wording import format_number, join_names, pluralize, visible, within_sentence

_MAX = 5


def comparison_summary(comparison: CandidateComparison, metric_ids: Sequence[str] = HEADLINES) -> tuple[str, ...]:
    """Sentences on the chosen metrics: the best candidates, then the dominated ones.

    Metrics without a value for any candidate are ignored. Labels are not escaped.
    """
    measured = [one for one in metric_ids if comparison.comparable(one).max(initial=-math.inf) > -math.inf]
    if not measured:
        return ("No candidate has a comparable value for the chosen metrics.",)
    return (_best(comparison, measured), *_sentences_on_dominated(comparison, measured))


def _best(comparison: CandidateComparison, measured: Sequence[str]) -> str:
    won: dict[str, list[str]] = {}
    for identifier in measured:
        for label in comparison.best(identifier):
            won.setdefault(label, []).append(within_sentence(BY_ID[identifier].title))
    if not won:
        return f"All {len(comparison.labels)} candidates are equal in the chosen metrics."
    winners = sorted(won, key=lambda label: -len(won[label]))
    sentences = [f"{visible(label)} is best in {join_names(won[label])}" for label in winners[:_MAX]]
    more = len(winners) - len(sentences)
    others = f"{pluralize(more, 'more candidate')} {'is' if more == 1 else 'are'} best in at least one metric"
    return f"{'; '.join([*sentences, *([others] if more else [])])}."


def _sentences_on_dominated(comparison: CandidateComparison, measured: Sequence[str]) -> list[str]:
    found = comparison.dominated(measured)
    if not found:
        where = "this metric" if len(measured) == 1 else f"these {len(measured)} metrics"
        return [f"No candidate is Pareto-dominated in {where}."]
    sentences = [_dominated_by(comparison, measured, label, found[label]) for label in list(found)[:_MAX]]
    more = len(found) - len(sentences)
    return [
        *sentences,
        *([f"{pluralize(more, 'more candidate')} {'is' if more == 1 else 'are'} dominated."] if more else []),
    ]


def _dominated_by(
    comparison: CandidateComparison, measured: Sequence[str], label: str, dominating: Sequence[str]
) -> str:
    """Describe which candidates dominate one, and by which metrics the first of them is better."""
    first = dominating[0]
    better = [
        f"{within_sentence(BY_ID[identifier].title)} ({format_number(comparison.value(first, identifier))} versus "
        f"{comparison.shown(label, identifier)})"
        for identifier in measured
        if (change := comparison.change(first, label, identifier)) is not None and change.better
    ]
    named = [visible(other) for other in dominating[:_MAX]]
    rest = [f"{len(dominating) - len(named)} more"] if len(dominating) > len(named) else []
    whose = "it is" if not rest and len(named) == 1 else f"{named[0]} is"
    return (
        f"{visible(label)} is dominated by {join_names([*named, *rest])}: "
        f"{whose} never worse, and better in {join_names(better)}."
    )
