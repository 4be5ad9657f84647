"""The P_29 score: k, l and t in one figure, zero where any class fails one of the three conditions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from metrics.aggregates import Aggregates
from metrics.config.parameters import GroundDistance, P29Parameters, Parameters
from metrics.counting.classes import EquivalenceClasses
from metrics.counting.histograms import Histogram
from metrics.formatting import exact_number, join_names, without_isolates
from metrics.metric import (
    ABOVE_ZERO,
    ClassMeasure,
    Control,
    Direction,
    Enforcement,
    Family,
    Finding,
    FindingKind,
    Limit,
    Metric,
    MetricChart,
    PerClass,
    Result,
    Severity,
)
from metrics.privacy.classes.ground_distances import equal_distance
from metrics.privacy.l_diversity.measure import ENFORCED_ENTROPY, normalized_entropy, single_valued
from metrics.privacy.p29 import working
from metrics.privacy.p29.totals import DistanceTotals, EntropyTotals, P29Totals
from metrics.tables.dictionary_codes import arrow_of, text_array
from metrics.tables.table import Flags, Floats
from metrics.texts import text

_NO_TEXT = pa.nulls(1, pa.string())[0]
_BETWEEN = "; "


@dataclass(frozen=True, eq=False)
class P29Components:
    """Components of the score that no weight or limit changes; arrays hold one entry per class."""

    sizes: npt.NDArray[np.int64]
    entropy: Mapping[str, Floats]
    """Normalized entropy l per attribute."""
    distance: Mapping[str, Floats]
    """Variational distance t per attribute."""

    @cached_property
    def totals(self) -> P29Totals:
        """Totals of the classes; violations, which depend on the limit, are not counted."""
        return P29Totals(
            int(self.sizes.min()),
            {name: EntropyTotals.of(values) for name, values in self.entropy.items()},
            {name: DistanceTotals.of(values) for name, values in self.distance.items()},
        )


@dataclass(frozen=True, eq=False)
class P29(Result):
    """`value` is the score; the terms are those it would have if every condition were met.

    The totals are of all classes, of which the arrays may hold some.
    """

    components: P29Components
    parameters: P29Parameters
    totals: P29Totals
    violating: Flags
    """Classes that fail at least one condition."""
    singled_out: Flags
    """Classes of one record."""
    homogeneous: Mapping[str, Flags]
    """Per attribute: single-valued classes, with l = 0."""
    distant: Mapping[str, Flags]
    """Per attribute: classes with t above the limit."""

    @property
    def value(self) -> float:
        """The score: 0 to 1, 0 if any class fails a condition."""
        return math.fsum(self.terms.values()) if all(self.conditions.values()) else 0.0

    @property
    def Nk(self) -> float:
        """Nk': 1 over the smallest class."""
        return 1 / self.totals.k_min

    @cached_property
    def attribute_l(self) -> dict[str, float]:
        """Mean l over classes, per attribute."""
        return {name: entropy.mean for name, entropy in self.totals.entropy.items()}

    @property
    def Nl(self) -> float:
        """Nl': the mean of these over attributes."""
        return math.fsum(self.attribute_l.values()) / len(self.attribute_l)

    @cached_property
    def attribute_t(self) -> dict[str, float]:
        """Mean normalized t over classes, per attribute."""
        return {name: distance.mean_normalized for name, distance in self.totals.distance.items()}

    @property
    def Nt(self) -> float:
        """Nt': the mean of these over attributes."""
        return math.fsum(self.attribute_t.values()) / len(self.attribute_t)

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Mean l of each attribute."""
        return self.attribute_l

    @property
    def terms(self) -> dict[str, float]:
        """The three weighted terms; they sum to the score where every condition is met."""
        weights = self.parameters
        return {"k": weights.w_k * (1 - self.Nk), "l": weights.w_l * self.Nl, "t": weights.w_t * (1 - self.Nt)}

    @property
    def conditions(self) -> dict[str, bool]:
        """Whether all classes meet each condition (the notebook's factors δk, δl, δt).

        The conditions are: no class of one record, none with l = 0, none with t above the limit.
        """
        return {name: not classes for name, classes in self.totals.violating_by_condition.items()}

    def reason_texts(self, index: npt.NDArray[Any] | None = None) -> pa.StringArray:
        """Describe why each class violates, all reasons in one text; empty where it does not. `index` picks classes."""
        positions = np.arange(len(self.singled_out)) if index is None else np.asarray(index)
        parts = [_where(self.singled_out[positions], text("p29.reason_k"))]
        parts += [
            _where(flags[positions], without_isolates(text("p29.reason_l", column=name)))
            for name, flags in self.homogeneous.items()
        ]
        for name, flags in self.distant.items():
            exceeding = flags[positions]
            values = _four_decimals(np.where(exceeding, self.components.distance[name][positions], 0.0))
            distinct, inverse = np.unique(values, return_inverse=True)
            limit = self.parameters.t_max
            texts = text_array(
                [
                    without_isolates(text("p29.reason_t", distance=f"{value:.4f}", limit=limit, column=name))
                    for value in distinct.tolist()
                ]
            )
            parts.append(pc.if_else(arrow_of(exceeding), texts.take(arrow_of(inverse)), _NO_TEXT))
        # The empty text in front keeps every class: pyarrow 26 drops an element whose parts are all null.
        front, between = pa.repeat(text_array([""])[0], len(positions)), text_array([_BETWEEN])[0]
        joined = pc.binary_join_element_wise(front, *parts, between, null_handling="skip")
        texts_of_all: pa.StringArray = pc.utf8_slice_codeunits(joined, len(_BETWEEN))
        return texts_of_all

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the score is zero: one text per condition that some class fails."""
        texts = {
            "k": text("p29.condition_k"),
            "l": text("p29.condition_l"),
            "t": text("p29.condition_t", limit=self.parameters.t_max),
        }
        return tuple(texts[name] for name, is_met in self.conditions.items() if not is_met)

    def details(self) -> dict[str, Any]:
        """Components, violations and reasons."""
        sums = self.totals
        return {
            "k_min": sums.k_min,
            "Nk": self.Nk,
            "Nl": self.Nl,
            "Nt": self.Nt,
            "terms": self.terms,
            "attribute_l": dict(self.attribute_l),
            "attribute_t": dict(self.attribute_t),
            "min_l": min(entropy.smallest for entropy in sums.entropy.values()),
            "max_t": max(distance.largest for distance in sums.distance.values()),
            "violating_classes": sums.violating_classes,
            "violating_records": sums.violating_records,
            "violating_by_condition": dict(sums.violating_by_condition),
            "reasons": list(self.reasons),
        }

    @property
    def per_class(self) -> Mapping[str, Floats]:
        """The l of every class, by attribute."""
        return self.components.entropy

    def class_measures(self, index: int) -> list[ClassMeasure]:
        """The t of one class for each attribute, against the limit; l stands with normalized entropy l-diversity."""
        figures = []
        for name, distances in self.components.distance.items():
            figure, limit = float(distances[index]), self.parameters.t_max
            failure = text("p29.class_failure", limit=limit) if figure > limit else ""
            figures.append(ClassMeasure(text("p29.class_measure"), name, figure, failure))
        return figures

    def violation_summary(self) -> str:
        """How many classes violate, and how many each condition, without naming any of them."""
        sums = self.totals
        if not sums.violating_classes:
            return text("p29.no_violations")
        by_condition = sums.violating_by_condition
        texts = {
            "k": text("p29.violations_k", single_record=by_condition["k"]),
            "l": text("p29.violations_l", single_value=by_condition["l"]),
            "t": text("p29.violations_t", distant=by_condition["t"], limit=self.parameters.t_max),
        }
        reasons = [reason for name, reason in texts.items() if by_condition[name]]
        violations = text(
            "p29.violations",
            failing=sums.violating_classes,
            records=sums.violating_records,
            reasons=join_names(reasons),
        )
        return text("p29.violations_of_several", violations=violations) if len(reasons) > 1 else violations

    def most_serious_first(self) -> npt.NDArray[np.int64]:
        """Violating classes: first those of one record, then those with most attributes constant, then the farthest."""
        index = np.flatnonzero(self.violating)
        farthest: Floats = np.max([values[index] for values in self.components.distance.values()], axis=0)
        constant: npt.NDArray[np.int64] = np.sum([flags[index] for flags in self.homogeneous.values()], axis=0)
        excess = np.maximum(farthest - self.parameters.t_max, 0.0)
        return index[np.lexsort((-excess, -constant, self.components.sizes[index] != 1))]

    @property
    def changed_weights(self) -> str:
        """The weights beside the score, where they are not the notebook's; empty where they are."""
        own, standard = (
            join_names([exact_number(weight) for weight in (parameters.w_k, parameters.w_l, parameters.w_t)])
            for parameters in (self.parameters, P29Parameters())
        )
        return "" if own == standard else text("p29.changed_weights", own=own, standard=standard)

    def summary(self) -> str:
        sums = self.totals
        if not sums.violating_classes:
            return text("p29.passed", score=self.value, weights=self.changed_weights, limit=self.parameters.t_max)
        failing, classes, records = sums.violating_classes, sums.classes, sums.violating_records
        if [name for name, number in sums.violating_by_condition.items() if number] == ["t"]:
            limit = self.parameters.t_max
            return text("p29.failed_t", failing=failing, classes=classes, records=records, limit=limit)
        return text("p29.failed", failing=failing, classes=classes, records=records)


def _where(flags: Flags, text: str) -> pa.StringArray:
    return pc.if_else(arrow_of(flags), text_array([text])[0], _NO_TEXT)


def _four_decimals(values: Floats) -> Floats:
    """The numbers nearest to the values that four decimals can write: a few thousand, however many classes."""
    scaled = values * 1e4
    rounded = np.round(scaled)
    # This close to a midpoint the product may lie on the wrong side of it; Python rounds the number itself.
    doubtful = np.flatnonzero(np.abs(np.abs(scaled - rounded) - 0.5) < 1e-9)
    middles, inverse = np.unique(values[doubtful], return_inverse=True)
    nearest: Floats = rounded / 1e4
    nearest[doubtful] = np.array([float(f"{middle:.4f}") for middle in middles.tolist()])[inverse]
    return nearest


def p29_components(classes: EquivalenceClasses, histograms: Mapping[str, Histogram]) -> P29Components:
    """Return the components of P_29 for every class. Takes at least one class and one attribute."""
    return P29Components(
        sizes=classes.sizes,
        entropy={name: histogram.figures(normalized_entropy) for name, histogram in histograms.items()},
        distance={name: histogram.figures(equal_distance) for name, histogram in histograms.items()},
    )


def p29(components: P29Components, parameters: P29Parameters | None = None) -> P29:
    r"""The P_29 score: 0 to 1, higher is better.

    .. math::

        P_{29} = \delta_k \delta_l \delta_t \bigl( w_k (1 - N_k') + w_l N_l' + w_t (1 - N_t') \bigr)

    Nk' = 1/k_min; Nl' and Nt' are means over attributes of means over classes, t normalized to 0..1 per attribute. δk
    is 0 if k_min = 1, δl if any l is 0, δt if any t exceeds t_max.

    The score with its terms, and the classes that fail a condition. `components`: size, normalized entropy l and
    variational distance t of every class; at least one class and one attribute. `parameters`: weights and the limit on
    t; the defaults if None.
    """
    settings = parameters or P29Parameters()
    singled_out = components.sizes == 1
    homogeneous = {name: single_valued(values) for name, values in components.entropy.items()}
    distant = {name: values > settings.t_max for name, values in components.distance.items()}
    failing: dict[str, Flags] = {
        "k": singled_out,
        "l": np.logical_or.reduce(list(homogeneous.values())),
        "t": np.logical_or.reduce(list(distant.values())),
    }
    violating: Flags = np.logical_or.reduce(list(failing.values()))
    totals = replace(
        components.totals,
        violating_classes=int(np.count_nonzero(violating)),
        violating_records=int(components.sizes[violating].sum()),
        violating_by_condition={name: int(np.count_nonzero(flags)) for name, flags in failing.items()},
    )
    return P29(components, settings, totals, violating, singled_out, homogeneous, distant)


def _examine(aggregates: Aggregates, parameters: Parameters) -> P29:
    return p29(aggregates.memoize(_components), parameters.p29)


def _components(aggregates: Aggregates) -> P29Components:
    return p29_components(aggregates.classes, aggregates.sensitive())


def _breakdown_chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.privacy.p29.chart import p29_breakdown

    return p29_breakdown(result)


def _conditions_chart(result: Any, aggregates: Aggregates) -> Any:
    from metrics.privacy.p29.chart import p29_conditions

    return p29_conditions(result)


def _promise(limit: float) -> str:
    if limit == ABOVE_ZERO:
        return text("repair.limit.p29_above_zero")
    return text("repair.limit.p29", limit=limit) if limit > 0 else ""


def _gap(found: float, limit: float) -> str:
    if limit == ABOVE_ZERO:
        return text("limits.p29_above_zero", found=found)
    return text("limits.p29", found=found, limit=limit)


_OWN_T = Enforcement(
    name="",
    title=text("limits.t_of_p29"),
    node="",
    gap=lambda found, limit: text("limits.t", found=found, limit=limit),
    figures=lambda histogram, hierarchies, parameters: equal_distance(histogram),
    distance=lambda histogram, hierarchies, parameters: GroundDistance.EQUAL,
)
P_29 = Metric(
    id="p29",
    family=Family.PRIVACY,
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    formula=r"P_{29} = \delta_k \delta_l \delta_t \bigl( w_k (1 - N_k') + w_l N_l' + w_t (1 - N_t') \bigr)",
    reference="P_29 joint privacy score, built on k-anonymity, l-diversity and t-closeness, and named after the "
    "Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP216)",
    compute=lambda aggregates, parameters: aggregates.examined(_examine, parameters),
    examine=_examine,
    settings=("p29",),
    enforcement=Enforcement(
        name="p29",
        title="P_29",
        node="p29",
        gap=_gap,
        promise=_promise,
        conditions=lambda parameters: (
            Limit(ENFORCED_ENTROPY, ABOVE_ZERO),
            Limit(_OWN_T, parameters.p29.t_max, Direction.LOWER),
        ),
        records=lambda limit, parameters: 2 if limit > 0 else 1,
        values=lambda limit: 2 if limit > 0 else 1,
    ),
    controls=(*(Control(f"p29.w_{letter}", 1.0, is_weight=True) for letter in "klt"), Control("p29.t_max", 1.0)),
    charts=(
        MetricChart(_breakdown_chart),
        MetricChart(_conditions_chart, applies=lambda result: bool(result.violating.any())),
    ),
    working=working.WORKING,
    per_class=PerClass(
        "normalized_entropy",
        profile=P29.class_measures,
        violating=attrgetter("violating"),
        # A single class that violates makes the score 0.
        limited=lambda result, sizes: {"": np.where(result.violating, 0.0, 1.0)},
    ),
    finding=lambda result, aggregates: Finding(FindingKind.JOINT_SCORE, Severity.NOTE, result.summary()),
    is_headline=True,
)
