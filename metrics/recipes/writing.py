"""Writes recipes as YAML, for people to read and for `metrics.recipes.parsing` to read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from metrics.candidates.limits.enforced import ENFORCED
from metrics.candidates.methods.method import method_parameters
from metrics.recipes.steps import DeleteSuppressed, Generalize, Make, Recode, Step, SuppressClasses, SuppressIdentifiers

FORMAT: Final = 1
"""The version of the format; a file of another version is refused."""
_CONFIDENTIAL: Final = """\
# What was done to a table, in order; `python -m metrics apply` repeats it on new data.
# It holds no record. Keep it as confidential as the hierarchies: it lists their values.
"""
_CELLS: Final = """\
# The rules of "recode" list combinations of values that occurred in the table, those of small classes among them: keep
# this file as confidential as that table.
"""
_SEED: Final = """\
# Whoever has the seed of "make" and the released table can undo what was drawn at random: keep this file secret.
"""


def to_yaml(steps: Sequence[Step]) -> str:
    """The steps as the text of a YAML file, which `parse_recipe` reads back."""
    import yaml

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    dumper = type("Dumper", (base,), {"ignore_aliases": lambda self, data: True})
    content = {"recipe": FORMAT, "steps": [_WRITERS[type(step)](step) for step in steps]}
    text = yaml.dump(content, Dumper=dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=118)
    has_rules = any(isinstance(step, Recode) for step in steps)
    has_seed = any(isinstance(step, Make) and step.seed is not None for step in steps)
    return f"{_CONFIDENTIAL}{_CELLS if has_rules else ''}{_SEED if has_seed else ''}{text}"


def _generalize(step: Generalize) -> dict[str, Any]:
    content: dict[str, Any] = {"step": "generalize", "column": step.column, "level": step.level, "of": step.height}
    if step.labels is not None:
        content["hierarchy"] = step.hierarchy
        content["labels"] = {label: list(values) for label, values in step.labels.items()}
    return content


def _suppress_classes(step: SuppressClasses) -> dict[str, Any]:
    limits = {ENFORCED[name].name: bound for name, bound in step.rule.items()}
    content: dict[str, Any] = {"step": "suppress_classes", "quasi_identifiers": list(step.quasi_identifiers), **limits}
    if step.sensitive:
        content["sensitive"] = list(step.sensitive)
    if step.distance:
        content["distance"] = {name: distance.value for name, distance in step.distance.items()}
    if step.hierarchies:
        content["hierarchies"] = {name: [list(row) for row in tree.rows] for name, tree in step.hierarchies.items()}
    return content


def _recode(step: Recode) -> dict[str, Any]:
    rules = []
    for rule in step.rules:
        entry: dict[str, Any] = {"from": list(rule.before)}
        entry |= {"delete": True} if rule.after is None else {"to": list(rule.after)}
        entry |= {} if rule.records is None else {"records": rule.records}
        rules.append(entry)
    return {"step": "recode", "columns": list(step.columns), "rules": rules}


def _delete_suppressed(step: DeleteSuppressed) -> dict[str, Any]:
    return {"step": "delete_suppressed", "quasi_identifiers": list(step.quasi_identifiers)}


def _suppress_identifiers(step: SuppressIdentifiers) -> dict[str, Any]:
    return {"step": "suppress_identifiers", "identifiers": list(step.identifiers), "keep": list(step.keep)}


def _make(step: Make) -> dict[str, Any]:
    values = {
        parameter.name: getattr(step.method, parameter.name) for parameter in method_parameters(type(step.method))
    }
    content: dict[str, Any] = {
        "step": "make",
        "method": step.method.name,
        "parameters": {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()},
        **({} if step.seed is None else {"seed": step.seed}),
        "quasi_identifiers": list(step.quasi_identifiers),
    }
    if step.sensitive:
        content["sensitive"] = list(step.sensitive)
    if step.person is not None:
        content["person"] = step.person
    if step.hierarchies:
        content["hierarchies"] = {name: [list(row) for row in tree.rows] for name, tree in step.hierarchies.items()}
    return content | {key: dict(numbers) for key, numbers in step.what_matters.items()}


_WRITERS: Mapping[type, Callable[[Any], dict[str, Any]]] = {
    Generalize: _generalize,
    SuppressClasses: _suppress_classes,
    Recode: _recode,
    DeleteSuppressed: _delete_suppressed,
    SuppressIdentifiers: _suppress_identifiers,
    Make: _make,
}
