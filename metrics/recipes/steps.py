"""The steps of a recipe: each changes a table in one way, by rules that hold no record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from metrics.candidates.generalization.generalize import suppressed_by
from metrics.candidates.generalization.levels import column_levels
from metrics.candidates.limits.enforced import K, L, Limits, T, needs_sensitive
from metrics.candidates.methods.method import CandidateMethod, SamplingMethod, parameter_summary, with_suppressed_cells
from metrics.config.parameters import GroundDistance, Parameters, TClosenessParameters
from metrics.config.roles import Roles
from metrics.counting.classes import suppressed_records
from metrics.errors import InputError
from metrics.formatting import exact_number, join_names, pluralize
from metrics.hierarchies.hierarchy import Hierarchies, Hierarchy
from metrics.identifiers.released import released_identifiers, serving, suppress_columns, suppressible
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Column, Integers, Table

Cells = tuple[str | None, ...]
"""The cells of a record in some columns, None for a missing one."""


class Unknown(StrEnum):
    """Treatment of values that the hierarchy of a recipe lacks."""

    REFUSE = "refuse"
    """The table is refused."""
    SUPPRESS = "suppress"
    """The cells become `*`."""


@dataclass(frozen=True, eq=False)
class Generalize:
    """Every value of one column becomes its label on a level of a hierarchy.

    Without labels there is no hierarchy: on level 0 values stay, on level 1 they become `*`.
    """

    column: str
    level: int
    height: int
    hierarchy: str | None = None
    """Name of the hierarchy's file, for people."""
    labels: Mapping[str, Sequence[str]] | None = None
    """Each label of the level with the values it represents; missing cells are the value ""."""

    @cached_property
    def _tree(self) -> Hierarchy | None:
        if self.labels is None:
            return None
        rows = [(value, label, SUPPRESSED) for label, values in self.labels.items() for value in values]
        return Hierarchy(rows, name=self.hierarchy or f"{self.column}.csv")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that change."""
        return (self.column,)

    def unknown(self, table: Table) -> tuple[str | None, ...]:
        """The values of the table's column that the recipe knows no label for."""
        return () if self._tree is None else self._tree.missing_leaves(table[self.column])

    def described(self) -> str:
        """Describe the step."""
        return f"{self.column}: level {self.level} of {self.height}"

    def applied(self, table: Table, unknown: Unknown) -> tuple[Table, None]:
        """The table with the column on its level. Raises InputError for unknown values, unless they are suppressed."""
        column = table[self.column]
        if not table.rows:
            return table, None
        if self._tree is None:
            return _with_columns(table, column_levels(column, None, table.name).generalized(self.level)), None
        tree, missing = self._tree, self.unknown(table)
        if missing and unknown is Unknown.REFUSE:
            is_unknown = np.isin(column.codes, [column.code_of[value] for value in missing])
            raise InputError(
                f"the recipe lacks {len(missing):,} of the {pluralize(column.distinct, 'value')} of the column, in "
                f"{pluralize(int(is_unknown.sum()), 'record')}",
                remedy="add them to the hierarchy and write the recipe again, or suppress unknown values",
                file=table.name,
                row=int(is_unknown.argmax()) + 2,
                column=self.column,
            )
        if missing:
            tree = Hierarchy([*tree.rows, *((value or "", SUPPRESSED, SUPPRESSED) for value in missing)])
        return _with_columns(table, column_levels(column, tree, table.name).generalized(1)), None


@dataclass(frozen=True, eq=False)
class SuppressClasses:
    """Records of classes that fail a criterion get `*` in every quasi-identifier; the table at hand decides which."""

    quasi_identifiers: tuple[str, ...]
    rule: Limits
    """Limits on k, l and t."""
    sensitive: tuple[str, ...] = ()
    distance: Mapping[str, GroundDistance] = field(default_factory=dict)
    """Ground distances of sensitive attributes, where they were chosen."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """Hierarchies of sensitive attributes, for the ground distance."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that change."""
        return self.quasi_identifiers

    def described(self) -> str:
        """Describe the step."""
        return f"Classes with {self._limits()} are suppressed; they are determined anew in each table"

    def brief(self) -> str:
        """Describe the step in a report."""
        return f"suppression of any class with {self._limits()}"

    def _limits(self) -> str:
        limits = [f"fewer than {pluralize(int(self.rule.get(K, 1)), 'record')}"]
        limits += [f"fewer than {exact_number(self.rule[L])} values of a sensitive attribute"] if L in self.rule else []
        limits += [f"a distance above {exact_number(self.rule[T])}"] if T in self.rule else []
        return join_names(limits, "or")

    def applied(self, table: Table, unknown: Unknown) -> tuple[Table, None]:
        """The table without its classes that fail. Raises InputError."""
        roles = Roles(self.quasi_identifiers, self.sensitive, name=table.name)
        roles.check(table)
        parameters = Parameters(t_closeness=TClosenessParameters(distance=self.distance))
        flags = suppressed_by(table, roles, self.hierarchies, self.rule, parameters)
        columns = (with_suppressed_cells(column, flags) for column in table.select(self.quasi_identifiers))
        return (_with_columns(table, *columns) if flags.any() else table), None


