"""Ambiguity: how many combinations of original values each anonymized record is consistent with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.coverages import coverages
from metrics.config.parameters import Parameters
from metrics.counting.counts import Combinations
from metrics.errors import Unavailable
from metrics.formatting import format_number
from metrics.hierarchies.domain import Coverage
from metrics.metric import Basis, Direction, Family, KnownQuantity, Metric, MetricChart, Result
from metrics.tables.table import SUPPRESSED, Floats, Integers
from metrics.texts import text
from metrics.utility.ambiguity import working
from metrics.utility.cells.caveats import with_caveat

_SAFE_LOG10 = 290.0
_MAX_NUMBERS = 2**16
"""Most numbers of combinations kept apart where classes are examined in parts: bounds the memory."""


@dataclass(frozen=True, eq=False)
class AmbiguityTotals:
    """Totals of the combinations that records could represent."""

    scaled: float
    """Sum of the combinations over records, divided by 10**peak."""
    peak: float
    """0 unless the domain is beyond what doubles hold."""
    shares: float
    """Sum over records of their combinations' share of all possible ones."""
    log10_combinations: Floats
    """Decadic logarithm of the combinations that each distinct record represents."""
    counts: Integers
    """How many records these are."""

    @cached_property
    def records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())

    def merged(self, other: AmbiguityTotals) -> AmbiguityTotals:
        """Merge the totals of two disjoint sets of records; logarithms are then rounded, and equal ones combined."""
        peak = max(self.peak, other.peak)
        logs = np.concatenate([self.log10_combinations, other.log10_combinations])
        counts = np.concatenate([self.counts, other.counts])
        for decimals in range(9, -1, -1):
            distinct, inverse = np.unique(np.round(logs, decimals), return_inverse=True)
            if len(distinct) <= _MAX_NUMBERS:
                break
        records = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(records, inverse, counts)
        scaled = math.fsum(totals.scaled * 10.0 ** (totals.peak - peak) for totals in (self, other))
        return AmbiguityTotals(scaled, peak, self.shares + other.shares, distinct, records)


@dataclass(frozen=True, eq=False)
class Ambiguity(Result):
    """`value` is the score: 1 if every record represents only itself, 0 if it may be any possible record."""

    value: float
    mean_combinations: float
    """Mean over records of the combinations each represents, 1 upwards; infinite beyond 1e308."""
    log10_mean_combinations: float
    figures: Mapping[str, float]
    """The score of each column alone."""
    domains: Mapping[str, int]
    rules: Mapping[str, str]
    deleted: int
    log10_combinations: Floats
    """Decadic logarithm of the combinations each distinct anonymized record represents, the deleted ones' last.

    Where classes were examined in parts, each number of combinations once, rounded.
    """
    records: Integers
    """How many records these are; they add up to all records, deleted ones included."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The score of each column alone; None where too many of its cells are perturbed."""
        return {name: None if name in self.not_generalized else figure for name, figure in self.figures.items()}

    @property
    def log10_median(self) -> float:
        """Decadic logarithm of the combinations that at least half of the records do not exceed."""
        order = np.argsort(self.log10_combinations)
        cumulated = np.cumsum(self.records[order])
        return float(self.log10_combinations[order[np.searchsorted(cumulated, cumulated[-1] / 2)]])

    @property
    def log10_largest(self) -> float:
        """Decadic logarithm of the combinations of a wholly suppressed record: the product of the domains."""
        return math.fsum(math.log10(size) for size in self.domains.values())

    def details(self) -> dict[str, Any]:
        """The definition's own figure, and the domains it rests on."""
        return {
            "mean_combinations": self.mean_combinations,
            "log10_mean_combinations": self.log10_mean_combinations,
            "domain_sizes": dict(self.domains),
            "domain_rules": dict(self.rules),
            "deleted_records": self.deleted,
            "not_generalized": dict(self.not_generalized),
        }

    def summary(self) -> str:
        combinations = combinations_summary(self.log10_mean_combinations)
        return with_caveat(
            text("ambiguity.mean", combinations=combinations),
            self.not_generalized,
            others=text("ambiguity.mean_others", combinations=combinations),
        )


_SCALES = ((12, "trillion"), (9, "billion"), (6, "million"))
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def combinations_summary(log10: float) -> str:
    """A number of combinations for reading, given by its logarithm."""
    single = 1 if round(log10, 12) == 0 else 2
    return text("ambiguity.combinations", number=format_power(log10), single=single)


def format_power(log10: float) -> str:
    """A number, given by its logarithm, for reading: 1, 12.5, 1,880, 35.1 million, 10²⁷."""
    if log10 < 6:
        number = 10**log10
        return format_number(number)
    for power, scale in _SCALES:
        if power <= log10 < 15:
            number = 10 ** (log10 - power)
            return f"{number:.0f} {scale}" if number >= 100 else f"{number:.3g} {scale}"
    return power_of_ten(round(log10))


def power_of_ten(exponent: int) -> str:
    """10²⁷, for 27."""
    return f"10{str(exponent).translate(_SUPERSCRIPTS)}"


