"""SafePub: differential privacy by sampling, levels chosen without the data, and deletion of small classes."""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrics.candidates.generalization.levels import ColumnLevels, column_levels, levels_in_order
from metrics.candidates.methods.method import CandidateMethod, check_parameters, parameter
from metrics.config.roles import Roles
from metrics.counting.counts import MemoryRelation
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.identifiers.released import suppress_columns
from metrics.privacy.safepub.bound import k_for, largest_sampling
from metrics.tables.randomization import Sampling
from metrics.tables.table import Flags, Integers, Table

PRESETS = {"LOW": 0.2, "LOW_MEDIUM": 0.4, "MEDIUM": 0.5, "MEDIUM_HIGH": 0.6, "HIGH": 0.8}
"""Degrees of generalization by the names that ARX gives them."""


@dataclass(frozen=True)
class SafePub(CandidateMethod):
    """Keeps each record with a secret probability draw, generalizes every column, and deletes classes below k.

    Quasi-identifiers and sensitive attributes are released, all by levels that are fixed without looking at the data;
    every other column becomes `*`. The classes are of all released columns, and k follows from ε, δ and the probability
    of keeping a record. Records that are not kept are deleted, so that their number stays unknown, and those left are
    sorted by their values. The search of the paper for levels by the exponential mechanism is left out.

    Bild, Kuhn, Prasser: SafePub: A Truthful Data Anonymization Algorithm With Strong Privacy Guarantees. PoPETs 2018(1)
    67-87, https://doi.org/10.1515/popets-2018-0004
    """

    name: ClassVar[str] = "safepub"
    title: ClassVar[str] = "SafePub"
    about: ClassVar[str] = (
        "(ε,δ)-differential privacy, one record per person: records are sampled in secret, quasi-identifiers and "
        "sensitive attributes generalized to fixed levels, and classes below the k that ε and δ require deleted. It "
        "holds only if levels and hierarchies were chosen without looking at the data, and one table is released."
    )
    generalizes: ClassVar[bool] = True
    draws: ClassVar[bool] = True
    takes_seed: ClassVar[bool] = False

    epsilon: float = parameter(
        1.0, "ε", "A person's record changes the probability of a result by a factor of at most e^ε.", 0.01, 10
    )
    delta: float = parameter(1e-6, "δ", "Probability with which the limit of ε may be exceeded.", 1e-15, 0.1)
    degree: float = parameter(
        0.8,
        "Degree of generalization",
        "Level of each column as a share of its hierarchy's height, rounded; ARX's presets are 0.2 (LOW), 0.4 "
        "(LOW_MEDIUM), 0.5 (MEDIUM), 0.6 (MEDIUM_HIGH) and 0.8 (HIGH).",
        0,
        1,
    )
    levels: tuple[str, ...] = parameter(
        (), "Levels", "Levels instead of the degree, as in age=2; choose them without looking at the data."
    )
    beta: float = parameter(
        0.0, "Sampling probability", "Probability of keeping a record; 0 stands for the largest, 1 − e^−ε.", 0, 1
    )
    as_arx: bool = parameter(False, "k + 1, as ARX", "Require one record more in each class, as ARX does.")

    def __post_init__(self) -> None:
        check_parameters(self)
        if not self.beta:  # down to four digits, so that it is told in few
            object.__setattr__(self, "beta", math.floor(largest_sampling(self.epsilon) * 10_000) / 10_000)
        self.sampling  # noqa: B018 - refuses what proves nothing

    @property
    def sampling(self) -> Sampling:
        """What is known of the tables that it makes."""
        k = k_for(self.epsilon, self.delta, self.beta, as_arx=self.as_arx)
        if k is None:
            most = largest_sampling(self.epsilon)
            raise InputError(
                "the sampling probability is larger than ε allows", remedy=f"choose {most:.6g} or less, or another ε"
            )
        return Sampling(self.epsilon, self.delta, self.beta, k)

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The records left, generalized; a seed has no effect. Raises InputError where none is left."""
        return self.sample(original, roles, hierarchies)[0]

    def sample(self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None) -> tuple[Table, Integers]:
        """The table, and the position of each of its records in the original, which is confidential."""
        roles.check(original)
        _require_one_record_each(original, roles)
        names = (*roles.quasi_identifiers, *roles.sensitive)
        columns = [
            column_levels(original[name], (hierarchies or {}).get(name), original.name, roles.highest_levels.get(name))
            for name in names
        ]
        levels = self._levels_of(columns)
        kept = np.flatnonzero(_kept(original.rows, self.beta))
        made = {one.column.name: one.generalized(level) for one, level in zip(columns, levels, strict=True)}
        whole = replace(original, columns=tuple(made.get(one.name, one) for one in original.columns))
        relation = MemoryRelation(whole.take(kept))
        class_of, sizes = relation.members(names), relation.count(names).counts
        k = self.sampling.k
        left = np.flatnonzero(sizes[class_of] >= k)
        if not len(left):
            raise InputError(
                f"no class of {k} records is left",
                remedy="choose higher levels, or a larger δ",
                file=original.name,
            )
        # Classes are numbered in the order of their values, and records within one are equal.
        positions = kept[left[np.argsort(class_of[left], kind="stable")]]
        others = [name for name in original.names if name not in names]
        table = suppress_columns(whole.take(positions), others)
        return replace(table, sampled=self.sampling, positions=positions), positions

    def _levels_of(self, columns: Sequence[ColumnLevels]) -> tuple[int, ...]:
        """The level of each column: as given, else by the degree, half levels rounded up as in ARX."""
        chosen = {one.column.name: min(int(self.degree * one.height + 0.5), one.highest) for one in columns}
        for given in self.levels:
            name, _, level = given.rpartition("=")
            if name not in chosen or not level.isdecimal():
                raise InputError(f'"{given}" is not the level of a released column', remedy="write it as in age=2")
            chosen[name] = int(level)
        return levels_in_order(columns, chosen)


def _kept(records: int, probability: float) -> Flags:
    """For each record whether it is kept, by the system's secret randomness."""
    drawn = np.frombuffer(secrets.token_bytes(8 * records), dtype=np.uint64)
    kept: Flags = drawn < np.uint64(int(probability * 2**64))
    return kept


def _require_one_record_each(original: Table, roles: Roles) -> None:
    if roles.person is not None and original[roles.person].distinct < original.rows:
        raise InputError(
            "a person has several records, with whose number ε and δ would grow",
            remedy="keep one record of each person",
            file=original.name,
            column=roles.person,
        )
