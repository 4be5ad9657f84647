"""Show the working: how a metric's figure comes about, step by step, with the table's own numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.privacy.p29.working import score_step
from metrics.scoring.catalog import BY_ID
from metrics.scoring.compared_records import aggregates_for
from metrics.scoring.scorecard import Scorecard, score_metric
from metrics.texts import text
from metrics.working.records import record_count, record_name
from metrics.working.steps import (
    WHOLE_TABLE,
    Derivation,
    Step,
    StepTable,
    Subject,
    Unit,
    Working,
    class_name,
    class_size,
)


def derivation(metric_id: str) -> Derivation:
    """How a metric's figure is derived. Raises KeyError for no metric, Unavailable where it declares no working."""
    metric = BY_ID[metric_id]
    if metric.working is None:
        raise Unavailable(text("working.unavailable.none", title=metric.title))
    found: Derivation = metric.working
    return found


def working(card: Scorecard, metric_id: str, subject: Subject | None = None) -> Working:
    """The derivation of a metric's figure.

    The derivation, step by step. `subject`: the class or record to derive it for; by default the one that decides the
    figure. Raises Unavailable where the metric has no figure. Raises IndexError for a class or record that is not
    there. Raises KeyError for a metric or column that is not there.
    """
    found, result, aggregates = derivation(metric_id), _result(card, metric_id), _aggregates_of(card, metric_id)
    chosen_subject = decisive_subject(card, metric_id) if subject is None else subject
    if not 0 <= chosen_subject.index < subject_count(card, metric_id):
        raise IndexError(f"there is no such {found.unit}")
    if chosen_subject.column not in subject_columns(card, metric_id):
        raise KeyError("there is no such column")
    steps = found.derive(result, aggregates, card.parameters, chosen_subject)
    return Working(metric_id, _described(found.unit, aggregates, chosen_subject), steps)


def _described(unit: Unit, aggregates: Aggregates, subject: Subject) -> str:
    if unit is Unit.TABLE:
        return subject.column or WHOLE_TABLE
    if unit is Unit.CLASS:
        return class_name(aggregates, subject.index)
    return ", ".join(filter(None, (record_name(aggregates, subject.index), subject.column)))


def decisive_subject(card: Scorecard, metric_id: str) -> Subject:
    """The class or record to begin with: the one that decides the figure, where there is one. Raises Unavailable."""
    return derivation(metric_id).decisive(_result(card, metric_id), _aggregates_of(card, metric_id), card.parameters)


def _result(card: Scorecard, metric_id: str) -> Any:
    """The metric's result. Raises Unavailable, with the metric's own reason, where there is no figure to derive."""
    score = card[metric_id]
    if score.unavailable is not None:
        raise Unavailable(score.unavailable)
    return score.result


def _aggregates_of(card: Scorecard, metric_id: str) -> Aggregates:
    """The aggregates of the records that the metric judges: those that are compared, for a measure of loss."""
    return aggregates_for(card[metric_id].metric, card.aggregates)


def rescored(card: Scorecard, metric_id: str, parameters: Parameters) -> Scorecard:
    """The card with one metric's score under other parameters: for a working beside controls that move.

    A copy with the new score.
    """
    if parameters == card.parameters:
        return card
    new_score = score_metric(card[metric_id].metric, card.aggregates, parameters)
    return replace(card, parameters=parameters, scores={**card.scores, metric_id: new_score})


def subject_count(card: Scorecard, metric_id: str) -> int:
    """How many classes or records there are to choose from."""
    unit = derivation(metric_id).unit
    if unit is Unit.TABLE:
        return 1
    aggregates = _aggregates_of(card, metric_id)
    return aggregates.classes.count if unit is Unit.CLASS else record_count(aggregates)


def subject_columns(card: Scorecard, metric_id: str) -> tuple[str, ...]:
    """The columns to choose from; only the empty name where the metric examines no single column."""
    attribute = derivation(metric_id).attribute
    return ("",) if attribute is None else attribute.columns(card.aggregates.roles)


def subject_name(card: Scorecard, metric_id: str, index: int) -> str:
    """A class by its quasi-identifiers and size, or a record by its number: plain text."""
    unit = derivation(metric_id).unit
    if unit is Unit.TABLE:
        return WHOLE_TABLE
    aggregates = _aggregates_of(card, metric_id)
    if unit is Unit.RECORD:
        return record_name(aggregates, index)
    return text("working.class", name=class_name(aggregates, index), size=class_size(aggregates, index))


__all__ = [
    "Step",
    "StepTable",
    "Subject",
    "Unit",
    "Working",
    "decisive_subject",
    "derivation",
    "rescored",
    "score_step",
    "subject_columns",
    "subject_count",
    "subject_name",
    "working",
]
