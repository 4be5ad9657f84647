"""Ambiguity: how many original records each anonymized record could stand for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metrics.counts import Combinations
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.specification import ByClass, Direction, Family, Metric, Sums, Unavailable
from metrics.table import SUPPRESSED, Floats, Integers
from metrics.utility.domain import Coverage, coverage

_SAFE_LOG10 = 290.0
_MOST_NUMBERS = 2**16
"""Different numbers of combinations that are told apart where classes are looked at in parts: bounds the memory."""


@dataclass(frozen=True, eq=False)
class AmbiguityTotals:
    """What the combinations that records could stand for come to."""

    scaled: float
    """Their sum over records, divided by 10**peak."""
    peak: float
    """0 unless the domain is beyond what doubles hold."""
    shares: float
    """Sum over records of the share that they are of all possible ones."""
    log10_combinations: Floats
    """log10 of the combinations each distinct record stands for."""
    counts: Integers
    """How many records these are."""

    @cached_property
    def records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())

    def merged(self, other: AmbiguityTotals) -> AmbiguityTotals:
        """What both parts of the records come to; logarithms are rounded then, and equal ones taken together."""
        peak = max(self.peak, other.peak)
        logs = np.concatenate([self.log10_combinations, other.log10_combinations])
        counts = np.concatenate([self.counts, other.counts])
        for decimals in range(9, -1, -1):
            distinct, place = np.unique(np.round(logs, decimals), return_inverse=True)
            if len(distinct) <= _MOST_NUMBERS:
                break
        records = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(records, place, counts)
        scaled = math.fsum(of.scaled * 10.0 ** (of.peak - peak) for of in (self, other))
        return AmbiguityTotals(scaled, peak, self.shares + other.shares, distinct, records)


@dataclass(frozen=True, eq=False)
class Ambiguity:
    """`value` is the score: 1 if every record stands for itself alone, 0 if for every possible record."""

    value: float
    mean_combinations: float
    """Mean over records of the combinations each stands for, 1 upwards; infinite beyond 1e308."""
    log10_mean_combinations: float
    attributes: Mapping[str, float | None]
    domains: Mapping[str, int]
    rules: Mapping[str, str]
    deleted: int
    log10_combinations: Floats
    """log10 of the combinations each distinct anonymized record stands for, the deleted ones' last; 0 upwards.

    Where classes were looked at in parts, each number of combinations once, rounded.
    """
    records: Integers
    """How many records these are; they add up to all records, deleted ones included."""

    @property
    def log10_median(self) -> float:
        """log10 of the combinations that at least half of the records do not exceed."""
        order = np.argsort(self.log10_combinations)
        reached = np.cumsum(self.records[order])
        return float(self.log10_combinations[order[np.searchsorted(reached, reached[-1] / 2)]])

    @property
    def log10_largest(self) -> float:
        """log10 of the combinations that a wholly suppressed record stands for: the product of the domains."""
        return math.fsum(math.log10(size) for size in self.domains.values())

    def details(self) -> dict[str, Any]:
        """The definition's own figure, and the domains it rests on."""
        return {
            "mean_combinations": self.mean_combinations,
            "log10_mean_combinations": self.log10_mean_combinations,
            "domain_sizes": dict(self.domains),
            "domain_rules": dict(self.rules),
            "deleted_records": self.deleted,
        }

    def in_words(self) -> str:
        """The finding."""
        mean = combinations_in_words(self.log10_mean_combinations)
        return f"A record could stand for {mean} on average."


_SCALES = ((12, "trillion"), (9, "billion"), (6, "million"))
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def combinations_in_words(log10: float) -> str:
    """A number of combinations for reading, given by its logarithm."""
    return f"{number_in_words(log10)} {'combination' if round(log10, 12) == 0 else 'combinations'} of original values"


def number_in_words(log10: float) -> str:
    """A number, given by its logarithm, for reading: 1, 12.5, 1,880, 35.1 million, 10²⁷."""
    if log10 < 6:
        number = 10**log10
        return f"{number:,.4g}" if number < 1000 else f"{number:,.0f}"
    for power, scale in _SCALES:
        if power <= log10 < 15:
            number = 10 ** (log10 - power)
            return f"{number:.0f} {scale}" if number >= 100 else f"{number:.3g} {scale}"
    return power_of_ten(round(log10))


def power_of_ten(exponent: int) -> str:
    """10²⁷, for 27."""
    return f"10{str(exponent).translate(_SUPERSCRIPTS)}"


