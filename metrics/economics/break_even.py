"""Break-even points of profitability: closed forms, and the payout's answer to each amount."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.config.parameters import ProfitabilityParameters
from metrics.counting.classes import EquivalenceClasses
from metrics.economics.profitability import attack_free_size, largest_attacked, profitability
from metrics.tables.table import Floats
from metrics.tables.values import exact_fraction

AMOUNTS = ("adversary_cost", "adversary_gain", "publisher_loss", "publisher_benefit")


@dataclass(frozen=True)
class BreakEven:
    """The values at which a verdict changes, the other amounts as they are; None where no value does.

    Without information loss. Amounts are per record, in the currency of the parameters.
    """

    benefit: float
    """Publishing every record is profitable exactly above this benefit: loss / smallest attacked class."""
    total_benefit: float
    """The payout as a whole is positive exactly above this benefit: loss x attacked classes / records."""
    loss: float | None
    """Publishing every record is profitable exactly below this loss; None where nothing is attacked."""
    attack_free_cost: float
    """From this cost on no attack is profitable: gain / smallest class."""
    attack_free_gain: float
    """Up to this gain no attack is profitable: cost x smallest class."""
    attack_free_size: int | None
    """The class size that removes every attack: floor(gain / cost) + 1; None where attacking is free."""
    classes_below: int
    """Classes smaller than that."""
    records_below: int


def break_even(classes: EquivalenceClasses, parameters: ProfitabilityParameters) -> BreakEven:
    """Closed forms of where the verdicts change. Takes at least one class."""
    smallest = int(classes.sizes.min())
    cost, gain = exact_fraction(parameters.adversary_cost), exact_fraction(parameters.adversary_gain)
    loss, benefit = exact_fraction(parameters.publisher_loss), exact_fraction(parameters.publisher_benefit)
    attacked = classes.sizes <= largest_attacked(parameters)
    any_attacked = bool(attacked.any())
    size = attack_free_size(parameters)
    below = np.ones(classes.count, dtype=bool) if size is None else classes.sizes < size
    return BreakEven(
        benefit=float(loss / smallest) if any_attacked else 0.0,
        total_benefit=float(loss * int(attacked.sum()) / classes.kept),
        loss=float(benefit * smallest) if any_attacked else None,
        attack_free_cost=float(gain / smallest),
        attack_free_gain=float(cost * smallest),
        attack_free_size=size,
        classes_below=int(below.sum()),
        records_below=int(classes.sizes[below].sum()),
    )


@dataclass(frozen=True)
class Sensitivity:
    """The payout when one amount falls and rises by the same share, the others unchanged."""

    name: str
    amount: float
    low: float
    """Payout at `amount` x (1 - share)."""
    high: float
    """Payout at `amount` x (1 + share)."""


def sensitivities(
    classes: EquivalenceClasses,
    parameters: ProfitabilityParameters,
    share: float = 0.2,
    information_loss: Floats | None = None,
) -> tuple[Sensitivity, ...]:
    """How the publisher's payout answers to each amount, the most influential first."""
    by_amount = []
    for name in AMOUNTS:
        amount = getattr(parameters, name)
        low, high = (
            profitability(classes, _with(parameters, name, amount * factor), information_loss).publisher_payout
            for factor in (1 - share, 1 + share)
        )
        by_amount.append(Sensitivity(name, amount, low, high))
    return tuple(sorted(by_amount, key=lambda sensitivity: -abs(sensitivity.high - sensitivity.low)))


def _with(parameters: ProfitabilityParameters, name: str, amount: float) -> ProfitabilityParameters:
    changes: dict[str, Any] = {name: amount}
    return replace(parameters, **changes)
