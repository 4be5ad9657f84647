"""(α,k)-anonymity, step by step."""

from __future__ import annotations

from metrics.config.parameters import Parameters
from metrics.privacy.classes.shares_in_working import Shares
from metrics.privacy.classes.worst_in_working import of_worst_class
from metrics.working.latex import COMMA, abbreviated, fraction, lines, value_of
from metrics.working.steps import Step, short_label, step_of


def _guess(class_shares: Shares, parameters: Parameters) -> tuple[tuple[Step, ...], float]:
    """The most frequent of the class's values."""
    positions = class_shares.present
    largest = class_shares.share(positions[0])
    shares = abbreviated((fraction(class_shares.share(i)) for i in positions), len(positions), COMMA)
    guess = step_of(
        "alpha_k_anonymity.working.guess",
        lines(r"\alpha &= \max_s p_s", rf"&= \max({shares})", rf"&= {value_of(largest)}"),
        number=float(largest),
        column=short_label(class_shares.column),
        value=short_label(class_shares.labels[positions[0]]),
    )
    return (guess,), float(largest)


WORKING = of_worst_class(r"\alpha", _guess, largest=True)
