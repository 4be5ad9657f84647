"""The settings file: everything but the tables that a scorecard rests on, as one JSON document.

Read strictly: what is not known is refused, and nothing in it can run.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from metrics.catalog import BY_ID
from metrics.errors import InputError
from metrics.hierarchy import Hierarchy
from metrics.matching_rule import Duplicates, MatchingRule, Unmatched
from metrics.parameters import GroundDistance, Parameters, Statistic
from metrics.roles import Roles
from metrics.thresholds import Thresholds
from metrics.wording import visible

SCHEMA_VERSION = 1

T = TypeVar("T")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LONGEST_KEY = 60
_LARGEST_K = 100
_MATCHING = ("key", "duplicates", "unmatched")
_KEYS = ("schema_version", "roles", "parameters", "thresholds", "tables", "hierarchies", "k_limit")


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file; None leaves the choice to detection."""

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
    """Column, a value of the table, and the value of the original or of the hierarchy that it is read as."""
    renamed: tuple[tuple[str, str], ...] = ()
    """A column's name in the file and the one it is given."""


@dataclass(frozen=True)
class TableSettings:
    """A table by its file's name and the sha256 of its bytes in hexadecimal, how it is read, how it is matched."""

    name: str
    sha256: str
    reading: ReadOptions = field(default_factory=ReadOptions)
    matching: MatchingRule | None = None
    """How the records of an anonymized table are matched, where not as the roles say."""

    def to_dict(self) -> dict[str, Any]:
        """The document's part; of how the table is read and matched, only what was chosen."""
        default = asdict(ReadOptions())
        given = {name: value for name, value in asdict(self.reading).items() if value != default[name]}
        own = {} if self.matching is None else {"matching": _matching_part(self.matching)}
        return {"name": self.name, "sha256": self.sha256, "reading": given, **own}


@dataclass(frozen=True, eq=False)
class Settings:
    """Roles, parameters, thresholds and hierarchies, and for which tables they were chosen; no record of a table."""

    roles: Roles = field(default_factory=Roles)
    parameters: Parameters = field(default_factory=Parameters)
    thresholds: Thresholds = field(default_factory=Thresholds)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    original: TableSettings | None = None
    anonymized: tuple[TableSettings, ...] = ()
    k_limit: int = 5
    """The smallest class size wanted where classes are listed, from 1 on."""

    @property
    def tables(self) -> tuple[TableSettings, ...]:
        """Every table named, the original first."""
        return (*(() if self.original is None else (self.original,)), *self.anonymized)

    def reading_of(self, name: str, sha256: str | None) -> ReadOptions:
        """How a file is to be read: as the table of these bytes, else as the one of that name, else by detection."""
        same = _same(self.tables, name, sha256)
        return ReadOptions() if same is None else same.reading

    def roles_of(self, name: str, sha256: str | None) -> Roles:
        """The roles for an anonymized file: with records matched as was chosen for it, known as for reading."""
        same = _same(self.anonymized, name, sha256)
        return self.roles if same is None or same.matching is None else self.roles.matched(same.matching)

    def to_dict(self) -> dict[str, Any]:
        """The document."""
        roles = self.roles
        return {
            "schema_version": SCHEMA_VERSION,
            "roles": {
                "quasi_identifiers": list(roles.quasi_identifiers),
                "sensitive": list(roles.sensitive),
                "insensitive": list(roles.insensitive),
                "identifiers": list(roles.identifiers),
                "weight": roles.weight,
                **_matching_part(roles.matching),
            },
            "parameters": self.parameters.to_dict(),
            "thresholds": dict(self.thresholds.limits),
            "k_limit": self.k_limit,
            "tables": {
                "original": None if self.original is None else self.original.to_dict(),
                "anonymized": [table.to_dict() for table in self.anonymized],
            },
            "hierarchies": {
                column: {"name": hierarchy.name, "rows": _given_rows(hierarchy)}
                for column, hierarchy in self.hierarchies.items()
            },
        }

    def to_json(self) -> str:
        """The document as text, one line for each of its parts; `parse_settings` reads the same back."""
        parts = [f'"{key}": {json.dumps(part, ensure_ascii=False)}' for key, part in self.to_dict().items()]
        return "{\n" + ",\n".join(parts) + "\n}\n"


def read_settings(path: str | Path) -> Settings:
    """Read a settings file. Raises InputError."""
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError:
        raise InputError("the file cannot be read", remedy="check the path", file=str(path)) from None
    return parse_settings(content, path.name)


def parse_settings(content: bytes, name: str) -> Settings:
    """Settings from a file's bytes; `name` is the file's. Raises InputError, naming the key that is wrong."""
    return _Document(name).settings(_parsed(content, name))


def _same(tables: Sequence[TableSettings], name: str, sha256: str | None) -> TableSettings | None:
    """The table of these bytes, else the one of that name."""
    found = [table for table in tables if table.sha256 == sha256]
    found += [table for table in tables if table.name == name]
    return found[0] if found else None


