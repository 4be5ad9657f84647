"""k-anonymity by key set: the success of several attackers, each of whom knows some of the quasi-identifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from metrics.aggregates import Aggregates, require_class_sizes
from metrics.attacks.knowledge.scenario import attack_scenario
from metrics.attacks.record_linkage.measure import link
from metrics.config.parameters import Parameters
from metrics.counting.classes import ClassSizes, equivalence_classes
from metrics.errors import Unavailable
from metrics.metric import Direction, Family, Metric, Result
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class KeySetRisk:
    """Risk from an attacker who knows the columns of one key set."""

    name: str
    columns: tuple[str, ...]
    sizes: ClassSizes
    """The classes by these columns alone; records with `*` in all of them are in no class."""
    threshold: float
    linkage: float | None
    """The success of record linkage, 0 to 1; None without an original whose records are matched."""

    @property
    def k(self) -> int:
        """Records of the smallest class."""
        return self.sizes.smallest

    @property
    def unique(self) -> int:
        """Records alone in their class."""
        return self.sizes.of_size(1)

    @property
    def average_risk(self) -> float:
        """The mean of 1 over the size of a record's class: above 0, at most 1."""
        return self.sizes.count / self.sizes.kept

    @property
    def at_risk(self) -> float:
        """The share of records whose risk exceeds the threshold, as in `reidentification_risk`."""
        exceeding = 1 / self.sizes.sizes > self.threshold
        records = self.sizes.sizes * self.sizes.counts
        return float(records[exceeding].sum() / self.sizes.kept)

    def details(self) -> dict[str, Any]:
        """Columns, k, risks and the success of record linkage."""
        return {
            "columns": list(self.columns),
            "k": self.k,
            "unique_records": self.unique,
            "highest_risk": 1 / self.k,
            "average_risk": self.average_risk,
            "records_at_risk": self.at_risk,
            "record_linkage": self.linkage,
        }


@dataclass(frozen=True, eq=False)
class KeySets(Result):
    """`value` is the smallest k; `risks` holds the key sets, the weakest first."""

    risks: tuple[KeySetRisk, ...]

    @property
    def value(self) -> int:
        """The k of the weakest key set."""
        return self.risks[0].k

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The k of each key set."""
        return {risk.name: risk.k for risk in self.risks}

    def details(self) -> dict[str, Any]:
        """Every key set by name, the weakest first."""
        return {"key_sets": {risk.name: risk.details() for risk in self.risks}}

    def summary(self) -> str:
        weakest = self.risks[0]
        name, columns, sets = weakest.name, weakest.columns, len(self.risks)
        if weakest.unique:
            return text("key_set_k_anonymity.unique", name=name, columns=columns, unique=weakest.unique, sets=sets)
        others = weakest.k - 1
        return text("key_set_k_anonymity.shared", name=name, columns=columns, others=others, k=weakest.k, sets=sets)


def key_set_risks(aggregates: Aggregates, parameters: Parameters) -> KeySets:
    """k, risks and record linkage of every key set, the weakest first: by k, then by average risk.

    A key set is the columns that one attacker knows, a part of the quasi-identifiers; its classes join those of all
    quasi-identifiers, so its k is at least the table's. Raises Unavailable without key sets or records.
    Source: P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001,
    doi 10.1109/69.971193, for k-anonymity by each set of attributes that an attacker may know.
    """
    require_class_sizes(aggregates)
    key_sets = aggregates.roles.key_sets
    if not key_sets:
        raise Unavailable(text("unavailable.no_key_sets"))
    threshold = parameters.reidentification_risk.threshold
    risks = []
    for name, columns in key_sets.items():
        sizes = equivalence_classes(aggregates.relation, columns).by_size
        if sizes.count:
            linkage = _linkage(aggregates, parameters, columns)
            risks.append(KeySetRisk(name, tuple(columns), sizes, threshold, linkage))
    if not risks:
        raise Unavailable(text("unavailable.all_suppressed"))
    return KeySets(tuple(sorted(risks, key=lambda risk: (risk.k, -risk.average_risk))))


def _linkage(aggregates: Aggregates, parameters: Parameters, columns: Sequence[str]) -> float | None:
    attack = replace(parameters.attack, known=tuple(columns))
    try:
        scenario = attack_scenario(aggregates, replace(parameters, attack=attack))
        return link(scenario.limit_work(scenario.known)).value
    except Unavailable:
        return None


KEY_SET_K_ANONYMITY = Metric(
    id="key_set_k_anonymity",
    family=Family.PRIVACY,  # its value is k; it stands among attacks because it also links records by each key set
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    formula=r"k = \min_{S \in \mathcal{S}} \min_{E \in T / S} |E|",
    reference="P. Samarati, Protecting respondents' identities in microdata release, IEEE TKDE 13(6), 2001, doi "
    "10.1109/69.971193",
    compute=key_set_risks,
    settings=("attack", "reidentification_risk"),
    needs_role="key_sets",
)
