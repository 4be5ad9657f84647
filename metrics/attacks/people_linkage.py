"""Linkage of people: how often an attacker who knows all records of a person finds that person among the released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # its parts are imported when first used

from metrics.aggregates import Aggregates
from metrics.aggregates.record_groups import group_of_record, require_group
from metrics.attacks.candidate_sets import CandidateSets
from metrics.attacks.rates import AttackRate, CriterionAttack
from metrics.attacks.scenario import AttackScenario, attack_scenario
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.hierarchies.covering import consecutive_places
from metrics.metric import Direction, Family, FigureSpec, Metric
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
        own = {"known": list(self.known), "records": self.records, "unique_right": self.unique_right}
        return {**self.rate.details(), **own}

    @property
    def finding(self) -> str:
        """The finding without what it is compared with, and without a full stop."""
        return text("people_linkage_attack.finding", known=self.known, value=self.value)

    def summary(self) -> str:
        """The finding."""
        return f"{self.headline} {self._unique()}"

    def _unique(self) -> str:
        """How many people have no other candidate."""
        if not self.unique_right:
            return text("people_linkage_attack.unique_none")
        return text("people_linkage_attack.unique", unique=self.unique_right)

    @property
    def rates(self) -> Mapping[str, AttackRate]:
        """The rate."""
        return {text("people_linkage_attack.row"): self.rate}

    def sentences(self) -> tuple[str, ...]:
        """Describe the success of the attack; nobody else has records in the table, so the control says nothing."""
        sentence = text("people_linkage_attack.plain", known=self.known, value=self.value, baseline=self.rate.baseline)
        if self.unique_right:
            sentence = f"{sentence} {self._unique()}"
        return (self.rate.with_interval(sentence),)


@dataclass(frozen=True, eq=False)
class _Groups:
    """The records of every attacked person, grouped by their candidates, persons ascending."""

    person: Integers
    row: Integers
    """Index of each group's set of candidates."""
    records: Integers
    """Number of records of the person in the group."""

    def batches(self, lengths: Integers) -> Iterator[_Groups]:
        """Yield whole persons at a time, so that their groups' candidates, `lengths` per row, are not too many."""
        if not len(self.person):
            return
        starts = np.flatnonzero(np.diff(self.person, prepend=-1))
        upto = np.cumsum(lengths[self.row])[np.append(starts[1:], len(self.row)) - 1]
        part = upto // _AT_ONCE
        for first in np.flatnonzero(np.diff(part, prepend=-1)):
            last = np.searchsorted(part, part[first], "right")
            groups = slice(starts[first], starts[last] if last < len(starts) else None)
            yield _Groups(self.person[groups], self.row[groups], self.records[groups])


def link_people(scenario: AttackScenario, column: str) -> PeopleLinkage:
    """The mean over people of 1/|C| where the own released person is among the candidates C, else 0.

    A released person is a candidate who has as many records as the target and, for each set of released records that
    are the candidates of some of the target's records, at least as many in that set as the target has such records.
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
    named = np.flatnonzero(target_person >= 0)
    if not len(named) or not (released_person >= 0).any():
        raise Unavailable(text("people_linkage_attack.unavailable.nobody", column=column))
    whole = scenario.restrict_to(named)
    people, target_person = np.unique(target_person[named], return_inverse=True)
    drawn = whole.sample_targets(len(people), whole.candidates(whole.targets, whole.known).work())
    attacked = len(people) if drawn is None else len(drawn)
    if drawn is not None:
        places = np.flatnonzero(np.isin(target_person, drawn))
        whole, target_person = whole.restrict_to(places, exact=False), np.searchsorted(drawn, target_person[places])
    size, found = _candidates(whole, released_person, target_person, attacked)
    alone = found & (size == 1)
    return PeopleLinkage(
        known=scenario.known,
        records=whole.targets.rows,
        unique_right=float(alone.mean()),
        rate=AttackRate(
            successes=float((found / np.maximum(size, 1)).sum()),
            attempts=attacked,
            baseline=1 / len(np.unique(released_person[released_person >= 0])),
            control=None if scenario.holdout is None else 0.0,
            exact=whole.exact,
        ),
    )


def _candidates(
    scenario: AttackScenario, released_person: Integers, person: Integers, people: int
) -> tuple[Floats, Integers]:
    """For each attacked person the number of candidates, and whether the own released person is one."""
    sets = scenario.candidates(scenario.targets, scenario.known)
    row_of_target, held = _records_by_person(sets, released_person)
    own_person = released_person[scenario.own]
    released = own_person >= 0
    person, row_of_target, own_person = person[released], row_of_target[released], own_person[released]
    own, records = np.full(people, -1), np.bincount(person, minlength=people)
    own[person[::-1]] = own_person[::-1]
    rows, width = held.shape
    keys, counts = np.unique(person * rows + row_of_target, return_counts=True)
    groups = _Groups(keys // rows, keys % rows, counts)
    different = np.bincount(groups.person, minlength=people)
    sizes = np.bincount(released_person[released_person >= 0], minlength=width)
    lengths = np.diff(held.indptr).astype(np.int64)
    size, found = np.zeros(people), np.zeros(people, dtype=bool)
    for some in groups.batches(lengths):
        many = lengths[some.row]
        cell = consecutive_places(held.indptr[some.row].astype(np.int64), many)
        whose, who = np.repeat(some.person, many), held.indices[cell].astype(np.int64)
        possible = (held.data[cell] >= np.repeat(some.records, many)) & (sizes[who] == records[whose])
        pairs, met = np.unique(whose[possible] * width + who[possible], return_counts=True)
        whose, who = pairs // width, pairs % width
        complete = met == different[whose]
        size += np.bincount(whose[complete], minlength=people)
        found[whose[complete & (who == own[whose])]] = True
    return size, found


def _records_by_person(sets: CandidateSets, released_person: Integers) -> tuple[Integers, scipy.sparse.csr_array]:
    """Index each target's sets of candidates, and count by set how many of its records each person has."""
    released = sets.released
    named = np.flatnonzero(released_person >= 0)
    ones, places = np.ones(len(named), dtype=np.int64), (released.members[named], released_person[named])
    incidence = scipy.sparse.csr_array((ones, places), shape=(released.count, int(released_person.max()) + 1))
    number_of_target, blocks = np.zeros(sets.count, dtype=np.int64), []
    number_of: dict[bytes, int] = {}
    for batch in sets.batches():
        before, order = len(number_of), np.lexsort((batch.combination, batch.row))
        row, combination = batch.row[order], batch.combination[order]
        candidates = np.split(combination, np.flatnonzero(np.diff(row)) + 1)
        number = np.array([number_of.setdefault(one.tobytes(), len(number_of)) for one in candidates])
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
    "advanced record linkage, Statistics and Computing 13, 2003, with the composite quasi-identifiers of Google "
    "Cloud's Sensitive Data Protection (entity_id)",
    doi="10.1023/A:1025666923033",
    compute=_compute,
    settings=("attack",),
    criterion="linkability",
    figures=(
        FigureSpec(
            "metrics.figures.attacks:attack_dumbbell",
            arguments=lambda result, aggregates: ({"linkage of people": result.rate}, result.finding),
        ),
    ),
    needs_role="person",
)
