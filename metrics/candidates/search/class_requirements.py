"""Demands of limits on every class that is kept, and on every class that it lies in: a search may prune by them."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.candidates.limits.enforced import ENFORCED, K, required_size
from metrics.candidates.search.evaluation import Evaluation
from metrics.errors import InputError


@dataclass(frozen=True)
class ClassRequirements:
    """Records and distinct values of every sensitive attribute that a class must have to be kept.

    Generalizing merges classes. What follows for the limits:

    - k, and with it the highest risk (at least 1/risk records), no attack (as many as make attacking pay for nobody)
      and profitability (as many as publishing needs; more where generalization takes from its benefit): a merged class
      has the records of its parts together, so a class too small has parts that are too small. Pruned by.
    - l: a merged class has every value of its parts. Pruned by.
    - Entropy l and normalized entropy l: the entropy of a merged class is at least the mean of its parts', so some part
      of a class that fails does fail, but others may be kept. A class needs at least as many distinct values as its
      effective number of values, or two for an entropy above 0, which is pruned by.
    - P_29: above 0 only if every class has two records and two values of every sensitive attribute, which is pruned by.
      Its score is a sum of terms that move either way.
    - t: the distance of a merged class is at most the mean of its parts' by the convexity of the distances (Li, Li and
      Venkatasubramanian, doi 10.1109/ICDE.2007.367856), but from all records: where suppression changes these,
      generalizing can raise t, of classes that it does not touch, too. Not pruned by.
    - Record linkage by an attacker who knows every quasi-identifier: a class of n records adds n / (n + s), where s
      records are suppressed, or 1 if the attacker rules these out. Merging classes lowers it, suppressing fewer records
      raises it. Not pruned by.
    - The success of other attacks, and measures per value such as delta-disclosure, rise and fall when classes merge.
      They are judged on the result.

    A node that misses a limit not pruned by is evaluated and passed over, and nothing follows for other nodes.
    """

    records: int
    values: int
    all: bool
    """Whether a node with such classes meets every limit when no more is suppressed than may be."""

    @staticmethod
    def from_evaluation(evaluation: Evaluation) -> ClassRequirements:
        """Combine the demands of an evaluation's rule of suppression and limits."""
        limits, rule = evaluation.limits, evaluation.rule
        try:
            smallest = required_size(limits, evaluation.parameters)
        except InputError:  # no size is enough: whatever is published misses the limits
            smallest = evaluation.records + 1
        values = max([1, *(ENFORCED[name].values(bound) for name, bound in [*rule.items(), *limits.items()])])
        sizes_decide = all(ENFORCED[name].sizes_decide for name in [*rule, *limits])
        records = max(rule[K], smallest)
        return ClassRequirements(int(records), values, sizes_decide and records == rule[K])
