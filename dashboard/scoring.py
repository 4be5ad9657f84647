"""Calls into metrics that a session repeats: kept per session, dropped with it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from metrics.evidence import Evidence
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.roles import Roles
from metrics.scorecard import Score, Scorecard, score_evidence
from metrics.specification import Metric, Unavailable
from metrics.table import Table

_MOST = 4


@dataclass
class ScoreCache:
    """The last few candidates' aggregates, the last scorecard of each, and what was computed on demand."""

    _evidence: OrderedDict[Hashable, Evidence] = field(default_factory=OrderedDict)
    _cards: dict[int, Scorecard] = field(default_factory=dict)
    _demanded: dict[int, dict[str, tuple[Any, Score]]] = field(default_factory=dict)

    def evidence(
        self,
        anonymized: Table,
        roles: Roles,
        original: Table | None,
        hierarchies: Mapping[str, Hierarchy],
        population: Table | None = None,
    ) -> Evidence:
        """Aggregates of these inputs, counted when first asked for. Raises InputError where roles do not fit.

        Inputs are told apart by identity: an entry keeps its inputs alive, so an identity is never used twice.
        """
        key = (
            id(anonymized),
            id(original),
            id(population),
            roles.quasi_identifiers,
            roles.sensitive,
            roles.key,
            roles.weight,
            tuple(sorted((column, id(hierarchy)) for column, hierarchy in hierarchies.items())),
        )
        if key not in self._evidence:
            self._evidence[key] = Evidence(anonymized, roles, original, hierarchies, population)
            while len(self._evidence) > _MOST:
                _, dropped = self._evidence.popitem(last=False)
                self._cards.pop(id(dropped), None)
                self._demanded.pop(id(dropped), None)
        self._evidence.move_to_end(key)
        return self._evidence[key]

    def card(self, evidence: Evidence, parameters: Parameters) -> Scorecard:
        """The scores of a candidate; the last ones again if no parameter has changed since."""
        known = self._cards.get(id(evidence))
        if known is None or known.parameters != parameters:
            demanded = {
                identifier: score
                for identifier, (settings, score) in self._demanded.get(id(evidence), {}).items()
                if settings == _settings(identifier, parameters)
            }
            card = score_evidence(evidence, parameters)
            known = self._cards[id(evidence)] = replace(card, scores={**card.scores, **demanded})
        return known

    def compute(self, evidence: Evidence, spec: Metric, parameters: Parameters) -> Iterator[float]:
        """Compute a metric that takes long, yielding the share done; the card has it until its settings change.

        Whoever stops asking for the next share cancels it, and nothing is kept.
        """
        if spec.gradual is None:
            raise ValueError("this metric is part of every card")
        try:
            result = yield from spec.gradual(evidence, parameters)
            score = Score(spec, result, None)
        except Unavailable as reason:
            score = Score(spec, None, str(reason))
        self._demanded.setdefault(id(evidence), {})[spec.id] = (_settings(spec.id, parameters), score)
        self._cards.pop(id(evidence), None)


def _settings(identifier: str, parameters: Parameters) -> Any:
    """What a metric's answer depends on: the parameters that carry its name."""
    return getattr(parameters, identifier, None)
