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
_ONE_LIST = "write all of its content in one place"
_NOTHING = ("", "~", "null", "Null", "NULL")


def is_null(value: object) -> bool:
    """Whether a value is absent, or written as null."""
    return value is None or (isinstance(value, str) and value in _NOTHING)


def read_yaml(
    text: str,
    name: str,
    *,
    kind: str = "roles file",
    remedy: str = _FORM,
    max_length: int = _MAX_LENGTH,
    nulls: bool = False,
) -> Any:
    """The dictionaries, lists and texts of a YAML file.

    Parameters
    ----------
    text : str
        The file's content.
    name : str
        The file's name, for messages.
    kind, remedy : str
        What the file is, and how it is written, for messages.
    max_length : int
        The most characters that it may have.
    nulls : bool
        Whether a null without quotes is None instead of its text.

    Raises
    ------
    InputError
        If it is not valid, holds anchors or types, or names the same key twice.
    """
    import yaml

    # The parser in C, where PyYAML was built with it.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    if len(text) > max_length:
        raise InputError(f"the file is too long for a {kind}", remedy=remedy, file=name)
    problem, row, depth = "the file is not valid YAML", None, 0
    try:
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            reason = _reason_for_refusal(event, yaml.AliasEvent, depth)
            if reason is not None:
                problem = reason
                row = None if event.start_mark is None else event.start_mark.line + 1
                break
        else:
            return _value(yaml.compose(text, Loader=loader), name, remedy, nulls)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        row = None if mark is None else mark.line + 1
    raise InputError(problem, remedy=remedy, file=name, row=row)


def _reason_for_refusal(event: Any, alias: type, depth: int) -> str | None:
    """Why a part of a YAML file is refused; None if it is not."""
    if isinstance(event, alias):
        return "YAML anchors and aliases are not supported"
    if depth > _MAX_DEPTH:
        return "the YAML is nested too deeply"
    return None if getattr(event, "tag", None) is None else "YAML tags are not supported"


def _value(node: Any, name: str, remedy: str, nulls: bool) -> Any:
    if node is None:
        return None
    if node.id == "scalar":
        return None if nulls and not node.style and node.value in _NOTHING else str(node.value)
    if node.id == "sequence":
        return [_value(item, name, remedy, nulls) for item in node.value]
    mapping: dict[Any, Any] = {}
    for key, value in node.value:
        row = key.start_mark.line + 1
        if key.id != "scalar":
            raise InputError("a key is a list or mapping", remedy=remedy, file=name, row=row)
        if key.value in mapping:
            raise InputError("a key appears twice", remedy=_ONE_LIST, file=name, row=row)
        mapping[str(key.value)] = _value(value, name, remedy, nulls)
    return mapping
