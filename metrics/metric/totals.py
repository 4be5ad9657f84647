"""Totals of classes, such as how many there are or the smallest of them: few numbers, however many classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from operator import add
from typing import Any, TypeVar, get_args, get_type_hints

T = TypeVar("T")


def merged(totals: T, other: T) -> T:
    """Merge the totals, a frozen dataclass, of two disjoint sets of classes.

    Numbers are added, unless the field is declared otherwise, as in `Annotated[int, min]`; mappings are merged key by
    key, and totals within totals like these. Where that does not do, they have a method `merged` of their own.
    """
    if hasattr(totals, "merged"):
        own: T = totals.merged(other)
        return own
    hints = get_type_hints(type(totals), include_extras=True)
    return type(totals)(
        **{
            field.name: _merged(getattr(totals, field.name), getattr(other, field.name), _rule(hints[field.name]))
            for field in fields(totals)  # type: ignore[arg-type]
        }
    )


def _rule(hint: Any) -> Callable[[Any, Any], Any]:
    """How two values are merged."""
    return next((rule for rule in get_args(hint) if rule in (min, max)), add)


def _merged(value: Any, other: Any, rule: Callable[[Any, Any], Any]) -> Any:
    if isinstance(value, Mapping):
        return {key: _merged(item, other[key], rule) for key, item in value.items()}
    return merged(value, other) if is_dataclass(value) else rule(value, other)
