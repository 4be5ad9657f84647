"""Several releases of one original: people whom their intersection discloses and none of them alone does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import is_drawn
from metrics.attacks.guessing.guesses import guesser_of
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.attacks.rates import NOTICEABLE, AttackRate
from metrics.config.parameters import Parameters
from metrics.counting.record_order import record_hashes
from metrics.errors import Unavailable
from metrics.hierarchies.domain import number_of_label
from metrics.hierarchies.numerals import is_numeric
from metrics.tables.table import Flags, Integers
from metrics.texts import text

_MAX_CELLS = 2**22
"""Values of possible records that are held at once: bounds the memory."""

_Value = str | int | Decimal | None


@dataclass(frozen=True)
class JointDisclosure:
    """Disclosure of one sensitive attribute by releases: shares of targets, 0 to 1, lower is better."""

    together: AttackRate
    """Targets disclosed by the possible records of all truthful releases, or of the most revealing release alone if it
    discloses more: its share is the baseline."""
    alone: tuple[float, ...]
    """For each release the targets whose possible records there hold one single value, the target's."""
    only_together: float
    """Targets that the truthful releases disclose together and no release does alone."""


@dataclass(frozen=True)
class Intersection:
    """`value` is the share of targets disclosed by all releases together, of the attribute disclosed most."""

    known: tuple[str, ...]
    disclosed: Mapping[str, JointDisclosure]
    excludes_suppressed: bool = False
    """Whether the attacker rules out suppressed records."""

    @property
    def worst(self) -> str:
        """The attribute that is disclosed most; the first of equals."""
        return max(self.disclosed, key=lambda name: self.disclosed[name].together.value)

    @property
    def value(self) -> float:
        """The largest share."""
        return self.disclosed[self.worst].together.value

    @property
    def interval(self) -> tuple[float, float] | None:
        """95% interval; None if exact."""
        return self.disclosed[self.worst].together.interval

    @property
    def attributes(self) -> Mapping[str, float | None]:
        """The share for each sensitive attribute."""
        return {name: disclosure.together.value for name, disclosure in self.disclosed.items()}

    def details(self) -> dict[str, Any]:
        """Return what each release discloses alone, and what only all of them together do, by attribute."""
        return {
            "known": list(self.known),
            "by_attribute": {
                name: {
                    "value": disclosure.together.value,
                    **disclosure.together.details(),
                    "alone": list(disclosure.alone),
                    "only_together": disclosure.only_together,
                }
                for name, disclosure in self.disclosed.items()
            },
        }

    def summary(self) -> str:
        """The finding."""
        disclosure = self.disclosed[self.worst]
        return text(
            "intersection_attack.disclosed",
            known=self.known,
            assuming=text("attack.assuming.suppressed_excluded") if self.excludes_suppressed else "",
            releases="both releases" if len(disclosure.alone) == 2 else f"all {len(disclosure.alone)} releases",
            column=self.worst,
            value=self.value,
            only_together=disclosure.only_together,
        )


def intersect_releases(
    releases: Sequence[Aggregates], parameters: Parameters, *, exclude_suppressed: bool = False
) -> Intersection:
    """The share of targets whose possible records of all releases have one single value in common, the target's.

    Only releases that tell the truth rule out records: those in which no known column and not the attribute was drawn
    at random, or otherwise changed for more than 1% of the targets. Another one counts alone, as the attacker may use
    whichever release reveals most. So the share is never below that of a single release.

    Parameters
    ----------
    releases
        Aggregates of two or more releases of one original table, which is the same table in all of them.
    parameters
        What the attacker knows.
    exclude_suppressed
        Whether the attacker rules out suppressed records.

    Raises
    ------
    Unavailable
        If a release cannot be attacked, or no person is a target in all of them.
    ValueError
        For fewer than two releases, or different originals.

    Notes
    -----
    Source: S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data
    privacy", KDD 2008, doi 10.1145/1401890.1401926 (arXiv 0803.0032).
    """
    if len(releases) < 2 or any(release.original is not releases[0].original for release in releases):
        raise ValueError("two or more releases of one original are required")
    scenarios = _common([attack_scenario(release, parameters) for release in releases])
    columns = [name for name in scenarios[0].aggregates.roles.sensitive if name not in scenarios[0].known]
    if not columns:
        raise Unavailable(text("attack.unavailable.all_known"))
    if exclude_suppressed:
        scenarios = [scenario.without_suppressed() or scenario for scenario in scenarios]
    disclosed = {name: _joint_disclosure(scenarios, name) for name in columns}
    return Intersection(scenarios[0].known, disclosed, exclude_suppressed)


