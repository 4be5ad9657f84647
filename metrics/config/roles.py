"""The role of each column: quasi-identifier, sensitive, identifier or insensitive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np

from metrics.errors import InputError
from metrics.tables.matching_rule import Duplicates, MatchingRule, Unmatched
from metrics.tables.table import Described, Floats, quoted


class Role(StrEnum):
    """The role of a column; the texts are those of the dashboard's widgets."""

    QUASI_IDENTIFIER = "quasi-identifier"
    SENSITIVE = "sensitive"
    IDENTIFIER = "identifier"
    INSENSITIVE = "insensitive"


PERSON_ROLES = (Role.IDENTIFIER, Role.INSENSITIVE)
"""The roles of a column that may say whose record each is."""
_MARKS = {
    "weight": "an insensitive column",
    "person": "an insensitive column or an identifier",
    "household": "another insensitive column or identifier",
    "item": "a column of things that people have several of, such as diagnoses or purchases,",
}
"""Columns that are marked beside their role, and which may be."""
ROLE_OF_FIELD = {
    "quasi_identifiers": Role.QUASI_IDENTIFIER,
    "sensitive": Role.SENSITIVE,
    "insensitive": Role.INSENSITIVE,
    "identifiers": Role.IDENTIFIER,
}
BY_COLUMN = ("column_weights", "highest_levels")
"""Settings with a number for each of some quasi-identifiers."""
DEFAULT_WEIGHT = 0.5
"""As in ARX."""
_MAX_KEY_SETS = 200
"""Each takes an assessment of its own, and a field on the page."""

Names = str | Sequence[str]
"""The name of a column, or several."""


def names_of(columns: Names) -> list[str]:
    """The names as a list, even if there is only one."""
    return [columns] if isinstance(columns, str) else list(columns)


