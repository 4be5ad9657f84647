"""Profitability: does publishing each record earn more than re-identification attacks on it cost?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.classes import EquivalenceClasses
from metrics.evidence import Evidence
from metrics.parameters import Parameters, ProfitabilityParameters
from metrics.specification import Direction, Family, Metric
from metrics.table import Floats, Integers

_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Profitability:
    """`value` tells whether the chosen definition holds; arrays hold one entry per class."""

    value: bool
    parameters: ProfitabilityParameters
    basic: bool
    """Benefit above risk for every record."""
    no_attack: bool
    """Every class is so large that attacking cannot pay: at least `attack_free_size` records."""
    attack_free_size: int | None
    """The class size that removes every attack; None where none does."""
    publisher_payout: float
    records_attacked: int
    records: int
    sizes: Integers
    attacked: npt.NDArray[np.bool_]
    unprofitable: npt.NDArray[np.bool_]
    """Classes whose records earn no more than their risk."""
    risk: Floats
    """Expected loss per record of each class."""
    payout: Floats
    """Benefit less risk, summed over the records of each class."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: sensitive attributes play no part."""
        return {}

    def details(self) -> dict[str, Any]:
        """Verdicts, payout and attacks."""
        return {
            "basic": self.basic,
            "no_attack": self.no_attack,
            "publisher_payout": self.publisher_payout,
            "records_attacked": self.records_attacked,
            "classes_attacked": int(self.attacked.sum()),
            "unprofitable_classes": int(self.unprofitable.sum()),
            "unprofitable_records": int(self.sizes[self.unprofitable].sum()),
            "attack_free_size": self.attack_free_size,
        }

    def in_words(self) -> str:
        """The finding."""
        if self.no_attack:
            return "Attacking pays for no record."
        if not self.records_attacked:
            return "Attacking earns an adversary no more than it costs, but for some records exactly as much."
        attacked = f"Attacking pays for {self.records_attacked:,} of {self.records:,} records"
        if self.basic:
            return f"{attacked}, yet publishing each of them earns more than it risks."
        losing = int(self.sizes[self.unprofitable].sum())
        return f"{attacked}, and publishing {losing:,} of them earns no more than it risks."


def profitability(classes: EquivalenceClasses, parameters: ProfitabilityParameters | None = None) -> Profitability:
    """Whether publishing pays, record by record. Amounts are per record, in one currency.

    A record of class E is re-identified with probability 1/|E|. The adversary attacks it iff gain/|E| > cost; the
    publisher then risks loss/|E|. Basic definition: benefit > risk for every record. Strict (`allow_attack` False):
    besides, |E| >= floor(gain/cost) + 1 for every class. The payout sums benefit less risk over kept records; a
    suppressed record pays nothing. Comparisons are exact in the decimal numbers given. Takes at least one class.

    Source: Z. Wan et al., "A Game Theoretic Framework for Analyzing Re-Identification Risk", PLOS ONE 10(3), 2015,
    doi 10.1371/journal.pone.0120592; F. Prasser et al., AMIA Annual Symposium 2017.
    """
    chosen = parameters or ProfitabilityParameters()
    cost, gain = _exact(chosen.adversary_cost), _exact(chosen.adversary_gain)
    loss, benefit = _exact(chosen.publisher_loss), _exact(chosen.publisher_benefit)
    attacked = classes.sizes <= _largest_attacked(cost, gain)
    pays_attacked = classes.sizes > (loss // benefit if benefit else _NEVER)
    unprofitable = ~np.where(attacked, pays_attacked, benefit > 0)
    risk = np.where(attacked, chosen.publisher_loss / classes.sizes, 0.0)
    payout = chosen.publisher_benefit * classes.sizes.astype(np.float64) - np.where(
        attacked, chosen.publisher_loss, 0.0
    )
    attack_free = attack_free_size(chosen)
    basic = not unprofitable.any()
    no_attack = attack_free is not None and bool(classes.sizes.min() >= attack_free)
    return Profitability(
        value=basic and (chosen.allow_attack or no_attack),
        parameters=chosen,
        basic=basic,
        no_attack=no_attack,
        attack_free_size=attack_free,
        publisher_payout=float(benefit * classes.kept - loss * int(attacked.sum())),
        records_attacked=int(classes.sizes[attacked].sum()),
        records=classes.kept,
        sizes=classes.sizes,
        attacked=attacked,
        unprofitable=unprofitable,
        risk=risk,
        payout=payout,
    )


def attack_free_size(parameters: ProfitabilityParameters) -> int | None:
    """The smallest class size that removes every attack, floor(gain/cost) + 1; None where attacking is free."""
    cost, gain = _exact(parameters.adversary_cost), _exact(parameters.adversary_gain)
    if not gain:
        return 1
    return gain // cost + 1 if cost else None


def _largest_attacked(cost: Fraction, gain: Fraction) -> int:
    """The largest class size with gain/size > cost."""
    if not gain:
        return 0
    return min(math.ceil(gain / cost) - 1, int(_NEVER)) if cost else int(_NEVER)


def _exact(amount: float) -> Fraction:
    """The decimal number the user wrote: 0.3 / 0.1 is 3, which binary floats would miss."""
    return Fraction(repr(float(amount)))


def _compute(evidence: Evidence, parameters: Parameters) -> Profitability:
    return profitability(evidence.need_classes(), parameters.profitability)


PROFITABILITY = Metric(
    id="profitability",
    title="Profitability",
    family=Family.ECONOMICS,
    unit="verdict",
    minimum=None,
    maximum=None,
    direction=Direction.TRUE,
    meaning="Whether publishing each record earns more than re-identification attacks on it are expected to cost.",
    good="Yes; for the strict definition also no record worth attacking.",
    formula=r"b > \ell / |E| \text{ wherever } g / |E| > c",
    reference="Z. Wan et al., A Game Theoretic Framework for Analyzing Re-Identification Risk, PLOS ONE 10(3), 2015; "
    "F. Prasser et al., AMIA Annual Symposium, 2017",
    doi="10.1371/journal.pone.0120592",
    compute=_compute,
)
