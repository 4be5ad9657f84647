"""l-diversity: how varied the sensitive values are within each equivalence class, in four readings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import is_sampled, shown_by_sample, tells
from metrics.config.parameters import Parameters
from metrics.counting.histograms import Histogram
from metrics.metric import (
    ClassMeasure,
    Direction,
    Enforcement,
    Family,
    Finding,
    FindingKind,
    Metric,
    PerClass,
    Result,
    Severity,
)
from metrics.privacy.classes.worst_class import MeasuredClasses, kept_records, measure_sensitive
from metrics.privacy.l_diversity import working
from metrics.tables.table import Flags, Floats
from metrics.texts import text

_REFERENCE = (
    "A. Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, ACM TKDD 1(1), 2007, doi "
    "10.1145/1217299.1217302"
)


@dataclass(frozen=True, eq=False)
class Diversity(Result):
    """Diversity of every class; `value` is the worst class's, over all attributes."""

    value: float | None
    by_attribute: Mapping[str, float | None]
    measured: MeasuredClasses
    sentence: str
    extra: Mapping[str, Any]
    worst_measure: float | None = None
    """The figure at which a class fails by itself: 1 distinct value, an infinite c; None where none does."""
    failure: str = ""
    """Why such a class fails, in words."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The diversity by each attribute alone."""
        return self.by_attribute

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """One figure per class for each attribute."""
        return self.measured.per_class

    def class_measures(self, index: int) -> list[ClassMeasure]:
        """The figure of one class for each attribute, and why a class of this figure fails by itself."""
        figures = {name: float(figures[index]) for name, figures in self.per_class.items()}
        return [
            ClassMeasure("", name, figure, self.failure if figure == self.worst_measure else "")
            for name, figure in figures.items()
        ]

    def details(self) -> dict[str, Any]:
        """Parameters of the reading, and whether the other sensitive values are taken as known."""
        return {**self.extra, **self.measured.details()}

    def summary(self) -> str:
        return self.sentence


def shannon_entropy(histogram: Histogram) -> Floats:
    """Entropy of each class's values in bits, 0 to log2 of its distinct values."""
    if not len(histogram.sizes):
        return np.zeros(0)
    share = histogram.count / histogram.size_of_cell
    entropy: Floats = np.add.reduceat(-share * np.log2(share), histogram.starts)
    largest = np.log2(histogram.distinct)
    # The sum is rounded, and a limit set at the largest would be missed by equally frequent values, which reach it.
    equally_frequent = np.maximum.reduceat(histogram.count, histogram.starts) * histogram.distinct == histogram.sizes
    return np.where(equally_frequent, largest, np.clip(entropy, 0.0, largest))


def effective_values(histogram: Histogram) -> Floats:
    """The exponential of the entropy, in nats, of each class: 1 up to its distinct values, exactly so if they are even.

    Never more than the distinct values, so that too few of these rule a class out.
    """
    distinct = histogram.distinct.astype(np.float64)
    entropy = shannon_entropy(histogram)
    return np.where(entropy < np.log2(distinct), np.minimum(np.exp2(entropy), distinct), distinct)


def normalized_entropy(histogram: Histogram) -> Floats:
    """Entropy of each class over the largest its distinct values allow: 0 to 1, 0 where there is one value."""
    distinct = histogram.distinct
    return np.where(distinct > 1, shannon_entropy(histogram) / np.log2(np.maximum(distinct, 2)), 0.0)


def recursive_ratio(histogram: Histogram, l: int) -> Floats:  # noqa: E741 - the definition's own letter
    """For each class r_1 / (r_l + ... + r_m), r the counts in descending order; infinite below l distinct values.

    Recursive (c,l)-diversity holds exactly for every c above it.
    """
    if not len(histogram.sizes):
        return np.zeros(0)
    order = np.lexsort((-histogram.count, histogram.group))
    descending = histogram.count[order]
    position = np.arange(len(descending)) - histogram.starts[histogram.group]
    tail = np.add.reduceat(np.where(position >= l - 1, descending, 0), histogram.starts)
    largest = descending[histogram.starts]
    ratio: Floats = np.divide(largest, tail, out=np.full(len(tail), np.inf), where=tail > 0)
    return ratio


def _number_of_values(histogram: Histogram) -> Floats:
    return histogram.distinct.astype(np.float64)


def single_valued(entropy: Floats) -> Flags:
    """Classes that hold one value of a sensitive attribute, by its entropy there, normalized or not.

    A class of one record is among them. Every figure of single-valued classes counts these, each class once however
    many of its sensitive attributes have one value.
    """
    flags: Flags = entropy == 0
    return flags


def _of_one_value(distinct: Floats) -> Flags:
    return single_valued(np.log2(distinct))


