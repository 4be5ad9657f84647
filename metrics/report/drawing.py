"""The figures of a report: those that its scorecard has results for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from metrics.economics.profitability import Profitability
from metrics.figures import (
    class_size_distribution,
    distance_distribution,
    loss_by_column,
    p29_breakdown,
    p29_gates,
    payout_by_class,
)
from metrics.figures.embedding import EmbeddedFigure, embedded
from metrics.privacy.p29 import P29
from metrics.privacy.t_closeness import TCloseness
from metrics.scorecard import Scorecard
from metrics.specification import Family, Result
from metrics.utility.non_uniform_entropy import NonUniformEntropy


@dataclass(frozen=True)
class Drawing:
    """One figure with its place and its caption; drawn when it is asked for."""

    name: str
    """Unique within the report."""
    family: Family
    caption: str
    draw: Callable[[], EmbeddedFigure]

    @cached_property
    def figure(self) -> EmbeddedFigure:
        """The figure as the page holds it."""
        return self.draw()


def drawings(card: Scorecard) -> tuple[Drawing, ...]:
    """The sizes of the classes, and a figure or two of each result that has one; none where there is no class."""
    classes = card.evidence.classes
    if not classes.count:
        return ()
    drawn = [
        Drawing(
            "class-sizes",
            Family.PRIVACY,
            "Equivalence classes by their size; the smallest decides about k-anonymity.",
            lambda: embedded(class_size_distribution(classes.sizes)),
        )
    ]
    for score in card:
        drawn += _of_result(score.result)
    return tuple(drawn)


def _of_result(result: Result | None) -> list[Drawing]:
    """The figures of one metric's result."""
    if isinstance(result, P29):
        score = Drawing(
            "p29",
            Family.PRIVACY,
            "P_29, from its three weighted terms to the score; pale: what each term could still have given.",
            lambda: embedded(p29_breakdown(result)),
        )
        gates = Drawing(
            "gates", Family.PRIVACY, "Classes that shut a gate of P_29.", lambda: embedded(p29_gates(result))
        )
        return [score, gates] if result.violating.any() else [score]
    if isinstance(result, TCloseness):
        caption = "How far the sensitive values of each class lie from those of the whole table."
        return [Drawing("distances", Family.PRIVACY, caption, lambda: embedded(distance_distribution(result)))]
    if isinstance(result, NonUniformEntropy):
        caption = "Information of each quasi-identifier: what is left of it, and at which level the rest was lost."
        return [Drawing("loss", Family.UTILITY, caption, lambda: embedded(loss_by_column(result)))]
    if isinstance(result, Profitability):
        caption = "Records worth attacking by the size of their class, and what publishing one of them pays."
        return [Drawing("payout", Family.ECONOMICS, caption, lambda: embedded(payout_by_class(result)))]
    return []
