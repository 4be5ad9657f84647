"""k-anonymity: the size of the smallest equivalence class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from metrics.aggregates import Aggregates, require_class_sizes
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes
from metrics.drawing import class_sizes
from metrics.metric import (
    Direction,
    Enforcement,
    Family,
    Finding,
    FindingKind,
    Metric,
    MetricChart,
    PerClass,
    Result,
    Severity,
)
from metrics.privacy.classes.compatible_records import compatible_records
from metrics.privacy.k_anonymity import working
from metrics.tables.table import Integers
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class KAnonymity(Result):
    """`value` is k; `smallest_classes` counts the classes of that size.

    With wildcards, k is the smallest number of records compatible with a record, and `smallest_classes` counts the
    classes whose records have it.
    """

    value: int
    smallest_classes: int
    classes: int
    compatible: Integers | None = None
    """Per class the records compatible with its own; None if suppressed and missing cells are values of their own."""
    suppressed: bool = False
    """Whether some records are suppressed, and so in no class."""

    @property
    def wildcards(self) -> bool:
        """Whether suppressed or missing cells can be any value."""
        return self.compatible is not None

    def people(self, sizes: Integers) -> Integers:
        """Per class of these sizes the records that k is the smallest number of."""
        return sizes if self.compatible is None else self.compatible

    def details(self) -> dict[str, Any]:
        """How many classes have the smallest size."""
        return {"smallest_classes": self.smallest_classes, **({"wildcards": True} if self.wildcards else {})}

    def summary(self) -> str:
        if self.wildcards and self.value == 1:
            return text("k_anonymity.incompatible")
        if self.wildcards and self.suppressed:
            return text("k_anonymity.compatible_kept", others=self.value - 1, k=self.value)
        if self.wildcards:
            return text("k_anonymity.compatible", others=self.value - 1, k=self.value)
        if self.value == 1:
            return text("k_anonymity.unique", unique=self.smallest_classes, classes=self.classes)
        if self.suppressed:
            return text("k_anonymity.shared_kept", others=self.value - 1)
        return text("k_anonymity.shared", others=self.value - 1)


def k_anonymity(sizes: ClassSizes) -> KAnonymity:
    r"""k-anonymity, :math:`k = \min_E |E|`: 1 to N records, higher is better.

    k, and the number of classes of that size. `sizes`: those of the equivalence classes; at least one.
    Source: L. Sweeney, "k-anonymity: a model for protecting privacy", 2002, doi 10.1142/S0218488502001648.
    """
    return KAnonymity(sizes.smallest, sizes.smallest_count, sizes.count, suppressed=sizes.suppressed > 0)


def _compute(aggregates: Aggregates, parameters: Parameters) -> KAnonymity:
    """k, which wildcards raise above the smallest class by equal values; limits and the highest risk follow k.

    The latter is meant by `classes.smallest` in `score --json`, the risks of a report, `make` and the costs of methods,
    (α,k)-anonymity, P_29, charts of class sizes, and what search and repair enforce (`evaluation`, `of_classes`).
    """
    sizes = require_class_sizes(aggregates)
    compatible = compatible_records(aggregates, parameters.classes)
    if compatible is None:
        return k_anonymity(sizes)
    k = int(compatible.min())
    smallest = int((compatible == k).sum())
    return KAnonymity(k, smallest, len(compatible), compatible, suppressed=sizes.suppressed > 0)


def _finding(result: KAnonymity, aggregates: Aggregates) -> Finding:
    """Records that are unique, or how many look alike at least."""
    kind, unique = FindingKind.IDENTITY_DISCLOSURE, result.smallest_classes
    if result.value > 1:
        return Finding(kind, Severity.STRENGTH, result.summary())
    share = unique / aggregates.class_sizes.kept
    return Finding(kind, Severity.RISK, text("k_anonymity.weakness", unique=unique, share=share))


K_ANONYMITY = Metric(
    id="k_anonymity",
    family=Family.PRIVACY,
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    formula=r"k = \min_E |E|",
    reference="L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002, doi "
    "10.1142/S0218488502001648",
    compute=_compute,
    settings=("classes",),
    enforcement=Enforcement(
        name="k",
        title="k",
        node="smallest_class",
        gap=lambda found, limit: text("limits.k", found=found, limit=limit),
        promise=lambda limit: text("repair.limit.k", limit=limit) if limit > 1 else "",
        records=lambda limit, parameters: math.ceil(limit),
        is_whole=True,
        sizes_decide=True,
    ),
    charts=(MetricChart(class_sizes, all_classes=True, applies=lambda result: not result.wildcards),),
    working=working.WORKING,
    per_class=PerClass(
        None,  # the class table has the sizes already
        figures=lambda result: {},
        limited=lambda result, sizes: {"": result.people(sizes).astype(float)},
    ),
    finding=_finding,
    is_headline=True,
)
