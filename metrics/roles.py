"""What each column is: quasi-identifier, sensitive, identifier or insensitive."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from metrics.errors import InputError
from metrics.matching_rule import Duplicates, MatchingRule, Unmatched
from metrics.table import SUPPRESSED, Column, Described, Table, quoted
from metrics.yaml_text import is_nothing, read_yaml


class Role(StrEnum):
    """The four roles a column can have; the texts are those of the dashboard's widgets."""

    QUASI_IDENTIFIER = "quasi-identifier"
    SENSITIVE = "sensitive"
    IDENTIFIER = "identifier"
    INSENSITIVE = "insensitive"


_NATIVE = {
    "quasi_identifiers": Role.QUASI_IDENTIFIER,
    "sensitive": Role.SENSITIVE,
    "insensitive": Role.INSENSITIVE,
    "identifiers": Role.IDENTIFIER,
}
_PETWORKS = {
    "QUASI_IDENTIFIER": Role.QUASI_IDENTIFIER,
    "SENSITIVE_ATTRIBUTE": Role.SENSITIVE,
    "INSENSITIVE_ATTRIBUTE": Role.INSENSITIVE,
    "IDENTIFIER": Role.IDENTIFIER,
}


@dataclass(frozen=True)
class Roles:
    """Roles by column name; columns named nowhere are insensitive.

    `key` names the column, or the columns together, that identify the same record in the original and the anonymized
    table; without it tables are matched by position. `duplicates` ("refuse", "first", "leave_out") and `unmatched`
    ("refuse", "leave_out") say what becomes of records that it does not match: see `metrics.matching_rule`. `weight`
    names a column of survey weights: how many people of the population each record stands for. Raises InputError where
    a column has two roles, or the records cannot be matched so.
    """

    quasi_identifiers: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    insensitive: Sequence[str] = ()
    identifiers: Sequence[str] = ()
    key: str | Sequence[str] | None = None
    weight: str | None = None
    duplicates: str = Duplicates.REFUSE
    unmatched: str = Unmatched.REFUSE
    name: str = field(default="roles", compare=False)
    matching: MatchingRule = field(init=False, repr=False, compare=False)
    """How records are matched: what key, duplicates and unmatched come to."""

    def __post_init__(self) -> None:
        rule = MatchingRule.of(self.key, self.duplicates, self.unmatched, self.name)
        object.__setattr__(self, "matching", rule)
        object.__setattr__(self, "key", rule.key if len(rule.key) > 1 else next(iter(rule.key), None))
        seen: set[str] = set()
        for part in _NATIVE:
            columns = tuple(str(column).strip() for column in getattr(self, part))
            object.__setattr__(self, part, columns)
            for column in columns:
                if column in seen:
                    raise InputError(
                        "the column is named twice", remedy="give it one role", file=self.name, column=column
                    )
                seen.add(column)

    def matched(self, rule: MatchingRule) -> Roles:
        """The same roles with records matched in another way."""
        return replace(self, key=rule.key, duplicates=rule.duplicates, unmatched=rule.unmatched)

    def of(self, column: str) -> Role:
        """The role of a column."""
        for part, role in _NATIVE.items():
            if column in getattr(self, part):
                return role
        return Role.INSENSITIVE

    def check(
        self, anonymized: Described, original: Described | None = None, population: Described | None = None
    ) -> None:
        """Raise InputError where a column that is needed is absent, or no quasi-identifier is chosen.

        The anonymized table needs the quasi-identifiers, sensitive attributes, key and weight; the original the
        quasi-identifiers and key; the population the quasi-identifiers. Insensitive columns must stand in one of the
        tables; identifiers may be gone.
        """
        if not self.quasi_identifiers:
            raise InputError(
                "no quasi-identifier is chosen",
                remedy="name at least one column under quasi_identifiers",
                file=self.name,
            )
        key = self.matching.key
        weight = () if self.weight is None else (self.weight,)
        if self.weight is not None and self.weight in (*self.quasi_identifiers, *self.sensitive, *key):
            raise InputError(
                "the column of weights has another role too",
                remedy="take the weights from a column that is insensitive",
                file=self.name,
                column=self.weight,
            )
        for column in (*self.quasi_identifiers, *self.sensitive, *key, *weight):
            if column not in anonymized:
                raise _absent(self, column, anonymized)
        for column in (*self.quasi_identifiers, *key):
            if original is not None and column not in original:
                raise _absent(self, column, original)
        for column in self.quasi_identifiers:
            if population is not None and column not in population:
                raise _absent(self, column, population)
        for column in self.insensitive:
            if column not in anonymized and (original is None or column not in original):
                raise _absent(self, column, anonymized)

    @staticmethod
    def from_mapping(roles: Mapping[str, Role], key: str | None = None, weight: str | None = None) -> Roles:
        """Roles from one role per column."""
        parts: dict[str, Any] = {
            part: tuple(column for column, role in roles.items() if role is wanted) for part, wanted in _NATIVE.items()
        }
        return Roles(**parts, key=key, weight=weight)


