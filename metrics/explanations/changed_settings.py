"""Settings of measures that differ from their standard, said wherever a value stands that they change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from metrics.config.parameters import Parameters
from metrics.config.setting_texts import setting_label
from metrics.formatting import within_sentence
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.policy.policy import Policy
from metrics.scoring.catalog import BY_ID
from metrics.texts import text

_STANDARD = ("p29", "t_closeness")
"""Metrics whose settings have a standard, such as the notebook's weights; those of others are facts, as amounts are."""


def changed_settings(metric_id: str, parameters: Parameters) -> list[str]:
    """The settings of a metric that differ from the standard: "weight of k 1 instead of 0.5"."""
    return list(_changes(metric_id, parameters)) if metric_id in _STANDARD else []


def with_standard(parameters: Parameters) -> Parameters:
    """The parameters with the standard settings in place of those that differ; limits of the policy stay."""
    return replace(parameters, **{metric_id: _standard(metric_id, parameters) for metric_id in _STANDARD})


def marked_title(title: str, metric_id: str, parameters: Parameters) -> str:
    """The title of a measure beside its value, with a mark where its settings differ from the standard."""
    return text("changed_settings.title", title=title) if changed_settings(metric_id, parameters) else title


def all_changes(parameters: Parameters, policy: Policy, built_in: Policy) -> list[str]:
    """All that differs from the standard settings, by metric, and from the limits of the built-in policy."""
    differences = {BY_ID[metric_id].title: changed_settings(metric_id, parameters) for metric_id in _STANDARD}
    differences[policy.name] = list(_changed_limits(policy, built_in))
    return [
        text("changed_settings.of_metric", title=title, changes=", ".join(changes))
        for title, changes in differences.items()
        if changes
    ]


def _standard(metric_id: str, parameters: Parameters) -> Any:
    """The standard settings of a metric, with the limit of the policy where it is one of them."""
    limit = BY_ID[metric_id].limit_setting.partition(".")[2]
    kept = {limit: getattr(getattr(parameters, metric_id), limit)} if limit else {}
    return replace(getattr(Parameters(), metric_id), **kept)


def _changes(metric_id: str, parameters: Parameters) -> Iterator[str]:
    settings, standard = getattr(parameters, metric_id), _standard(metric_id, parameters)
    for name in (field.name for field in fields(settings)):
        value, usual = getattr(settings, name), getattr(standard, name)
        if isinstance(value, Mapping):
            for column, distance in value.items():
                yield text("changed_settings.of_column", column=column, value=str(distance))
        elif value != usual:
            setting = within_sentence(setting_label(f"{metric_id}.{name}"))
            yield text("changed_settings.value", setting=setting, value=value, usual=usual)


def _changed_limits(policy: Policy, built_in: Policy) -> Iterator[str]:
    for metric_id, limitable in LIMITABLE_MEASURES.items():
        limit, usual = (
            limitable.condition(limits[metric_id])
            if metric_id in limits
            else text("changed_settings.no_limit", title=within_sentence(limitable.title))
            for limits in (policy.limits, built_in.limits)
        )
        if limit != usual:
            yield text("changed_settings.limit", limit=limit, usual=usual)
