"""Linkage of people: how often an attacker who knows all records of a person finds that person among the released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates import Aggregates
from metrics.aggregates.record_groups import group_of_record, require_group
from metrics.attacks.knowledge.possible_records import PossibleRecords
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.attacks.rates import AttackRate, CriterionAttack, rates_chart
from metrics.config.parameters import Parameters
from metrics.counting.record_order import record_hashes
from metrics.errors import Unavailable
from metrics.hierarchies.covering import consecutive_places
from metrics.metric import Direction, Family, Metric, MetricChart
from metrics.tables.table import Floats, Integers
from metrics.texts import text

_AT_ONCE = 2**22
"""Pairs of a target's key and a released person that are examined together: bounds the memory."""


@dataclass(frozen=True)
class PeopleLinkage(CriterionAttack):
    """`value` is the share of people who are found, a person among c possible people counting 1/c."""

    known: tuple[str, ...]
    records: int
    """Records of the people attacked."""
    unique_right: float
    """Share of people where nobody else is possible."""

    def details(self) -> dict[str, Any]:
        """Baseline, control, excess, interval, the records attacked with, and how often nobody else is possible."""
        details = {"known": list(self.known), "records": self.records, "unique_right": self.unique_right}
        return {**self.rate.details(), **details}

    @property
    def finding(self) -> str:
        return text("people_linkage_attack.finding", known=self.known, value=self.value)

    @property
    def success(self) -> str:
        return text("people_linkage_attack.success", value=self.shown)

    def summary(self) -> str:
        return f"{self.headline} {self._unique()}"

    def _unique(self) -> str:
        """How many people have no other possible person."""
        if not self.unique_right:
            return text("people_linkage_attack.unique_none")
        return text("people_linkage_attack.unique", unique=self.unique_right)

    @property
    def rates(self) -> Mapping[str, AttackRate]:
        """The rate."""
        return {text("people_linkage_attack.title"): self.rate}


@dataclass(frozen=True, eq=False)
class _Groups:
    """The records of every attacked person, grouped by their possible records, persons ascending."""

    person: Integers
    row: Integers
    """Index of each group's set of possible records."""
    records: Integers
    """Number of records of the person in the group."""

    def batches(self, lengths: Integers) -> Iterator[_Groups]:
        """Yield whole persons at a time, so that their possible records, `lengths` per row, are not too many."""
        if not len(self.person):
            return
        starts = np.flatnonzero(np.diff(self.person, prepend=-1))
        cumulated = np.cumsum(lengths[self.row])[np.append(starts[1:], len(self.row)) - 1]
        part = cumulated // _AT_ONCE
        for first in np.flatnonzero(np.diff(part, prepend=-1)):
            last = np.searchsorted(part, part[first], "right")
            groups = slice(starts[first], starts[last] if last < len(starts) else None)
            yield _Groups(self.person[groups], self.row[groups], self.records[groups])


def link_people(scenario: AttackScenario, column: str) -> PeopleLinkage:
    """The mean over people of 1/|C| where the own released person is among the possible people C, else 0.

    A released person is possible who has as many records as the target and, for each set of released records that are
    possible for some of the target's records, at least as many in that set as the target has such records.
    Under global recoding these are the people with the same composite key, so that the mean is the number of groups
    over that of people. People whose released records name nobody are not found. Nobody in the hold-out table has
    released records, so the control is 0.

    `column` says whose record each is, in the released table and, if it has it, in the original. Raises Unavailable
    where a table names nobody.
    Source: the composite keys of people in Google Cloud's Sensitive Data Protection (`KAnonymityConfig.entity_id`),
    with the record linkage of J. Domingo-Ferrer, V. Torra, Statistics and Computing 13, 2003,
    doi 10.1023/A:1025666923033.
    """
    released_person, target_person = group_of_record(scenario.released[column]), group_of_record(scenario.truth(column))
    named_targets = np.flatnonzero(target_person >= 0)
    if not len(named_targets) or not (released_person >= 0).any():
        raise Unavailable(text("people_linkage_attack.unavailable.nobody", column=column))
    attack = scenario.restrict_to(named_targets)
    people, target_person = np.unique(target_person[named_targets], return_inverse=True)
    sample = attack.sample_people(
        len(people),
        attack.possible_records(attack.targets, attack.known).work(),
        lambda: _in_order(attack, target_person, len(people)),
    )
    attacked = len(people) if sample is None else len(sample)
    if sample is not None:
        positions = np.flatnonzero(np.isin(target_person, sample))
        attack, target_person = (
            attack.restrict_to(positions, exact=False),
            np.searchsorted(sample, target_person[positions]),
        )
    size, includes_own = _possible_people(attack, released_person, target_person, attacked)
    unique = includes_own & (size == 1)
    return PeopleLinkage(
        known=scenario.known,
        records=attack.targets.rows,
        unique_right=float(unique.mean()),
        rate=AttackRate(
            successes=float((includes_own / np.maximum(size, 1)).sum()),
            attempts=attacked,
            baseline=1 / len(np.unique(released_person[released_person >= 0])),
            control=None if scenario.holdout is None else 0.0,
            exact=attack.exact,
        ),
    )


