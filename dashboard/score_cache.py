"""Calls into metrics that a session repeats: kept per session, dropped with it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace

from dashboard.serving.shared_work import SharedWork
from metrics.aggregates import Aggregates, TableAggregates
from metrics.config.parameters import Parameters
from metrics.config.roles import BY_COLUMN, Roles
from metrics.counting.counts import EngineTable
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.interruption import reporting
from metrics.metric import Metric
from metrics.scoring.metric_score import Score, score_metric
from metrics.scoring.scorecard import Scorecard, score_aggregates
from metrics.tables.table import Table

_MAX = 4
_MAX_RECORDS = 20_000_000
"""Records up to which more versions than that are kept: their aggregates take about as much as their tables."""


@dataclass
class ScoreCache:
    """The aggregates of the last versions and the last scorecard of each, with what was computed on demand."""

    _aggregates: OrderedDict[Hashable, Aggregates] = field(default_factory=OrderedDict)
    _cards: dict[int, Scorecard] = field(default_factory=dict)
    work: SharedWork = field(default_factory=SharedWork)
    """The card that is being computed."""

    def aggregates(
        self,
        anonymized: Table | EngineTable,
        roles: Roles,
        original: Table | EngineTable | None,
        hierarchies: Mapping[str, Hierarchy],
        population: Table | None = None,
        loaded: int = _MAX,
        holdout: Table | None = None,
    ) -> Aggregates:
        """Aggregates of these inputs, counted when first asked for. Raises InputError where roles do not fit.

        A few are kept; of all `loaded` versions, so that they can be compared, unless their records are too many.
        Inputs are distinguished by identity: an entry keeps its inputs alive, so an identity is never used twice.
        """
        key = (
            id(anonymized),
            id(original),
            id(population),
            id(holdout),
            roles.quasi_identifiers,
            roles.sensitive,
            roles.matching,
            roles.weight,
            roles.person,
            roles.household,
            roles.item,
            roles.identifiers,
            roles.not_identifying,
            tuple(roles.key_sets.items()),
            *(tuple(getattr(roles, name).items()) for name in BY_COLUMN),
            tuple(sorted((column, id(hierarchy)) for column, hierarchy in hierarchies.items())),
        )
        if key not in self._aggregates:
            self._aggregates[key] = TableAggregates(
                anonymized, roles, original, hierarchies, population, holdout=holdout
            )
            records = sum(aggregates.anonymized.rows for aggregates in self._aggregates.values())
            while len(self._aggregates) > (max(_MAX, loaded) if records <= _MAX_RECORDS else _MAX):
                _, dropped = self._aggregates.popitem(last=False)
                self._cards.pop(id(dropped), None)
                records -= dropped.anonymized.rows
        self._aggregates.move_to_end(key)
        return self._aggregates[key]

    def card(self, aggregates: Aggregates, parameters: Parameters) -> Scorecard:
        """The scores of a version; only what a changed parameter touches is computed anew.

        A card that is being computed is waited for. What an engine counts ends by itself when its page does.
        """

        def computed() -> Scorecard:
            card = self._cards.get(id(aggregates))
            if card is None or card.parameters != parameters:
                card = score_aggregates(aggregates, parameters, known=card)
                if aggregates in self._aggregates.values():  # not dropped meanwhile
                    self._cards[id(aggregates)] = card
            return card

        known = self._cards.get(id(aggregates))
        if (known is not None and known.parameters == parameters) or not isinstance(aggregates.anonymized, Table):
            return computed()
        return self.work.result((id(aggregates), parameters), computed)

    def compute(
        self, aggregates: Aggregates, spec: Metric, parameters: Parameters, progress: Callable[[float], object]
    ) -> None:
        """Compute a metric that takes long; the card has it until its settings change.

        `progress` is called with the share done. Where it raises, that cancels the work, and nothing is kept.
        """
        with reporting(progress):
            score = score_metric(spec, aggregates, parameters)
        self.keep(aggregates, score, parameters)

    def keep(self, aggregates: Aggregates, score: Score, parameters: Parameters) -> Scorecard:
        """Let the card have a score that was computed beside it, until its settings change, and return it."""
        card = self.card(aggregates, parameters)
        if card[score.metric.id] is not score:
            self._cards[id(aggregates)] = card = replace(card, scores={**card.scores, score.metric.id: score})
        return card
