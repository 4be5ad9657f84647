"""Results and choices of one session on the t-closeness page. No Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import WeakKeyDictionary

from metrics.aggregates import Aggregates
from metrics.config.parameters import GroundDistance, TClosenessParameters
from metrics.errors import Unavailable
from metrics.privacy.classes.ground_distances import choose_distance, class_distances
from metrics.privacy.t_closeness.curve import ClosenessCurve, closeness_curve
from metrics.privacy.t_closeness.measure import TCloseness, t_closeness


class MeasuredDistances(NamedTuple):
    """Distances of a version's classes by chosen ground distances, and what lies beyond every limit."""

    chosen: Mapping[str, GroundDistance]
    result: TCloseness
    curve: ClosenessCurve


@dataclass
class ClosenessState:
    """The chosen class of each version, the chosen attribute, and the last distances of each version.

    A version counted anew, with other roles or hierarchies, is another one.
    """

    attribute: str | None = None
    refused: tuple[str, str] | None = None
    """The attribute whose last choice of a ground distance does not apply, and why."""
    _chosen: WeakKeyDictionary[Aggregates, int] = field(default_factory=WeakKeyDictionary)
    _measured: WeakKeyDictionary[Aggregates, MeasuredDistances] = field(default_factory=WeakKeyDictionary)

    def measured(self, aggregates: Aggregates, settings: TClosenessParameters) -> tuple[TCloseness, ClosenessCurve]:
        """The result under these settings with its curve; a change of the limit alone measures nothing again.

        Raises Unavailable if there is nothing to measure, or a ground distance does not apply.
        """
        measurement = self._measured.get(aggregates)
        if measurement is None or measurement.chosen != settings.distance:
            result = t_closeness(aggregates.sensitive(), aggregates.hierarchies, settings.t, settings.distance)
            measurement = MeasuredDistances(
                dict(settings.distance), result, closeness_curve(result, aggregates.classes.sizes)
            )
            self._measured[aggregates] = measurement
        return measurement.curve.at(settings.t, measurement.result), measurement.curve

    def chosen_class(self, aggregates: Aggregates, curve: ClosenessCurve) -> int:
        """The class that was chosen, else the farthest."""
        return self._chosen.get(aggregates, int(curve.order[0]))

    def choose(self, aggregates: Aggregates, index: int, attribute: str | None = None) -> None:
        """Keep the choice of a class, and of an attribute if one is given."""
        self._chosen[aggregates] = index
        self.attribute = attribute or self.attribute

    def try_distance(
        self, aggregates: Aggregates, settings: TClosenessParameters, column: str, distance: GroundDistance | None
    ) -> TClosenessParameters:
        """The settings with another ground distance of one attribute, None for the automatic one.

        Where it does not apply the settings stay, and `refused` says why.
        """
        self.refused = None
        hierarchy = aggregates.hierarchies.get(column)
        histogram = aggregates.histogram(column)
        try:
            class_distances(histogram, choose_distance(histogram, hierarchy, distance), hierarchy)
        except Unavailable as reason:
            self.refused = (column, str(reason))
            return settings
        distances = {name: other for name, other in settings.distance.items() if name != column}
        if distance is not None:
            distances[column] = distance
        return TClosenessParameters(settings.t, distances)
