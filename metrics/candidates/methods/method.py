"""Interface of a method to make a candidate: parameters that can be offered to somebody, and a table made with them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from metrics.config.roles import Roles
from metrics.errors import InputError
from metrics.formatting import exact_number, join_names, visible
from metrics.hierarchies.hierarchy import Hierarchies
from metrics.tables.dictionary_codes import text_array
from metrics.tables.table import SUPPRESSED, Column, Flags, Integers, Table

_SEED_BITS = 53
MAX_SEED = 2**_SEED_BITS - 1


class CandidateMethod(Protocol):
    """A frozen dataclass whose fields are its parameters, made with `parameter`."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    generalizes: ClassVar[bool] = False
    """Whether it uses hierarchies."""
    draws: ClassVar[bool] = False
    """Whether it draws random numbers, so that another seed gives another table."""
    takes_seed: ClassVar[bool] = True
    """Whether a seed may repeat its random numbers; if not, what it promises holds only as long as nobody has them."""
    needs_numbers: ClassVar[bool] = False
    """Whether it refuses a table without numbers."""

    def __post_init__(self) -> None:
        check_parameters(self)

    def apply(
        self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None, *, seed: int | None = None
    ) -> Table:
        """The original with its quasi-identifiers changed, in the order of its records. Raises InputError.

        Without a seed the random numbers differ each time.
        """


@runtime_checkable
class SamplingMethod(CandidateMethod, Protocol):
    """A method that releases some of the records, in another order."""

    def sample(self, original: Table, roles: Roles, hierarchies: Hierarchies | None = None) -> tuple[Table, Integers]:
        """The table, and the position of each of its records in the original. Raises InputError."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method, as it is offered."""

    name: str
    default: Any
    label: str
    help: str
    low: float | None
    """Smallest value of a number; None for a yes or no and for columns."""
    high: float | None
    weakens: bool = False
    """Whether a larger number changes less."""

    @property
    def kind(self) -> type:
        """Bool, int, float, or tuple for columns."""
        return type(self.default)


def parameter(
    default: Any, label: str, about: str, low: float | None = None, high: float | None = None, *, weakens: bool = False
) -> Any:
    """A field of a method's dataclass."""
    return field(
        default=default, metadata={"label": label, "help": about, "low": low, "high": high, "weakens": weakens}
    )


def method_parameters(method: type[CandidateMethod]) -> tuple[Parameter, ...]:
    """The parameters of a method in the order of its fields."""
    return tuple(Parameter(parameter.name, parameter.default, **parameter.metadata) for parameter in fields(method))


def draw_seed() -> int:
    """A seed that nobody can guess; a program in a browser can hold it exactly."""
    return secrets.randbits(_SEED_BITS)


def check_parameters(method: CandidateMethod) -> None:
    """Raise InputError where a number lies outside its bounds; called when a method is made."""
    for parameter in method_parameters(type(method)):
        value = getattr(method, parameter.name)
        too_low = parameter.low is not None and not value >= parameter.low
        if too_low or (parameter.high is not None and value > parameter.high):
            bounds = (
                f"{parameter.low:g} or more"
                if parameter.high is None
                else f"a number from {parameter.low:g} to {parameter.high:g}"
            )
            raise InputError(f"{parameter.label} is out of range", remedy=f"choose {bounds}")


def with_columns(original: Table, made: Mapping[str, Column]) -> Table:
    """The original with some columns replaced."""
    columns = tuple(made.get(column.name, column) for column in original.columns)
    return Table(original.name, columns, original.rows, original.source)


def with_suppressed_cells(column: Column, flags: Flags) -> Column:
    """The column with `*` in the records that are flagged."""
    codes = np.where(flags, np.int32(column.distinct), column.codes)
    return Column.from_codes(column.name, codes, text_array([*column.labels, SUPPRESSED]), column.decimal)


def parameter_summary(method: CandidateMethod) -> str:
    """The parameters of a method as a person reads them: "k 5, l 2, relaxed"."""
    if told := getattr(method, "in_words", ""):
        return str(told)
    parts = []
    for parameter in method_parameters(type(method)):
        value = getattr(method, parameter.name)
        if parameter.kind is bool:
            parts += [parameter.label.lower()] if value else []
        elif parameter.kind is tuple:
            parts += [join_names([visible(name) for name in value])] if value else []
        else:
            number = value if parameter.kind is int else exact_number(value)
            parts.append(f"{parameter.label[0].lower()}{parameter.label[1:]} {number}")
    return ", ".join(parts)