@dataclass(frozen=True)
class Rule:
    """Change to the records with some cells."""

    before: Cells
    after: Cells | None
    """None if the records are deleted."""
    records: int | None = None
    """Number of these records that it changes, in the order of the table; None for all that are left."""


@dataclass(frozen=True, eq=False)
class Recode:
    """Records with listed cells in some columns get other cells there, or are deleted; all others stay."""

    columns: tuple[str, ...]
    rules: tuple[Rule, ...]

    def described(self) -> str:
        """Describe the step."""
        recoded, deleted = self._numbers()
        parts = [f"recoded ({pluralize(recoded, 'combination')})"] if recoded else []
        parts += [f"deleted ({pluralize(deleted, 'combination')})"] if deleted else []
        return (
            f"Records with listed combinations of {join_names(self.columns)} are {' or '.join(parts) or 'unchanged'}; "
            "in a new table, this affects only records with exactly these cells"
        )

    def brief(self) -> str:
        """Describe the step in a report."""
        recoded, deleted = self._numbers()
        phrases = [f"recoding of {pluralize(recoded, 'combination')} of values"] if recoded else []
        phrases += [f"deletion of the records with {pluralize(deleted, 'combination')} of values"] if deleted else []
        return " and ".join(phrases) or "no recoding"

    def _numbers(self) -> tuple[int, int]:
        """How many combinations are recoded, and how many deleted."""
        deleted = sum(rule.after is None for rule in self.rules)
        return len(self.rules) - deleted, deleted

    def applied(self, table: Table, unknown: Unknown) -> tuple[Table, Integers | None]:
        """The table after the rules, and the records kept where some are deleted. Raises InputError."""
        if not table.rows:
            return table, None
        rule_of_record, cells = self._rule_of_record(table), list(table.select(self.columns))
        has_rule = rule_of_record >= 0
        for index, column in enumerate(cells):
            labels = [None if rule.after is None else rule.after[index] for rule in self.rules]
            codes = np.where(has_rule, column.distinct + rule_of_record, column.codes).astype(np.int32)
            values = text_array([*column.labels, *labels])
            cells[index] = Column.from_codes(column.name, codes, values, column.decimal)
        result = _with_columns(table, *cells)
        is_deleted = np.append([rule.after is None for rule in self.rules], False)[rule_of_record]
        if not is_deleted.any():
            return result, None
        kept_records = np.flatnonzero(~is_deleted)
        return result.take(kept_records), kept_records

    def _rule_of_record(self, table: Table) -> Integers:
        """For each record its rule; -1 for none."""
        rules_by_cells: dict[Cells, list[int]] = {}
        for index, rule in enumerate(self.rules):
            rules_by_cells.setdefault(rule.before, []).append(index)
        columns = table.select(self.columns)
        rule_of_record = np.full(table.rows, -1, dtype=np.int64)
        groups, first_records = _groups(columns)
        order = np.argsort(groups, kind="stable")
        ends = np.cumsum(np.bincount(groups, minlength=len(first_records)))
        for group, record in enumerate(first_records.tolist()):
            rule_indices = rules_by_cells.get(tuple(column.labels[column.codes[record]] for column in columns), ())
            start, end = int(ends[group - 1]) if group else 0, int(ends[group])
            for index in rule_indices:
                records = self.rules[index].records
                stop = end if records is None else min(end, start + records)
                rule_of_record[order[start:stop]] = index
                start = stop
        return rule_of_record


