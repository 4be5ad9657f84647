"""Reads recipes strictly: an unknown key or a value of the wrong type is refused, and nothing is executed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from metrics.candidates.limits.enforced import K, L, T, needs_sensitive
from metrics.candidates.methods.catalog import BY_NAME, method_named
from metrics.candidates.methods.method import Parameter, method_parameters
from metrics.config.parameters import GroundDistance
from metrics.config.roles import BY_COLUMN, Roles
from metrics.config.roles_file import numbers_by_column
from metrics.config.strict_document import StrictDocument
from metrics.config.yaml_text import read_yaml
from metrics.errors import InputError
from metrics.hierarchies.hierarchy import Hierarchy
from metrics.recipes.recipe import Recipe
from metrics.recipes.steps import (
    Cells,
    DeleteSuppressed,
    Generalize,
    Make,
    Recode,
    Rule,
    Step,
    SuppressClasses,
    SuppressIdentifiers,
)
from metrics.recipes.writing import FORMAT
from metrics.tables.regular_file import read_document

_MAX_LENGTH: Final = 1 << 25
_REMEDY: Final = "choose a recipe written by Quasi"


def read_recipe(path: str | Path | bytes) -> Recipe:
    """Read a recipe.

    Parameters
    ----------
    path : str, Path or bytes
        A YAML file written by `explore --recipe`, `repair --recipe`, the dashboard or `Recipe.to_yaml`.

    Returns
    -------
    Recipe
        Its `apply` does the same to a table.

    Raises
    ------
    InputError
        If the file cannot be read or a key in it is wrong; the message names the key.
    """
    if isinstance(path, bytes):
        return parse_recipe(path, "recipe")
    return parse_recipe(read_document(path), Path(path).name)


def parse_recipe(content: bytes, name: str) -> Recipe:
    """Read the bytes of a recipe; `name` is the file's, for messages. Raises InputError as `read_recipe` does."""
    document = read_yaml(content, name, kind="recipe", remedy=_REMEDY, max_length=_MAX_LENGTH, nulls=True)
    return _Document(name).recipe(document)


