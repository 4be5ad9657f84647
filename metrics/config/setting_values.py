"""Values of settings: read from text, checked, and weights brought to the sum 1."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from metrics.errors import InputError


def check(holds: bool, problem: str, remedy: str) -> None:
    """Raise InputError where a value is out of range."""
    if not holds:
        raise InputError(problem, remedy=remedy)


def check_share(setting: str, value: float, remedy: str = "set a number from 0 to 1") -> None:
    """Raise InputError where a value is not between 0 and 1."""
    check(0 <= value <= 1, f"{setting} is not between 0 and 1", remedy)


def check_columns(setting: str, value: object) -> None:
    """Raise InputError where a value is no list."""
    check(isinstance(value, list | tuple), f"{setting} is not a list of columns", "name them, as in [age, sex]")


def converted(setting: str, value: Any, kind: Any) -> Any:
    """A value, often text, as one of the setting's kind. Raises InputError where it is none."""
    text = str(value).strip().lower()
    if kind is tuple:
        names = value.split(",") if isinstance(value, str) else value
        check_columns(setting, names)
        return tuple(name for name in (str(item).strip() for item in names) if name)
    if kind is str:
        return str(value).strip()
    if issubclass(kind, StrEnum):
        if text not in set(kind):
            raise InputError(f"{setting} has an unknown value", remedy=f"use {', '.join(kind)}")
        return kind(text)
    if kind is bool:
        if text in ("true", "yes", "1"):
            return True
        if text in ("false", "no", "0"):
            return False
        raise InputError(f"{setting} is neither true nor false", remedy="write true or false")
    try:
        return kind(text)
    except ValueError:
        expected = "whole number" if kind is int else "number"
        raise InputError(f"{setting} is not a {expected}", remedy=f"set a {expected}") from None


def rescale_weights(weights: Mapping[str, float], name: str, weight: float) -> dict[str, float]:
    """Change one of several weights and rescale the others.

    Weights of sum 1: the others share the rest in proportion, equally if all were 0.
    """
    other_names = [other for other in weights if other != name]
    total, remainder = sum(weights[other] for other in other_names), 1 - weight
    rescaled = {
        other: round(remainder * (weights[other] / total if total > 0 else 1 / len(other_names)), 10)
        for other in other_names
    }
    rescaled[other_names[-1]] = max(round(remainder - sum(rescaled[other] for other in other_names[:-1]), 10), 0.0)
    return {other: weight if other == name else rescaled[other] for other in weights}