def _common(scenarios: Sequence[AttackScenario]) -> list[AttackScenario]:
    """Attack the people who are targets in every release, in the same order; a sample of them if they are too many."""
    positions = [scenario.original_places() for scenario in scenarios]
    common = positions[0]
    for other_positions in positions[1:]:
        common = np.intersect1d(common, other_positions)
    if not len(common):
        raise Unavailable(text("intersection_attack.unavailable.no_common_target"))
    work = sum(scenario.possible_records(scenario.targets, scenario.known).work() for scenario in scenarios)
    restricted = []
    for scenario, original_positions in zip(scenarios, positions, strict=True):
        order = np.argsort(original_positions, kind="stable")
        restricted.append(scenario.restrict_to(order[np.searchsorted(original_positions[order], common)]))
    # A sum, so that who is drawn does not depend on the order of the releases.
    sample = scenarios[0].sample_people(
        len(common), work, lambda: np.argsort(sum(record_hashes(each.target_columns()) for each in restricted))
    )
    return restricted if sample is None else [scenario.restrict_to(sample, exact=False) for scenario in restricted]


def _joint_disclosure(scenarios: Sequence[AttackScenario], name: str) -> JointDisclosure:
    truth = scenarios[0].truth(name)
    numbers: dict[_Value, int] = {}
    numeric = is_numeric(truth)
    for column in (truth, *(scenario.released[name] for scenario in scenarios)):
        for label in column.labels:
            numbers.setdefault(_value(label, column.decimal, numeric), len(numbers))
    own_numbers = np.array([numbers[_value(label, truth.decimal, numeric)] for label in truth.labels], dtype=np.int64)
    own_numbers = own_numbers[truth.codes]
    possible_values = [_values_held(scenario, name, numbers, numeric) for scenario in scenarios]
    alone = np.array([_single(*held, own_numbers) for held in possible_values])
    truthful = [
        held
        for scenario, held in zip(scenarios, possible_values, strict=True)
        if _is_truthful(scenario, name, _holds(*held, own_numbers))
    ]
    people = len(own_numbers)
    combined = np.zeros(people, dtype=bool)
    step = max(8 * _MAX_CELLS // len(numbers), 1)
    for block in np.split(np.arange(people), range(step, people, step)) if truthful else ():
        common_values = reduce(np.bitwise_and, (values[rows[block]] for rows, values in truthful))
        combined[block] = _single(np.arange(len(block)), common_values, own_numbers[block])
    shares = tuple(alone.mean(axis=1).tolist())
    successes = max(int(each.sum()) for each in (combined, *alone))
    rate = AttackRate(successes, people, max(shares), None, scenarios[0].exact)
    return JointDisclosure(rate, shares, float((combined & ~alone.any(axis=0)).mean()))


def _is_truthful(scenario: AttackScenario, name: str, holds_own: Flags) -> bool:
    """Whether nothing known to the attacker or sought was drawn at random or, for more than 1% of people, changed.

    Of people whose value is suppressed, or whose record the attacker rules out, nothing false is published.
    """
    column = scenario.released[name]
    is_published = column.shown[column.codes[scenario.own]] & ~np.isin(scenario.own, scenario.ruled_out)
    return not (
        any(is_drawn(scenario.aggregates, each) for each in (*scenario.known, name))
        or (is_published & ~holds_own).sum() > NOTICEABLE * is_published.sum()
    )


def _value(label: str | None, decimal: str, numeric: bool) -> _Value:
    """Return the value of a label: in a column of numbers 3 and 3.0 are the same."""
    number = number_of_label(label, decimal) if numeric else None
    return label if number is None else number


def _values_held(
    scenario: AttackScenario, name: str, numbers: Mapping[_Value, int], numeric: bool
) -> tuple[Integers, npt.NDArray[np.uint8]]:
    """For each target a row, and for each row the values of the possible records, one bit each."""
    sets = scenario.possible_records(scenario.targets, scenario.known)
    guess = guesser_of(scenario, sets.released, name)
    decimal = scenario.released[name].decimal
    values = (_value(guess.label(value), decimal, numeric) for value in range(guess.values))
    number = np.array([numbers[value] for value in values], dtype=np.int64)
    rows, parts, before = np.zeros(sets.count, dtype=np.int64), [], 0
    step = max(_MAX_CELLS // len(numbers), 1)
    for batch in sets.batches():
        counts = guess.counts(batch)
        rows[batch.people] = before + batch.row_of_person
        before += batch.rows
        for first in range(0, batch.rows, step):
            last = min(first + step, batch.rows)
            cells = slice(*np.searchsorted(counts.row, [first, last]))
            is_possible = np.zeros((last - first, len(numbers)), dtype=bool)
            is_possible[counts.row[cells] - first, number[counts.value[cells]]] = True
            parts.append(np.packbits(is_possible, axis=1))
    return rows, np.concatenate(parts)


def _holds(rows: Integers, values: npt.NDArray[np.uint8], own_numbers: Integers) -> Flags:
    """Whether the target's own value is among those of its row."""
    held: Flags = values[rows, own_numbers // 8] >> (7 - own_numbers % 8).astype(np.uint8) & 1 == 1
    return held


def _single(rows: Integers, values: npt.NDArray[np.uint8], own_numbers: Integers) -> Flags:
    """Whether the target's own value is the only one of its row."""
    disclosed: Flags = (np.bitwise_count(values).sum(axis=1) == 1)[rows] & _holds(rows, values, own_numbers)
    return disclosed
