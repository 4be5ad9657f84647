"""What one session makes on the explore page by a method beside the lattice. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.search import Inputs
from metrics.aggregates import TableAggregates
from metrics.candidates.methods.method import CandidateMethod
from metrics.scoring.scorecard import Scorecard, score_aggregates
from metrics.tables.table import Table


@dataclass(frozen=True, eq=False)
class Made:
    """A table that was made, and its scores beside the original."""

    inputs: Inputs
    method: CandidateMethod
    seed: int
    table: Table
    card: Scorecard


@dataclass
class MakingState:
    """The table that was made last; one of other inputs is shown no longer."""

    kept: str | None = None
    """The label of the candidate that was kept last."""
    _made: Made | None = None

    def make(self, inputs: Inputs, method: CandidateMethod, seed: int) -> None:
        """Make a table and score it. Raises InputError."""
        table = method.apply(inputs.original, inputs.roles, inputs.hierarchies, seed=seed)
        aggregates = TableAggregates(table, inputs.roles, inputs.original, inputs.hierarchies)
        self._made = Made(inputs, method, seed, table, score_aggregates(aggregates, inputs.parameters))
        self.kept = None

    def made(self, inputs: Inputs, name: str) -> Made | None:
        """What was made last, if it was by the method of this name from these inputs."""
        made = self._made
        if made is None or made.inputs.identity != inputs.identity or made.method.name != name:
            return None
        return made
