"""k-ary randomized response: each cell is published as it is or as any other value, with known probabilities."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrics.candidates.methods.method import CandidateMethod, check_parameters, parameter, with_columns
from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import exact_number, format_number, join_names, visible
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.tables.dictionary_codes import text_array
from metrics.tables.randomization import Redrawn, k_rr
from metrics.tables.table import Column, Table
from metrics.tables.values import parse_number


@dataclass(frozen=True)
class RandomizedResponse(CandidateMethod):
    """Each cell keeps its value with probability e^ε/(e^ε + d − 1), or else becomes one of the d − 1 others.

    The d values are the leaves of the column's hierarchy, whose file may also have a single column; never those of the
    data. A missing cell is a value where a leaf is empty. Random numbers are drawn from a secret seed that nothing
    keeps: with it the true values could be computed.

    Warner: Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias. JASA 60(309), 1965, 63-69,
    https://doi.org/10.1080/01621459.1965.10480775
    Kairouz, Bonawitz, Ramage: Discrete Distribution Estimation under Local Privacy. ICML 2016,
    https://doi.org/10.48550/arXiv.1602.07387
    """

    name: ClassVar[str] = "k-rr"
    title: ClassVar[str] = "Randomized response (k-RR)"
    about: ClassVar[str] = (
        "Each value is kept, or at random replaced by another of its hierarchy; ε bounds what a published value can "
        "reveal of a person. Randomize sensitive attributes, and publish one draw only: each further one adds its ε."
    )
    generalizes: ClassVar[bool] = True
    draws: ClassVar[bool] = True
    takes_seed: ClassVar[bool] = False

    epsilon: float = parameter(
        1.0,
        "ε",
        "The odds between two true values change by a factor of at most e^ε. Of two values, ε = 1 keeps the true one "
        "in 73% of the cells, ε = 0 in half of them.",
        0,
        20,
        weakens=True,
    )
    columns: tuple[str, ...] = parameter(
        (), "Columns", "Columns to change; by default the sensitive attributes that have a hierarchy."
    )
    epsilons: tuple[str, ...] = parameter(
        (), "Other ε", "Columns to change by an ε of their own, as in diagnosis=1 sex=0.5."
    )

    def __post_init__(self) -> None:
        check_parameters(self)
        for epsilon in self._own.values():
            check_parameters(RandomizedResponse(epsilon))

    @property
    def _own(self) -> dict[str, float]:
        """The ε of columns that have their own. Raises InputError."""
        own = {}
        for given in self.epsilons:
            name, _, number = given.rpartition("=")
            epsilon = parse_number(number)
            if not name or epsilon is None:
                raise InputError(f'"{given}" is not the ε of a column', remedy="write it as in diagnosis=0.5")
            own[name] = epsilon
        return own

    @property
    def in_words(self) -> str:
        """ε of each column, as far as they are named, and of a record."""
        own = dict.fromkeys(self.columns, self.epsilon) | self._own
        if not own:
            return f"ε {exact_number(self.epsilon)} per column"
        each = join_names([f"{exact_number(epsilon)} for {visible(name)}" for name, epsilon in own.items()])
        return f"ε {each}{f', {format_number(sum(own.values()))} per record' if len(own) > 1 else ''}"

    def epsilon_by_column(self, roles: Roles, hierarchies: Hierarchies | None) -> dict[str, float]:
        """The ε of each column that is changed. Raises InputError."""
        return {name: self._own.get(name, self.epsilon) for name in self.chosen(roles, hierarchies).columns}

    def chosen(self, roles: Roles, hierarchies: Hierarchies | None) -> RandomizedResponse:
        """The method with its columns named. Raises InputError where none has a hierarchy."""
        columns = (*self.columns, *self._own) or tuple(name for name in roles.sensitive if name in (hierarchies or {}))
        if not columns:
            raise InputError(
                "no sensitive attribute has a hierarchy, whose values could be drawn",
                remedy="give it a hierarchy, or a file that lists its values, or choose other columns",
            )
        return replace(self, columns=tuple(dict.fromkeys(columns)))

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with columns drawn. Raises InputError where a column has no list of values, or others.

        A seed is only for comparing methods, whose tables nobody gets to see.
        """
        roles.check(original)
        columns = original.select(self.chosen(roles, hierarchies).columns)
        chance = np.random.default_rng(secrets.randbits(256) if seed is None else seed)
        made = {
            column.name: self._drawn(original, column, (hierarchies or {}).get(column.name), chance)
            for column in columns
        }
        return with_columns(original, made)

    def _drawn(self, original: Table, column: Column, tree: Hierarchy | None, chance: np.random.Generator) -> Column:
        if tree is None or len(tree.rows) < 2:
            raise InputError(
                "the column has no hierarchy of two values or more",
                remedy="give it a hierarchy, or a file that lists its values",
                file=original.name,
                column=column.name,
            )
        by: Redrawn = k_rr([leaf or None for leaf in tree.labels(0)], self._own.get(column.name, self.epsilon))
        leaves, records = tree.leaves_of(column), len(column.codes)
        if (leaves < 0).any():
            raise InputError(
                "the column holds values, or missing cells, that its hierarchy lacks",
                remedy="add them to the hierarchy; a missing cell is an empty value there",
                file=original.name,
                row=int((leaves < 0)[column.codes].argmax()) + 2,
                column=column.name,
            )
        # To keep a cell, or else to draw any of all values, its own among them: see `Redrawn`.
        drawn = chance.integers(len(by.values), size=records)
        codes = np.where(chance.random(records) < by.kept, leaves[column.codes], drawn).astype(np.int32)
        made = Column.from_codes(column.name, codes, text_array(list(by.values)), column.decimal)
        return replace(made, randomization=by)
