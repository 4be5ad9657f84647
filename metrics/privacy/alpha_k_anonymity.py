"""(α,k)-anonymity: how sure a guess of the most frequent sensitive value of a class can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.classes import Histogram
from metrics.privacy.judgement import Judged, Judgement, judge_sensitive
from metrics.specification import ByClass, Direction, Family, Metric
from metrics.table import Floats
from metrics.wording import counted, visible


@dataclass(frozen=True, eq=False)
class AlphaKAnonymity(Judged):
    """`value` is alpha, the share of the most frequent sensitive value in the worst class; k its companion."""

    k: int
    """Records of the smallest class."""
    measure: str = "alpha"

    def details(self) -> dict[str, Any]:
        """The smallest class, and whether the other sensitive values are taken as known."""
        return {"k": self.k, **super().details()}

    def in_words(self) -> str:
        """The finding."""
        name = visible(self.worst_attribute)
        least = f"every class holds at least {counted(self.k, 'record')}"
        if self.value == 1:
            return f"There is a {self.judgement.group} in which all records share one {name}; {least}."
        return (
            f"Whoever guesses the most frequent {name} of a {self.judgement.group} is right for up to "
            f"{self.value:.1%} of its records; {least}."
        )


def largest_share(histogram: Histogram) -> Floats:
    """Share of the most frequent value in each class: above 0, up to 1 where all records share it."""
    shares: Floats = np.maximum.reduceat(histogram.count, histogram.starts) / histogram.sizes
    return shares


def alpha_k_anonymity(judgement: Judgement, k: int) -> AlphaKAnonymity:
    """The largest share of a sensitive value in a class: above 0, up to 1, lower is better.

    Takes what was judged by `largest_share`, and the records of the smallest class.

    Source: R. C.-W. Wong et al., "(α, k)-anonymity: an enhanced k-anonymity model for privacy preserving data
    publishing", KDD 2006, doi 10.1145/1150402.1150499.
    """
    return AlphaKAnonymity(judgement, k)


_BY_CLASS = ByClass(
    lambda evidence, parameters: judge_sensitive(evidence, parameters, largest_share, largest=True),
    lambda judged, evidence, parameters: alpha_k_anonymity(judged, evidence.class_sizes.smallest),
)
ALPHA_K_ANONYMITY = Metric(
    id="alpha_k_anonymity",
    title="(α,k)-anonymity",
    family=Family.PRIVACY,
    unit="share",
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    meaning="The largest share of one sensitive value in any class: how sure the best guess about a member can be.",
    good="At most about 0.5; 1 means that a class has one sensitive value only.",
    formula=r"\alpha = \max_{E,S,s} p_s",
    reference="R. C.-W. Wong et al., (α, k)-anonymity: an enhanced k-anonymity model, KDD 2006",
    doi="10.1145/1150402.1150499",
    compute=_BY_CLASS.compute,
    by_class=_BY_CLASS,
)