def ambiguity_totals(combinations: Combinations, covered: Mapping[str, Coverage]) -> AmbiguityTotals:
    """What records come to whose quasi-identifiers are counted, suppressed ones included.

    `covered` tells for each quasi-identifier how much of its domain each value covers.
    """
    counts = combinations.counts
    logs, products, shares = np.zeros(len(counts)), np.ones(len(counts)), np.ones(len(counts))
    countable = _log10_domain(covered) < _SAFE_LOG10
    for column, codes in zip(combinations.columns, combinations.codes, strict=True):
        of = covered[column.name]
        products = products * of.covered[codes] if countable else products
        shares = shares * (of.covered[codes] / of.size)
        logs += np.log10(of.covered)[codes]
    peak = 0.0 if countable else float(logs.max(initial=0.0))
    each = products if countable else 10.0 ** (logs - peak)
    return AmbiguityTotals(math.fsum(each * counts), peak, math.fsum(shares * counts), logs, counts)


def _log10_domain(covered: Mapping[str, Coverage]) -> float:
    return sum(math.log10(of.size) for of in covered.values())


def ambiguity(
    totals: AmbiguityTotals, cells: Mapping[str, Integers], covered: Mapping[str, Coverage], deleted: int = 0
) -> Ambiguity:
    """How many combinations of original values a record could stand for, on average and as a score.

    `totals` are of all records, `cells` counts for each quasi-identifier those that hold each value, suppressed ones
    included. `deleted` records count as suppressed. Score = 1 - (S - N)/(N P - N), S the sum of combinations over the N
    records, P the product of the domain sizes: 0 to 1, higher is better; 1 where P is 1. Takes at least one record.

    Source: J. Goldberger, T. Tassa, ICDMW 2009, doi 10.1109/ICDMW.2009.15; M. Nergiz, C. Clifton, DKE 63(3), 2007,
    doi 10.1016/j.datak.2007.03.009; normalized as ARX does.
    """
    log_domain = _log10_domain(covered)
    records = totals.records + deleted
    logs, counts = totals.log10_combinations, totals.counts
    if deleted:
        logs, counts = np.append(logs, log_domain), np.append(counts, deleted)
    if log_domain < _SAFE_LOG10:
        domain = math.prod(of.size for of in covered.values())
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
        attributes={name: _alone(covered[name], held, deleted, records) for name, held in cells.items()},
        domains={name: of.size for name, of in covered.items()},
        rules={name: of.rule for name, of in covered.items()},
        deleted=deleted,
        log10_combinations=logs,
        records=counts,
    )


def _alone(of: Coverage, held: Integers, deleted: int, records: int) -> float:
    """The score of one column alone."""
    if of.size == 1:
        return 1.0
    mean = (math.fsum(of.covered * held) + deleted * of.size) / records
    return min(max(1 - (mean - 1) / (of.size - 1), 0.0), 1.0)


def coverages(evidence: Evidence) -> dict[str, Coverage]:
    """Coverage of every quasi-identifier; raises Unavailable where a domain is unknown."""
    whole = evidence.whole
    return whole.once("coverages", lambda: {name: _coverage(whole, name) for name in whole.roles.quasi_identifiers})


def _coverage(evidence: Evidence, name: str) -> Coverage:
    hierarchy = evidence.hierarchies.get(name)
    pair = evidence.pair(name) if hierarchy is None and evidence.original is not None else None
    return coverage(evidence.anonymized[name], hierarchy, pair)


def _judge(evidence: Evidence, parameters: Parameters) -> Sums[AmbiguityTotals]:
    if not evidence.anonymized.rows:
        raise Unavailable("the table has no records")
    combinations = evidence.relation.count(evidence.roles.quasi_identifiers)
    return Sums(ambiguity_totals(combinations, coverages(evidence)))


def _conclude(found: Sums[AmbiguityTotals], evidence: Evidence, parameters: Parameters) -> Ambiguity:
    cells = {name: _every_cell(evidence, name) for name in evidence.roles.quasi_identifiers}
    return ambiguity(found.totals, cells, coverages(evidence), evidence.deleted)


def _every_cell(evidence: Evidence, name: str) -> Integers:
    """The records that hold each value, suppressed ones included."""
    in_classes, suppressed = evidence.distribution(name), evidence.class_sizes.suppressed
    held = in_classes.totals.copy()
    if suppressed:
        held[in_classes.column.code_of[SUPPRESSED]] += suppressed
    return held


_BY_CLASS = ByClass(_judge, _conclude)
AMBIGUITY = Metric(
    id="ambiguity",
    title="Ambiguity",
    family=Family.UTILITY,
    unit="score",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="How few original records an anonymized record could stand for: 1 if only itself, 0 if any.",
    good="Near 1; the mean number of combinations behind it grows by orders of magnitude with every column.",
    formula=r"1 - \frac{\sum_r \prod_q |c_q(r)| - N}{N \prod_q |D_q| - N}",
    reference="J. Goldberger and T. Tassa, Efficient Anonymizations with Enhanced Utility, ICDMW 2009; "
    "M. E. Nergiz and C. Clifton, Thoughts on k-anonymization, DKE 63(3), 2007",
    doi="10.1109/ICDMW.2009.15",
    compute=_BY_CLASS.compute,
    by_class=_BY_CLASS,
)
