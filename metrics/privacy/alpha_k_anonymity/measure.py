"""(α,k)-anonymity: how sure a guess of the most frequent sensitive value of a class can be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import tells
from metrics.config.parameters import Parameters
from metrics.counting.histograms import Histogram
from metrics.metric import Direction, Family, Finding, FindingKind, Metric, PerClass, Severity
from metrics.privacy.alpha_k_anonymity import working
from metrics.privacy.classes.worst_class import MeasuredClasses, WorstClassResult, kept_records, measure_sensitive
from metrics.tables.table import Floats
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class AlphaKAnonymity(WorstClassResult):
    """`value` is alpha, the share of the most frequent sensitive value in the worst class; k its companion."""

    k: int
    """Records of the smallest class."""

    def details(self) -> dict[str, Any]:
        """The smallest class, and whether the other sensitive values are taken as known."""
        return {"k": self.k, **super().details()}

    def summary(self) -> str:
        column, group = self.worst_attribute, self.measured.group
        if self.value == 1:
            return text("alpha_k_anonymity.certain", group=group, column=column, k=self.k)
        return text("alpha_k_anonymity.uncertain", group=group, column=column, k=self.k, value=self.value)


SHARE_OF_VALUE: Final = "alpha"
"""Name of the measure of a class: the largest share of its records with one value."""
NEARLY_CERTAIN: Final = 0.9
"""Share of one sensitive value in a class from which on the class all but reveals it."""


def largest_share(histogram: Histogram) -> Floats:
    """Share of the most frequent value in each class: above 0, up to 1 where all records share it."""
    shares: Floats = np.maximum.reduceat(histogram.count, histogram.starts) / histogram.sizes
    return shares


def alpha_k_anonymity(measured: MeasuredClasses, k: int) -> AlphaKAnonymity:
    r"""(α,k)-anonymity, :math:`\alpha = \max_{E,S,s} p_s`: above 0 to 1, lower is better.

    α with k beside it.
    Source: R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, "(α, k)-anonymity: an enhanced k-anonymity model for privacy
    preserving data publishing", KDD 2006, doi 10.1145/1150402.1150499.
    """
    return AlphaKAnonymity(measured, k)


def _finding(result: AlphaKAnonymity, aggregates: Aggregates) -> Finding | None:
    """Records in classes that all but reveal a sensitive value; None where some class reveals one, or none does.

    An attribute of which nearly all records have one value is left out: its classes reveal no more than that.
    """
    if result.value == 1 or aggregates.is_partitioned:
        return None
    usual = {name: aggregates.histogram(name).totals.max() / aggregates.class_sizes.kept for name in result.per_class}
    flags = {
        name: shares >= NEARLY_CERTAIN
        for name, shares in result.per_class.items()
        if usual[name] < NEARLY_CERTAIN and tells(aggregates, name)
    }
    columns = [name for name, flagged in flags.items() if flagged.any()]
    if not columns:
        return None
    records = int(aggregates.classes.sizes[np.logical_or.reduce(list(flags.values()))].sum())
    kept_text = kept_records(aggregates.class_sizes)
    sentence = text(
        "alpha_k_anonymity.weakness",
        share=records / aggregates.class_sizes.kept,
        kept=kept_text,
        certain=NEARLY_CERTAIN,
        largest=max(result.per_class[name].max() for name in columns),
        columns=columns,
        usual=text("alpha_k_anonymity.usual", kept=kept_text, share=usual[columns[0]]) if len(columns) == 1 else "",
    )
    return Finding(FindingKind.ATTRIBUTE_DISCLOSURE, Severity.RISK, sentence)


_examine = partial(measure_sensitive, figures_of=largest_share, largest=True)


def _compute(aggregates: Aggregates, parameters: Parameters) -> AlphaKAnonymity:
    measured = aggregates.examined(_examine, parameters)
    return alpha_k_anonymity(measured, aggregates.whole.class_sizes.smallest)


ALPHA_K_ANONYMITY = Metric(
    id="alpha_k_anonymity",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    formula=r"\alpha = \max_{E,S,s} p_s",
    reference="R. C.-W. Wong et al., (α, k)-anonymity: an enhanced k-anonymity model, KDD 2006, doi "
    "10.1145/1150402.1150499",
    compute=_compute,
    examine=_examine,
    settings=("sensitive",),
    working=working.WORKING,
    per_class=PerClass(SHARE_OF_VALUE),
    finding=_finding,
)
