"""One person under attack: what the attacker knows, the possible records, and which of them is the person's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.aggregates import Aggregates, require_matching
from metrics.attacks.knowledge.possible_records import Batch, PossibleRecords
from metrics.attacks.knowledge.scenario import AttackScenario, attack_scenario
from metrics.config.parameters import Parameters
from metrics.formatting import format_number, join_names
from metrics.texts import text
from metrics.working.records import record_name
from metrics.working.steps import Step, Subject, short_label, step_of, tabulated


@dataclass(frozen=True, eq=False)
class Target:
    """A person under attack."""

    name: str
    scenario: AttackScenario
    """The attack on this person alone."""

    def possible_records(self, known: Sequence[str]) -> tuple[PossibleRecords, Batch, bool]:
        """The possible records by some columns, and whether they cover the person or are the nearest."""
        sets = self.scenario.possible_records(self.scenario.targets, known)
        (batch,) = sets.batches()
        return sets, batch, batch.covering

    def known_step(self) -> Step:
        """The values that the attacker knows."""
        columns = self.scenario.targets.select(self.scenario.known)
        rows = [(short_label(column.name), short_label(column.labels[column.codes[0]])) for column in columns]
        return step_of("attack.working.known", rows=rows, record=self.name)

    def possible_records_step(self, known: Sequence[str], title: str = "") -> tuple[Step, int]:
        """The possible records by some columns, and their number."""
        sets, batch, covered = self.possible_records(known)
        released = sets.released
        number = int(batch.sizes(released)[0])
        own_combination = int(released.members[self.scenario.own[0]])
        rows = [
            (
                ", ".join(
                    short_label(column.labels[codes[index]])
                    for column, codes in zip(released.columns, released.codes, strict=True)
                ),
                int(released.sizes[index]),
                format_number(index == own_combination),
            )
            for index in batch.combination.tolist()
        ]
        known_names = join_names([short_label(name) for name in known])
        sentence = (
            text("attack.working.possible_records", number=number, names=known_names)
            if covered
            else text("attack.working.nearest", number=number, names=known_names)
        )
        table = tabulated(text("attack.working.possible_records_columns"), rows, len(rows))
        title = title or text("attack.working.possible_records_title")
        return Step(title, sentence, rf"|C(r)| = {number:,}".replace(",", "{,}"), table, number), number


def target_of(aggregates: Aggregates, parameters: Parameters, index: int) -> tuple[str, Target | None]:
    """The person of a released record; None where no original record is matched with it."""
    name = record_name(aggregates, index)
    scenario = attack_scenario(aggregates, parameters)
    targets = np.flatnonzero(scenario.own == index)
    return name, Target(name, scenario.restrict_to(targets[:1])) if len(targets) else None


def no_target(name: str) -> Step:
    """The step for a record without a matched original."""
    return step_of(
        "attack.working.no_target",
        table=tabulated(text("attack.working.no_target_columns"), [(name, format_number(False))], 1),
        record=name,
    )


def first_target(result: Any, aggregates: Aggregates, parameters: Parameters) -> Subject:
    """The first released record whose person is a target."""
    matching = require_matching(aggregates)
    return Subject(0 if matching.positions is None else int(matching.positions[0]))
