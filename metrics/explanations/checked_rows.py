"""The figures of checked versions beside each other, row by row, and what they measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from metrics.config.parameters import ProfitabilityParameters
from metrics.explanations.bounds import as_bound, shown_first
from metrics.explanations.changed_settings import marked_title
from metrics.explanations.checked_version import CheckedVersion
from metrics.explanations.release_checks import by_either_distance
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, NO_ATTACK, LimitResult, measure_text, measured
from metrics.privacy.p29.measure import P_29
from metrics.privacy.t_closeness.measure import T_CLOSENESS
from metrics.scoring.catalog import BY_ID, HEADLINES, INFORMATION
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.texts import text

_ATTACKS = ("record_linkage_attack", "attribute_inference_attack")
"""Attacks that are shown beside every policy where they are measured."""


def title_of(metric_id: str) -> str:
    """The title of a measure wherever its value is shown."""
    return BY_ID[metric_id].shown.title if metric_id in BY_ID else LIMITABLE_MEASURES[metric_id].title


CheckedRow: TypeAlias = tuple[str, str, list[tuple[str, str]]]
"""A title, the limit, and per version its figure and outcome."""


def checked_rows(checked: Mapping[str, CheckedVersion], further: Sequence[str] | None = None) -> Iterator[CheckedRow]:
    """The policy's limits, then the figures of further metrics, by default the usual ones."""
    # A limit on direct identifiers applies only to versions that contain some.
    parameters = next(iter(checked.values())).card.parameters
    limits = max((version.result.limits for version in checked.values()), key=len)
    are_one = all(version.result.is_risk_of_k for version in checked.values())
    stated = max((version.result.stated for version in checked.values()), key=len) if are_one else limits
    for limit in stated:
        no_identifiers = replace(limit, value=0, measured=True, reason=None, columns=())
        cells = [_checked_cell(version, limit.metric, no_identifiers) for version in checked.values()]
        yield marked_title(limit.title, limit.metric, parameters), limit.requirement, cells
    limited_metrics = {limit.metric for limit in limits}
    for metric_id in _usual(checked) if further is None else further:
        if metric_id not in limited_metrics:
            figures = [_first(version, metric_id) for version in checked.values()]
            yield marked_title(title_of(metric_id), metric_id, parameters), "—", [(figure, "") for figure in figures]


def _checked_cell(version: CheckedVersion, metric_id: str, otherwise: LimitResult) -> tuple[str, str]:
    """The figure and outcome of a limit; no outcome where it depends on the distance."""
    by_distance = by_either_distance(version.card) if metric_id == T_CLOSENESS.id else None
    if by_distance is not None:
        return text("verdict.by_distance", t=by_distance[0], variational=by_distance[1]), ""
    result = version.limit_on(metric_id) or otherwise
    return _cell(version, result), str(result.outcome)


def _usual(checked: Mapping[str, CheckedVersion]) -> list[str]:
    """What is shown beside every policy; whether attacks pay only where somebody has set the amounts."""
    amounts = {version.card.parameters.profitability for version in checked.values()}
    no_attack = [] if amounts == {ProfitabilityParameters()} else [NO_ATTACK]
    return [*HEADLINES, *_measured_attacks(checked), *no_attack]


def _measured_attacks(checked: Mapping[str, CheckedVersion]) -> list[str]:
    return [
        metric_id
        for metric_id in _ATTACKS
        if any(version.card[metric_id].value is not None for version in checked.values())
    ]


def _cell(version: CheckedVersion, limit: LimitResult) -> str:
    """A value that has a limit, ready for display."""
    measure = LIMITABLE_MEASURES[limit.metric]
    if limit.metric not in BY_ID or limit.value is None:
        return measure.measure_text(limit.value)
    score = version.card[limit.metric]
    perturbed = bool(perturbed_columns_of(version.card.aggregates))
    return as_bound(score, measure.measure_text(limit.value, limit=limit.limit), perturbed=perturbed)


def _first(version: CheckedVersion, metric_id: str) -> str:
    """What readers see first of a measure without a limit."""
    if metric_id not in BY_ID:
        return measure_text(metric_id, measured(metric_id, version.card).value)
    return shown_first(version.card[metric_id], perturbed=bool(perturbed_columns_of(version.card.aggregates)))


def compared_terms(checked: Mapping[str, CheckedVersion]) -> dict[str, str]:
    """What the figures beside the policy's limits measure, by title."""
    limited_metrics = {limit.metric for limit in next(iter(checked.values())).result.limits}
    shown = (*HEADLINES, *_measured_attacks(checked))
    metrics = [BY_ID[metric_id] for metric_id in shown if metric_id not in {*limited_metrics, INFORMATION}]
    meanings = {metric.title: metric.meaning for metric in metrics}
    if P_29.id in meanings and any(version.card[P_29.id].value == 0 for version in checked.values()):
        meanings[P_29.title] += f" {text('p29.beside_limits')}"
    return meanings
