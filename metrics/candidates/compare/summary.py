"""The conclusions of a comparison: the best version by each metric, and the dominated versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from metrics.candidates.compare.comparison import VersionComparison
from metrics.candidates.compare.uncertainty import Uncertainty
from metrics.drawing.version_styles import short_names
from metrics.formatting import join_names, short_percent, visible, within_sentence
from metrics.policy.limitable_measures import measure_text
from metrics.privacy.local_dp.measure import LOCAL_DP
from metrics.privacy.p29.measure import P_29
from metrics.privacy.t_closeness.measure import T_CLOSENESS
from metrics.scoring.catalog import BY_ID, HEADLINES
from metrics.texts import text
from metrics.utility.analyses import ANALYSES

_LIFTED_BY_NOISE = (P_29.id, T_CLOSENESS.id, ANALYSES.id)
_MAX = 5
_MAX_PAIRS = 3


def comparison_summary(
    comparison: VersionComparison, metric_ids: Sequence[str] = HEADLINES, found: Uncertainty | None = None
) -> tuple[str, ...]:
    """Sentences on the chosen metrics: the best versions, then the dominated ones.

    Metrics without a value for any version are ignored. Where halves of the people were scored, the sentences are on
    their metrics: the versions that are clearly the best, then which do not differ clearly. Labels are not escaped.
    """
    measured_ids = [metric_id for metric_id in metric_ids if comparison.is_scored(metric_id)]
    if not measured_ids:
        return (text("comparison.no_values"),)
    epsilons = (answers.get(LOCAL_DP.id) for answers in comparison.answers.values())
    noisy = different_epsilon(None if answer is None else answer.value for answer in epsilons)
    if noisy:
        measured_ids = [metric_id for metric_id in measured_ids if metric_id not in _LIFTED_BY_NOISE] or measured_ids
    if found is None:
        best = {identifier: comparison.best(identifier) for identifier in measured_ids}
        return (_best(comparison, best), *_sentences_on_dominated(comparison, measured_ids), *noisy)
    best = {identifier: clear_best(comparison, identifier, found) for identifier in found.metrics}
    sentences = [_best(comparison, best)] if any(best.values()) else []
    return (*sentences, *(f"{uncertainty_finding(found, identifier)}." for identifier in found.metrics), *noisy)


def clear_best(comparison: VersionComparison, metric_id: str, found: Uncertainty | None) -> tuple[str, ...]:
    """The best versions by a metric; none where halves of the people do not show clearly that the others are worse."""
    best = comparison.best(metric_id)
    if found is None or metric_id not in found.metrics:
        return best
    pairs = [(label, other) for label in best for other in comparison.labels if other not in best]
    is_clear = all(found.is_clear(*pair, metric_id) and (found.better(*pair, metric_id) or 0) > 1 / 2 for pair in pairs)
    return best if is_clear else ()


def different_epsilon(values: Iterable[float | bool | None]) -> tuple[str, ...]:
    """Warn against ranking versions of different ε by what noise alone improves."""
    return (text("comparison.different_epsilon"),) if len(set(values)) > 1 else ()


def _best(comparison: VersionComparison, best: Mapping[str, Sequence[str]]) -> str:
    won: dict[str, list[str]] = {}
    for identifier, labels in best.items():
        for label in labels:
            won.setdefault(label, []).append(within_sentence(BY_ID[identifier].title))
    if not won:
        return text("comparison.equal", versions=len(comparison.labels))
    winners = sorted(won, key=lambda label: -len(won[label]))
    sentences = [text("comparison.best", version=label, metrics=join_names(won[label])) for label in winners[:_MAX]]
    more = len(winners) - len(sentences)
    others = [text("comparison.others_best", others=more)] if more else []
    return f"{'; '.join([*sentences, *others])}."


def _sentences_on_dominated(comparison: VersionComparison, measured_ids: Sequence[str]) -> list[str]:
    dominated = comparison.dominated(measured_ids)
    if not dominated:
        titles = join_names([within_sentence(BY_ID[identifier].title) for identifier in measured_ids])
        return [text("comparison.none_dominated", metrics=titles)]
    sentences = [_dominated_by(comparison, measured_ids, label, dominated[label]) for label in list(dominated)[:_MAX]]
    more = len(dominated) - len(sentences)
    return [*sentences, *([text("comparison.others_dominated", others=more)] if more else [])]


def _dominated_by(
    comparison: VersionComparison, measured_ids: Sequence[str], label: str, dominating: Sequence[str]
) -> str:
    """Describe which versions dominate one, and by which metrics the first of them is better."""
    first = dominating[0]
    better = join_names(
        [
            text(
                "comparison.better",
                metric=within_sentence(BY_ID[identifier].title),
                value=comparison.measure_text(first, identifier),
                other=comparison.measure_text(label, identifier),
            )
            for identifier in measured_ids
            if (change := comparison.change(first, label, identifier)) is not None and change.better
        ]
    )
    first_names = [visible(other) for other in dominating[:_MAX]]
    remainder = (
        [text("comparison.more", others=len(dominating) - len(first_names))]
        if len(dominating) > len(first_names)
        else []
    )
    names = join_names([*first_names, *remainder])
    if len(dominating) == 1:
        return text("comparison.dominated_by_one", version=label, dominating=names, better=better)
    return text("comparison.dominated", version=label, dominating=names, first=first, better=better)


def with_interval(found: Uncertainty | None, label: str, metric_id: str, figure: str) -> str:
    """A version's figure as it is written, with its interval where it has one."""
    interval = found.interval(label, metric_id) if found is not None and metric_id in found.metrics else None
    if interval is None:
        return figure
    low, high = (measure_text(metric_id, end, short_percent) for end in (interval.low, interval.high))
    return f"{figure} ({low} to {high})"


