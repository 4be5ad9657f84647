"""Reads YAML as plain text: every scalar stays as written, and anchors and types are refused.

`01` and `no` are valid column names; anchors would let a small file expand to gigabytes.
"""

from __future__ import annotations

from typing import Any

from metrics.errors import InputError

_MAX_LENGTH = 1 << 20
"""Characters."""
_MAX_DEPTH = 10
_FORM = "write, for example, quasi_identifiers: [age, sex] on one line and sensitive: [diagnosis] on the next"
_NOTHING = ("", "~", "null", "Null", "NULL")


def is_nothing(value: object) -> bool:
    """Whether a value is absent, or written as null."""
    return value is None or (isinstance(value, str) and value in _NOTHING)


def read_yaml(text: str, name: str) -> Any:
    """The dictionaries, lists and texts of a YAML file; `name` is the file's.

    Raises InputError if it is not valid, holds anchors or types, or names the same key twice.
    """
    import yaml

    if len(text) > _MAX_LENGTH:
        raise InputError("the file is too long for a roles file", remedy=_FORM, file=name)
    problem, row, depth = "the file is not valid YAML", None, 0
    try:
        for event in yaml.parse(text, Loader=yaml.BaseLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            refused = _refused(event, yaml.AliasEvent, depth)
            if refused is not None:
                problem = refused
                row = None if event.start_mark is None else event.start_mark.line + 1
                break
        else:
            return _value(yaml.compose(text, Loader=yaml.BaseLoader), name)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        row = None if mark is None else mark.line + 1
    raise InputError(problem, remedy=_FORM, file=name, row=row)


def _refused(event: Any, alias: type, depth: int) -> str | None:
    """Why a part of a YAML file is refused; None if it is not."""
    if isinstance(event, alias):
        return "YAML anchors and aliases are not supported"
    if depth > _MAX_DEPTH:
        return "the YAML is nested too deeply"
    return None if getattr(event, "tag", None) is None else "YAML tags are not supported"


def _value(node: Any, name: str) -> Any:
    if node is None:
        return None
    if node.id == "scalar":
        return str(node.value)
    if node.id == "sequence":
        return [_value(one, name) for one in node.value]
    found: dict[Any, Any] = {}
    for key, value in node.value:
        row = key.start_mark.line + 1
        if key.id != "scalar":
            raise InputError("a key is a list or mapping", remedy=_FORM, file=name, row=row)
        if key.value in found:
            raise InputError("a key appears twice", remedy="put all its columns into one list", file=name, row=row)
        found[key.value] = _value(value, name)
    return found