class _Document(StrictDocument):
    """A recipe."""

    whole = "the recipe"

    def recipe(self, content: Any) -> Recipe:
        section = self.mapping(content, "", ("recipe", "steps"))
        if section.get("recipe") != str(FORMAT):
            self.refuse("recipe", f"is not {FORMAT}", "choose a recipe written by this version of Quasi")
        steps = self.list_of(section.get("steps"), "steps")
        return Recipe(tuple(self.step(step, f"steps.{number}") for number, step in enumerate(steps, 1)))

    def step(self, value: Any, path: str) -> Step:
        readers: Mapping[str, Callable[[dict[str, Any], str], Step]] = {
            "generalize": self.generalize,
            "suppress_classes": self.suppress_classes,
            "recode": self.recode,
            "delete_suppressed": self.delete_suppressed,
            "suppress_identifiers": self.suppress_identifiers,
            "make": self.make,
        }
        section = self.mapping(value, path, None)
        kind = self.text(section.get("step"), f"{path}.step")
        if kind not in readers:
            self.refuse(f"{path}.step", "is not a step", f"use {', '.join(readers)}")
        return readers[kind]({key: item for key, item in section.items() if key != "step"}, path)

    def generalize(self, value: dict[str, Any], path: str) -> Step:
        section = self.mapping(value, path, ("column", "level", "of", "hierarchy", "labels"))
        column = self.name(section.get("column"), f"{path}.column")
        level, height = (self.whole_number(section.get(key), f"{path}.{key}", 0) for key in ("level", "of"))
        hierarchy_name = self.optional_text(section.get("hierarchy"), f"{path}.hierarchy")
        if level > height:
            self.refuse(f"{path}.level", "is higher than the hierarchy", f"write 0 to {height}")
        if "labels" not in section:
            if height > 1:
                self.refuse(f"{path}.labels", "is missing", "list the values of each label")
            return Generalize(column, level, height, hierarchy_name)
        labels_path = f"{path}.labels"
        labels = {
            self.text(label, labels_path): self.texts(values, labels_path)
            for label, values in self.mapping(section["labels"], labels_path, None).items()
        }
        listed_values = [item for values in labels.values() for item in values]
        if not listed_values or len(set(listed_values)) < len(listed_values):
            self.refuse(labels_path, "lists a value twice, or none at all", "list every value under one label")
        if "" in labels and labels[""] != ("",):
            self.refuse(labels_path, "has a blank label", "give every value a label; only blank values stay blank")
        return Generalize(column, level, height, hierarchy_name, labels)

    def suppress_classes(self, value: dict[str, Any], path: str) -> Step:
        keys = ("quasi_identifiers", "k", "l", "t", "sensitive", "distance", "hierarchies")
        section = self.mapping(value, path, keys)
        rule: dict[str, float] = {K: self.whole_number(section.get("k", "1"), f"{path}.k", 1)}
        if section.get("l") is not None:
            rule[L] = self.whole_number(section["l"], f"{path}.l", 1)
        if section.get("t") is not None:
            rule[T] = self.share(section["t"], f"{path}.t")
        sensitive = tuple(self.texts(section.get("sensitive", []), f"{path}.sensitive"))
        if needs_sensitive(rule) and not sensitive:
            self.refuse(f"{path}.sensitive", "is missing", "list the sensitive columns to which l and t apply")
        distances = self.mapping(section.get("distance", {}), f"{path}.distance", sensitive)
        hierarchy_rows = self.mapping(section.get("hierarchies", {}), f"{path}.hierarchies", sensitive)
        return SuppressClasses(
            self.names(section.get("quasi_identifiers"), f"{path}.quasi_identifiers", sensitive),
            rule,
            sensitive,
            {name: self.distance(distance, f"{path}.distance.{name}") for name, distance in distances.items()},
            {name: self.hierarchy(rows, f"{path}.hierarchies.{name}", name) for name, rows in hierarchy_rows.items()},
        )

    def recode(self, value: dict[str, Any], path: str) -> Step:
        section = self.mapping(value, path, ("columns", "rules"))
        columns = self.names(section.get("columns"), f"{path}.columns")
        rules = self.list_of(section.get("rules"), f"{path}.rules")
        parsed_rules = (self.rule(rule, f"{path}.rules.{number}", len(columns)) for number, rule in enumerate(rules, 1))
        return Recode(columns, tuple(parsed_rules))

    def rule(self, value: Any, path: str, columns: int) -> Rule:
        section = self.mapping(value, path, ("from", "to", "delete", "records"))
        cells = self.cells(section.get("from"), f"{path}.from", columns)
        records = section.get("records")
        n_records = None if records is None else self.whole_number(records, f"{path}.records", 1)
        if ("to" in section) == ("delete" in section):
            self.refuse(path, "needs either a key to or a key delete", "state what happens to the records")
        if "to" in section:
            return Rule(cells, self.cells(section["to"], f"{path}.to", columns), n_records)
        if section["delete"] != "true":
            self.refuse(f"{path}.delete", "is not true", "write true, or leave the rule out")
        return Rule(cells, None, n_records)

    def delete_suppressed(self, value: dict[str, Any], path: str) -> Step:
        section = self.mapping(value, path, ("quasi_identifiers",))
        return DeleteSuppressed(self.names(section.get("quasi_identifiers"), f"{path}.quasi_identifiers"))

    def suppress_identifiers(self, value: dict[str, Any], path: str) -> Step:
        section = self.mapping(value, path, ("identifiers", "keep"))
        names, keep = (tuple(self.texts(section.get(key, []), f"{path}.{key}")) for key in ("identifiers", "keep"))
        return SuppressIdentifiers(names, keep)

    def make(self, value: dict[str, Any], path: str) -> Step:
        keys = ("method", "parameters", "seed", "quasi_identifiers", "sensitive", "person", "hierarchies", *BY_COLUMN)
        section = self.mapping(value, path, keys)
        name = self.text(section.get("method"), f"{path}.method")
        if name not in BY_NAME:
            self.refuse(f"{path}.method", "is not a method", f"use {', '.join(BY_NAME)}")
        parameters = {parameter.name: parameter for parameter in method_parameters(BY_NAME[name])}
        parameters_path = f"{path}.parameters"
        settings = self.mapping(section.get("parameters", {}), parameters_path, tuple(parameters)).items()
        values = {
            key: self.parameter(setting, parameters[key], f"{parameters_path}.{key}") for key, setting in settings
        }
        sensitive = tuple(self.texts(section.get("sensitive", []), f"{path}.sensitive"))
        columns = self.names(section.get("quasi_identifiers"), f"{path}.quasi_identifiers", sensitive)
        used = (*columns, *sensitive, *values.get("columns", ()))
        hierarchy_rows = self.mapping(section.get("hierarchies", {}), f"{path}.hierarchies", used)
        what_matters = numbers_by_column(self, section, path, columns)
        try:
            method = method_named(name, values)
            person = self.text(section["person"], f"{path}.person") if "person" in section else None
            Roles(columns, sensitive, person=person, **what_matters)
        except InputError as error:
            self.refuse(parameters_path, f"cannot be used: {error.problem}", error.remedy)
        return Make(
            method,
            self.whole_number(section.get("seed"), f"{path}.seed", 0) if method.takes_seed else None,
            columns,
            sensitive,
            {name: self.hierarchy(rows, f"{path}.hierarchies.{name}", name) for name, rows in hierarchy_rows.items()},
            what_matters,
            person,
        )

    def parameter(self, value: Any, parameter: Parameter, path: str) -> Any:
        if parameter.kind is tuple:
            return tuple(self.texts(value, path))
        if parameter.kind is int:
            return self.whole_number(value, path, 0)
        if parameter.kind is float:
            return self.number(value, path)
        if value not in ("true", "false"):
            self.refuse(path, "is neither true nor false", "write one of them")
        return value == "true"

    def cells(self, value: Any, path: str, columns: int) -> Cells:
        cells = tuple(self.optional_text(cell, path) for cell in self.list_of(value, path))
        if len(cells) != columns:
            self.refuse(path, f"does not list {columns} cells", "write one cell for each column")
        return cells

    def name(self, value: Any, path: str) -> str:
        text = self.text(value, path)
        if not text:
            self.refuse(path, "is empty", "name a column")
        return text

    def names(self, value: Any, path: str, other_names: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Columns, at least one, all different and none of the others."""
        names = tuple(self.name(name, path) for name in self.list_of(value, path))
        if not names or len({*names, *other_names}) < len(names) + len(other_names):
            self.refuse(path, "is empty or names a column twice", "name every column once")
        return names

    def whole_number(self, value: Any, path: str, minimum: int) -> int:
        text = value if isinstance(value, str) else ""
        if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text) >= minimum):
            self.refuse(path, "is not a whole number in its range", f"write {minimum} or more")
        return int(text)

    def number(self, value: Any, path: str) -> float:
        number = self._float(value, path)
        if not math.isfinite(number):
            self.refuse(path, "is not a number", "write a number such as 0.2")
        return number

    def share(self, value: Any, path: str) -> float:
        number = self._float(value, path)
        if not 0 <= number <= 1:
            self.refuse(path, "is not a number from 0 to 1", "write a number such as 0.2")
        return number

    def _float(self, value: Any, path: str) -> float:
        """NaN for a text that is not a number."""
        text = self.text(value, path)
        try:
            return float(text)
        except ValueError:
            return math.nan

    def distance(self, value: Any, path: str) -> GroundDistance:
        if value not in list(GroundDistance):
            self.refuse(path, "is not a ground distance", f"use {', '.join(GroundDistance)}")
        return GroundDistance(value)

    def hierarchy(self, value: Any, path: str, column: str) -> Hierarchy:
        rows = [self.texts(row, path) for row in self.list_of(value, path)]
        try:
            return Hierarchy(rows, name=f"{column}.csv")
        except InputError as error:
            self.refuse(path, f"is not a hierarchy: {error.problem}", error.remedy)
