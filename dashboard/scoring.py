"""Calls into metrics that a session repeats: kept per session, dropped with it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from metrics.evidence import Evidence
from metrics.hierarchy import Hierarchy
from metrics.parameters import Parameters
from metrics.roles import Roles
from metrics.scorecard import Scorecard, score_evidence
from metrics.table import Table

_MOST = 4


@dataclass
class ScoreCache:
    """The last few candidates' aggregates and the last scorecard of each."""

    _evidence: OrderedDict[Hashable, Evidence] = field(default_factory=OrderedDict)
    _cards: dict[int, Scorecard] = field(default_factory=dict)

    def evidence(
        self,
        anonymized: Table,
        roles: Roles,
        original: Table | None,
        hierarchies: Mapping[str, Hierarchy],
    ) -> Evidence:
        """Aggregates of these inputs, counted when first asked for. Raises InputError where roles do not fit.

        Inputs are told apart by identity: an entry keeps its inputs alive, so an identity is never used twice.
        """
        key = (
            id(anonymized),
            id(original),
            roles.quasi_identifiers,
            roles.sensitive,
            roles.key,
            tuple(sorted((column, id(hierarchy)) for column, hierarchy in hierarchies.items())),
        )
        if key not in self._evidence:
            self._evidence[key] = Evidence(anonymized, roles, original, hierarchies)
            while len(self._evidence) > _MOST:
                _, dropped = self._evidence.popitem(last=False)
                self._cards.pop(id(dropped), None)
        self._evidence.move_to_end(key)
        return self._evidence[key]

    def card(self, evidence: Evidence, parameters: Parameters) -> Scorecard:
        """The scores of a candidate; the last ones again if no parameter has changed since."""
        known = self._cards.get(id(evidence))
        if known is None or known.parameters != parameters:
            known = self._cards[id(evidence)] = score_evidence(evidence, parameters)
        return known