def distinct_l_diversity(measured: MeasuredClasses) -> Diversity:
    """Distinct l-diversity: the fewest distinct sensitive values in a class, 1 upwards, higher is better.

    A class with one value fails.

    l, and whether the worst class fails.
    Source: A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-Diversity: privacy beyond k-anonymity",
    2007, doi 10.1145/1217299.1217302.
    """
    attributes = {name: int(number) for name, number in measured.attributes.items()}
    value = min(attributes.values())
    failing, classes = measured.totals.failing_anywhere, measured.totals.classes
    if not failing:
        sentence = text("distinct_l_diversity.varied", group=measured.group, value=value)
    elif measured.refined:
        sentence = text("distinct_l_diversity.single_refined", failing=failing, classes=classes)
    else:
        sentence = text("distinct_l_diversity.single", failing=failing, classes=classes)
    failure = (
        text("distinct_l_diversity.class_failure_refined")
        if measured.refined
        else text("distinct_l_diversity.class_failure")
    )
    return Diversity(value, attributes, measured, sentence, {}, 1, failure)


def entropy_l_diversity(measured: MeasuredClasses) -> Diversity:
    r"""Entropy l-diversity, :math:`l = \min_{E,S} e^{H}` with the entropy H in nats: 1 upwards, higher is better.

    l, the effective number of values in the least diverse class; not rounded.
    Source: A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-Diversity: privacy beyond k-anonymity",
    2007, doi 10.1145/1217299.1217302.
    """
    value = measured.worst
    sentence = text("entropy_l_diversity.least_diverse", group=measured.group, value=value)
    return Diversity(value, measured.attributes, measured, sentence, {})


def normalized_entropy_l_diversity(measured: MeasuredClasses) -> Diversity:
    """Normalized entropy l-diversity: 0 to 1, higher is better.

    The entropy of a class is divided by the logarithm of its number of distinct values; a class with one value has 0.

    The smallest normalized entropy.
    Source: A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-Diversity: privacy beyond k-anonymity",
    2007, doi 10.1145/1217299.1217302; normalized as in P_29.
    """
    value = measured.worst
    sentence = (
        text("normalized_entropy_l_diversity.least_diverse", group=measured.group, value=value)
        if value
        else text("normalized_entropy_l_diversity.single_value", group=measured.group)
    )
    return Diversity(value, measured.attributes, measured, sentence, {})


def recursive_cl_diversity(measured: MeasuredClasses, l: int = 2) -> Diversity:  # noqa: E741
    r"""Recursive (c,l)-diversity: the smallest c (as an infimum) that satisfies it, above 0, lower is better.

    .. math::

        c = \max_{E,S} \frac{r_1}{\sum_{i \ge l} r_i},\quad r_1 \ge r_2 \ge \dots

    c; its `value` is None if a class has fewer than l distinct values, so that no c satisfies the definition. `l`: the
    l of the definition, at least 2.
    Source: A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-Diversity: privacy beyond k-anonymity",
    2007, doi 10.1145/1217299.1217302.
    """
    attributes = {name: number if np.isfinite(number) else None for name, number in measured.attributes.items()}
    finite = [number for number in attributes.values() if number is not None]
    value = max(finite) if len(finite) == len(attributes) else None
    failing, classes = measured.totals.failing_anywhere, measured.totals.classes
    if value is not None:
        sentence = text("recursive_cl_diversity.satisfied", value=value, l=l)
    elif measured.refined:
        sentence = text("recursive_cl_diversity.undefined_refined", failing=failing, classes=classes, l=l)
    else:
        sentence = text("recursive_cl_diversity.undefined", failing=failing, classes=classes, l=l)
    failure = text("recursive_cl_diversity.class_failure", l=l)
    return Diversity(value, attributes, measured, sentence, {"l": l}, math.inf, failure)


def _finding(result: Diversity, aggregates: Aggregates) -> Finding | None:
    """Records whose class reveals a sensitive value, and for which attributes; None where no value tells anything."""
    kind, totals = FindingKind.ATTRIBUTE_DISCLOSURE, result.measured.totals
    failing, records = totals.failing_anywhere, totals.failing_records
    if not failing:
        return Finding(kind, Severity.STRENGTH, result.summary())
    columns = [name for name, number in totals.failing.items() if number]
    telling = [name for name in columns if tells(aggregates, name)]
    if telling != columns and totals.classes == len(result.per_class[columns[0]]):
        flags = [result.per_class[name] == result.worst_measure for name in telling]
        fails = np.logical_or.reduce(flags, axis=0) if flags else np.zeros(totals.classes, dtype=bool)
        sizes = next(iter(result.measured.histograms.values())).sizes_of_classes
        failing, records, columns = int(fails.sum()), int(sizes[fails].sum()), telling
        if not failing:
            return None
    if is_sampled(aggregates) and not result.measured.refined:
        return Finding(kind, Severity.RISK, shown_by_sample(aggregates, records, failing, columns))
    share, kept = records / aggregates.class_sizes.kept, kept_records(aggregates.class_sizes)
    sentence = (
        text(
            "distinct_l_diversity.weakness_refined",
            share=share,
            kept=kept,
            records=records,
            failing=failing,
            columns=columns,
        )
        if result.measured.refined
        else text(
            "distinct_l_diversity.weakness", share=share, kept=kept, records=records, failing=failing, columns=columns
        )
    )
    return Finding(kind, Severity.RISK, sentence)


