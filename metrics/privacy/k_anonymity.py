"""k-anonymity: the size of the smallest equivalence class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metrics.class_sizes import ClassSizes
from metrics.evidence import Evidence
from metrics.parameters import Parameters
from metrics.specification import Direction, Family, Metric
from metrics.wording import counted


@dataclass(frozen=True)
class KAnonymity:
    """`value` is k; `smallest_classes` counts the classes of that size."""

    value: int
    smallest_classes: int
    classes: int

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Empty: the quasi-identifiers are judged together."""
        return {}

    def details(self) -> dict[str, Any]:
        """How many classes have the smallest size."""
        return {"smallest_classes": self.smallest_classes}

    def in_words(self) -> str:
        """The finding."""
        if self.value == 1:
            of = counted(self.classes, "class", "classes")
            return f"{self.smallest_classes:,} of {of} can be singled out: one record alone (k = 1)."
        return f"Every record shares its quasi-identifiers with at least {counted(self.value - 1, 'other')}."


def k_anonymity(classes: ClassSizes) -> KAnonymity:
    """The smallest class, in records: 1 to N, higher is better. Takes at least one class.

    Source: L. Sweeney, "k-anonymity: a model for protecting privacy", 2002, doi 10.1142/S0218488502001648.
    """
    return KAnonymity(classes.smallest, classes.of_size(classes.smallest), classes.count)


def _compute(evidence: Evidence, parameters: Parameters) -> KAnonymity:
    return k_anonymity(evidence.need_class_sizes())


K_ANONYMITY = Metric(
    id="k_anonymity",
    title="k-anonymity",
    family=Family.PRIVACY,
    unit="records",
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    meaning="The smallest number of records that share one combination of quasi-identifiers.",
    good="At least 5 is common; 1 means that somebody is unique.",
    formula=r"k = \min_E |E|",
    reference="L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002",
    doi="10.1142/S0218488502001648",
    compute=_compute,
)