def _matching_part(rule: MatchingRule) -> dict[str, Any]:
    key = list(rule.key) if len(rule.key) > 1 else next(iter(rule.key), None)
    return {"key": key, "duplicates": rule.duplicates, "unmatched": rule.unmatched}


def _given_rows(hierarchy: Hierarchy) -> list[list[str]]:
    """The rows without a root that was added, which reading them adds again."""
    return [list(row[:-1] if hierarchy.root_added else row) for row in hierarchy.rows]


def _parsed(content: bytes, name: str) -> Any:
    remedy = "give a file that Quasi saved"
    try:
        return json.loads(content.decode("utf-8-sig"), object_pairs_hook=_without_repetition)
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text", remedy=remedy, file=name) from None
    except json.JSONDecodeError as error:
        raise InputError("this is not valid JSON", remedy=remedy, file=name, row=error.lineno) from None
    except _RepeatedKeyError as error:
        raise InputError(f"{error} is there twice", remedy="keep one of the two", file=name) from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, brackets without end
        raise InputError("these are no settings", remedy=remedy, file=name) from None


class _RepeatedKeyError(Exception):
    """A key that an object has twice, of which JSON would silently keep the last."""


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _RepeatedKeyError(_shown(key))
        found[key] = value
    return found


def _shown(key: str) -> str:
    text = visible(key)
    return f'"{text if len(text) <= _LONGEST_KEY else text[:_LONGEST_KEY] + "…"}"'