def ambiguity_totals(combinations: Combinations, covered: Mapping[str, Coverage]) -> AmbiguityTotals:
    """Return the totals of records whose quasi-identifiers are counted, suppressed ones included.

    `covered` tells for each quasi-identifier how much of its domain each value covers.
    """
    counts = combinations.counts
    logs, products, shares = np.zeros(len(counts)), np.ones(len(counts)), np.ones(len(counts))
    countable = _log10_domain(covered) < _SAFE_LOG10
    for column, codes in zip(combinations.columns, combinations.codes, strict=True):
        column_coverage = covered[column.name]
        products = products * column_coverage.covered[codes] if countable else products
        shares = shares * (column_coverage.covered[codes] / column_coverage.size)
        logs += np.log10(column_coverage.covered)[codes]
    peak = 0.0 if countable else float(logs.max(initial=0.0))
    scaled = products if countable else 10.0 ** (logs - peak)
    return AmbiguityTotals(math.fsum(scaled * counts), peak, math.fsum(shares * counts), logs, counts)


def _log10_domain(covered: Mapping[str, Coverage]) -> float:
    return sum(math.log10(column_coverage.size) for column_coverage in covered.values())


def ambiguity(
    totals: AmbiguityTotals, cells: Mapping[str, Integers], covered: Mapping[str, Coverage], deleted: int = 0
) -> Ambiguity:
    """Ambiguity, :math:`1 - (S - N) / (N P - N)`: 0 to 1, higher is better.

    S is the sum, over the N records, of the combinations of values that each could represent; P is the product
    of the domain sizes. It is 1 if P is 1.

    The score, and the mean number of combinations. `totals`: sums over all records; at least one record.
    Source: J. Goldberger, T. Tassa, "Efficient Anonymizations with Enhanced Utility", ICDMW 2009, doi
    10.1109/ICDMW.2009.15; M. E. Nergiz, C. Clifton, "Thoughts on k-anonymization", DKE 63(3), 2007, doi
    10.1016/j.datak.2007.03.009; normalized as in ARX.
    """
    log_domain = _log10_domain(covered)
    records = totals.records + deleted
    logs, counts = totals.log10_combinations, totals.counts
    if deleted:
        logs, counts = np.append(logs, log_domain), np.append(counts, deleted)
    if log_domain < _SAFE_LOG10:
        domain = math.prod(column_coverage.size for column_coverage in covered.values())
        mean = (totals.scaled + deleted * float(domain)) / records
        score = 1.0 if domain == 1 else 1 - (mean - 1) / (domain - 1)
        log_mean = math.log10(mean)
    else:
        mean_share = (totals.shares + deleted) / records
        smallest = 10.0**-log_domain
        score = 1 - (mean_share - smallest) / (1 - smallest)
        peak = log_domain if deleted else totals.peak
        log_mean = peak + math.log10((totals.scaled * 10.0 ** (totals.peak - peak) + deleted) / records)
        mean = 10.0**log_mean if log_mean < 308 else math.inf
    return Ambiguity(
        value=min(max(score, 0.0), 1.0),
        mean_combinations=mean,
        log10_mean_combinations=log_mean,
        figures={name: _alone(covered[name], value_records, deleted, records) for name, value_records in cells.items()},
        domains={name: column_coverage.size for name, column_coverage in covered.items()},
        rules={name: column_coverage.rule for name, column_coverage in covered.items()},
        deleted=deleted,
        log10_combinations=logs,
        records=counts,
    )


def _alone(column_coverage: Coverage, value_records: Integers, deleted: int, records: int) -> float:
    """The score of one column alone."""
    if column_coverage.size == 1:
        return 1.0
    mean = (math.fsum(column_coverage.covered * value_records) + deleted * column_coverage.size) / records
    return min(max(1 - (mean - 1) / (column_coverage.size - 1), 0.0), 1.0)


def _examine(aggregates: Aggregates, parameters: Parameters) -> AmbiguityTotals:
    if not aggregates.anonymized.rows:
        raise Unavailable(text("unavailable.no_records"))
    combinations = aggregates.relation.count(aggregates.roles.quasi_identifiers)
    return ambiguity_totals(combinations, coverages(aggregates))


def _compute(aggregates: Aggregates, parameters: Parameters) -> Ambiguity:
    totals = aggregates.examined(_examine, parameters)
    cells = {name: _every_cell(aggregates.whole, name) for name in aggregates.roles.quasi_identifiers}
    result = ambiguity(totals, cells, coverages(aggregates), aggregates.comparison.deleted)
    return replace(result, not_generalized=aggregates.perturbed.not_generalized)


def _every_cell(aggregates: Aggregates, name: str) -> Integers:
    """The records that hold each value, suppressed ones included."""
    in_classes, suppressed = aggregates.distribution(name), aggregates.class_sizes.suppressed
    records = in_classes.totals.copy()
    if suppressed:
        records[in_classes.column.code_of[SUPPRESSED]] += suppressed
    return records


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.utility.ambiguity.chart import combination_distribution

    return combination_distribution(result)


AMBIGUITY = Metric(
    id="ambiguity",
    family=Family.UTILITY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    formula=r"1 - \frac{\sum_r \prod_q |c_q(r)| - N}{N \prod_q |D_q| - N}",
    reference="J. Goldberger and T. Tassa, Efficient Anonymizations with Enhanced Utility, ICDMW 2009, doi "
    "10.1109/ICDMW.2009.15; M. E. Nergiz and C. Clifton, Thoughts on k-anonymization, DKE 63(3), 2007, doi "
    "10.1016/j.datak.2007.03.009",
    known_quantity=KnownQuantity(
        id="ambiguity.known_quantity", minimum=1, write=lambda result: format_power(result.log10_mean_combinations)
    ),
    compute=_compute,
    examine=_examine,
    loss_basis=Basis.GENERALIZED,
    charts=(MetricChart(_chart),),
    working=working.WORKING,
)
