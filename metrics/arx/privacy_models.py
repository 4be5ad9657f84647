"""Privacy models of ARX, by the texts that its projects hold, as limits and parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from metrics.config.parameters import GroundDistance
from metrics.metric import Direction
from metrics.policy.limitable_measures import LIMITABLE_MEASURES, NO_ATTACK
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


@dataclass(frozen=True)
class _Model:
    """A privacy model: the text of it, the measure that is limited, and the settings that go with it."""

    pattern: str
    measure: str
    strict: bool = False
    """Whether ARX asks for less than the bound, rather than at most the bound."""
    settings: Callable[[Mapping[str, str]], dict[str, object]] = lambda found: {}


def _amounts(found: Mapping[str, str]) -> dict[str, object]:
    return {
        "profitability.information_loss": True,
        **{f"profitability.{name}": found[name] for name in _AMOUNT_NAMES.values() if found.get(name)},
    }


_MODELS = (
    _Model(rf"{_NUMBER}-anonymity", "k_anonymity"),
    _Model(rf"\({_NUMBER}\)-map", "k_map"),
    _Model(rf"distinct-{_NUMBER}-diversity{_OF_ATTRIBUTE}", "distinct_l_diversity"),
    _Model(rf"(shannon-)?entropy-{_NUMBER}-diversity{_OF_ATTRIBUTE}", "entropy_l_diversity"),
    _Model(
        rf"recursive-\({_NUMBER},(?P<l>\d{{1,9}})(?:\.0)?\)-diversity{_OF_ATTRIBUTE}",
        "recursive_cl_diversity",
        strict=True,
        settings=lambda found: {"recursive_cl_diversity.l": int(found["l"])},
    ),
    _Model(
        rf"{_NUMBER}-closeness with (?P<distance>{'|'.join(_DISTANCES)}){_OF_ATTRIBUTE}",
        "t_closeness",
        settings=lambda found: {f"t_closeness.distance.{found['attribute']}": _DISTANCES[found["distance"]]},
    ),
    _Model(rf"{_NUMBER}-disclosure privacy{_OF_ATTRIBUTE}", "delta_disclosure", strict=True),
    _Model(rf"basic-{_NUMBER}-likeness{_OF_ATTRIBUTE}", "basic_beta_likeness"),
    _Model(rf"enhanced-{_NUMBER}-likeness{_OF_ATTRIBUTE}", "enhanced_beta_likeness"),
    _Model(rf"\(0\.0,{_NUMBER}\)-presence", "delta_presence"),
    _Model(rf"\({_NUMBER}\)-sample-uniqueness", "sample_uniqueness"),
    _Model(rf"\({_NUMBER}\)-population-uniqueness \(dankar\)", "population_uniqueness"),
    _Model(
        rf"\((?P<epsilon>{_DECIMAL}),{_NUMBER}\)-DP",
        "safepub",
        settings=lambda found: {"safepub.epsilon": found["epsilon"], "safepub.delta": found["bound"]},
    ),
    _Model(rf"profitability \(prosecutor\){_AMOUNTS}", "profitability", settings=_amounts),
    _Model(rf"no-attack-profitability \(prosecutor\){_AMOUNTS}", NO_ATTACK, settings=_amounts),
)


@dataclass
class PrivacyModels:
    """What the privacy models of a project ask for here, and what has no counterpart."""

    limits: dict[str, float | bool] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)
    not_taken: list[str] = field(default_factory=list)
    attributes: dict[str, set[str]] = field(default_factory=dict)
    """The sensitive attributes that each limit is set for."""

    def add(self, model: str) -> None:
        """Take a privacy model over, or note that it has no counterpart."""
        for known in _MODELS:
            found = re.fullmatch(known.pattern, model)
            if found is not None:
                break
        else:
            self.not_taken.append(text("arx.privacy_model", model=model))
            return
        parts = found.groupdict()
        settings = known.settings(parts)
        if any(self.settings.get(key, value) != value for key, value in settings.items()):
            self.not_taken.append(text("arx.second_model", model=model))
            return
        self.settings |= settings
        self._limit(known, parts)

    def _limit(self, known: _Model, parts: Mapping[str, str | None]) -> None:
        """Limit the measure; of several bounds the strictest holds."""
        if not parts.get("bound"):
            self.limits[known.measure] = True
            return
        bound = float(parts["bound"] or "")
        bound = math.nextafter(bound, 0) if known.strict else bound
        strictest = max if LIMITABLE_MEASURES[known.measure].direction is Direction.HIGHER else min
        self.limits[known.measure] = strictest(bound, self.limits.get(known.measure, bound))
        if parts.get("attribute"):
            self.attributes.setdefault(known.measure, set()).add(parts["attribute"] or "")

    def note_wider_limits(self, sensitive: Iterable[str]) -> None:
        """Note limits that ARX sets for some sensitive attributes, and that hold for all of them here."""
        for measure, attributes in self.attributes.items():
            if set(sensitive) - attributes:
                title = LIMITABLE_MEASURES[measure].title
                self.not_taken.append(text("arx.wider_limit", title=title, columns=sorted(attributes)))
