"""Kullback-Leibler divergence: how far the quasi-identifiers' joint distribution has moved."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.counting.classes import EquivalenceClasses, equivalence_classes
from metrics.counting.counts import Combinations, EngineTable
from metrics.counting.marginal_counts import CountedRelation
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, Result, merged
from metrics.tables.table import Floats, Integers, Table
from metrics.texts import text
from metrics.utility.cells.numbered_domain import NumberedDomain, has_new_values, numbered_domain_of
from metrics.utility.kl_divergence import working
from metrics.utility.kl_divergence.joint import Joint, nothing_expected, with_classes, with_suppressed

MAX_PIECES = 128
"""Parts of the classes that are counted, for all parts of the original: more would take minutes."""


@dataclass(frozen=True, eq=False)
class KLDivergence(Result):
    """`value` is the divergence in nats: 0 where the anonymized table shows the distribution as it was."""

    value: float
    largest: float
    """Divergence if every record were suppressed, in nats."""
    by_column: Mapping[str, float | None]
    domains: Mapping[str, int]
    rules: Mapping[str, str]
    suppressed: int
    """Records that are suppressed or deleted: they are spread over the whole domain."""
    new_values: tuple[str, ...] = ()
    """Columns with values that the original does not contain."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The divergence of each column alone; None where it is infinite."""
        return self.by_column

    @property
    def normalized(self) -> float:
        """1 less the share of the largest divergence: 1 where nothing is lost, 0 where all is."""
        return 1.0 if self.largest <= 0 else min(max(1 - self.value / self.largest, 0.0), 1.0)

    def details(self) -> dict[str, Any]:
        """The divergence in bits and as a score, and the domains it rests on."""
        return {
            "bits": self.value / math.log(2),
            "largest": self.largest,
            "normalized": self.normalized,
            "domain_sizes": dict(self.domains),
            "domain_rules": dict(self.rules),
            "spread_over_the_whole_domain": self.suppressed,
        }

    def summary(self) -> str:
        if self.value <= 1e-12:
            if self.new_values:
                return text("kl_divergence.recoverable", columns=self.new_values, number=len(self.new_values))
            return text("kl_divergence.unchanged")
        if self.value > self.largest:
            return text("kl_divergence.misleading", value=self.value, largest=self.largest)
        return text("kl_divergence.distorted", value=self.value, largest=self.largest)


def divergence(counts: Floats | Integers, log_expected: Floats) -> float:
    """Sum of p ln(p / expected p) over what occurs, both given in records: nats; infinite where one has no chance."""
    present = counts > 0
    records = counts[present].astype(np.float64)
    return float(((records / records.sum()) * (np.log(records) - log_expected[present])).sum())


@dataclass(frozen=True)
class DivergenceTotals:
    """Totals of combinations, from the records in the original and the records expected."""

    records: int
    apart: float
    """Sum over records of the logarithm of the ratio of records to expected records, where some are expected."""
    own: float
    """Sum over records of the logarithm of their combination's records."""
    unexpected: int
    """Records whose combination is not expected at all."""


def divergence_totals(both: Joint) -> DivergenceTotals:
    """Return the totals of these combinations."""
    logs = np.log(both.counts.astype(np.float64))
    has_expected = ~np.isneginf(both.log_expected)
    divergence = float((both.counts[has_expected] * (logs[has_expected] - both.log_expected[has_expected])).sum())
    return DivergenceTotals(
        int(both.counts.sum()), divergence, float((both.counts * logs).sum()), int(both.counts[~has_expected].sum())
    )


def kl_divergence(
    totals: DivergenceTotals, domains: Mapping[str, NumberedDomain], pairs: Mapping[str, Combinations], suppressed: int
) -> KLDivergence:
    r"""KL divergence of the quasi-identifiers' joint distribution, in nats: 0 upwards, lower is better.

    .. math::

        \sum_x p(x) \ln \frac{p(x)}{\hat p(x)}

    The distribution of the anonymized table domains every class evenly over the combinations of domain values that it
    covers, and suppressed records over all combinations.

    The divergence, and that of every column alone. `totals`: sums over all combinations of the original; at least one
    record. `pairs`: counts of (original, anonymized) values by quasi-identifier; deleted records count as suppressed.
    Raises Unavailable if no class covers some original combination, so that the divergence is infinite.
    Source: A. Machanavajjhala et al., "l-Diversity: Privacy beyond k-anonymity", ACM TKDD 1(1), 2007, doi
    10.1145/1217299.1217302, which compares anonymizations in this way.
    """
    if totals.unexpected:
        raise Unavailable(text("kl_divergence.unavailable.infinite", records=totals.unexpected))
    all_suppressed = math.log(totals.records) - math.fsum(math.log(domain.coverage.size) for domain in domains.values())
    return KLDivergence(
        value=max(totals.apart / totals.records, 0.0),
        largest=max(totals.own / totals.records - all_suppressed, 0.0),
        by_column={name: _alone(domain, pairs[name]) for name, domain in domains.items()},
        domains={name: domain.coverage.size for name, domain in domains.items()},
        rules={name: domain.coverage.rule for name, domain in domains.items()},
        suppressed=suppressed,
        new_values=tuple(name for name in domains if has_new_values(pairs[name])),
    )


