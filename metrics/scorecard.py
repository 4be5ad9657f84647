"""score(): which metrics apply, their figures, and in words why the others do not."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metrics.catalog import BY_ID, METRICS
from metrics.class_table import ClassTable
from metrics.errors import InputError
from metrics.evidence import Evidence
from metrics.hierarchy import Hierarchies
from metrics.parameters import Parameters
from metrics.privacy.p29 import P29
from metrics.privacy.t_closeness import TCloseness
from metrics.roles import Roles
from metrics.specification import Metric, PerClass, Result, Unavailable
from metrics.table import Floats, Table

SCHEMA_VERSION = 1


@dataclass(frozen=True, eq=False)
class Score:
    """One metric's answer for one candidate: a result, or why there is none."""

    metric: Metric
    result: Result | None
    unavailable: str | None

    @property
    def value(self) -> float | bool | None:
        """The figure; None where it is unavailable."""
        return None if self.result is None else self.result.value

    @property
    def attributes(self) -> dict[str, float | None]:
        """The figure of each attribute alone."""
        return {} if self.result is None else dict(self.result.attributes)

    @property
    def details(self) -> dict[str, Any]:
        """Further figures by name."""
        return {} if self.result is None else self.result.details()

    def in_words(self) -> str:
        """The finding, or why there is none."""
        return f"Unavailable: {self.unavailable}." if self.result is None else self.result.in_words()

    def to_dict(self) -> dict[str, Any]:
        """The form of `score --json`."""
        return {
            "value": finite(self.value),
            "unavailable": self.unavailable,
            "attributes": finite(self.attributes),
            "details": finite(self.details),
        }


@dataclass(frozen=True, eq=False)
class Scorecard:
    """Scores of one candidate, by metric id; draws itself in a notebook."""

    evidence: Evidence
    parameters: Parameters
    scores: Mapping[str, Score]

    def __getitem__(self, identifier: str) -> Score:
        """The score of that metric. Raises KeyError."""
        return self.scores[identifier]

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores.values())

    @cached_property
    def classes(self) -> ClassTable:
        """Every equivalence class with its measures."""
        return class_table(self)

    def to_dict(self) -> dict[str, Any]:
        """The object that `score --json` prints."""
        evidence, classes = self.evidence, self.evidence.classes
        original = None if evidence.original is None else {"rows": evidence.original.rows}
        sizes = classes.sizes
        return {
            "schema_version": SCHEMA_VERSION,
            "tables": {
                "anonymized": {"rows": evidence.anonymized.rows, "suppressed_rows": classes.suppressed},
                "original": original,
            },
            "classes": {
                "count": classes.count,
                "smallest": int(sizes.min()) if classes.count else None,
                "largest": int(sizes.max()) if classes.count else None,
                "mean": classes.kept / classes.count if classes.count else None,
            },
            "metrics": {score.metric.id: score.to_dict() for score in self},
        }

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(score.metric.title)}</td><td>{html.escape(shown(score.value))}</td>"
            f"<td>{html.escape(score.metric.range)}</td><td>{html.escape(str(score.metric.direction))}</td>"
            f"<td>{html.escape(score.in_words())}</td></tr>"
            for score in self
        )
        head = "<tr><th>Metric</th><th>Value</th><th>Range</th><th>Direction</th><th>Finding</th></tr>"
        return f"<table><caption>{html.escape(self.evidence.anonymized.name)}</caption>{head}{rows}</table>"


def score(
    anonymized: Table,
    roles: Roles,
    *,
    original: Table | None = None,
    hierarchies: Hierarchies | None = None,
    parameters: Parameters | None = None,
    population: Table | None = None,
    metrics: Collection[str] | None = None,
) -> Scorecard:
    """Score one anonymized table by the metrics of the catalog.

    A metric that cannot be computed says why and stops no other. `hierarchies` are by column, for quasi-identifiers and
    sensitive attributes; `population` holds the quasi-identifiers of everybody the table could be about. `metrics`
    names those to compute, by id; None stands for all but those that take long, `("all",)` for every one. Raises
    InputError where roles do not fit the tables, or a metric does not exist.
    """
    evidence = Evidence(anonymized, roles, original, hierarchies, population)
    return score_evidence(evidence, parameters or Parameters(), metrics)


def score_evidence(evidence: Evidence, parameters: Parameters, metrics: Collection[str] | None = None) -> Scorecard:
    """Score what has been counted; a change of parameters alone needs no new evidence. Raises InputError."""
    wanted = _wanted(metrics)
    for column in parameters.t_closeness.distance:
        if column not in evidence.roles.sensitive:
            raise InputError(
                "a ground distance is set for a column that is not sensitive",
                remedy="tag it sensitive or leave the setting out",
                column=column,
            )
    scores = {
        spec.id: score_metric(spec, evidence, parameters) if spec.id in wanted else Score(spec, None, _not_asked(spec))
        for spec in METRICS
    }
    return Scorecard(evidence, parameters, scores)


def _wanted(metrics: Collection[str] | None) -> set[str]:
    if metrics is None:
        return {spec.id for spec in METRICS if not spec.on_demand}
    if set(metrics) == {"all"}:
        return set(BY_ID)
    for identifier in metrics:
        if identifier not in BY_ID:
            raise InputError(f'there is no metric "{identifier}"', remedy=f"use all, or {', '.join(BY_ID)}")
    return set(metrics)


def _not_asked(spec: Metric) -> str:
    return "it takes longer than the others and is computed on demand" if spec.on_demand else "it was not asked for"


def score_metric(spec: Metric, evidence: Evidence, parameters: Parameters) -> Score:
    """One metric's result, or why it is unavailable."""
    try:
        return Score(spec, spec.compute(evidence, parameters), None)
    except Unavailable as reason:
        return Score(spec, None, str(reason))


def class_table(card: Scorecard) -> ClassTable:
    """The class table of a scorecard; measures that are unavailable are left out."""
    evidence = card.evidence
    histograms = {name: evidence.histogram(name) for name in evidence.roles.sensitive}
    joint, closeness = card["p29"].result, card["t_closeness"].result
    entropy = joint.components.entropy if isinstance(joint, P29) else {}
    judged: dict[str, Mapping[str, Floats]] = {}
    for one in card:
        result: object = one.result
        if isinstance(result, PerClass):
            judged[result.measure] = result.per_class
    return ClassTable(
        classes=evidence.classes,
        distinct={name: histograms[name].distinct for name in entropy},
        normalized_entropy=entropy,
        t=closeness.per_class if isinstance(closeness, TCloseness) else {},
        joint=joint if isinstance(joint, P29) else None,
        further={
            f"{attribute}.{measure}" if attribute else measure: figures
            for measure, by_attribute in judged.items()
            for attribute, figures in by_attribute.items()
        },
    )


def finite(value: Any) -> Any:
    """A value as JSON can hold it: numbers that are not finite become None, in containers too."""
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if isinstance(value, np.generic):
        return finite(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def shown(value: float | bool | None) -> str:
    """A figure rounded for reading."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.4f}" if 0.001 <= abs(value) < 1000 else f"{value:,.4g}"


__all__ = ["BY_ID", "Score", "Scorecard", "score", "score_evidence", "score_metric"]
