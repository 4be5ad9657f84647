"""Results of one session on the pages about attacks. No Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from metrics.aggregates import Aggregates
from metrics.attacks.analyses.exposed_people import ExposedPeople, exposed_people
from metrics.attacks.analyses.success_by_columns import KnowledgeGrowth, knowledge_growth
from metrics.attacks.membership.measure import MEMBERSHIP_ATTACK
from metrics.attacks.singling_out.measure import SINGLING_OUT_ATTACK
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.explanations.attack_questions import ATTACKS_BY_QUESTION
from metrics.matching.records import refuse_shared_records
from metrics.scoring.catalog import BY_ID
from metrics.scoring.scorecard import Score, Scorecard, score_metric
from metrics.tables.table import Table, quoted

_MAX_KEPT = 64
_MAX_RECORDS = 100_000
"""Records up to which predicates are attacked with without a request: about a second."""

T = TypeVar("T")


@dataclass
class AttackState:
    """The last results of each version, by the columns that the attacker knows."""

    _found: WeakKeyDictionary[Aggregates, dict[Hashable, Any]] = field(default_factory=WeakKeyDictionary)
    _refused: tuple[Hashable, str | None] | None = None

    def scores(self, aggregates: Aggregates, parameters: Parameters) -> dict[str, Score]:
        """The scores of the attacks that answer the three criteria, and of that on membership.

        Predicates of many records are left out.
        """
        ids = [*chain.from_iterable(ATTACKS_BY_QUESTION.values()), MEMBERSHIP_ATTACK.id]
        if aggregates.anonymized.rows > _MAX_RECORDS:
            ids.remove(SINGLING_OUT_ATTACK.id)
        return {identifier: self._score(identifier, aggregates, parameters) for identifier in ids}

    def with_singling_out(self, card: Scorecard) -> Scorecard:
        """The card with the attack by predicates; as it is where there are many records."""
        aggregates, spec = card.aggregates, SINGLING_OUT_ATTACK
        if aggregates.anonymized.rows > _MAX_RECORDS:
            return card
        score = self._score(spec.id, aggregates, card.parameters)
        return card if card[spec.id] is score else replace(card, scores={**card.scores, spec.id: score})

    def with_known_singling_out(self, card: Scorecard) -> Scorecard:
        """The card with the attack by predicates where another page has computed it: for all tables it takes long."""
        key, _ = self._attack(SINGLING_OUT_ATTACK.id, card.parameters)
        return self.with_singling_out(card) if key in self._found.get(card.aggregates, {}) else card

    def _score(self, identifier: str, aggregates: Aggregates, parameters: Parameters) -> Score:
        key, parameters = self._attack(identifier, parameters)
        return self._memoized(aggregates, key, lambda: score_metric(BY_ID[identifier], aggregates, parameters))

    def _attack(self, identifier: str, parameters: Parameters) -> tuple[Hashable, Parameters]:
        """The key under which an attack is kept, and the parameters that it depends on."""
        # Predicates do not depend on what the attacker knows.
        known_columns = () if identifier == SINGLING_OUT_ATTACK.id else parameters.attack.known
        parameters = replace(parameters, attack=replace(parameters.attack, known=known_columns))
        return (identifier, parameters.attack), parameters

    def people(self, aggregates: Aggregates, parameters: Parameters) -> ExposedPeople:
        """The people exposed. Raises Unavailable."""
        return self._memoized(aggregates, ("people", parameters.attack), lambda: exposed_people(aggregates, parameters))

    def growth(self, aggregates: Aggregates, parameters: Parameters) -> KnowledgeGrowth:
        """Success by the number of known columns. Raises Unavailable."""
        columns = parameters.attack.known or None
        return self._memoized(
            aggregates, ("growth", parameters.attack), lambda: knowledge_growth(aggregates, parameters, columns)
        )

    def _memoized(self, aggregates: Aggregates, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the value kept under that key, computed first if there is none."""
        results = self._found.setdefault(aggregates, {})
        if key not in results:
            while len(results) >= _MAX_KEPT:
                del results[next(iter(results))]
            results[key] = compute()
        result: T = results[key]
        return result

    def refused_holdout(self, holdout: Table, original: Table | None, roles: Roles) -> str | None:
        """Say why a hold-out table cannot be used: it lacks a quasi-identifier, or people of the original are in it."""
        key = (id(holdout), id(original), roles.quasi_identifiers, roles.identifiers, roles.matching.key)
        if self._refused is None or self._refused[0] != key:
            self._refused = (key, _refusal(holdout, original, roles))
        return self._refused[1]


def _refusal(holdout: Table, original: Table | None, roles: Roles) -> str | None:
    missing_columns = [name for name in roles.quasi_identifiers if name not in holdout]
    if missing_columns:
        error = InputError(
            f"the hold-out table lacks {quoted(missing_columns)}, so it is not used",
            remedy="load one that has every quasi-identifier",
            file=holdout.name,
        )
        return str(error)
    try:
        if original is not None:
            refuse_shared_records(original, holdout, roles)
    except InputError as error:
        return str(error)
    return None