def better_shares(found: Uncertainty) -> list[list[str]]:
    """Rows of a table: for each metric, in how many halves the first of two versions is better than the second."""
    names, pairs = short_names(found.labels), list(combinations(found.labels, 2))
    rows = [[text("uncertainty.better"), *(f"{names[one]} > {names[other]}" for one, other in pairs)]]
    for metric_id in found.metrics:
        shares = [found.better(*pair, metric_id) for pair in pairs]
        rows.append([BY_ID[metric_id].title, *("—" if share is None else short_percent(share) for share in shares)])
    return rows


def of_half(found: Uncertainty, metric_id: str) -> str:
    """What is said beside a metric whose intervals are of half of the people."""
    return text("uncertainty.of_half") * found.is_of_half(metric_id)


def uncertainty_finding(found: Uncertainty, metric_id: str) -> str:
    """Which versions do not differ clearly by a metric, or their order where all do."""
    title, names = f"{BY_ID[metric_id].title}{of_half(found, metric_id)}", short_names(found.labels)
    pairs = list(combinations(found.labels, 2))
    if any(found.better(*pair, metric_id) is None for pair in pairs):
        return text("uncertainty.not_compared", metric=title)
    unclear = [f"{names[one]} and {names[other]}" for one, other in pairs if not found.is_clear(one, other, metric_id)]
    if not unclear:
        beaten = {name: sum(found.better(name, other, metric_id) or 0 for other in found.labels) for name in names}
        ranked = [names[label] for label in sorted(names, key=lambda label: -beaten[label])]
        return text("uncertainty.clear", metric=title, versions=join_names(ranked))
    if len(unclear) == len(pairs):
        return text("uncertainty.none", metric=title)
    more = len(unclear) - _MAX_PAIRS
    shown = [*unclear[:_MAX_PAIRS], *([text("uncertainty.more", pairs=more)] if more > 0 else [])]
    return text("uncertainty.unclear", metric=title, versions=join_names(shown))


def front_sentence(found: Uncertainty, first: str, second: str) -> str:
    """In how many halves each version is on the front of two metrics; without a full stop."""
    names = short_names(found.labels)
    shares = [
        text("uncertainty.on_front", version=names[label], share=share)
        for label, share in found.front(first, second).items()
    ]
    titles = [within_sentence(BY_ID[metric_id].title) for metric_id in (first, second)]
    return text("uncertainty.front", first=titles[0], second=titles[1], versions=join_names(shares))
