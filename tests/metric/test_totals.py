"""Totals of parts of the classes, merged, are those of all classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from metrics.metric import merged


@dataclass(frozen=True)
class Inner:
    sum: float
    smallest: Annotated[float, min]


@dataclass(frozen=True)
class Outer:
    classes: int
    largest: Annotated[Mapping[str, int], max]
    inner: Mapping[str, Inner]


@dataclass(frozen=True)
class Own:
    text: str

    def merged(self, other: "Own") -> "Own":
        return Own(f"{self.text} {other.text}")


def test_numbers_are_added_unless_declared_otherwise_also_within_mappings_and_totals() -> None:
    first = Outer(2, {"a": 5, "b": 1}, {"a": Inner(0.5, 0.25)})
    other = Outer(3, {"a": 4, "b": 9}, {"a": Inner(1.5, 0.5)})
    assert merged(first, other) == Outer(5, {"a": 5, "b": 9}, {"a": Inner(2.0, 0.25)})


def test_totals_may_merge_themselves() -> None:
    assert merged(Own("x"), Own("y")) == Own("x y")