def _alone(domain: NumberedDomain, pair: Combinations) -> float | None:
    """The divergence of one column alone; None where it is infinite."""
    before, after = (
        np.bincount(codes, weights=pair.counts, minlength=column.distinct)
        for column, codes in zip(pair.columns, pair.codes, strict=True)
    )
    expected = domain.after(after)
    logs = np.full(len(expected), -math.inf)
    np.log(expected, out=logs, where=expected > 0)
    value = divergence(domain.before(before), logs)
    return max(value, 0.0) if math.isfinite(value) else None


Pieces = Iterator[tuple[Combinations, Iterable[EquivalenceClasses]]]
"""Combinations of the original, and all classes that cover any of them."""


def _pieces(aggregates: Aggregates, domains: Mapping[str, NumberedDomain]) -> Pieces:
    """All combinations of the original: at once in memory, some at a time in an engine that has many."""
    names, table = aggregates.roles.quasi_identifiers, aggregates.original
    if table is None or isinstance(table, Table):
        yield aggregates.comparison.original_combinations, [aggregates.classes]
        return
    with cast(EngineTable, table).partitions(names, (), aggregates.max_classes) as partitions:
        for original in partitions:
            yield original, _covering(aggregates, original, domains, len(partitions))


def _covering(
    aggregates: Aggregates, original: Combinations, domains: Mapping[str, NumberedDomain], pieces: int
) -> Iterator[EquivalenceClasses]:
    """The classes that may cover one of these combinations, some at a time where there are too many to hold."""
    if not aggregates.is_partitioned:
        yield aggregates.classes
        return
    codes_by_column: dict[str, Integers] = {}
    for (name, domain), codes in zip(domains.items(), original.codes, strict=True):
        elements = np.unique(domain.element[np.unique(codes)])
        covering_codes = np.unique(
            np.concatenate([np.empty(0, dtype=np.int64), *(group[elements] for group in domain.groups)])
        )
        codes_by_column[name] = covering_codes[covering_codes >= 0]
    if any(not len(codes) for codes in codes_by_column.values()):
        return
    table = cast(EngineTable, aggregates.anonymized)
    narrower = {name: codes for name, codes in codes_by_column.items() if len(codes) < table[name].distinct}
    with (table.with_values(narrower) if narrower else table).partitions(
        tuple(domains), (), aggregates.max_classes
    ) as partitions:
        if len(partitions) * pieces > MAX_PIECES:
            raise Unavailable(text("kl_divergence.unavailable.too_many_pieces"))
        for partition in partitions:
            yield equivalence_classes(CountedRelation(partition), tuple(domains))


def _compute(aggregates: Aggregates, parameters: Parameters) -> KLDivergence:
    names = aggregates.roles.quasi_identifiers
    pairs = {name: aggregates.comparison.pair(name) for name in names}
    if not aggregates.anonymized.rows + aggregates.comparison.deleted:
        raise Unavailable(text("unavailable.no_records"))
    domains = {name: numbered_domain_of(aggregates, name) for name in names}
    suppressed, in_order = aggregates.class_sizes.suppressed + aggregates.comparison.deleted, list(domains.values())
    totals = DivergenceTotals(0, 0.0, 0.0, 0)
    for original, batches in _pieces(aggregates, domains):
        joint = nothing_expected(original, in_order)
        for classes in batches:
            joint = with_classes(joint, classes, in_order)
        totals = merged(totals, divergence_totals(with_suppressed(joint, in_order, suppressed)))
    return kl_divergence(totals, domains, pairs, suppressed)


KL_DIVERGENCE = Metric(
    id="kl_divergence",
    family=Family.UTILITY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"\sum_x p(x) \ln \frac{p(x)}{\hat p(x)},\quad"
    r" \hat p(x) = \sum_{E \ni x} \frac{|E|}{N} \prod_q \frac{1}{|c_q(E)|}",
    reference="A. Machanavajjhala et al., l-Diversity: Privacy beyond k-anonymity, ACM TKDD 1(1), 2007, doi "
    "10.1145/1217299.1217302",
    compute=_compute,
    working=working.WORKING,
)
