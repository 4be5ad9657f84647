"""Settings of an analysis: everything a scorecard depends on except the tables, written as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from metrics.config.parameters import Parameters
from metrics.config.roles import BY_COLUMN, Roles
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.built_in_policies import NO_LIMITS
from metrics.policy.policy import Policy
from metrics.tables.matching_rule import MatchingRule
from metrics.tables.read_plan import ReadPlan

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file: by a plan, or as detected apart from the options given here; None leaves an option open."""

    delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    missing: tuple[str, ...] = ()
    escape: str | None = None
    skip_lines: int | None = None
    header_lines: int | None = None
    footer_lines: int | None = None
    blank_lines: str | None = None
    same_values: tuple[tuple[str, str, str], ...] = ()
    """Column, a value of the table, and the value of the original or of the hierarchy it is replaced by."""
    renamed: tuple[tuple[str, str], ...] = ()
    """A column's name in the file, and its new name."""
    plan: ReadPlan | None = None
    """The complete plan; it overrides every other option except `renamed` and `same_values`."""


@dataclass(frozen=True)
class TableSettings:
    """One table: its file name, the SHA-256 of its bytes in hexadecimal, and how it is read and matched."""

    name: str
    sha256: str
    reading: ReadOptions = field(default_factory=ReadOptions)
    matching: MatchingRule | None = None
    """How the records of an anonymized table are matched, if it differs from the roles."""
    label: str | None = None
    """What an anonymized table is called, if not as its file."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of the settings file; reading, matching and label only if not the default."""
        default, reading = ReadOptions(), self.reading
        options = {option.name: getattr(reading, option.name) for option in fields(ReadOptions)}
        options = {name: value for name, value in options.items() if value != getattr(default, name)}
        if reading.plan is not None:
            options["plan"] = reading.plan.to_dict()
        matching = {} if self.matching is None else {"matching": _matching_dict(self.matching)}
        label = {} if self.label is None else {"label": self.label}
        return {"name": self.name, "sha256": self.sha256, "reading": options, **matching, **label}


@dataclass(frozen=True, eq=False)
class Settings:
    """Roles, parameters, policy and hierarchies, and the tables they were chosen for; holds no record of a table.

    Parameters
    ----------
    roles : Roles, optional
        The role of each column.
    parameters : Parameters, optional
        Parameters of the metrics.
    policy : Policy, optional
        The limits; by default none.
    hierarchies : mapping of str to Hierarchy, optional
        Generalization hierarchies, by column.
    original : TableSettings, optional
        The original's name and digest, and how it is read.
    anonymized : tuple of TableSettings
        The same of each anonymized table.
    population, holdout : TableSettings, optional
        The same of the tables of the population and of people who are not in the original.
    """

    roles: Roles = field(default_factory=Roles)
    parameters: Parameters = field(default_factory=Parameters)
    policy: Policy = NO_LIMITS
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    original: TableSettings | None = None
    anonymized: tuple[TableSettings, ...] = ()
    population: TableSettings | None = None
    holdout: TableSettings | None = None

    @property
    def tables(self) -> tuple[TableSettings, ...]:
        """Every table, the original first."""
        tables = (self.original, *self.anonymized, self.population, self.holdout)
        return tuple(table for table in tables if table is not None)

    def reading_of(self, name: str, sha256: str | None) -> ReadOptions:
        """How to read a file: as the table with these bytes, else as the one with this name, else by detection.

        Parameters
        ----------
        name : str
            Of the file.
        sha256 : str or None
            Of its bytes, in hexadecimal; None if there are none.

        Returns
        -------
        ReadOptions
            The options chosen for it.
        """
        table = _find_table(self.tables, name, sha256)
        return ReadOptions() if table is None else table.reading

    def roles_of(self, name: str, sha256: str | None) -> Roles:
        """The roles for an anonymized file, with the matching chosen for it.

        Parameters
        ----------
        name : str
            Of the file.
        sha256 : str or None
            Of its bytes, in hexadecimal; the file is found as for reading.

        Returns
        -------
        Roles
            Those of the settings, where no matching was chosen for the file.
        """
        table = _find_table(self.anonymized, name, sha256)
        return self.roles if table is None or table.matching is None else self.roles.matched(table.matching)

    def to_dict(self) -> dict[str, Any]:
        """The content of the settings file."""
        roles = self.roles
        analyses = {name: analysis.to_dict() for name, analysis in self.parameters.analyses.items()}
        return {
            "schema_version": SCHEMA_VERSION,
            "roles": {
                "quasi_identifiers": list(roles.quasi_identifiers),
                "sensitive": list(roles.sensitive),
                "insensitive": list(roles.insensitive),
                "identifiers": list(roles.identifiers),
                "weight": roles.weight,
                "person": roles.person,
                **_optional_roles(roles),
                **_matching_dict(roles.matching),
            },
            "parameters": self.parameters.to_dict(),
            **({"analyses": analyses} if analyses else {}),
            "policy": self.policy.to_dict(),
            "tables": {
                "original": None if self.original is None else self.original.to_dict(),
                "anonymized": [table.to_dict() for table in self.anonymized],
                **({} if self.population is None else {"population": self.population.to_dict()}),
                **({} if self.holdout is None else {"holdout": self.holdout.to_dict()}),
            },
            "hierarchies": {
                column: {"name": hierarchy.name, "rows": _rows_without_added_root(hierarchy)}
                for column, hierarchy in self.hierarchies.items()
            },
        }

    def to_json(self) -> str:
        """The settings file as text, one line per key; `parse_settings` reads it back."""
        lines = [f'"{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in self.to_dict().items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def _find_table(tables: Sequence[TableSettings], name: str, sha256: str | None) -> TableSettings | None:
    """The table with these bytes, else the one with this name."""
    matches = [table for table in tables if table.sha256 == sha256]
    matches += [table for table in tables if table.name == name]
    return matches[0] if matches else None


def _optional_roles(roles: Roles) -> dict[str, Any]:
    """Household, items, key sets and columns stated not to identify people, where there are any."""
    sets = {name: list(columns) for name, columns in roles.key_sets.items()}
    optional: dict[str, Any] = {
        "household": roles.household,
        "item": roles.item,
        "key_sets": sets,
        "not_identifying": list(roles.not_identifying),
    }
    optional |= {name: dict(getattr(roles, name)) for name in BY_COLUMN}
    return {name: value for name, value in optional.items() if value}


def _matching_dict(rule: MatchingRule) -> dict[str, Any]:
    key = list(rule.key) if len(rule.key) > 1 else next(iter(rule.key), None)
    return {"key": key, "duplicates": rule.duplicates, "unmatched": rule.unmatched}


def _rows_without_added_root(hierarchy: Hierarchy) -> list[list[str]]:
    """The rows as given: a root that was added is left out, because reading adds it again."""
    return [list(row[:-1] if hierarchy.root_added else row) for row in hierarchy.rows]
