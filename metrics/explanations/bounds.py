"""Figures that make a table look better than it is, shown as the bounds or the ranges that they are."""

from __future__ import annotations

from collections.abc import Callable

from metrics.formatting import format_number, join_names, percent
from metrics.metric import Direction
from metrics.scoring.metric_score import Score
from metrics.texts import text


def as_bound(score: Score, shown: str, *, perturbed: bool = False, with_class: bool = True) -> str:
    """A figure ready for display, marked as a bound where it is one; see `Score.is_bound`.

    `with_class`: whether the success of an attacker who knows the class is called so. A share of too few trials is not
    shown.
    """
    if score.figure is None:
        return shown
    if not score.is_reliable:
        return format_number(None)
    if score.attack is not None and score.attack.highest_success is not None:
        return text("bounds.class_known", success=shown) if with_class and score.attack.assumes_class else shown
    return bound_text(shown, score.metric.direction) if score.is_bound(perturbed=perturbed) else shown


def shown_first(
    score: Score, share: Callable[[float, int], str] = percent, *, perturbed: bool = False, with_class: bool = True
) -> str:
    """What readers see first of a metric, ready for display; see `as_bound`."""
    quantity, shown = score.metric.known_quantity, score.shown_text(share)
    if quantity is None:
        return as_bound(score, shown, perturbed=perturbed, with_class=with_class)
    is_bound = score.is_reliable and score.is_bound(perturbed=perturbed)
    return bound_text(shown, quantity.direction) if is_bound else shown


def with_assumption(score: Score, shown: str) -> str:
    """The success that a limit is compared with, and that the class is known where only such an attacker attains it."""
    required = score.attack is not None and score.attack.max_requires_class
    return text("bounds.class_known", success=shown) if required else shown


def bound_reason(score: Score) -> str:
    """Why a figure of generalization is a mere bound, for where there is little room; empty where it is none."""
    result = score.result
    if result is not None and result.not_generalized:
        reason = text("perturbed.in_brief")
    elif result is not None and result.misread:
        shares = [text("misread.column_in_brief", column=name, share=share) for name, share in result.misread.items()]
        reason = text("misread.in_brief", columns=join_names(shares))
    else:
        return ""
    if score.metric.direction is Direction.HIGHER:
        return text("bounds.upper_bound", reason=reason)
    return text("bounds.lower_bound", reason=reason)


def bound_text(shown: str, direction: Direction) -> str:
    """A figure that makes a table look better than it is, as the bound that it is."""
    return f"{'≤' if direction is Direction.HIGHER else '≥'}\u00a0{shown}"
