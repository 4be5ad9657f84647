"""SafePub: the δ that a table's classes would prove at an ε, had it been made by sampling and fixed levels."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters, SafePubParameters
from metrics.counting.classes import equivalence_classes
from metrics.counting.counts import EngineTable, MemoryRelation
from metrics.counting.partitions import class_sizes_by_partition
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, MetricChart, Result
from metrics.privacy.safepub.bound import delta_of, k_for, largest_sampling
from metrics.tables.randomization import Sampling
from metrics.tables.table import Table
from metrics.texts import text

_DEVIATIONS = 6
"""Standard deviations above its mean that the size of a sample may be."""


@dataclass(frozen=True)
class SafePub(Result):
    """`value` is a condition, unless the table is known to be `sampled`: nobody can see of one how it was made."""

    k: int
    """Records of the smallest class over all columns that hold a value."""
    parameters: SafePubParameters
    sampled: Sampling | None = None

    @property
    def beta(self) -> float:
        """The probability of keeping a record."""
        return self.parameters.beta or largest_sampling(self.parameters.epsilon)

    @property
    def value(self) -> float:
        """The δ that k supports at ε."""
        return delta_of(self.k, self.parameters.epsilon, self.parameters.beta)

    @property
    def k_needed(self) -> int | None:
        """The k that the wanted δ needs; None where more records are kept than ε allows."""
        chosen = self.parameters
        return k_for(chosen.epsilon, chosen.delta, chosen.beta, as_arx=chosen.as_arx)

    def details(self) -> dict[str, Any]:
        """The smallest class, the one needed, and the sampling."""
        return {
            "k": self.k,
            "k_needed": self.k_needed,
            "beta": self.beta,
            "epsilon": self.parameters.epsilon,
            "delta": self.parameters.delta,
            "sampled": None if self.sampled is None else asdict(self.sampled),
        }

    def summary(self) -> str:
        """What the table proves by how it was made, or else the condition on which it would, and the k needed."""
        epsilon, needed = self.parameters.epsilon, self.k_needed
        if self.sampled is not None:
            own, beta = self.sampled, round(self.sampled.beta, 2)
            factor = math.exp(own.epsilon)
            made = text("safepub.made", epsilon=own.epsilon, delta=own.delta, beta=beta, k=own.k, factor=factor)
            at = text("safepub.at", epsilon=epsilon, value=_rounded_up(self.value))
            return made if epsilon == own.epsilon else f"{made} {at}"
        if needed is None:
            return text("safepub.nothing", beta=self.beta, epsilon=epsilon, most=largest_sampling(epsilon))
        beta, value = round(self.beta, 2), _rounded_up(self.value)
        condition = text("safepub.condition", beta=beta, k=self.k, epsilon=epsilon, value=value)
        if self.k == 1:
            condition = text("safepub.alone", beta=beta, epsilon=epsilon, value=value)
        return f"{condition} {text('safepub.needed', k=needed, delta=self.parameters.delta)}"


def _rounded_up(delta: float) -> float:
    """A δ in two digits that is not below it."""
    if not delta:
        return delta
    digits = 1 - math.floor(math.log10(delta))
    rounded = round(delta, digits)
    return rounded if rounded >= delta else round(rounded + 10.0**-digits, digits)


def smallest_class(aggregates: Aggregates) -> int:
    """Records of the smallest class over all columns that hold a value. Raises Unavailable without a class."""
    whole = aggregates.whole
    table = whole.anonymized
    if not table.rows:
        raise Unavailable(text("unavailable.no_records"))
    # Further columns only divide classes, and a column has a value of its own in some record if most are different.
    if whole.class_sizes.count and whole.class_sizes.smallest == 1:
        return 1
    names = [name for name in table.names if table.shows(name)]
    if not names:
        raise Unavailable(text("unavailable.all_suppressed"))
    if any(table.distinct_above(name, table.rows // 2 + 1) for name in names):
        return 1
    if isinstance(table, Table):
        return equivalence_classes(MemoryRelation(table), names).by_size.smallest
    return class_sizes_by_partition(cast(EngineTable, table), names, whole.max_classes).smallest


def _compute(aggregates: Aggregates, parameters: Parameters) -> SafePub:
    if not parameters.safepub.epsilon:
        raise Unavailable(text("safepub.unavailable.no_epsilon"))
    k, sampled = aggregates.whole.memoize(smallest_class), getattr(aggregates.whole.anonymized, "sampled", None)
    if sampled is None:
        return SafePub(k, parameters.safepub)
    _check_sampled(aggregates.whole, k, sampled)
    return SafePub(k, replace(parameters.safepub, beta=sampled.beta), sampled)


def _require_one_record_each(whole: Aggregates) -> None:
    """Raise Unavailable where a person has several records, by the table or the original: ε and δ would grow."""
    person = whole.roles.person
    for table in (whole.anonymized, whole.original):
        if person is None or table is None or person not in table or not table.shows(person):
            continue
        if table.rows and not table.distinct_above(person, table.rows - 1):
            raise Unavailable(text("safepub.unavailable.several_records", column=person))


def _check_sampled(whole: Aggregates, k: int, sampled: Sampling) -> None:
    """Raise Unavailable for a table that SafePub cannot have made so: of smaller classes, or of too many records."""
    _require_one_record_each(whole)
    if k < sampled.k:
        raise Unavailable(text("safepub.unavailable.classes", k=k, least=sampled.k))
    if whole.original is not None:
        records, mean = whole.original.rows, whole.original.rows * sampled.beta
        most = math.ceil(mean + _DEVIATIONS * math.sqrt(mean * (1 - sampled.beta)))
        if whole.anonymized.rows > most:
            raise Unavailable(
                text("safepub.unavailable.records", records=whole.anonymized.rows, original=records, most=most)
            )


def _chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.privacy.safepub.chart import delta_curves

    return delta_curves(result)


SAFEPUB = Metric(
    id="safepub",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\max_{m \ge 1} P\left[\mathrm{Bin}(m, \beta) \ge \max(k, \lfloor \gamma m \rfloor + 1)\right]",
    reference="R. Bild, K. A. Kuhn and F. Prasser, SafePub: A Truthful Data Anonymization Algorithm With Strong "
    "Privacy Guarantees, PoPETs 2018(1), doi 10.1515/popets-2018-0004; N. Li, W. Qardaji and D. Su, On sampling, "
    "anonymization, and differential privacy, ASIACCS 2012, doi 10.1145/2414456.2414474",
    compute=_compute,
    settings=("safepub",),
    charts=(MetricChart(_chart),),
)