@dataclass(frozen=True, eq=False)
class DeleteSuppressed:
    """Records with `*` in every quasi-identifier are deleted."""

    quasi_identifiers: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that change."""
        return self.quasi_identifiers

    def described(self) -> str:
        """Describe the step."""
        return "Records with * in every quasi-identifier are deleted"

    def brief(self) -> str:
        """Describe the step in a report."""
        return "deletion of the suppressed records"

    def applied(self, table: Table, unknown: Unknown) -> tuple[Table, Integers]:
        """The table without these records, and the records kept. Raises InputError."""
        kept_records = np.flatnonzero(~suppressed_records(table, self.quasi_identifiers))
        return table.take(kept_records), kept_records


@dataclass(frozen=True, eq=False)
class SuppressIdentifiers:
    """Every cell of the identifiers becomes `*`; a table can also lack them.

    So does every other column of new data by whose values people are identified, but those to keep: see `Recipe.apply`.
    """

    identifiers: tuple[str, ...]
    keep: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """No column that a table must have."""
        return ()

    def described(self) -> str:
        """Describe the step."""
        return f"Identifiers suppressed: {join_names(list(self.identifiers))}"

    def brief(self) -> str:
        """Describe the step in a report."""
        return f"suppression of the identifiers {join_names(list(self.identifiers))}"

    def applied(self, table: Table, unknown: Unknown) -> tuple[Table, None]:
        """The table without the values of the identifiers."""
        return suppress_columns(table, self.identifiers), None


@dataclass(frozen=True, eq=False)
class Make:
    """The table is made by a method with a seed, applied to the table at hand rather than repeated from another."""

    method: CandidateMethod
    seed: int | None
    """None where the method takes none, and draws anew."""
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    what_matters: Mapping[str, Any] = field(default_factory=dict)
    """Weights and highest levels of columns, as roles have them."""
    person: str | None = None
    """The column that tells people apart, where the method allows each a single record."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that change, or may."""
        return tuple(getattr(self.method, "columns", ())) or self.quasi_identifiers

    def described(self) -> str:
        """Describe the step."""
        return f"{self.method.title}, {parameter_summary(self.method)}, applied anew to each table"

    def brief(self) -> str:
        """Describe the step in a report."""
        parameters = parameter_summary(self.method)
        return f"{self.method.title} ({parameters})" if parameters else self.method.title

    def applied(self, table: Table, unknown: Unknown) -> tuple[Table, Integers | None]:
        """The table that the method makes. Raises InputError, also for values that a hierarchy lacks."""
        roles = Roles(self.quasi_identifiers, self.sensitive, person=self.person, name=table.name, **self.what_matters)
        if isinstance(self.method, SamplingMethod):
            return self.method.sample(table, roles, self.hierarchies)
        return self.method.apply(table, roles, self.hierarchies, seed=self.seed), None


Step = Generalize | SuppressClasses | Recode | DeleteSuppressed | SuppressIdentifiers | Make


def _with_columns(table: Table, *new_columns: Column) -> Table:
    columns_by_name = {column.name: column for column in new_columns}
    return replace(table, columns=tuple(columns_by_name.get(column.name, column) for column in table.columns))


def _groups(columns: Sequence[Column]) -> tuple[Integers, Integers]:
    """For each record the number of its combination of values, and the first record of each combination."""
    groups = np.zeros(len(columns[0].codes), dtype=np.int64)
    first_records = groups
    for column in columns:
        combined = groups * column.distinct + column.codes
        _, first_records, groups = np.unique(combined, return_index=True, return_inverse=True)
    return groups, first_records


def identifier_steps(table: Table, roles: Roles) -> tuple[SuppressIdentifiers, ...]:
    """The step that suppresses identifiers of which the table shows values, and keeps what has another use; or none."""
    released = suppressible(released_identifiers(table, roles), roles)
    used = {*roles.quasi_identifiers, *roles.sensitive, *serving(roles), *roles.not_identifying}
    keep = tuple(name for name in table.names if name in used)
    return (SuppressIdentifiers(released, keep),) if released or keep else ()


def suppression_step(roles: Roles, rule: Limits, hierarchies: Hierarchies, parameters: Parameters) -> SuppressClasses:
    """The step that suppresses classes by a rule, with what its ground distances need."""
    sensitive = tuple(roles.sensitive) if needs_sensitive(rule) else ()
    t_columns = sensitive if T in rule else ()
    distance = {
        name: ground_distance for name, ground_distance in parameters.t_closeness.distance.items() if name in t_columns
    }
    trees = {name: hierarchies[name] for name in t_columns if name in hierarchies}
    return SuppressClasses(tuple(roles.quasi_identifiers), rule, sensitive, distance, trees)