def _in_order(attack: AttackScenario, person: Integers, people: int) -> Integers:
    """People sorted by the sum of their records' hashes, which does not depend on the order of the records."""
    hashes = np.zeros(people, dtype=np.uint64)
    np.add.at(hashes, person, record_hashes(attack.target_columns()))
    return np.argsort(hashes, kind="stable")


def _possible_people(
    scenario: AttackScenario, released_person: Integers, person: Integers, people: int
) -> tuple[Floats, Integers]:
    """For each attacked person the number of possible people, and whether the own released person is one."""
    sets = scenario.possible_records(scenario.targets, scenario.known)
    row_of_target, record_counts = _records_by_person(sets, released_person)
    own_person = released_person[scenario.own]
    released = own_person >= 0
    person, row_of_target, own_person = person[released], row_of_target[released], own_person[released]
    own_of_person, records = np.full(people, -1), np.bincount(person, minlength=people)
    own_of_person[person[::-1]] = own_person[::-1]
    rows, width = record_counts.shape
    keys, counts = np.unique(person * rows + row_of_target, return_counts=True)
    groups = _Groups(keys // rows, keys % rows, counts)
    n_groups = np.bincount(groups.person, minlength=people)
    sizes = np.bincount(released_person[released_person >= 0], minlength=width)
    lengths = np.diff(record_counts.indptr).astype(np.int64)
    size, includes_own = np.zeros(people), np.zeros(people, dtype=bool)
    for batch in groups.batches(lengths):
        n_cells = lengths[batch.row]
        cell = consecutive_places(record_counts.indptr[batch.row].astype(np.int64), n_cells)
        attacked, other = np.repeat(batch.person, n_cells), record_counts.indices[cell].astype(np.int64)
        possible = (record_counts.data[cell] >= np.repeat(batch.records, n_cells)) & (sizes[other] == records[attacked])
        pairs, matches = np.unique(attacked[possible] * width + other[possible], return_counts=True)
        attacked, other = pairs // width, pairs % width
        complete = matches == n_groups[attacked]
        size += np.bincount(attacked[complete], minlength=people)
        includes_own[attacked[complete & (other == own_of_person[attacked])]] = True
    return size, includes_own


def _records_by_person(sets: PossibleRecords, released_person: Integers) -> tuple[Integers, scipy.sparse.csr_array]:
    """Index each target's sets of possible records, and count by set how many of its records each person has."""
    released = sets.released
    named_records = np.flatnonzero(released_person >= 0)
    ones, coordinates = (
        np.ones(len(named_records), dtype=np.int64),
        (released.members[named_records], released_person[named_records]),
    )
    incidence = scipy.sparse.csr_array((ones, coordinates), shape=(released.count, int(released_person.max()) + 1))
    number_of_target, blocks = np.zeros(sets.count, dtype=np.int64), []
    number_of: dict[bytes, int] = {}
    for batch in sets.batches():
        before, order = len(number_of), np.lexsort((batch.combination, batch.row))
        row, combination = batch.row[order], batch.combination[order]
        record_sets = np.split(combination, np.flatnonzero(np.diff(row)) + 1)
        number = np.array([number_of.setdefault(record_set.tobytes(), len(number_of)) for record_set in record_sets])
        number_of_target[batch.people] = number[batch.row_of_person]
        first = np.unique(number, return_index=True)[1]
        new = first[number[first] >= before]
        pairs = np.isin(row, new)
        cells = np.ones(int(pairs.sum()), dtype=np.int64), (number[row[pairs]] - before, combination[pairs])
        blocks.append(scipy.sparse.csr_array(cells, shape=(len(new), released.count)) @ incidence)
    return number_of_target, scipy.sparse.csr_array(scipy.sparse.vstack(blocks))


def _compute(aggregates: Aggregates, parameters: Parameters) -> PeopleLinkage:
    column = require_group(aggregates, "person")
    return link_people(attack_scenario(aggregates, parameters), column)


PEOPLE_LINKAGE_ATTACK = Metric(
    id="people_linkage_attack",
    family=Family.ATTACKS,
    minimum=0,
    maximum=1,
    direction=Direction.LOWER,
    is_share=True,
    formula=r"\frac{1}{|P|} \sum_p \frac{[p \in C(p)]}{|C(p)|}",
    reference="after J. Domingo-Ferrer, V. Torra, Disclosure risk assessment in statistical microdata protection via "
    "advanced record linkage, Statistics and Computing 13, 2003, doi 10.1023/A:1025666923033; with the composite "
    "quasi-identifiers of Google Cloud's Sensitive Data Protection (entity_id)",
    compute=_compute,
    settings=("attack",),
    criterion="linkability",
    charts=(MetricChart(rates_chart),),
    needs_role="person",
)
