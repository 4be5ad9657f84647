"""Profitability: whether publishing each record earns more than re-identification attacks on it cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from metrics.aggregates import Aggregates, require_classes
from metrics.aggregates.coverages import coverages
from metrics.config.parameters import Parameters, ProfitabilityParameters
from metrics.counting.classes import EquivalenceClasses
from metrics.economics import working
from metrics.errors import InputError
from metrics.hierarchies.domain import Coverage
from metrics.metric import (
    ClassMeasure,
    Control,
    Direction,
    Enforcement,
    Family,
    Finding,
    FindingKind,
    KnownQuantity,
    Metric,
    MetricChart,
    PerClass,
    Result,
    Severity,
)
from metrics.tables.table import Flags, Floats, Integers
from metrics.tables.values import exact_fraction
from metrics.texts import text

_NEVER = int(np.iinfo(np.int64).max)


@dataclass(frozen=True)
class ProfitabilityTotals:
    """Totals of classes, as far as the verdict and its details need them."""

    smallest: Annotated[int, min]
    """Records of the smallest class."""
    records: int
    classes_attacked: int
    records_attacked: int
    unprofitable_classes: int
    unprofitable_records: int
    earned: float
    """Benefit of all records, before any loss."""


@dataclass(frozen=True, eq=False)
class Profitability(Result):
    """`value` tells whether the chosen definition holds; arrays hold one entry per class.

    The totals are of all classes, of which the arrays may hold some.
    """

    parameters: ProfitabilityParameters
    totals: ProfitabilityTotals
    sizes: Integers
    attacked: Flags
    unprofitable: Flags
    """Classes whose records earn no more than their risk."""
    risk: Floats
    """Expected loss per record of each class."""
    payout: Floats
    """Benefit less risk, summed over the records of each class."""
    information_loss: Floats | None
    """Share of the benefit that generalization takes from each record of a class, 0 to 1; None where not asked for."""

    @property
    def value(self) -> bool:
        """Whether the chosen definition holds."""
        return self.basic and (self.parameters.allow_attack or self.no_attack)

    @property
    def basic(self) -> bool:
        """Benefit above risk for every record."""
        return not self.totals.unprofitable_classes

    @property
    def attack_free_size(self) -> int | None:
        """The class size that removes every attack; None where none does."""
        return attack_free_size(self.parameters)

    @property
    def no_attack(self) -> bool:
        """Every class is so large that no attack is profitable: at least `attack_free_size` records."""
        return self.attack_free_size is not None and self.totals.smallest >= self.attack_free_size

    @property
    def publisher_payout(self) -> float:
        """Benefit less risk, summed over the records in classes; exact where generalization takes no benefit."""
        loss = exact_fraction(self.parameters.publisher_loss) * self.totals.classes_attacked
        if self.information_loss is None:
            return float(exact_fraction(self.parameters.publisher_benefit) * self.totals.records - loss)
        return self.totals.earned - float(loss)

    @property
    def records_attacked(self) -> int:
        """Records on which an attack is profitable."""
        return self.totals.records_attacked

    @property
    def records(self) -> int:
        """Records in classes."""
        return self.totals.records

    def details(self) -> dict[str, Any]:
        """Verdicts, payout and attacks."""
        return {
            "basic": self.basic,
            "no_attack": self.no_attack,
            "publisher_payout": self.publisher_payout,
            "records_attacked": self.records_attacked,
            "classes_attacked": self.totals.classes_attacked,
            "unprofitable_classes": self.totals.unprofitable_classes,
            "unprofitable_records": self.totals.unprofitable_records,
            "attack_free_size": self.attack_free_size,
        }

    def class_measures(self, index: int) -> list[ClassMeasure]:
        """Gain, risk and payout of one class."""
        parameters = self.parameters
        gain = ClassMeasure(
            text("profitability.class_gain"),
            "",
            parameters.adversary_gain / int(self.sizes[index]),
            text("profitability.class_gain_failure", cost=parameters.adversary_cost) if self.attacked[index] else "",
        )
        unprofitable = text("profitability.class_risk_failure") if self.unprofitable[index] else ""
        return [
            gain,
            ClassMeasure(text("profitability.class_risk"), "", float(self.risk[index]), unprofitable),
            ClassMeasure(text("profitability.class_payout"), "", float(self.payout[index])),
        ]

    def summary(self) -> str:
        unprofitable = self.totals.unprofitable_records
        if unprofitable and not self.records_attacked:
            return text("profitability.no_benefit", unprofitable=unprofitable)
        if self.no_attack:
            return text("profitability.no_attack")
        if not self.records_attacked:
            return text("profitability.break_even")
        gain, cost = self.parameters.adversary_gain, self.parameters.adversary_cost
        amounts = amounts_of(self.parameters)
        accepted = "" if self.parameters.allow_attack else text("profitability.not_accepted")
        if self.basic and self.records_attacked == self.records > 1:
            return text(
                "profitability.attacked_all",
                amounts=amounts,
                gain=gain,
                cost=cost,
                records=self.records,
                accepted=accepted,
            )
        if self.basic:
            return text(
                "profitability.attacked",
                amounts=amounts,
                gain=gain,
                cost=cost,
                attacked=self.records_attacked,
                records=self.records,
                accepted=accepted,
            )
        return text(
            "profitability.unprofitable",
            amounts=amounts,
            gain=gain,
            cost=cost,
            attacked=self.records_attacked,
            records=self.records,
            unprofitable=unprofitable,
        )


def profitability(
    classes: EquivalenceClasses,
    parameters: ProfitabilityParameters | None = None,
    information_loss: Floats | None = None,
) -> Profitability:
    """Profitability: whether publishing is profitable, record by record. Amounts are per record, in one currency.

    A record of class E is re-identified with probability 1/|E|. The attacker attacks it iff gain/|E| > cost; the
    publisher then risks loss/|E|. Basic definition: benefit > risk for every record. Strict definition (`allow_attack`
    False): in addition |E| >= floor(gain/cost) + 1 for every class. The payout is the sum of benefit less risk over the
    records in classes; a suppressed record earns nothing. Comparisons are exact in the decimal numbers given.

    Whether the chosen definition is met, the payout, and the attacked and unprofitable classes. `classes`: the
    equivalence classes; at least one. `parameters`: costs, gains and the definition; the defaults if None.
    `information_loss`: the share of the benefit that generalization takes from the records of each class, 0 to 1; None
    for no loss.
    Source: Z. Wan et al., "A Game Theoretic Framework for Analyzing Re-Identification Risk", PLOS ONE 10(3), 2015, doi
    10.1371/journal.pone.0120592; F. Prasser et al., AMIA Annual Symposium 2017.
    """
    settings = parameters or ProfitabilityParameters()
    loss, benefit = exact_fraction(settings.publisher_loss), exact_fraction(settings.publisher_benefit)
    attacked = classes.sizes <= largest_attacked(settings)
    risk = np.where(attacked, settings.publisher_loss / classes.sizes, 0.0)
    if information_loss is None:
        earned = np.full(classes.count, settings.publisher_benefit)
        pays_attacked = classes.sizes > (loss // benefit if benefit else _NEVER)
        unprofitable = ~np.where(attacked, pays_attacked, benefit > 0)
    else:
        earned = settings.publisher_benefit * (1 - information_loss)
        unprofitable = ~(earned > risk)
    return Profitability(
        parameters=settings,
        totals=ProfitabilityTotals(
            smallest=int(classes.sizes.min()),
            records=classes.kept,
            classes_attacked=int(np.count_nonzero(attacked)),
            records_attacked=int(classes.sizes[attacked].sum()),
            unprofitable_classes=int(np.count_nonzero(unprofitable)),
            unprofitable_records=int(classes.sizes[unprofitable].sum()),
            earned=float(benefit * classes.kept) if information_loss is None else math.fsum(earned * classes.sizes),
        ),
        sizes=classes.sizes,
        attacked=attacked,
        unprofitable=unprofitable,
        risk=risk,
        payout=(earned - risk) * classes.sizes,
        information_loss=information_loss,
    )


def class_information_loss(classes: EquivalenceClasses, covered: Mapping[str, Coverage]) -> Floats:
    """Information loss of each class's records as ARX's payout takes it: 0 as collected, 1 if all is suppressed.

    log10(product of shares) / log10(product of domain sizes) + 1; a value's share is how much of its domain it covers.
    """
    losses, domain = np.zeros(classes.count), 0.0
    for column, codes in zip(classes.columns, classes.codes, strict=True):
        losses += np.log10(covered[column.name].covered[codes])
        domain += math.log10(covered[column.name].size)
    return np.clip(losses / domain, 0.0, 1.0) if domain else losses


def attack_free_size(parameters: ProfitabilityParameters) -> int | None:
    """The smallest class size that removes every attack, floor(gain/cost) + 1; None where attacking is free."""
    cost, gain = exact_fraction(parameters.adversary_cost), exact_fraction(parameters.adversary_gain)
    if not gain:
        return 1
    return gain // cost + 1 if cost else None


def size_without_attacks(parameters: ProfitabilityParameters) -> int:
    """The smallest class size that removes every attack. Raises InputError where attacking is free."""
    size = attack_free_size(parameters)
    if size is None:
        raise InputError(
            "attacks cost nothing, so no class size makes them unprofitable",
            remedy="set profitability.adversary_cost above 0",
        )
    return size


def _profitable_size(parameters: ProfitabilityParameters) -> int:
    """The smallest class size at which publishing earns more than it risks."""
    loss, benefit = exact_fraction(parameters.publisher_loss), exact_fraction(parameters.publisher_benefit)
    if not benefit:
        raise InputError(
            "publishing a record has no benefit, so it is never profitable",
            remedy="set profitability.publisher_benefit above 0",
        )
    size = int(min(largest_attacked(parameters), loss // benefit)) + 1
    return size if parameters.allow_attack else max(size, size_without_attacks(parameters))


def largest_attacked(parameters: ProfitabilityParameters) -> int:
    """The largest class size that is attacked, gain/size > cost; 0 where none is."""
    cost, gain = exact_fraction(parameters.adversary_cost), exact_fraction(parameters.adversary_gain)
    if not gain:
        return 0
    return min(math.ceil(gain / cost) - 1, _NEVER) if cost else _NEVER


def information_loss_of(aggregates: Aggregates, parameters: ProfitabilityParameters) -> Floats | None:
    """Information loss per class if the parameters ask for it; raises Unavailable where a domain is unknown."""
    if not parameters.information_loss:
        return None
    return aggregates.memoize(_information_loss)


def _information_loss(aggregates: Aggregates) -> Floats:
    return class_information_loss(aggregates.classes, coverages(aggregates))


def _examine(aggregates: Aggregates, parameters: Parameters) -> Profitability:
    classes, settings = require_classes(aggregates), parameters.profitability
    return profitability(classes, settings, information_loss_of(aggregates, settings))


def _compute(aggregates: Aggregates, parameters: Parameters) -> Profitability:
    return aggregates.examined(_examine, parameters)


def amounts_of(parameters: ProfitabilityParameters) -> str:
    """Say whose amounts the parameters are: nobody's, as long as they are the default."""
    default = ProfitabilityParameters(
        allow_attack=parameters.allow_attack, information_loss=parameters.information_loss
    )
    return text("profitability.default_amounts") if parameters == default else text("profitability.own_amounts")


