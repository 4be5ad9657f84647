"""Reads a settings file strictly: an unknown key or a value of the wrong type is refused, and nothing is executed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from metrics.config.analyses import AnalysesDocument
from metrics.config.parameters import GROUPS, GroundDistance, Parameters
from metrics.config.roles import BY_COLUMN, Roles
from metrics.config.roles_file import numbers_by_column
from metrics.config.strict_document import StrictDocument, quoted_key
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.policy.built_in_policies import NO_LIMITS
from metrics.policy.policy import Policy
from metrics.policy.settings import SCHEMA_VERSION, ReadOptions, Settings, TableSettings
from metrics.tables.matching_rule import Duplicates, MatchingRule, Unmatched
from metrics.tables.read_plan import ReadPlan
from metrics.tables.regular_file import read_document

T = TypeVar("T")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MATCHING_KEYS = ("key", "duplicates", "unmatched")
_SINGLE = ("population", "holdout")
_KEYS = ("schema_version", "roles", "parameters", "analyses", "policy", "tables", "hierarchies")


def read_settings(path: str | Path | bytes) -> Settings:
    """Read a settings file.

    Parameters
    ----------
    path : str, Path or bytes
        A JSON file saved by the dashboard or by `Settings.to_json`.

    Returns
    -------
    Settings
        Everything that a scorecard depends on except the tables.

    Raises
    ------
    InputError
        If the file cannot be read or a key in it is wrong; the message names the key.
    """
    if isinstance(path, bytes):
        return parse_settings(path, "settings")
    return parse_settings(read_document(path), Path(path).name)


def parse_settings(content: bytes, name: str) -> Settings:
    """Read the bytes of a settings file.

    Raises InputError if a key is wrong; the message names the key.
    """
    return _Document(name).settings(_decode_json(content, name))


def _decode_json(content: bytes, name: str) -> Any:
    remedy = "choose a settings file saved by Quasi"
    try:
        return json.loads(content.decode("utf-8-sig"), object_pairs_hook=_without_repeated_keys)
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text", remedy=remedy, file=name) from None
    except json.JSONDecodeError as error:
        raise InputError("the file is not valid JSON", remedy=remedy, file=name, row=error.lineno) from None
    except _RepeatedKeyError as error:
        raise InputError(f"the key {error} appears twice", remedy="remove one of the two", file=name) from None
    except (ValueError, RecursionError):  # numbers with thousands of digits, brackets nested too deeply
        raise InputError("the file does not contain settings", remedy=remedy, file=name) from None


class _RepeatedKeyError(Exception):
    """A key appears twice in one object; JSON readers would silently keep the last value."""


def _without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise _RepeatedKeyError(quoted_key(key))
        content[key] = value
    return content


class _Document(StrictDocument):
    """A settings file."""

    whole = "settings"

    def settings(self, content: Any) -> Settings:
        parts = self.mapping(content, "", _KEYS)
        version = parts.get("schema_version")
        if version != SCHEMA_VERSION or isinstance(version, bool):
            self.refuse(
                "schema_version", f"is not {SCHEMA_VERSION}", "choose a settings file saved by this version of Quasi"
            )
        tables = self.mapping(parts.get("tables", {}), "tables", ("original", "anonymized", *_SINGLE))
        single = {name: tables.get(name) for name in ("original", *_SINGLE)}
        anonymized = self.list_of(tables.get("anonymized", []), "tables.anonymized")
        hierarchies = self.mapping(parts.get("hierarchies", {}), "hierarchies", None)
        with self.named_errors():
            return Settings(
                roles=self.roles(parts.get("roles", {})),
                parameters=replace(
                    self.parameters(parts.get("parameters", {})),
                    analyses=AnalysesDocument(self.file).analyses(parts.get("analyses")),
                ),
                policy=self.policy(parts["policy"]) if "policy" in parts else NO_LIMITS,
                hierarchies={self.text(c, "hierarchies"): self.hierarchy(h, c) for c, h in hierarchies.items()},
                anonymized=tuple(self.table(table, "tables.anonymized", "matching", "label") for table in anonymized),
                **{name: self.table(table, f"tables.{name}") for name, table in single.items() if table is not None},
            )

    @contextmanager
    def named_errors(self) -> Iterator[None]:
        """Add this file's name to errors raised within."""
        try:
            yield
        except InputError as error:
            if error.file is not None:
                raise
            raise InputError(error.problem, remedy=error.remedy, file=self.file, column=error.column) from None

    def number(self, value: Any, path: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(_as_float(value)):
            self.refuse(path, "is not a number", "write a number")
        return float(value)

    def roles(self, value: Any) -> Roles:
        lists = ("quasi_identifiers", "sensitive", "insensitive", "identifiers", "not_identifying")
        marks = ("weight", "person", "household", "item")
        part = self.mapping(value, "roles", (*lists, *marks, "key_sets", *BY_COLUMN, *_MATCHING_KEYS))
        columns: dict[str, Any] = {name: self.texts(part.get(name, []), f"roles.{name}") for name in lists}
        marked: dict[str, Any] = {name: self.optional_text(part.get(name), f"roles.{name}") for name in marks}
        sets = self.mapping(part.get("key_sets", {}), "roles.key_sets", None)
        key_sets = {name: self.texts(column_names, f"roles.key_sets.{name}") for name, column_names in sets.items()}
        numbers = numbers_by_column(self, part, "roles")
        return Roles(**columns, **marked, **numbers, key_sets=key_sets, name=self.file).matched(
            self.matching(part, "roles")
        )

    def matching(self, part: Mapping[str, Any], path: str) -> MatchingRule:
        key = part.get("key")
        columns = self.texts(key, f"{path}.key") if isinstance(key, list) else self.optional_text(key, f"{path}.key")
        duplicates = self.text(part.get("duplicates", Duplicates.REFUSE), f"{path}.duplicates")
        unmatched = self.text(part.get("unmatched", Unmatched.REFUSE), f"{path}.unmatched")
        return MatchingRule.from_settings(columns, duplicates, unmatched, self.file)

    def parameters(self, value: Any) -> Parameters:
        default = Parameters()
        groups = self.mapping(value, "parameters", GROUPS)
        return Parameters(**{name: self.group(getattr(default, name), group, name) for name, group in groups.items()})

    def group(self, default: T, value: Any, name: str) -> T:
        """The parameters of one metric; those not given keep their default."""
        defaults = asdict(default)  # type: ignore[call-overload]
        part = self.mapping(value, f"parameters.{name}", list(defaults))
        path = f"parameters.{name}."
        return type(default)(
            **{key: self.parameter(defaults[key], setting, path + key) for key, setting in part.items()}
        )

    def parameter(self, default: Any, value: Any, path: str) -> Any:
        """A value of the same type as the parameter's default."""
        if isinstance(default, Mapping):
            distances = self.mapping(value, path, None)
            return {
                self.text(column, path): self.distance(distance, f"{path}.{column}")
                for column, distance in distances.items()
            }
        if isinstance(default, bool):
            if not isinstance(value, bool):
                self.refuse(path, "is neither true nor false", "write true or false")
            return value
        if isinstance(default, int):
            if isinstance(value, bool) or not isinstance(value, int):
                self.refuse(path, "is not a whole number", "write a whole number")
            return value
        if isinstance(default, tuple):
            return self.texts(value, path)
        if isinstance(default, StrEnum):
            choices = type(default)
            if value not in list(choices):
                self.refuse(path, "is not one of the choices", f"use {', '.join(choices)}")
            return choices(value)
        if isinstance(default, str):
            return self.text(value, path)
        return self.number(value, path)

    def distance(self, value: Any, path: str) -> GroundDistance:
        if value not in [str(distance) for distance in GroundDistance]:
            self.refuse(path, "is not a ground distance", f"use {', '.join(GroundDistance)}")
        return GroundDistance(value)

    def policy(self, value: Any) -> Policy:
        content = self.mapping(value, "policy", ("name", "limits"))
        limits = self.mapping(content.get("limits", {}), "policy.limits", None)
        checked_limits = {
            key: limit if limit is True else self.number(limit, f"policy.limits.{key}") for key, limit in limits.items()
        }
        return Policy.from_dict({**content, "limits": checked_limits})

    def hierarchy(self, value: Any, column: str) -> Hierarchy:
        path = f"hierarchies.{column}"
        part = self.mapping(value, path, ("name", "rows"))
        rows = [self.texts(row, f"{path}.rows") for row in self.list_of(part.get("rows"), f"{path}.rows")]
        name = self.text(part.get("name", "hierarchy"), f"{path}.name")
        try:
            return Hierarchy(rows, name=name)
        except InputError as error:
            where = "" if error.row is None else f" in row {error.row}"
            self.refuse(path, f"is not a hierarchy{where}: {error.problem}", error.remedy)

    def table(self, value: Any, path: str, *more_keys: str) -> TableSettings:
        part = self.mapping(value, path, ("name", "sha256", "reading", *more_keys))
        sha256 = self.text(part.get("sha256"), f"{path}.sha256")
        if not _SHA256.fullmatch(sha256):
            self.refuse(f"{path}.sha256", "is not a SHA-256 checksum", "write its 64 hexadecimal digits")
        matching_path = f"{path}.matching"
        return TableSettings(
            self.text(part.get("name"), f"{path}.name"),
            sha256,
            self.reading(part.get("reading", {}), f"{path}.reading"),
            self.matching(self.mapping(part["matching"], matching_path, _MATCHING_KEYS), matching_path)
            if "matching" in part
            else None,
            self.optional_text(part.get("label"), f"{path}.label"),
        )

    def reading(self, value: Any, path: str) -> ReadOptions:
        option_names = [option.name for option in fields(ReadOptions)]
        part = self.mapping(value, path, option_names)
        missing = self.texts(part.get("missing", []), f"{path}.missing")
        line_counts = ("skip_lines", "header_lines", "footer_lines")
        counts: dict[str, Any] = {n: self.lines(part.get(n), f"{path}.{n}") for n in line_counts}
        pairs: dict[str, Any] = {
            "same_values": self.tuples_of_texts(part.get("same_values", []), f"{path}.same_values", 3),
            "renamed": self.tuples_of_texts(part.get("renamed", []), f"{path}.renamed", 2),
        }
        not_texts = {"plan", "missing", *counts, *pairs}
        plan = part.get("plan")
        if plan is not None:
            plan = ReadPlan.from_dict(self.mapping(plan, f"{path}.plan", None), self.file)
        texts: dict[str, Any] = {
            n: self.optional_text(part.get(n), f"{path}.{n}") for n in option_names if n not in not_texts
        }
        return ReadOptions(**texts, **counts, **pairs, missing=missing, plan=plan)

    def tuples_of_texts(self, value: Any, path: str, size: int) -> Any:
        tuples = tuple(self.texts(item, path) for item in self.list_of(value, path))
        if any(len(texts) != size for texts in tuples):
            self.refuse(path, f"is not a list of lists of {size} texts", f"write [[{', '.join(['text'] * size)}]]")
        return tuples

    def lines(self, value: Any, path: str) -> int | None:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            self.refuse(path, "is not a number of lines", "write 0 or more, or null")
        return value


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