@dataclass(frozen=True)
class Roles:
    """The roles of columns by name; columns that are not named are insensitive.

    Parameters
    ----------
    quasi_identifiers, sensitive, insensitive, identifiers : str or sequence of str
        Column names, or one of them; a column has one role.
    key : str or sequence of str, optional
        The column or columns that identify the same record in the original and the anonymized table. Without a key,
        records are matched by position.
    weight : str, optional
        The column of survey weights: the number of people in the population that each record represents.
    person : str, optional
        The column that says whose record each is, where people have several; an insensitive column or an identifier.
    household : str, optional
        The column that says which people live together; an insensitive column or an identifier.
    item : str, optional
        The column of items, of which people have several, such as diagnoses; a column of any role.
    key_sets : mapping of str to sequence of str, optional
        By attacker the quasi-identifiers that this one knows, each assessed separately.
    not_identifying : str or sequence of str
        Columns that look as if their values identified people, and of which you state that they do not.
    column_weights : mapping of str to float, optional
        How much quasi-identifiers count in the loss, 0 to 1; 0.5 for those not named.
    highest_levels : mapping of str to int, optional
        The highest level of its hierarchy to which a quasi-identifier may be generalized; 0 keeps it as it is. Records
        may still be suppressed.
    duplicates : {"refuse", "first", "leave_out"}
        How records with a repeated key are treated; see `metrics.tables.matching_rule`.
    unmatched : {"refuse", "leave_out"}
        How records without a match are treated.
    name : str
        Name of the roles file, for messages.

    Raises
    ------
    InputError
        If a column has two roles, a key set has a column that is not a quasi-identifier, an identifier is stated not to
        identify people, or the settings for matching contradict each other.
    """

    quasi_identifiers: Names = ()
    sensitive: Names = ()
    insensitive: Names = ()
    identifiers: Names = ()
    key: str | Sequence[str] | None = None
    weight: str | None = None
    duplicates: str = Duplicates.REFUSE
    unmatched: str = Unmatched.REFUSE
    person: str | None = None
    household: str | None = None
    item: str | None = None
    key_sets: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)
    not_identifying: Names = ()
    column_weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    highest_levels: Mapping[str, int] = field(default_factory=dict, hash=False)
    name: str = field(default="roles", compare=False)
    matching: MatchingRule = field(init=False, repr=False, compare=False)
    """How records are matched, from key, duplicates and unmatched."""
    _role_of: Mapping[str, Role] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rule = MatchingRule.from_settings(self.key, self.duplicates, self.unmatched, self.name)
        object.__setattr__(self, "matching", rule)
        object.__setattr__(self, "key", rule.key if len(rule.key) > 1 else next(iter(rule.key), None))
        assigned: dict[str, Role] = {}
        for field_name, role in ROLE_OF_FIELD.items():
            columns = tuple(str(column).strip() for column in names_of(getattr(self, field_name)))
            object.__setattr__(self, field_name, columns)
            for column in columns:
                if column in assigned:
                    raise InputError(
                        "the column has two roles", remedy="give it one role", file=self.name, column=column
                    )
                assigned[column] = role
        object.__setattr__(self, "_role_of", assigned)
        if len(self.key_sets) > _MAX_KEY_SETS:
            raise InputError(
                f"there are {len(self.key_sets):,} key sets, more than the {_MAX_KEY_SETS} that are assessed",
                remedy="keep those of the most likely attackers",
                file=self.name,
            )
        key_sets = {str(name): tuple(names_of(columns)) for name, columns in self.key_sets.items()}
        object.__setattr__(self, "key_sets", key_sets)
        for name, known_columns in self.key_sets.items():
            self._check_key_set(name, known_columns)
        object.__setattr__(self, "not_identifying", tuple(str(name).strip() for name in names_of(self.not_identifying)))
        for column in self.not_identifying:
            if self.of(column) is Role.IDENTIFIER:
                raise InputError(
                    "the column is an identifier and stated not to identify people",
                    remedy="give it another role, or remove it from not_identifying",
                    file=self.name,
                    column=column,
                )

        self._check_by_column()

    def _check_by_column(self) -> None:
        weights, levels = self.column_weights, self.highest_levels
        wrong = {
            **{name: "the weight is not between 0 and 1" for name, weight in weights.items() if not 0 <= weight <= 1},
            **{name: "the highest level is negative" for name, level in levels.items() if level < 0},
            **{
                name: "a weight or a highest level is given for a column that is not a quasi-identifier"
                for name in (*weights, *levels)
                if self.of(name) is not Role.QUASI_IDENTIFIER
            },
        }
        for column, problem in wrong.items():
            remedy = "correct column_weights or highest_levels"
            raise InputError(problem, remedy=remedy, file=self.name, column=column)

    def relative_weights(self, columns: Sequence[str]) -> Floats:
        """The weights of columns in the loss.

        Parameters
        ----------
        columns : sequence of str
            Quasi-identifiers.

        Returns
        -------
        array of float
            With mean 1; all 1 if the weights are equal.
        """
        weights = np.array([self.column_weights.get(name, DEFAULT_WEIGHT) for name in columns])
        equal = not len(weights) or (weights == weights[0]).all()
        return np.ones(len(weights)) if equal else weights * (len(weights) / weights.sum())

    def _check_key_set(self, name: str, columns: Sequence[str]) -> None:
        if not columns:
            raise InputError(f'the key set "{name}" is empty', remedy="list its columns, or remove it", file=self.name)
        for column in columns:
            if self.of(column) is not Role.QUASI_IDENTIFIER:
                raise InputError(
                    f'the key set "{name}" has a column that is not a quasi-identifier',
                    remedy="make the column a quasi-identifier, or remove it from the key set",
                    file=self.name,
                    column=column,
                )

    def matched(self, rule: MatchingRule) -> Roles:
        """Return these roles with another matching rule.

        Parameters
        ----------
        rule : MatchingRule
            How records are matched.

        Returns
        -------
        Roles
            A copy.
        """
        return replace(self, key=rule.key, duplicates=rule.duplicates, unmatched=rule.unmatched)

    def of(self, column: str) -> Role:
        """The role of a column.

        Parameters
        ----------
        column : str
            Its name.

        Returns
        -------
        Role
            Insensitive for a column that is named nowhere.
        """
        return self._role_of.get(column, Role.INSENSITIVE)

    def check(
        self,
        anonymized: Described,
        original: Described | None = None,
        population: Described | None = None,
        holdout: Described | None = None,
    ) -> None:
        """Raise InputError where a column that is needed is absent, or no quasi-identifier is chosen.

        Insensitive columns must be in one of the tables; identifiers may be missing.

        Parameters
        ----------
        anonymized : Table
            Needs the quasi-identifiers, sensitive attributes, key, weight and person.
        original : Table, optional
            Needs the quasi-identifiers and key.
        population, holdout : Table, optional
            Need the quasi-identifiers.
        """
        if not self.quasi_identifiers:
            raise InputError(
                "no quasi-identifier is chosen",
                remedy="list at least one column under quasi_identifiers",
                file=self.name,
            )
        key = self.matching.key
        marked_columns = self._marked_columns((*self.quasi_identifiers, *self.sensitive, *key))
        required = (
            (anonymized, (*self.quasi_identifiers, *self.sensitive, *key, *marked_columns)),
            (original, (*self.quasi_identifiers, *key)),
            (population, self.quasi_identifiers),
            (holdout, self.quasi_identifiers),
        )
        for table, columns in required:
            for column in columns:
                if table is not None and column not in table:
                    raise _absent(self, column, table)
        for column in self.insensitive:
            if column not in anonymized and (original is None or column not in original):
                raise _absent(self, column, anonymized)

    def _marked_columns(self, columns_with_role: Sequence[str]) -> list[str]:
        """The columns of weights, people, households and items. Raises InputError where one has another role."""
        marked_columns: list[str] = []
        for field_name, remedy in _MARKS.items():
            column = getattr(self, field_name)
            if column is None:
                continue
            other_columns = {
                "weight": columns_with_role,
                "item": marked_columns,
            }.get(field_name, (*self.quasi_identifiers, *self.sensitive, *marked_columns))
            if column in other_columns:
                raise InputError(
                    f"the {field_name} column has another role",
                    remedy=f"choose {remedy} as {field_name}",
                    file=self.name,
                    column=column,
                )
            marked_columns.append(column)
        return marked_columns

    @staticmethod
    def from_mapping(roles: Mapping[str, Role], **others: Any) -> Roles:
        """Roles from one role per column.

        Parameters
        ----------
        roles : mapping of str to Role
            By column.
        **others
            Further parameters of `Roles`.

        Returns
        -------
        Roles
            The checked roles.
        """
        columns_by_field: dict[str, Any] = {
            field_name: tuple(column for column, role in roles.items() if role is field_role)
            for field_name, field_role in ROLE_OF_FIELD.items()
        }
        return Roles(**columns_by_field, **others)


def _absent(roles: Roles, column: str, table: Described) -> InputError:
    return InputError(
        f"the table has no such column; its columns are {quoted(table.names)}",
        remedy=f"give the column another role, correct its name in {roles.name}, or load a table with this column",
        file=table.name,
        column=column,
    )