def _finding(result: Profitability, aggregates: Aggregates) -> Finding:
    """Records on which an attack is profitable."""
    severity = Severity.RISK if result.records_attacked else Severity.STRENGTH
    return Finding(FindingKind.PROFITABLE_ATTACK, severity, result.summary())


def _records_attacked(result: Profitability) -> str:
    return text("profitability.known_quantity.records", attacked=result.records_attacked, records=result.records)


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.economics.payout_chart import payout_by_class

    return payout_by_class(result)


PROFITABILITY = Metric(
    id="profitability",
    family=Family.ECONOMICS,
    minimum=None,
    maximum=None,
    direction=Direction.TRUE,
    formula=r"b > \text{risk}(r) \text{ for all } r, \quad \text{risk}(r) = \ell / |E| \text{ if } g / |E| > c"
    r"\text{, else } 0",
    reference="Z. Wan et al., A Game Theoretic Framework for Analyzing Re-Identification Risk, PLOS ONE 10(3), 2015, "
    "doi 10.1371/journal.pone.0120592; F. Prasser et al., AMIA Annual Symposium, 2017",
    known_quantity=KnownQuantity(id="profitability.known_quantity", write=_records_attacked),
    compute=_compute,
    examine=_examine,
    settings=("profitability",),
    enforcement=Enforcement(
        name="profitable",
        title="profitability",
        node="profitability",
        gap=lambda found, limit: text("limits.profitable"),
        promise=lambda limit: text("repair.limit.profitable"),
        records=lambda limit, parameters: _profitable_size(parameters.profitability),
    ),
    controls=(
        Control("profitability.adversary_cost", 100.0, 0.5),
        Control("profitability.adversary_gain", 3000.0, 10.0),
        Control("profitability.publisher_loss", 3000.0, 10.0),
        Control("profitability.publisher_benefit", 3000.0, 10.0),
        Control("profitability.allow_attack"),
        Control("profitability.information_loss"),
    ),
    charts=(MetricChart(_chart, all_classes=True),),
    working=working.WORKING,
    per_class=PerClass(None, profile=Profitability.class_measures, limited=None),
    finding=_finding,
)
