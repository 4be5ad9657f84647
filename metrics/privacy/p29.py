"""The P_29 score: k, l and t in one figure, zero where any class fails a gate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from metrics.classes import EquivalenceClasses, Histogram
from metrics.encoding import arrow_of, text_array
from metrics.evidence import Evidence
from metrics.parameters import P29Parameters, Parameters
from metrics.privacy.l_diversity import normalized_entropy
from metrics.privacy.t_closeness import equal_distance
from metrics.specification import Direction, Family, Metric
from metrics.table import Floats
from metrics.wording import counted

_NO_TEXT = pa.nulls(1, pa.string())[0]
_BETWEEN = "; "
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class P29Components:
    """What the score is made of and no weight or limit changes; arrays hold one entry per class."""

    sizes: npt.NDArray[np.int64]
    entropy: Mapping[str, Floats]
    """Normalized entropy l per attribute."""
    distance: Mapping[str, Floats]
    """Variational distance t per attribute."""

    @property
    def k_min(self) -> int:
        """The smallest class."""
        return int(self.sizes.min())

    @cached_property
    def mean_entropy(self) -> dict[str, float]:
        """Mean l over classes, per attribute."""
        return {name: math.fsum(values) / len(values) for name, values in self.entropy.items()}

    @cached_property
    def mean_normalized_distance(self) -> dict[str, float]:
        """Mean over classes of t scaled to 0..1 between its smallest and largest, per attribute; 0 if all are equal."""
        means = {}
        for name, values in self.distance.items():
            low, high = float(values.min()), float(values.max())
            means[name] = math.fsum((values - low) / (high - low)) / len(values) if high > low else 0.0
        return means


@dataclass(frozen=True, eq=False)
class P29:
    """`value` is the score; the terms are what it would be made of if no gate were shut."""

    value: float
    components: P29Components
    parameters: P29Parameters
    Nk: float
    Nl: float
    Nt: float
    attribute_l: Mapping[str, float]
    attribute_t: Mapping[str, float]
    singled_out: Flags
    """Classes of one record."""
    homogeneous: Mapping[str, Flags]
    """Per attribute: classes with l = 0."""
    distant: Mapping[str, Flags]
    """Per attribute: classes with t above the limit."""

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """Mean l of each attribute."""
        return self.attribute_l

    @property
    def terms(self) -> dict[str, float]:
        """The three weighted terms; they sum to the score where no gate is shut."""
        weights = self.parameters
        return {
            "k": weights.w_k * (1 - self.Nk),
            "l": weights.w_l * self.Nl,
            "t": weights.w_t * (1 - self.Nt),
        }

    @cached_property
    def gates(self) -> dict[str, bool]:
        """Whether each gate is open: no class of one record, none with l = 0, none with t above the limit."""
        return {
            "k": not self.singled_out.any(),
            "l": not any(flags.any() for flags in self.homogeneous.values()),
            "t": not any(flags.any() for flags in self.distant.values()),
        }

    @cached_property
    def violating(self) -> Flags:
        """Classes that shut a gate."""
        violating: Flags = np.logical_or.reduce([self.singled_out, *self.homogeneous.values(), *self.distant.values()])
        return violating

    @cached_property
    def excess(self) -> Floats:
        """How far each class's largest t lies above the limit: 0 where it does not."""
        farthest = np.max(list(self.components.distance.values()), axis=0)
        excess: Floats = np.maximum(farthest - self.parameters.t_max, 0.0)
        return excess

    @cached_property
    def constant_attributes(self) -> npt.NDArray[np.int64]:
        """How many sensitive attributes have one value only in each class: each needs one more to pass."""
        constant: npt.NDArray[np.int64] = np.sum(list(self.homogeneous.values()), axis=0, dtype=np.int64)
        return constant

    def reason_texts(self, index: npt.NDArray[Any] | None = None) -> pa.StringArray:
        """Why each class violates, all its reasons in one text; empty where it does not. `index` chooses classes."""
        chosen = np.arange(len(self.singled_out)) if index is None else np.asarray(index)
        parts = [_where(self.singled_out[chosen], "k = 1")]
        parts += [_where(flags[chosen], f"l = 0 for {name}") for name, flags in self.homogeneous.items()]
        for name, flags in self.distant.items():
            exceeding = flags[chosen]
            values = _four_decimals(np.where(exceeding, self.components.distance[name][chosen], 0.0))
            distinct, places = np.unique(values, return_inverse=True)
            texts = text_array(
                [f"t = {value:.4f} > {self.parameters.t_max:g} for {name}" for value in distinct.tolist()]
            )
            parts.append(pc.if_else(arrow_of(exceeding), texts.take(arrow_of(places)), _NO_TEXT))
        # The empty text in front keeps every class: pyarrow 26 drops an element whose parts are all null.
        front, between = pa.repeat(text_array([""])[0], len(chosen)), text_array([_BETWEEN])[0]
        joined = pc.binary_join_element_wise(front, *parts, between, null_handling="skip")
        texts_of_all: pa.StringArray = pc.utf8_slice_codeunits(joined, len(_BETWEEN))
        return texts_of_all

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the score is zero: one text per shut gate."""
        texts = {
            "k": "k-anonymity is 1",
            "l": "normalized entropy l-value is 0 for some attribute",
            "t": f"t-value exceeds {self.parameters.t_max:g} for some attribute",
        }
        return tuple(texts[gate] for gate, is_open in self.gates.items() if not is_open)

    def details(self) -> dict[str, Any]:
        """Components, violations and reasons."""
        violating = self.violating
        return {
            "k_min": self.components.k_min,
            "Nk": self.Nk,
            "Nl": self.Nl,
            "Nt": self.Nt,
            "terms": self.terms,
            "attribute_l": dict(self.attribute_l),
            "attribute_t": dict(self.attribute_t),
            "min_l": min(float(values.min()) for values in self.components.entropy.values()),
            "max_t": max(float(values.max()) for values in self.components.distance.values()),
            "violating_classes": int(violating.sum()),
            "violating_records": int(self.components.sizes[violating].sum()),
            "violating_by_gate": {
                "k": int(self.singled_out.sum()),
                "l": int(np.logical_or.reduce(list(self.homogeneous.values())).sum()),
                "t": int(np.logical_or.reduce(list(self.distant.values())).sum()),
            },
            "reasons": list(self.reasons),
        }

    def in_words(self) -> str:
        """The finding."""
        violating = self.violating
        if not violating.any():
            return f"No class shuts a gate; the score is {self.value:.3f} of 1."
        classes = counted(int(violating.sum()), "class", "classes")
        records = counted(int(self.components.sizes[violating].sum()), "record")
        return f"Gates are shut by {classes} with {records}, which makes the score 0."


def _where(flags: Flags, text: str) -> pa.StringArray:
    return pc.if_else(arrow_of(flags), text_array([text])[0], _NO_TEXT)


def _four_decimals(values: Floats) -> Floats:
    """The numbers nearest to the values that four decimals can write: a few thousand, however many classes."""
    scaled = values * 1e4
    rounded = np.round(scaled)
    # So near the middle of two the product may lie on the wrong side; Python rounds the number itself.
    doubtful = np.flatnonzero(np.abs(np.abs(scaled - rounded) - 0.5) < 1e-9)
    middles, places = np.unique(values[doubtful], return_inverse=True)
    found: Floats = rounded / 1e4
    found[doubtful] = np.array([float(f"{middle:.4f}") for middle in middles.tolist()])[places]
    return found


def p29_components(classes: EquivalenceClasses, histograms: Mapping[str, Histogram]) -> P29Components:
    """What P_29 needs of every class. Takes at least one class and one attribute."""
    return P29Components(
        sizes=classes.sizes,
        entropy={name: histogram.figures(normalized_entropy) for name, histogram in histograms.items()},
        distance={name: histogram.figures(equal_distance) for name, histogram in histograms.items()},
    )


def p29(components: P29Components, parameters: P29Parameters | None = None) -> P29:
    """P_29 = δk δl δt (w_k (1 - Nk') + w_l Nl' + w_t (1 - Nt')): 0 to 1, higher is better.

    Nk' = 1/k_min; Nl' and Nt' are means over attributes of means over classes. δk is 0 if k_min = 1, δl if any l is 0,
    δt if any t exceeds t_max.
    """
    chosen = parameters or P29Parameters()
    attribute_l, attribute_t = components.mean_entropy, components.mean_normalized_distance
    result = P29(
        value=0.0,
        components=components,
        parameters=chosen,
        Nk=1 / components.k_min,
        Nl=math.fsum(attribute_l.values()) / len(attribute_l),
        Nt=math.fsum(attribute_t.values()) / len(attribute_t),
        attribute_l=attribute_l,
        attribute_t=attribute_t,
        singled_out=components.sizes == 1,
        homogeneous={name: values == 0 for name, values in components.entropy.items()},
        distant={name: values > chosen.t_max for name, values in components.distance.items()},
    )
    if not all(result.gates.values()):
        return result
    return replace(result, value=math.fsum(result.terms.values()))


def _compute(evidence: Evidence, parameters: Parameters) -> P29:
    histograms = evidence.sensitive()
    components = evidence.once("p29", lambda: p29_components(evidence.classes, histograms))
    return p29(components, parameters.p29)


P_29 = Metric(
    id="p29",
    title="P_29",
    family=Family.PRIVACY,
    unit="score",
    minimum=0,
    maximum=1,
    direction=Direction.HIGHER,
    meaning="k-anonymity, l-diversity and t-closeness in one score; 0 as soon as one class fails any of them.",
    good="Above 0 no class fails; among tables that pass, higher is better.",
    formula=r"P_{29} = \delta_k \delta_l \delta_t \bigl( w_k (1 - N_k') + w_l N_l' + w_t (1 - N_t') \bigr)",
    reference="P_29 joint privacy score, built on k-anonymity, l-diversity and t-closeness",
    doi=None,
    compute=_compute,
)
