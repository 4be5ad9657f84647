"""Profitability of publishing, record by record, in exact fractions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tests.oracle.classes import Record, equivalence_classes
from tests.oracle.numerals import exact

Amount = str | int | float | Decimal


@dataclass(frozen=True)
class Profitability:
    """Both definitions, the one that was asked for (`holds`), and what they rest on."""

    holds: bool
    basic: bool
    strict: bool
    no_attack: bool
    publisher_payout: Fraction
    records_attacked: int


def profitability(
    records: Sequence[Record],
    quasi_identifiers: Sequence[str],
    adversary_cost: Amount,
    adversary_gain: Amount,
    publisher_loss: Amount,
    publisher_benefit: Amount,
    allow_attack: bool = True,
) -> Profitability:
    """Wan et al. 2015 (doi 10.1371/journal.pone.0120592), Prasser et al. 2017; without information loss.

    `records_attacked` counts gain x p > cost. `no_attack` asks every class for floor(gain/cost) + 1 records.
    That is stricter where gain x p equals the cost: nobody attacks, but the cost is not above it.
    """
    cost, gain = exact(adversary_cost), exact(adversary_gain)
    loss, benefit = exact(publisher_loss), exact(publisher_benefit)
    if min(cost, gain, loss, benefit) < 0:
        raise ValueError("amounts are not negative")
    basic, no_attack, payout, attacked_records = True, True, Fraction(0), 0
    for _, members in equivalence_classes(records, quasi_identifiers):
        for _ in members:
            probability = Fraction(1, len(members))
            attacked = gain * probability > cost
            risk = loss * probability if attacked else Fraction(0)
            basic = basic and benefit > risk
            payout += benefit - risk
            attacked_records += attacked
            if cost > 0:
                no_attack = no_attack and len(members) >= math.floor(gain / cost) + 1
            else:
                no_attack = no_attack and not attacked
    strict = basic and no_attack
    return Profitability(
        holds=basic if allow_attack else strict,
        basic=basic,
        strict=strict,
        no_attack=no_attack,
        publisher_payout=payout,
        records_attacked=attacked_records,
    )
