"""Ambiguity: how many original records each anonymized record could stand for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.counts import Combinations
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric, Unavailable
from metrics.table import Floats, Integers
from metrics.utility.domain import Coverage, coverage

_SAFE_LOG10 = 290.0


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
    """log10 of the combinations each distinct anonymized record stands for, the deleted ones' last; 0 upwards."""
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


def ambiguity(combinations: Combinations, covered: Mapping[str, Coverage], deleted: int = 0) -> Ambiguity:
    """How many combinations of original values a record could stand for, on average and as a score.

    `combinations` counts the anonymized quasi-identifiers, suppressed records included; `covered` tells for each of
    them how much of its domain each value covers. `deleted` records count as suppressed. Score = 1 - (S - N)/(N P - N),
    S the sum of combinations over the N records, P the product of the domain sizes: 0 to 1, higher is better; 1 where
    P is 1. Takes at least one record.

    Source: J. Goldberger, T. Tassa, ICDMW 2009, doi 10.1109/ICDMW.2009.15; M. Nergiz, C. Clifton, DKE 63(3), 2007,
    doi 10.1016/j.datak.2007.03.009; normalized as ARX does.
    """
    logs = np.zeros(len(combinations.counts) + bool(deleted))
    products = np.ones(len(combinations.counts))
    shares = np.ones(len(combinations.counts))
    log_domain = 0.0
    for column, codes in zip(combinations.columns, combinations.codes, strict=True):
        of = covered[column.name]
        log_domain += math.log10(of.size)
        safe = log_domain < _SAFE_LOG10
        products = products * of.covered[codes] if safe else products
        shares = shares * (of.covered[codes] / of.size)
        logs[: len(codes)] += np.log10(of.covered)[codes]
    counts = combinations.counts
    if deleted:
        logs[-1] = log_domain
        counts = np.append(counts, deleted)
    records = int(combinations.counts.sum()) + deleted
    if log_domain < _SAFE_LOG10:
        domain = math.prod(of.size for of in covered.values())
        mean = (math.fsum(products * combinations.counts) + deleted * float(domain)) / records
        score = 1.0 if domain == 1 else 1 - (mean - 1) / (domain - 1)
        log_mean = math.log10(mean)
    else:
        mean_share = (math.fsum(shares * combinations.counts) + deleted) / records
        smallest = 10.0**-log_domain
        score = 1 - (mean_share - smallest) / (1 - smallest)
        log_mean = _log10_mean(logs, counts)
        mean = 10.0**log_mean if log_mean < 308 else math.inf
    attributes: dict[str, float | None] = {
        column.name: _alone(covered[column.name], codes, combinations, deleted, records)
        for column, codes in zip(combinations.columns, combinations.codes, strict=True)
    }
    return Ambiguity(
        value=min(max(score, 0.0), 1.0),
        mean_combinations=mean,
        log10_mean_combinations=log_mean,
        attributes=attributes,
        domains={name: of.size for name, of in covered.items()},
        rules={name: of.rule for name, of in covered.items()},
        deleted=deleted,
        log10_combinations=logs,
        records=counts,
    )


def _log10_mean(logs: Floats, counts: Integers) -> float:
    """log10 of a mean whose parts may be beyond what a double holds."""
    largest = float(logs.max())
    return largest + math.log10(math.fsum(10.0 ** (logs - largest) * counts) / int(counts.sum()))


def _alone(of: Coverage, codes: Any, combinations: Combinations, deleted: int, records: int) -> float:
    """The score of one column alone."""
    if of.size == 1:
        return 1.0
    per_value = np.bincount(codes, weights=combinations.counts, minlength=len(of.covered))
    mean = (math.fsum(of.covered * per_value) + deleted * of.size) / records
    return min(max(1 - (mean - 1) / (of.size - 1), 0.0), 1.0)


def coverages(evidence: Evidence) -> dict[str, Coverage]:
    """Coverage of every quasi-identifier; raises Unavailable where a domain is unknown."""
    return evidence.once(
        "coverages", lambda: {name: _coverage(evidence, name) for name in evidence.roles.quasi_identifiers}
    )


def _coverage(evidence: Evidence, name: str) -> Coverage:
    hierarchy = evidence.hierarchies.get(name)
    pair = evidence.pair(name) if hierarchy is None and evidence.original is not None else None
    return coverage(evidence.anonymized[name], hierarchy, pair)


def _compute(evidence: Evidence, parameters: Parameters) -> Ambiguity:
    if not evidence.anonymized.rows:
        raise Unavailable("the table has no records")
    combinations = evidence.relation.count(evidence.roles.quasi_identifiers)
    return ambiguity(combinations, coverages(evidence), evidence.deleted)


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
    compute=_compute,
)
