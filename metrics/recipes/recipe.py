"""Recipes: made from what was done to a table, and applied to the same or to new data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.candidates.generalization.generalize import Levels
from metrics.candidates.generalization.levels import ColumnLevels, lattice_columns, levels_in_order
from metrics.candidates.limits.enforced import Limits
from metrics.candidates.methods.method import CandidateMethod, SamplingMethod
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.candidates.methods.safepub import SafePub
from metrics.config.parameters import Parameters
from metrics.config.roles import BY_COLUMN, Roles
from metrics.counting.classes import suppressed_records
from metrics.errors import InputError
from metrics.formatting import join_names, pluralize
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.identifiers.detection import identifier_of
from metrics.identifiers.released import suppress_columns
from metrics.reading import as_table
from metrics.recipes.steps import (
    Generalize,
    Make,
    Recode,
    Step,
    SuppressClasses,
    SuppressIdentifiers,
    Unknown,
    identifier_steps,
    suppression_step,
)
from metrics.recipes.writing import to_yaml
from metrics.tables.dictionary_codes import arrow_of, text_array
from metrics.tables.frames import TableLike
from metrics.tables.randomization import Sampling
from metrics.tables.table import Integers, Table


@dataclass(frozen=True, eq=False)
class AppliedRecipe:
    """Result of applying a recipe to a table.

    Attributes
    ----------
    original : Table
        The table that the recipe was applied to.
    table : Table
        The result, without the records that the recipe deletes.
    kept : array of int, shape (records of the result,)
        For each record of the result its position in the original.
    unknown : mapping of str to tuple of str or None
        Values that the recipe knows no label for, by column; their cells are `*`.
    columns : tuple of str
        The columns that the recipe changes.
    hidden : tuple of str
        Columns that the recipe does not know and whose values look like direct identifiers; they are suppressed.
    """

    original: Table
    table: Table
    kept: Integers
    unknown: Mapping[str, tuple[str | None, ...]]
    columns: tuple[str, ...]
    hidden: tuple[str, ...] = ()

    @cached_property
    def suppressed(self) -> int:
        """Records with `*` in every column that the recipe changes."""
        return int(suppressed_records(self.table, self.columns).sum())

    @property
    def deleted(self) -> int:
        """Records of the original that the table lacks."""
        return self.original.rows - self.table.rows

    def mapping(self) -> pa.Table:
        """New values of each original value: column, original, released, and the number of records; null is missing.

        Confidential: it holds the original's values, and how often each occurs.
        """
        kinds = {"column": pa.string(), "original": pa.string(), "released": pa.string(), "records": pa.int64()}
        tables = [pa.table({name: pa.array([], kind) for name, kind in kinds.items()})]
        for before, after in zip(self.original.select(self.columns), self.table.select(self.columns), strict=True):
            pairs, counts = np.unique(
                before.codes[self.kept].astype(np.int64) * after.distinct + after.codes, return_counts=True
            )
            order = np.lexsort((after.rank[pairs % after.distinct], before.rank[pairs // after.distinct]))
            before_codes, after_codes = pairs[order] // after.distinct, pairs[order] % after.distinct
            tables.append(
                pa.table(
                    {
                        "column": text_array([before.name] * len(pairs)),
                        "original": before.values.take(arrow_of(before_codes)),
                        "released": after.values.take(arrow_of(after_codes)),
                        "records": arrow_of(counts[order]),
                    }
                )
            )
        return pa.concat_tables(tables)

    def lines(self) -> Iterator[str]:
        """Describe what happened, line by line."""
        lost = [f"{pluralize(self.suppressed, 'record')} suppressed"]
        lost += [f"{pluralize(self.deleted, 'record')} deleted"] if self.deleted else []
        yield f"{self.original.name}: {pluralize(self.table.rows, 'record')}; {join_names(lost)}"
        for column, values in self.unknown.items():
            yield f"  {column}: {pluralize(len(values), 'value')} not in the recipe, cells suppressed"


@dataclass(frozen=True, eq=False)
class Recipe:
    """Steps applied to a table, in order; `to_yaml` writes them, `read_recipe` reads them.

    Parameters
    ----------
    steps : tuple of Step
        In the order in which they are done.
    """

    steps: tuple[Step, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that change, in the order in which the steps first name them."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.columns))

    @property
    def levels(self) -> dict[str, int]:
        """The level of each column that is generalized, and that no other step gives labels."""
        relabelled = {name for step in self.steps if isinstance(step, Recode | Make) for name in step.columns}
        generalized = [step for step in self.steps if isinstance(step, Generalize)]
        return {step.column: step.level for step in generalized if step.column not in relabelled}

    @property
    def sampling(self) -> Sampling | None:
        """How SafePub samples the table; None where it is no step."""
        methods = (step.method for step in self.steps if isinstance(step, Make))
        return next((method.sampling for method in methods if isinstance(method, SafePub)), None)

    @property
    def draws_anew(self) -> bool:
        """Whether no seed repeats what was drawn, so that each table made is another one."""
        return any(isinstance(step, Make) and not step.method.takes_seed for step in self.steps)

    def then(self, other: Recipe) -> Recipe:
        """This recipe followed by another one, such as that of a repair.

        Parameters
        ----------
        other : Recipe
            What is done afterwards.

        Returns
        -------
        Recipe
            The steps of both.
        """
        return Recipe((*self.steps, *other.steps))

    def to_yaml(self) -> str:
        """The text of a YAML file, which `read_recipe` reads back. It holds no record."""
        return to_yaml(self.steps)

    def unknown_values(self, table: TableLike) -> dict[str, tuple[str | None, ...]]:
        """The values of a table that the recipe knows no label for.

        Parameters
        ----------
        table : Table or data frame
            A table with the columns of the recipe.

        Returns
        -------
        dict of str to tuple of str or None
            By column; without the columns that have none.

        Raises
        ------
        InputError
            If the table lacks a column.
        """
        table = as_table(table, "table")
        unknown_by_column = {step.column: step.unknown(table) for step in self.steps if isinstance(step, Generalize)}
        return {column: values for column, values in unknown_by_column.items() if values}

    def apply(self, table: TableLike, *, unknown: str = Unknown.REFUSE) -> AppliedRecipe:
        """Apply the recipe to a table.

        On the table that the recipe was made for, the result is the same byte by byte. On new data the rules apply
        anew: classes are suppressed where this table's classes fail, recodings hold for the cells they list, and
        columns that the recipe does not know are suppressed if their values look like direct identifiers.

        Parameters
        ----------
        table : Table or data frame
            A table with the columns of the recipe.
        unknown : {"refuse", "suppress"}
            Values that the recipe knows no label for: the table is refused, or their cells become `*`.

        Returns
        -------
        AppliedRecipe
            The new table, and for each of its records the position in the one given.

        Raises
        ------
        InputError
            If a column is absent, a value is unknown and refused, or `unknown` is neither.
        """
        if unknown not in list(Unknown):
            raise InputError("there is no such treatment of unknown values", remedy='use "refuse" or "suppress"')
        table = as_table(table, "table")
        missing = [name for name in self.columns if name not in table]
        if missing:
            raise InputError(
                "the table lacks a column of the recipe",
                remedy="name it as in the recipe",
                file=table.name,
                column=missing[0],
            )
        result, kept_records, unknown_values = table, np.arange(table.rows), {}
        for step in self.steps:
            if isinstance(step, Generalize) and (values := step.unknown(result)):
                unknown_values[step.column] = values
            result, remaining = step.applied(result, Unknown(unknown))
            kept_records = kept_records if remaining is None else kept_records[remaining]
        hidden = self._unknown_identifiers(table)
        return AppliedRecipe(
            table, suppress_columns(result, hidden), kept_records, unknown_values, self.columns, hidden
        )

    def _unknown_identifiers(self, table: Table) -> tuple[str, ...]:
        """The columns by whose values people are identified, but those that the recipe changes, suppresses or keeps."""
        steps = [step for step in self.steps if isinstance(step, SuppressIdentifiers)]
        known = {*self.columns, *(name for step in steps for name in (*step.identifiers, *step.keep))}
        others = (column for column in table.columns if column.name not in known)
        return tuple(column.name for column in others if identifier_of(column) is not None)

    @property
    def _told(self) -> tuple[Step, ...]:
        """The steps without those that suppress nothing by name."""
        return tuple(step for step in self.steps if not isinstance(step, SuppressIdentifiers) or step.identifiers)

    def lines(self) -> Iterator[str]:
        """Describe what the recipe does, and how far that holds for new data, line by line."""
        for step in self._told:
            yield step.described()

    def brief(self, *, suppressed: bool) -> tuple[str, ...]:
        """Describe in a few words each step that made a table.

        Parameters
        ----------
        suppressed : bool
            Whether the table has suppressed records; without any, the suppression of classes is left out.

        Returns
        -------
        tuple of str
            The steps, to be joined by "then".
        """
        steps = tuple(step for step in self._told if suppressed or not isinstance(step, SuppressClasses)) or self._told
        phrases: list[str] = []
        for generalizes, group in groupby(steps, key=lambda step: isinstance(step, Generalize)):
            if generalizes:
                phrases.append(f"generalization ({', '.join(step.described() for step in group)})")
            else:
                phrases += [step.brief() for step in group if not isinstance(step, Generalize)]
        return tuple(phrases)


def recipe_of_levels(
    original: TableLike,
    roles: Roles,
    hierarchies: Hierarchies | None,
    levels: Levels,
    *,
    rule: Limits | None = None,
    parameters: Parameters | None = None,
) -> Recipe:
    """The recipe of `generalized_table` with the same arguments.

    Parameters
    ----------
    original : Table or data frame
        The table to generalize.
    roles : Roles
        The role of each column.
    hierarchies : mapping of str to Hierarchy or None
        Generalization hierarchies, by column.
    levels : mapping of str to int, or sequence of int
        A level per quasi-identifier, by name or in the order of the original's columns.
    rule : mapping of str to float, optional
        Which classes are kept; without it all are.
    parameters : Parameters, optional
        The ground distances that a rule on t uses.

    Returns
    -------
    Recipe
        A step per quasi-identifier, one for the rule, and one for the identifiers.

    Raises
    ------
    InputError
        As `generalized_table` does.
    """
    original = as_table(original, "original")
    columns = lattice_columns(original, roles, hierarchies)
    steps: list[Step] = [
        _generalization_step(column_levels, level)
        for column_levels, level in zip(columns, levels_in_order(columns, levels), strict=True)
    ]
    if rule is not None:
        steps.append(suppression_step(roles, rule, hierarchies or {}, parameters or Parameters()))
    return Recipe((*steps, *identifier_steps(original, roles)))


def recipe_of_method(
    method: CandidateMethod, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None
) -> Recipe:
    """The recipe of a method's `apply` with the same arguments. On new data the method is applied again.

    Parameters
    ----------
    method : CandidateMethod
        As `method_named` returns it.
    original : Table
        The table that it was applied to.
    roles : Roles
        The role of each column.
    hierarchies : mapping of str to Hierarchy, optional
        Generalization hierarchies, by column; kept where the method generalizes.
    seed : int or None
        Of the random numbers. The recipe holds it: keep the recipe of a perturbation secret. None where the method
        takes none: the recipe then draws anew.

    Returns
    -------
    Recipe
        The method, and a step for the identifiers.
    """
    quasi_identifiers = tuple(roles.quasi_identifiers)
    needs_sensitive = isinstance(method, SamplingMethod) or getattr(method, "l", 1) > 1
    sensitive = tuple(roles.sensitive) if needs_sensitive else ()
    if isinstance(method, RandomizedResponse):
        method = method.chosen(roles, hierarchies)
    used = getattr(method, "columns", ()) or (*quasi_identifiers, *sensitive)
    trees = {name: tree for name, tree in (hierarchies or {}).items() if name in used}
    what_matters = {key: dict(numbers) for key in BY_COLUMN if (numbers := getattr(roles, key))}
    given: tuple[Any, Any] = (trees, what_matters) if method.generalizes else ({}, {})
    person = roles.person if isinstance(method, SamplingMethod) else None
    step = Make(method, seed, quasi_identifiers, sensitive, *given, person)
    return Recipe((step, *identifier_steps(original, roles)))


def _generalization_step(column_levels: ColumnLevels, level: int) -> Generalize:
    if column_levels.implied:
        return Generalize(column_levels.column.name, level, column_levels.height)
    labels: dict[str, list[str]] = {}
    for row in column_levels.hierarchy.rows:
        labels.setdefault(row[level], []).append(row[0])
    return Generalize(column_levels.column.name, level, column_levels.height, column_levels.hierarchy.name, labels)
