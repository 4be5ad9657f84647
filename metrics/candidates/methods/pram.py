"""PRAM: the post-randomization method, which redraws categories at random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from metrics.candidates.methods.columns import category_columns, columns_parameter
from metrics.candidates.methods.method import CandidateMethod, parameter, with_columns
from metrics.config.roles import Roles
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.tables.randomization import Redrawn
from metrics.tables.table import Column, Table


@dataclass(frozen=True)
class PRAM(CandidateMethod):
    """Each cell is redrawn with a given probability, from the values of the column as often as they occur.

    So the transition matrix is (1 − p) I + p 1 q', where q are the shares of the values. It is invariant: q is what the
    released column is expected to have, too. A cell that is redrawn can draw the value that it had. Cells and columns
    are independent; a missing cell is a value like others.

    Gouweleeuw, Kooiman, Willenborg, de Wolf: Post Randomisation for Statistical Disclosure Control: Theory and
    Implementation. Journal of Official Statistics 14 (1998) 463-478; the book with a DOI is Hundepool et al.:
    Statistical Disclosure Control. Wiley 2012, section 3.4.6, https://doi.org/10.1002/9781118348239
    """

    name: ClassVar[str] = "pram"
    title: ClassVar[str] = "PRAM"
    about: ClassVar[str] = (
        "Categories are redrawn at random from the values of their column, in proportion to their frequency."
    )
    draws: ClassVar[bool] = True

    probability: float = parameter(0.2, "Probability", "Probability that a cell is redrawn.", 0, 1)
    columns: tuple[str, ...] = columns_parameter("all quasi-identifiers that are not numeric")

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with columns redrawn. Raises InputError where there is no column to redraw."""
        columns = category_columns(original, roles, self.columns)
        chance = np.random.default_rng(seed)
        return with_columns(original, {column.name: self._redrawn(column, chance) for column in columns})

    def _redrawn(self, column: Column, chance: np.random.Generator) -> Column:
        records = len(column.codes)
        redrawn = chance.random(records) < self.probability
        # The value of a record drawn at random is a value drawn as often as it occurs.
        drawn_codes = column.codes[chance.integers(records, size=records)] if records else column.codes
        made = Column.from_codes(
            column.name, np.where(redrawn, drawn_codes, column.codes), column.values, column.decimal
        )
        return replace(made, randomization=self._randomization(column))

    def _randomization(self, column: Column) -> Redrawn:
        shares = column.counts() / max(len(column.codes), 1)
        return Redrawn(tuple(column.labels), 1 - self.probability, self.probability * shares, from_data=True)

    def epsilon_by_column(self, original: Table, roles: Roles) -> dict[str, float]:
        """ε of each column that is changed. Raises InputError where there is none."""
        columns = category_columns(original, roles, self.columns)
        return {column.name: self._randomization(column).epsilon for column in columns}
