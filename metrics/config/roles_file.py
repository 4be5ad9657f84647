"""Roles files: YAML in the native form or that of PETWorks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metrics.config.analyses import AnalysesDocument, Analysis
from metrics.config.roles import BY_COLUMN, ROLE_OF_FIELD, Role, Roles
from metrics.config.strict_document import StrictDocument
from metrics.config.yaml_text import is_null, read_yaml
from metrics.errors import InputError
from metrics.tables.regular_file import read_document

SETTINGS = (
    "key",
    "weight",
    "person",
    "household",
    "item",
    "duplicates",
    "unmatched",
    "key_sets",
    "not_identifying",
    *BY_COLUMN,
)
_PETWORKS = {
    "QUASI_IDENTIFIER": Role.QUASI_IDENTIFIER,
    "SENSITIVE_ATTRIBUTE": Role.SENSITIVE,
    "INSENSITIVE_ATTRIBUTE": Role.INSENSITIVE,
    "IDENTIFIER": Role.IDENTIFIER,
}


@dataclass(frozen=True)
class RolesFile:
    """A roles file's content.

    Attributes
    ----------
    roles : Roles
        The role of each column.
    hierarchies : str or None
        The hierarchy folder that a PETWorks file names.
    analyses : mapping of str to Mean, Crosstab, Linear or Logistic
        By name the analyses that it lists.
    """

    roles: Roles
    hierarchies: str | None = None
    analyses: Mapping[str, Analysis] = field(default_factory=dict)


def read_roles(path: str | Path) -> RolesFile:
    """Read a roles file: YAML in the native form or that of PETWorks.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    RolesFile
        The roles, and the hierarchy folder that a PETWorks file names.

    Raises
    ------
    InputError
        If the file cannot be read, is not valid, or gives a column two roles.
    """
    return parse_roles(read_document(path), Path(path).name)


def parse_roles(text: str | bytes, name: str) -> RolesFile:
    """Roles from YAML text in the native form or that of PETWorks; `name` is the file's. Raises InputError."""
    content = read_yaml(text, name)
    if not isinstance(content, dict):
        raise InputError("the file contains no roles", remedy="list columns under quasi_identifiers", file=name)
    if "DATASET" not in content:
        analyses = AnalysesDocument(name).analyses(content.pop("analyses", None))
        return RolesFile(_roles(content, ROLE_OF_FIELD, name, extra=SETTINGS), analyses=analyses)
    dataset = content["DATASET"]
    types = dataset.get("ATTRIBUTE_TYPE") if isinstance(dataset, dict) else None
    if not isinstance(types, dict):
        raise InputError(
            "DATASET has no ATTRIBUTE_TYPE",
            remedy="list columns under DATASET: ATTRIBUTE_TYPE: QUASI_IDENTIFIER",
            file=name,
        )
    folder = content.get("HIERARCHY", dataset.get("HIERARCHY"))
    return RolesFile(_roles(types, _PETWORKS, name), None if is_null(folder) else str(folder))


def _roles(content: Mapping[Any, Any], keys: Mapping[str, Role], name: str, extra: Sequence[str] = ()) -> Roles:
    field_of_role = {role: field_name for field_name, role in ROLE_OF_FIELD.items()}
    unknown = next((key for key in content if key not in extra and key not in keys), None)
    if unknown is not None:
        raise InputError(f'there is no role "{unknown}"', remedy=f"use {', '.join(keys)}", file=name)
    columns_by_field: dict[str, Any] = {
        field_of_role[keys[key]]: _column_names(key, columns, name) for key, columns in content.items() if key in keys
    }
    settings: dict[str, Any] = {
        key: _setting(key, content[key], name) for key in extra if not is_null(content.get(key))
    }
    return Roles(**columns_by_field, **settings, name=name)


def number_of(key: str, value: Any, file: str, column: str) -> float:
    """The number given for a column: a weight, or a level, which is whole. Raises InputError."""
    kind: type[float] = int if key == "highest_levels" else float
    try:
        number = kind(str(value))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(
            f"{key} has no {'whole ' if kind is int else ''}number", remedy="write one", file=file, column=column
        )
    return number


def numbers_by_column(
    document: StrictDocument, part: Mapping[str, Any], path: str, known: Sequence[str] | None = None
) -> dict[str, Any]:
    """The weights and highest levels that a part of a document gives, of `known` columns. Raises InputError."""
    return {
        key: {
            column: number_of(key, number, document.file, column)
            for column, number in document.mapping(part[key], f"{path}.{key}", known).items()
        }
        for key in BY_COLUMN
        if key in part
    }


def _column_names(key: str, columns: Any, name: str) -> list[str]:
    """The columns listed under a role. Raises InputError."""
    if is_null(columns):
        return []
    if isinstance(columns, str):
        return [columns]
    if not isinstance(columns, list) or any(isinstance(column, list | dict) for column in columns):
        raise InputError(f'"{key}" is not a list of columns', remedy="write [column, column]", file=name)
    return [str(column) for column in columns]


def _setting(key: str, value: Any, name: str) -> Any:
    """The name given for a setting; a key may have several, key sets have names themselves. Raises InputError."""
    if key in BY_COLUMN:
        if not isinstance(value, dict):
            raise InputError(f'"{key}" has no columns', remedy=f"write {key}: {{COLUMN: NUMBER}}", file=name)
        return {str(column): number_of(key, number, name, str(column)) for column, number in value.items()}
    if key == "key_sets":
        if not isinstance(value, dict):
            raise InputError('"key_sets" has no names', remedy="write key_sets: {NAME: [column, column]}", file=name)
        return {str(set_name): _column_names(str(set_name), columns, name) for set_name, columns in value.items()}
    if key == "not_identifying":
        return _column_names(key, value, name)
    several = key == "key" and isinstance(value, list)
    if any(isinstance(item, list | dict) for item in (value if several else [value])):
        raise InputError(f'"{key}" is not a name', remedy=f"write {key}: NAME", file=name)
    return [str(column) for column in value] if several else str(value)
