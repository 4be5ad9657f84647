"""Conditions on a scorecard, such as `k_anonymity >= 5`, for pipelines that must stop on a bad table."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metrics.config.former_names import current_name, unknown_metric
from metrics.errors import InputError
from metrics.formatting import beside, join_names
from metrics.policy.limitable_measures import measured
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}
_FORM = re.compile(r"\s*([\w]+)(?:\.([\w]+))?\s*(>=|<=|==|!=|>|<)\s*(\S+)\s*")


@dataclass(frozen=True)
class Requirement:
    """`metric` or one of its details, compared with a number."""

    text: str
    metric: str
    detail: str | None
    comparison: str
    number: float

    def figure(self, card: Scorecard) -> float | bool | None:
        """Return the figure that a limit would be compared with, or a detail; None if it is unavailable.

        Raises InputError if the metric has no such detail, or it is not a number.
        """
        score = card[self.metric]
        if self.detail is None or score.result is None:
            return measured(self.metric, card).value
        figures = {name: value for name, value in score.details.items() if isinstance(value, int | float)}
        if self.detail not in figures and score.details.get(self.detail, "") is not None:
            raise InputError(
                f'{self.metric} has no figure "{self.detail}"',
                remedy=f"use {join_names(list(figures), 'or')}" if figures else f"write {self.metric} alone",
            )
        return figures.get(self.detail)

    def holds(self, card: Scorecard) -> bool:
        """Whether it holds; a figure that is unavailable, or counts perturbed columns as unchanged, meets none."""
        value = self.figure(card)
        return (
            value is not None
            and card[self.metric].not_checked is None
            and _COMPARE[self.comparison](value, self.number)
        )

    def failure(self, card: Scorecard) -> str:
        """One sentence for a requirement that does not hold: the figure, and why no limit applies to it."""
        score, value = card[self.metric], self.figure(card)
        if score.unavailable is not None:
            return text("policy.requirement_not_measured", requirement=self.text, reason=score.unavailable)
        reason = score.not_checked
        if reason is None:
            return text("policy.requirement_failed", requirement=self.text, value=beside(value, self.number))
        return text("policy.requirement_not_assessed", requirement=self.text, value=value, reason=reason)


def parse_requirement(text: str) -> Requirement:
    """Read `ID OP NUMBER`, true and false standing for 1 and 0. Raises InputError."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise InputError(f'"{text}" is not a requirement', remedy="write ID OP NUMBER, such as 'k_anonymity >= 5'")
    name, detail, comparison, number = match.groups()
    metric = current_name(name)
    if metric not in BY_ID:
        raise unknown_metric(name, BY_ID)
    try:
        bound = {"true": 1.0, "false": 0.0}.get(number.lower())
        bound = float(number) if bound is None else bound
    except ValueError:
        bound = math.nan
    if math.isnan(bound):
        raise InputError(f'"{text}" does not compare with a number', remedy="write a number after the operator")
    return Requirement(" ".join(text.split()), metric, detail, comparison, bound)
