"""Privacy models of ARX, by the texts that its projects hold, as limits and parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from metrics.config.parameters import GroundDistance
from metrics.metric import Direction
from metrics.policy.limitable_measures import AVERAGE_RISK, LIMITABLE_MEASURES, NO_ATTACK
from metrics.texts import text

_DECIMAL = r"\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?"
_NUMBER = rf"(?P<bound>{_DECIMAL})"
_OF_ATTRIBUTE = r" for attribute '(?P<attribute>.*)'"
_AMOUNT_NAMES = {
    "benefit": "publisher_benefit",
    "loss": "publisher_loss",
    "gain": "adversary_gain",
    "cost": "adversary_cost",
}
_AMOUNTS = r"(\[" + ", ".join(rf"{word}=(?P<{name}>{_DECIMAL})" for word, name in _AMOUNT_NAMES.items()) + r"\])?"
_DISTANCES = {
    "equal ground-distance": GroundDistance.EQUAL,
    "hierarchical ground-distance": GroundDistance.HIERARCHICAL,
    "ordered distance": GroundDistance.ORDERED,
}


def _amounts(found: Mapping[str, str]) -> dict[str, object]:
    return {
        "profitability.information_loss": True,
        **{f"profitability.{name}": found[name] for name in _AMOUNT_NAMES.values() if found.get(name)},
    }


_MODELS = {
    rf"{_NUMBER}-anonymity": "k_anonymity",
    rf"\({_NUMBER}\)-map": "k_map",
    rf"\({_NUMBER}\)-avg-reidentification-risk": AVERAGE_RISK,
    rf"distinct-{_NUMBER}-diversity{_OF_ATTRIBUTE}": "distinct_l_diversity",
    rf"(shannon-)?entropy-{_NUMBER}-diversity{_OF_ATTRIBUTE}": "entropy_l_diversity",
    rf"recursive-\({_NUMBER},(?P<l>\d{{1,9}})(?:\.0)?\)-diversity{_OF_ATTRIBUTE}": "recursive_cl_diversity",
    rf"{_NUMBER}-closeness with (?P<distance>{'|'.join(_DISTANCES)}){_OF_ATTRIBUTE}": "t_closeness",
    rf"{_NUMBER}-disclosure privacy{_OF_ATTRIBUTE}": "delta_disclosure",
    rf"basic-{_NUMBER}-likeness{_OF_ATTRIBUTE}": "basic_beta_likeness",
    rf"enhanced-{_NUMBER}-likeness{_OF_ATTRIBUTE}": "enhanced_beta_likeness",
    rf"\(0\.0,{_NUMBER}\)-presence": "delta_presence",
    rf"\({_NUMBER}\)-sample-uniqueness": "sample_uniqueness",
    rf"\({_NUMBER}\)-population-uniqueness \(dankar\)": "population_uniqueness",
    rf"\((?P<epsilon>{_DECIMAL}),{_NUMBER}\)-DP": "safepub",
    rf"profitability \(prosecutor\){_AMOUNTS}": "profitability",
    rf"no-attack-profitability \(prosecutor\){_AMOUNTS}": NO_ATTACK,
}
"""The measure that is limited, by the text of a privacy model."""
_STRICT = ("recursive_cl_diversity", "delta_disclosure")
"""Measures for which ARX asks for less than the bound, rather than at most the bound."""
_SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, object]]] = {
    "recursive_cl_diversity": lambda found: {"recursive_cl_diversity.l": int(found["l"])},
    "t_closeness": lambda found: {f"t_closeness.distance.{found['attribute']}": _DISTANCES[found["distance"]]},
    "safepub": lambda found: {"safepub.epsilon": found["epsilon"], "safepub.delta": found["bound"]},
    "profitability": _amounts,
    NO_ATTACK: _amounts,
}
"""The parameters that go with a limit."""


@dataclass
class PrivacyModels:
    """What the privacy models of a project ask for here, and what has no counterpart."""

    limits: dict[str, float | bool] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)
    not_taken: list[str] = field(default_factory=list)
    left_out: int = 0
    """Privacy models that are not part of the limits."""
    attributes: dict[str, set[str]] = field(default_factory=dict)
    """The sensitive attributes that each limit is set for."""

    def add(self, model: str, sensitive: Collection[str]) -> None:
        """Take a privacy model over, or note that it has no counterpart."""
        candidates = ((measure, re.fullmatch(pattern, model)) for pattern, measure in _MODELS.items())
        measure, parts = next(((measure, found.groupdict()) for measure, found in candidates if found), ("", {}))
        if not measure:
            self._leave_out(text("arx.privacy_model", model=model))
            return
        if "attribute" in parts and parts["attribute"] not in sensitive:
            self._leave_out(text("arx.not_sensitive", model=model))
            return
        settings = _SETTINGS[measure](parts) if measure in _SETTINGS else {}
        if any(self.settings.get(key, value) != value for key, value in settings.items()):
            self._leave_out(text("arx.second_model", model=model))
            return
        self.settings |= settings
        self._limit(measure, parts)

    def _leave_out(self, what: str) -> None:
        self.not_taken.append(what)
        self.left_out += 1

    def _limit(self, measure: str, parts: Mapping[str, str | None]) -> None:
        """Limit the measure; of several bounds the strictest holds."""
        if not parts.get("bound"):
            self.limits[measure] = True
            return
        bound = float(parts["bound"] or "")
        bound = math.nextafter(bound, 0) if measure in _STRICT else bound
        strictest = max if LIMITABLE_MEASURES[measure].direction is Direction.HIGHER else min
        self.limits[measure] = strictest(bound, self.limits.get(measure, bound))
        if parts.get("attribute"):
            self.attributes.setdefault(measure, set()).add(parts["attribute"] or "")

    def note_wider_limits(self, sensitive: Collection[str]) -> None:
        """Note limits that ARX sets for some sensitive attributes, and that hold for all of them here."""
        for measure, attributes in self.attributes.items():
            if set(sensitive) - attributes:
                title = LIMITABLE_MEASURES[measure].title
                self.not_taken.append(text("arx.wider_limit", title=title, columns=sorted(attributes)))