def _absent(roles: Roles, column: str, table: Described) -> InputError:
    return InputError(
        f"there is no such column; the table has {quoted(table.names)}",
        remedy=f"correct the name in {roles.name}, give the column another role, or load a table that has it",
        file=table.name,
        column=column,
    )


@dataclass(frozen=True)
class RolesFile:
    """A roles file's content: the roles, and the hierarchy folder that a PETWorks file names."""

    roles: Roles
    hierarchies: str | None = None


def read_roles(path: str | Path) -> RolesFile:
    """Read roles from YAML in the native form or that of PETWorks. Raises InputError."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError:
        raise InputError("the file cannot be read", remedy="check the path", file=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text", remedy="give a YAML file of roles", file=path.name) from None
    return parse_roles(text, path.name)


def parse_roles(text: str, name: str) -> RolesFile:
    """Roles from YAML text in the native form or that of PETWorks; `name` is the file's. Raises InputError."""
    content = read_yaml(text, name)
    if not isinstance(content, dict):
        raise InputError("there are no roles in it", remedy="name columns under quasi_identifiers", file=name)
    if "DATASET" not in content:
        return RolesFile(_roles(content, _NATIVE, name, extra={"key", "weight", "duplicates", "unmatched"}))
    dataset = content["DATASET"]
    types = dataset.get("ATTRIBUTE_TYPE") if isinstance(dataset, dict) else None
    if not isinstance(types, dict):
        raise InputError(
            "DATASET has no ATTRIBUTE_TYPE",
            remedy="list columns under DATASET: ATTRIBUTE_TYPE: QUASI_IDENTIFIER",
            file=name,
        )
    folder = content.get("HIERARCHY", dataset.get("HIERARCHY"))
    return RolesFile(_roles(types, _PETWORKS, name), None if is_nothing(folder) else str(folder))


def _roles(content: Mapping[Any, Any], keys: Mapping[str, Role], name: str, extra: set[str] | None = None) -> Roles:
    native = {role: part for part, role in _NATIVE.items()}
    parts: dict[str, Any] = {}
    for key, columns in content.items():
        if key in (extra or ()):
            continue
        if key not in keys:
            raise InputError(f'there is no role "{key}"', remedy=f"use {', '.join(keys)}", file=name)
        if is_nothing(columns):
            columns = []
        if isinstance(columns, str):
            columns = [columns]
        if not isinstance(columns, list) or any(isinstance(column, list | dict) for column in columns):
            raise InputError(f'"{key}" is not a list of columns', remedy="write [column, column]", file=name)
        parts[native[keys[key]]] = [str(column) for column in columns]
    others: dict[str, Any] = {key: content[key] for key in extra or () if not is_nothing(content.get(key))}
    for key, given in others.items():
        several = key == "key" and isinstance(given, list)
        if any(isinstance(one, list | dict) for one in (given if several else [given])):
            raise InputError(f'"{key}" is no name', remedy=f"write {key}: NAME", file=name)
        others[key] = [str(column) for column in given] if several else str(given)
    return Roles(**parts, **others, name=name)


_SENSITIVE_WORDS = re.compile(
    r"(?i)diag|disease|illness|condition|salary|income|wage|merit|religio|politic|sexual|hiv|glu|a1c|drug|medic"
    r"|treatment|outcome|readmi|stay|crime|offen|debt|score|疾病|診斷|薪|收入"
)
_QUASI_WORDS = re.compile(
    r"(?i)\bage\b|^age|birth|dob|zip|post(al)?[ _-]?code|\bsex\b|gender|race|ethnic|nation|country|city|region|county"
    r"|state|marital|education|occupation|profession|work[ _-]?class|job|admission|年齡|出生|性別|郵遞|國籍|職業|婚姻"
)
_IDENTIFYING_WORDS = re.compile(
    r"(?i)(^|[_\W])(id|uid|uuid|ssn|mrn|name|e-?mail|phone|passport|identifier)($|[_\W])|_id$|姓名|身分證|編號|電話"
)


def suggest_role(column: Column, rows: int) -> Role:
    """A first guess at a column's role from its name and number of distinct values; the user decides."""
    all_different = rows > 20 and column.distinct == rows and not _is_fractional(column)
    if _IDENTIFYING_WORDS.search(column.name) or (all_different and not _QUASI_WORDS.search(column.name)):
        return Role.IDENTIFIER
    if _SENSITIVE_WORDS.search(column.name):
        return Role.SENSITIVE
    if _QUASI_WORDS.search(column.name):
        return Role.QUASI_IDENTIFIER
    if column.labels == [SUPPRESSED]:
        return Role.IDENTIFIER
    return Role.INSENSITIVE


def _is_fractional(column: Column) -> bool:
    """Measurements are often all different without naming anyone."""
    return column.numbers is not None and any(number % 1 for number in column.numbers)


def suggest_roles(table: Table) -> Roles:
    """Suggested roles for every column of a table."""
    return Roles.from_mapping({column.name: suggest_role(column, table.rows) for column in table.columns})
