"""l-diversity: how varied the sensitive values are within each equivalence class, in four readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.classes import Histogram
from metrics.privacy.judgement import Judgement, judge_sensitive
from metrics.specification import ByClass, Direction, Family, Metric
from metrics.table import Floats
from metrics.wording import counted

_REFERENCE = "A. Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, ACM TKDD 1(1), 2007"
_DOI = "10.1145/1217299.1217302"


@dataclass(frozen=True, eq=False)
class Diversity:
    """Diversity of every class; `value` is the worst class's, over all attributes."""

    value: float | None
    attributes: Mapping[str, float | None]
    judgement: Judgement
    sentence: str
    extra: Mapping[str, Any]

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """One figure per class for each attribute."""
        return self.judgement.per_class

    def details(self) -> dict[str, Any]:
        """What the reading was parametrized with, and whether the other sensitive values are taken as known."""
        return {**self.extra, **self.judgement.details()}

    def in_words(self) -> str:
        """The finding."""
        return self.sentence


def shannon_entropy(histogram: Histogram) -> Floats:
    """Entropy of each class's values in bits, 0 to log2 of its distinct values."""
    if not len(histogram.sizes):
        return np.zeros(0)
    share = histogram.count / histogram.size_of_cell
    entropy: Floats = np.add.reduceat(-share * np.log2(share), histogram.starts)
    return np.clip(entropy, 0.0, np.log2(histogram.distinct))


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


def _constant(numbers: Floats) -> npt.NDArray[np.bool_]:
    constant: npt.NDArray[np.bool_] = numbers == 1
    return constant


def distinct_l_diversity(judged: Judgement) -> Diversity:
    """Fewest distinct sensitive values in a class: 1 upwards, higher is better. Classes of one value fail."""
    attributes = {name: int(number) for name, number in judged.attributes.items()}
    value = min(attributes.values())
    constant = judged.totals.failing
    name = max(constant, key=lambda column: constant[column])
    sentence = (
        f"In {counted(constant[name], 'class', 'classes')} {judged.everybody} has the same {name}: to belong gives it "
        "away."
        if constant[name]
        else f"Every {judged.group} holds at least {value:,} different values of every sensitive attribute."
    )
    return Diversity(value, attributes, judged, sentence, {})


def _effective_values(histogram: Histogram) -> Floats:
    """exp(entropy in nats) of each class: 1 upwards; not rounded."""
    effective: Floats = np.exp2(shannon_entropy(histogram))
    return effective


def entropy_l_diversity(judged: Judgement) -> Diversity:
    """Smallest number of equally frequent values as uncertain as a class: 1 upwards, higher is better."""
    value = judged.worst
    sentence = f"The least varied {judged.group} is as uncertain as {value:.3g} equally frequent values."
    return Diversity(value, judged.attributes, judged, sentence, {})


def normalized_entropy_l_diversity(judged: Judgement) -> Diversity:
    """Smallest normalized entropy of a class: 0 to 1, higher is better."""
    value = judged.worst
    sentence = f"The least varied {judged.group} reaches {value:.1%} of the entropy its values would allow."
    return Diversity(value, judged.attributes, judged, sentence, {})


def recursive_cl_diversity(judged: Judgement, l: int = 2) -> Diversity:  # noqa: E741
    """The smallest c for which recursive (c,l)-diversity holds (as an infimum): above 0, lower is better.

    `value` is None where a class has fewer than l distinct values: no c holds then, and the class fails.
    """
    attributes = {name: number if np.isfinite(number) else None for name, number in judged.attributes.items()}
    known = [number for number in attributes.values() if number is not None]
    value = max(known) if len(known) == len(attributes) else None
    where = f"{'parts of ' if judged.refined else ''}{counted(judged.totals.failing_anywhere, 'class', 'classes')}"
    sentence = (
        f"No c holds for l = {l}: fewer than {l} different values stand in {where}."
        if value is None
        else f"The most frequent value is at most {value:.3g} times as frequent as all from the {l}. on together."
    )
    return Diversity(value, attributes, judged, sentence, {"l": l})


_DISTINCT = ByClass(
    lambda evidence, parameters: judge_sensitive(
        evidence, parameters, _number_of_values, largest=False, fails=_constant
    ),
    lambda judged, evidence, parameters: distinct_l_diversity(judged),
)
_ENTROPY = ByClass(
    lambda evidence, parameters: judge_sensitive(evidence, parameters, _effective_values, largest=False),
    lambda judged, evidence, parameters: entropy_l_diversity(judged),
)
_RECURSIVE = ByClass(
    lambda evidence, parameters: judge_sensitive(
        evidence,
        parameters,
        partial(recursive_ratio, l=parameters.recursive_cl_diversity.l),
        largest=True,
        fails=np.isinf,
    ),
    lambda judged, evidence, parameters: recursive_cl_diversity(judged, parameters.recursive_cl_diversity.l),
)
_NORMALIZED = ByClass(
    lambda evidence, parameters: judge_sensitive(evidence, parameters, normalized_entropy, largest=False),
    lambda judged, evidence, parameters: normalized_entropy_l_diversity(judged),
)
DISTINCT_L_DIVERSITY = Metric(
    id="distinct_l_diversity",
    title="Distinct l-diversity",
    family=Family.PRIVACY,
    unit="values",
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    meaning="The fewest different sensitive values that any class holds.",
    good="At least 2, or belonging to a class already gives the value away.",
    formula=r"l = \min_{E,S} |\{s : n_{E,s} > 0\}|",
    reference=_REFERENCE,
    doi=_DOI,
    compute=_DISTINCT.compute,
    by_class=_DISTINCT,
)
ENTROPY_L_DIVERSITY = Metric(
    id="entropy_l_diversity",
    title="Entropy l-diversity",
    family=Family.PRIVACY,
    unit="effective values",
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    meaning="The number of equally frequent values that would be as uncertain as the least varied class.",
    good="Well above 1; l itself when all values are equally frequent.",
    formula=r"l = \min_{E,S} \exp\bigl(-\sum_s p_s \ln p_s\bigr)",
    reference=_REFERENCE,
    doi=_DOI,
    compute=_ENTROPY.compute,
    by_class=_ENTROPY,
)
RECURSIVE_CL_DIVERSITY = Metric(
    id="recursive_cl_diversity",
    title="Recursive (c,l)-diversity",
    family=Family.PRIVACY,
    unit="c",
    minimum=0,
    maximum=None,
    direction=Direction.LOWER,
    meaning="How much the most frequent value of a class outweighs the l-th and rarer ones, at worst.",
    good="Small: 1 means the most frequent value is no more frequent than the rare ones together.",
    formula=r"c = \max_{E,S} \frac{r_1}{\sum_{i \ge l} r_i},\quad r_1 \ge r_2 \ge \dots",
    reference=_REFERENCE,
    doi=_DOI,
    compute=_RECURSIVE.compute,
    by_class=_RECURSIVE,
)
NORMALIZED_ENTROPY_L_DIVERSITY = Metric(
    id="normalized_entropy_l_diversity",
    title="Normalized entropy l-diversity",
    family=Family.PRIVACY,
    unit="share",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="The entropy of the least varied class, as a share of what its distinct values allow.",
    good="Near 1; 0 means that a class has one sensitive value only.",
    formula=r"l = \min_{E,S} \frac{-\sum_s p_s \log_2 p_s}{\log_2 |\{s : p_s > 0\}|}",
    reference=_REFERENCE + "; normalized as in the P_29 score",
    doi=_DOI,
    compute=_NORMALIZED.compute,
    by_class=_NORMALIZED,
)
