"""Calls into metrics that a session repeats: kept per session, dropped with it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Hashable, Mapping
from dataclasses import dataclass, field, replace

from metrics.counts import EngineTable
from metrics.evidence import Evidence
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.roles import Roles
from metrics.scorecard import Scorecard, score_evidence, score_gradually
from metrics.specification import Metric
from metrics.table import Table

_MOST = 4
_MOST_RECORDS = 20_000_000
"""Records up to which more candidates than that are kept: their aggregates take about as much as their tables."""


@dataclass
class ScoreCache:
    """The aggregates of the last candidates and the last scorecard of each, with what was computed on demand."""

    _evidence: OrderedDict[Hashable, Evidence] = field(default_factory=OrderedDict)
    _cards: dict[int, Scorecard] = field(default_factory=dict)

    def evidence(
        self,
        anonymized: Table | EngineTable,
        roles: Roles,
        original: Table | EngineTable | None,
        hierarchies: Mapping[str, Hierarchy],
        population: Table | None = None,
        loaded: int = _MOST,
    ) -> Evidence:
        """Aggregates of these inputs, counted when first asked for. Raises InputError where roles do not fit.

        A few are kept; of all `loaded` candidates, so that they can be compared, unless their records are too many.
        Inputs are told apart by identity: an entry keeps its inputs alive, so an identity is never used twice.
        """
        key = (
            id(anonymized),
            id(original),
            id(population),
            roles.quasi_identifiers,
            roles.sensitive,
            roles.matching,
            roles.weight,
            tuple(sorted((column, id(hierarchy)) for column, hierarchy in hierarchies.items())),
        )
        if key not in self._evidence:
            self._evidence[key] = Evidence(anonymized, roles, original, hierarchies, population)
            while len(self._evidence) > self._room(loaded):
                _, dropped = self._evidence.popitem(last=False)
                self._cards.pop(id(dropped), None)
        self._evidence.move_to_end(key)
        return self._evidence[key]

    def _room(self, loaded: int) -> int:
        records = sum(evidence.anonymized.rows for evidence in self._evidence.values())
        return max(_MOST, loaded) if records <= _MOST_RECORDS else _MOST

    def card(self, evidence: Evidence, parameters: Parameters) -> Scorecard:
        """The scores of a candidate; only what a changed parameter touches is computed anew."""
        known = self._cards.get(id(evidence))
        if known is None or known.parameters != parameters:
            known = self._cards[id(evidence)] = score_evidence(evidence, parameters, known=known)
        return known

    def compute(self, evidence: Evidence, spec: Metric, parameters: Parameters) -> Generator[float, None, None]:
        """Compute a metric that takes long, yielding the share done; the card has it until its settings change.

        Whoever stops asking for the next share cancels it, and nothing is kept.
        """
        card = self.card(evidence, parameters)
        score = yield from score_gradually(spec, evidence, parameters)
        self._cards[id(evidence)] = replace(card, scores={**card.scores, spec.id: score})