_PER_CLASS = PerClass(None, profile=Diversity.class_measures)


_by_values = partial(measure_sensitive, figures_of=_number_of_values, largest=False, fails=_of_one_value)
_by_entropy = partial(measure_sensitive, figures_of=effective_values, largest=False)
_by_normalized_entropy = partial(measure_sensitive, figures_of=normalized_entropy, largest=False)


def _by_ratio(aggregates: Aggregates, parameters: Parameters) -> MeasuredClasses:
    ratio = partial(recursive_ratio, l=parameters.recursive_cl_diversity.l)
    return measure_sensitive(aggregates, parameters, ratio, largest=True, fails=np.isinf)


ENFORCED_ENTROPY = Enforcement(
    name="normalized_l",
    title="normalized entropy l",
    node="normalized_entropy_l_diversity",
    gap=lambda found, limit: text("limits.normalized_l", found=found, limit=limit),
    promise=lambda limit: text("repair.limit.normalized_l", limit=limit) if limit > 0 else "",
    figures=lambda histogram, hierarchies, parameters: normalized_entropy(histogram),
    values=lambda limit: 2 if limit > 0 else 1,
)
DISTINCT_L_DIVERSITY = Metric(
    id="distinct_l_diversity",
    family=Family.PRIVACY,
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    formula=r"l = \min_{E,S} |\{s : n_{E,s} > 0\}|",
    reference=_REFERENCE,
    compute=lambda aggregates, parameters: distinct_l_diversity(aggregates.examined(_by_values, parameters)),
    examine=_by_values,
    settings=("sensitive",),
    enforcement=Enforcement(
        name="l",
        title="l",
        node="distinct_l_diversity",
        gap=lambda found, limit: text("limits.l", found=found, limit=limit),
        promise=lambda limit: text("repair.limit.l", limit=limit) if limit > 1 else "",
        figures=lambda histogram, hierarchies, parameters: _number_of_values(histogram),
        values=math.ceil,
        is_whole=True,
    ),
    working=working.DISTINCT_L_DIVERSITY,
    per_class=_PER_CLASS,
    finding=_finding,
    is_headline=True,
)


ENTROPY_L_DIVERSITY = Metric(
    id="entropy_l_diversity",
    family=Family.PRIVACY,
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    formula=r"l = \min_{E,S} \exp\bigl(-\sum_s p_s \ln p_s\bigr)",
    reference=_REFERENCE,
    compute=lambda aggregates, parameters: entropy_l_diversity(aggregates.examined(_by_entropy, parameters)),
    examine=_by_entropy,
    settings=("sensitive",),
    enforcement=Enforcement(
        name="entropy_l",
        title="entropy l",
        node="entropy_l_diversity",
        gap=lambda found, limit: text("limits.entropy_l", found=found, limit=limit),
        promise=lambda limit: text("repair.limit.entropy_l", limit=limit) if limit > 1 else "",
        figures=lambda histogram, hierarchies, parameters: effective_values(histogram),
        values=math.ceil,
    ),
    working=working.ENTROPY_L_DIVERSITY,
    per_class=_PER_CLASS,
)


RECURSIVE_CL_DIVERSITY = Metric(
    id="recursive_cl_diversity",
    family=Family.PRIVACY,
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    formula=r"c = \max_{E,S} \frac{r_1}{\sum_{i \ge l} r_i},\quad r_1 \ge r_2 \ge \dots",
    reference=_REFERENCE,
    compute=lambda aggregates, parameters: recursive_cl_diversity(
        aggregates.examined(_by_ratio, parameters), parameters.recursive_cl_diversity.l
    ),
    examine=_by_ratio,
    settings=("recursive_cl_diversity", "sensitive"),
    working=working.RECURSIVE_CL_DIVERSITY,
    per_class=_PER_CLASS,
)


NORMALIZED_ENTROPY_L_DIVERSITY = Metric(
    id="normalized_entropy_l_diversity",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    formula=r"l = \min_{E,S} \frac{-\sum_s p_s \log_2 p_s}{\log_2 |\{s : p_s > 0\}|}",
    reference=_REFERENCE + "; normalized as in the P_29 score",
    compute=lambda aggregates, parameters: normalized_entropy_l_diversity(
        aggregates.examined(_by_normalized_entropy, parameters)
    ),
    examine=_by_normalized_entropy,
    settings=("sensitive",),
    enforcement=ENFORCED_ENTROPY,
    working=working.NORMALIZED_ENTROPY_L_DIVERSITY,
    per_class=_PER_CLASS,
)