@dataclass(frozen=True)
class _Document:
    """Reads one document; each method takes a value with the path of its key, and raises InputError naming it."""

    file: str

    def settings(self, content: Any) -> Settings:
        parts = self.part(content, "settings", _KEYS)
        version = parts.get("schema_version")
        if version != SCHEMA_VERSION or isinstance(version, bool):
            self.refuse("schema_version", f"is not {SCHEMA_VERSION}", "give a file that this version of Quasi saved")
        tables = self.part(parts.get("tables", {}), "tables", ("original", "anonymized"))
        original = tables.get("original")
        anonymized = self.list_of(tables.get("anonymized", []), "tables.anonymized")
        hierarchies = self.part(parts.get("hierarchies", {}), "hierarchies", None)
        with self.naming():
            return Settings(
                roles=self.roles(parts.get("roles", {})),
                parameters=self.parameters(parts.get("parameters", {})),
                thresholds=self.thresholds(parts.get("thresholds", {})),
                hierarchies={self.text(c, "hierarchies"): self.hierarchy(h, c) for c, h in hierarchies.items()},
                original=None if original is None else self.table(original, "tables.original"),
                anonymized=tuple(self.table(one, "tables.anonymized", "matching") for one in anonymized),
                k_limit=self.smallest(parts.get("k_limit", Settings.k_limit)),
            )

    def refuse(self, path: str, problem: str, remedy: str) -> NoReturn:
        raise InputError(f"{_shown(path)} {problem}", remedy=remedy, file=self.file)

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Let what a part itself finds wrong name this file."""
        try:
            yield
        except InputError as error:
            if error.file is not None:
                raise
            raise InputError(error.problem, remedy=error.remedy, file=self.file, column=error.column) from None

    def part(self, value: Any, path: str, known: Sequence[str] | None) -> dict[str, Any]:
        """An object with no other keys than those; None: with any."""
        if not isinstance(value, dict):
            self.refuse(path, "is no object", 'write {"key": value}')
        for key in value:
            if known is not None and key not in known:
                inside = "" if path == "settings" else f" in {_shown(path)}"
                raise InputError(
                    f"there is no key {_shown(key)}{inside}", remedy=f"use {', '.join(known)}", file=self.file
                )
        return value

    def list_of(self, value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            self.refuse(path, "is no list", "write [value, value]")
        return value

    def text(self, value: Any, path: str) -> str:
        if not isinstance(value, str) or not _is_text(value):
            self.refuse(path, "is no text", "write it in quotes")
        return value

    def optional_text(self, value: Any, path: str) -> str | None:
        return None if value is None else self.text(value, path)

    def texts(self, value: Any, path: str) -> tuple[str, ...]:
        return tuple(self.text(item, path) for item in self.list_of(value, path))

    def number(self, value: Any, path: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(_as_float(value)):
            self.refuse(path, "is no number", "write a number")
        return float(value)

    def roles(self, value: Any) -> Roles:
        lists = ("quasi_identifiers", "sensitive", "insensitive", "identifiers")
        part = self.part(value, "roles", (*lists, "weight", *_MATCHING))
        columns: dict[str, Any] = {name: self.texts(part.get(name, []), f"roles.{name}") for name in lists}
        weight = self.optional_text(part.get("weight"), "roles.weight")
        return Roles(**columns, weight=weight, name=self.file).matched(self.matching(part, "roles"))

    def matching(self, part: Mapping[str, Any], path: str) -> MatchingRule:
        key = part.get("key")
        columns = self.texts(key, f"{path}.key") if isinstance(key, list) else self.optional_text(key, f"{path}.key")
        duplicates = self.text(part.get("duplicates", Duplicates.REFUSE), f"{path}.duplicates")
        unmatched = self.text(part.get("unmatched", Unmatched.REFUSE), f"{path}.unmatched")
        return MatchingRule.of(columns, duplicates, unmatched, self.file)

    def parameters(self, value: Any) -> Parameters:
        default = Parameters()
        groups = self.part(value, "parameters", [group.name for group in fields(default)])
        return Parameters(**{name: self.group(getattr(default, name), group, name) for name, group in groups.items()})

    def group(self, default: T, value: Any, name: str) -> T:
        """The parameters of one metric; those that are not named keep their default."""
        known = asdict(default)  # type: ignore[call-overload]
        part = self.part(value, f"parameters.{name}", list(known))
        path = f"parameters.{name}."
        return type(default)(**{key: self.parameter(known[key], chosen, path + key) for key, chosen in part.items()})

    def parameter(self, default: Any, value: Any, path: str) -> Any:
        """A value of the same type as the parameter's default."""
        if isinstance(default, Mapping):
            distances = self.part(value, path, None)
            return {self.text(c, path): self.distance(chosen, f"{path}.{c}") for c, chosen in distances.items()}
        if isinstance(default, bool):
            if not isinstance(value, bool):
                self.refuse(path, "is neither true nor false", "write true or false")
            return value
        if isinstance(default, int):
            if isinstance(value, bool) or not isinstance(value, int):
                self.refuse(path, "is no whole number", "write a whole number")
            return value
        if isinstance(default, Statistic):
            if value not in list(Statistic):
                self.refuse(path, "is no statistic", f"use {', '.join(Statistic)}")
            return Statistic(value)
        if isinstance(default, str):
            return self.text(value, path)
        return self.number(value, path)

    def distance(self, value: Any, path: str) -> GroundDistance:
        if value not in [str(distance) for distance in GroundDistance]:
            self.refuse(path, "is no ground distance", f"use {', '.join(GroundDistance)}")
        return GroundDistance(value)

    def smallest(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _LARGEST_K:
            self.refuse("k_limit", f"is no whole number from 1 to {_LARGEST_K}", "write one")
        return value

    def thresholds(self, value: Any) -> Thresholds:
        limits = self.part(value, "thresholds", list(BY_ID))
        return Thresholds(
            {
                name: limit if limit is True else self.number(limit, f"thresholds.{name}")
                for name, limit in limits.items()
            }
        )

    def hierarchy(self, value: Any, column: str) -> Hierarchy:
        path = f"hierarchies.{column}"
        part = self.part(value, path, ("name", "rows"))
        rows = [self.texts(row, f"{path}.rows") for row in self.list_of(part.get("rows"), f"{path}.rows")]
        name = self.text(part.get("name", "hierarchy"), f"{path}.name")
        try:
            return Hierarchy(rows, name=name)
        except InputError as error:
            where = "" if error.row is None else f" in row {error.row}"
            self.refuse(path, f"is no hierarchy{where}: {error.problem}", error.remedy)

    def table(self, value: Any, path: str, *further: str) -> TableSettings:
        part = self.part(value, path, ("name", "sha256", "reading", *further))
        sha256 = self.text(part.get("sha256"), f"{path}.sha256")
        if not _SHA256.fullmatch(sha256):
            self.refuse(f"{path}.sha256", "is no sha256", "write its 64 hexadecimal digits")
        own = f"{path}.matching"
        return TableSettings(
            self.text(part.get("name"), f"{path}.name"),
            sha256,
            self.reading(part.get("reading", {}), f"{path}.reading"),
            self.matching(self.part(part["matching"], own, _MATCHING), own) if "matching" in part else None,
        )

    def reading(self, value: Any, path: str) -> ReadOptions:
        known = [option.name for option in fields(ReadOptions)]
        part = self.part(value, path, known)
        missing = self.texts(part.get("missing", []), f"{path}.missing")
        numbered = ("skip_lines", "header_lines", "footer_lines")
        counts: dict[str, Any] = {n: self.lines(part.get(n), f"{path}.{n}") for n in numbered}
        pairs: dict[str, Any] = {
            "same_values": self.tuples(part.get("same_values", []), f"{path}.same_values", 3),
            "renamed": self.tuples(part.get("renamed", []), f"{path}.renamed", 2),
        }
        others = {"missing", *counts, *pairs}
        texts: dict[str, Any] = {n: self.optional_text(part.get(n), f"{path}.{n}") for n in known if n not in others}
        return ReadOptions(**texts, **counts, **pairs, missing=missing)

    def tuples(self, value: Any, path: str, size: int) -> Any:
        found = tuple(self.texts(item, path) for item in self.list_of(value, path))
        if any(len(texts) != size for texts in found):
            self.refuse(path, f"does not hold {size} texts each", f"write [[{', '.join(['text'] * size)}]]")
        return found

    def lines(self, value: Any, path: str) -> int | None:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            self.refuse(path, "is no number of lines", "write 0 or more, or null")
        return value


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _is_text(value: str) -> bool:
    """Whether it can be written: JSON's escapes can make halves of characters."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
