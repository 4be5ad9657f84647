"""The people whose possible records leave no doubt and no error, by the equivalence class of their released record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.aggregates import Aggregates
from metrics.aggregates.agreement import is_drawn
from metrics.attacks.guessing.guesses import guesser_of, label_numbers
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.config.parameters import Parameters
from metrics.tables.table import Flags, Integers


@dataclass(frozen=True)
class ExposedPeople:
    """Numbers of people by equivalence class; classes in the order of the aggregates' classes."""

    identified: Integers
    """People whose only possible record is their own record."""
    disclosed: Mapping[str, Integers]
    """By sensitive attribute the people whose possible records hold one single value, their own."""
    totals: Mapping[str, int]
    """People identified, by the empty name, and disclosed, by sensitive attribute; in a class or not."""
    suppressed: int
    """Exposed people whose own record is suppressed, and so in no class."""
    misled: Mapping[str, int]
    """By sensitive attribute the other people whose possible records hold one single value that is not their own."""
    targets: int
    """People who are attacked."""
    exact: bool
    """Whether everybody is attacked; otherwise only the people drawn are counted."""
    ruled_out: int = 0
    """Number of suppressed records, which some of the attackers rule out."""

    @property
    def worst_first(self) -> Integers:
        """The classes with somebody exposed: those with most people identified, then with most values disclosed."""
        n_disclosed = np.sum(list(self.disclosed.values()), axis=0) + np.zeros_like(self.identified)
        order = np.lexsort((-n_disclosed, -self.identified))
        return order[: int(((self.identified > 0) | (n_disclosed > 0)).sum())]


def exposed_people(aggregates: Aggregates, parameters: Parameters) -> ExposedPeople:
    """Count the people whose only possible record is their own, or whose possible records all have their value.

    This holds for an attacker who takes suppressed records for possible or for one who rules them out. Where no record
    is possible, the possible records are the nearest ones, so that the attacker is right, but cannot know it. Raises
    Unavailable.
    """
    scenario = attack_scenario(aggregates, parameters)
    scenario = scenario.limit_work(scenario.known)
    other = scenario.without_suppressed()
    exposed, misled = _exposed_and_misled_people(scenario)
    if other is not None:
        more_exposed, more_misled = _exposed_and_misled_people(other)
        exposed = {name: flags | more_exposed[name] for name, flags in exposed.items()}
        misled = {name: flags | more_misled[name] for name, flags in misled.items()}
    class_of = aggregates.class_of_record()[scenario.own]
    in_class, number = class_of >= 0, aggregates.classes.count
    by_class = {
        name: np.bincount(class_of[in_class & flags], minlength=number).astype(np.int64)
        for name, flags in exposed.items()
    }
    exposed_at_all = np.any(list(exposed.values()), axis=0)
    return ExposedPeople(
        identified=by_class.pop(""),
        disclosed=by_class,
        totals={name: int(flags.sum()) for name, flags in exposed.items()},
        suppressed=int((exposed_at_all & ~in_class).sum()),
        misled={name: int((flags & ~exposed[name]).sum()) for name, flags in misled.items()},
        targets=scenario.targets.rows,
        exact=scenario.exact,
        ruled_out=0 if other is None else aggregates.classes.suppressed,
    )


def _exposed_and_misled_people(scenario: AttackScenario) -> tuple[dict[str, Flags], dict[str, Flags]]:
    """Find who is identified, by the empty name, or whose values are disclosed; and who is misled."""
    sets = scenario.possible_records(scenario.targets, scenario.known)
    released = sets.released
    names = [
        name
        for name in scenario.aggregates.roles.sensitive
        if name not in scenario.known and not is_drawn(scenario.aggregates, name)
    ]
    guessers = {name: guesser_of(scenario, released, name) for name in names}
    truths = {name: scenario.truth(name) for name in names}
    combinations = scenario.own_combinations(released)
    exposed = {name: np.zeros(sets.count, dtype=bool) for name in ("", *names)}
    misled = {name: np.zeros(sets.count, dtype=bool) for name in names}
    values = {name: guessers[name].values_of(truths[name]) for name in names}
    for batch in sets.batches():
        people = batch.people
        exposed[""][people] = (batch.sizes(released) == 1) & batch.contains(combinations[people], released)
        for name in names:
            counts = guessers[name].counts(batch)
            numbers = label_numbers(truths[name])[truths[name].codes][people]
            success = guessers[name].success(batch, counts, values[name][people], numbers)
            exposed[name][people], misled[name][people] = success.certain, success.misled
    return exposed, misled
