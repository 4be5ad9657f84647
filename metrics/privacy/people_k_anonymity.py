"""k-anonymity of people: how many people share all their records' quasi-identifiers, where people have several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.record_groups import grouped_records
from metrics.config.parameters import Parameters
from metrics.metric import Direction, Family, Metric, Result
from metrics.tables.table import Integers
from metrics.texts import text


@dataclass(frozen=True, eq=False)
class PeopleKAnonymity(Result):
    """`groups` holds the number of people of each group; a group shares its whole collection of records."""

    groups: Integers
    records: int
    """Records in classes."""

    @property
    def value(self) -> int:
        """The people of the smallest group."""
        return int(self.groups.min())

    @property
    def people(self) -> int:
        """People with at least one record in a class."""
        return int(self.groups.sum())

    @property
    def unique(self) -> int:
        """People who are alone in their group."""
        return int((self.groups == 1).sum())

    def details(self) -> dict[str, Any]:
        """People, records, groups, people who are unique, and the highest and average re-identification risk."""
        return {
            "people": self.people,
            "records": self.records,
            "groups": len(self.groups),
            "unique_people": self.unique,
            "highest_risk": 1 / self.value,
            "average_risk": len(self.groups) / self.people,
        }

    def summary(self) -> str:
        if self.unique:
            return text("people_k_anonymity.unique", unique=self.unique, people=self.people, records=self.records)
        return text("people_k_anonymity.shared", others=self.value - 1, people=self.people, records=self.records)


def people_k_anonymity(person: Integers, class_of_record: Integers) -> PeopleKAnonymity:
    r"""k-anonymity of people, :math:`k = \min_G |G|`: 1 upwards, higher is better.

    A group holds the people whose records are in the same classes, each class equally often: all records of a person
    together are one composite quasi-identifier.

    The number of people in each group. `class_of_record`: the class of each record, -1 where it is suppressed; at least
    one is in a class.
    Source: Google Cloud, Sensitive Data Protection, `KAnonymityConfig.entity_id`: the multiset of a person's tuples is
    the composite quasi-identifier,
    https://docs.cloud.google.com/dotnet/docs/reference/Google.Cloud.Dlp.V2/latest/Google.Cloud.Dlp.V2.PrivacyMetric.Types.KAnonymityConfig
    """
    in_class = class_of_record >= 0
    person, classes = person[in_class], class_of_record[in_class]
    order = np.lexsort((classes, person))
    person, classes = person[order], classes[order]
    starts = np.flatnonzero(np.diff(person, prepend=-1))
    lengths = np.diff(starts, append=len(person))
    groups = []
    for length in np.unique(lengths):
        # People of equally many records: their sorted classes, compared as one run of bytes each.
        firsts = starts[lengths == length]
        keys = np.ascontiguousarray(classes[firsts[:, None] + np.arange(length)])
        sequences = keys.ravel() if length == 1 else keys.view(np.dtype((np.void, keys.itemsize * int(length)))).ravel()
        groups.append(np.unique(sequences, return_counts=True)[1])
    return PeopleKAnonymity(np.concatenate(groups), len(person))


def _compute(aggregates: Aggregates, parameters: Parameters) -> PeopleKAnonymity:
    return people_k_anonymity(*grouped_records(aggregates, "person"))


PEOPLE_K_ANONYMITY = Metric(
    id="people_k_anonymity",
    family=Family.PRIVACY,
    minimum=1,
    maximum=None,
    direction=Direction.HIGHER,
    formula=r"k = \min_p |\{p' : Q(p') = Q(p)\}|,\quad Q(p) = \{\!\!\{ E(r) : r \in p \}\!\!\}",
    reference="after L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002, doi "
    "10.1142/S0218488502001648; with the composite quasi-identifiers of Google Cloud's Sensitive Data Protection "
    "(entity_id)",
    compute=_compute,
    needs_role="person",
)
