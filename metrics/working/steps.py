"""What a derivation is made of: steps, each with a sentence, a formula in numbers, a table and what it ends in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, Final, TypeAlias

from metrics import texts
from metrics.aggregates import Aggregates
from metrics.config.parameters import Parameters
from metrics.config.roles import Roles
from metrics.formatting import shortened, visible
from metrics.texts import text

Cell: TypeAlias = str | int | float
Number: TypeAlias = float | bool | None
MAX_ROWS = 200
_MAX_LETTERS = 40
_MAX_NAMED = 4


@dataclass(frozen=True)
class StepTable:
    """Rows behind a step; each column holds cells of one kind. `left_out` rows more are not listed."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    left_out: int = 0


@dataclass(frozen=True)
class Step:
    """One step. Sentences are plain text, whatever cells they name; `formula` is safe LaTeX."""

    title: str
    sentence: str
    formula: str | None = None
    table: StepTable | None = None
    number: Number = None
    """What the step ends in; None where that is no single finite number."""


def step_of(
    path: str,
    formula: str | None = None,
    *,
    rows: Sequence[tuple[Cell, ...]] | None = None,
    table: StepTable | None = None,
    number: Number = None,
    **facts: Any,
) -> Step:
    """The step whose sentence stands under a path in texts.toml; its title and the headings of `rows` stand beside it.

    `facts` fill the sentence in; `table` is for rows with other headings.
    """
    if rows is not None:
        table = tabulated(texts.text(f"{path}_columns"), rows, len(rows))
    return Step(texts.text(f"{path}_title"), texts.text(path, **facts), formula, table, number)


WHOLE_TABLE: Final = text("working.whole_table")


@dataclass(frozen=True)
class Working:
    """How a metric's figure comes about, explained for one class or record."""

    metric_id: str
    subject: str
    steps: tuple[Step, ...]

    @property
    def result(self) -> Number:
        """What the last step ends in: the metric's figure."""
        return self.steps[-1].number


class Unit(StrEnum):
    """What a working is about."""

    CLASS = "class"
    RECORD = "record"
    TABLE = "table"


class Attribute(StrEnum):
    """Which columns a working examines one by one."""

    SENSITIVE = "sensitive attribute"
    QUASI_IDENTIFIER = "quasi-identifier"

    def columns(self, roles: Roles) -> tuple[str, ...]:
        """The columns to choose from."""
        return tuple(roles.sensitive if self is Attribute.SENSITIVE else roles.quasi_identifiers)


@dataclass(frozen=True)
class Subject:
    """What the reader picked: a class or record by position, and a column where one is examined."""

    index: int
    column: str = ""


@dataclass(frozen=True)
class Derivation:
    """How a metric's figure comes about, by its result, the records that it judges and the settings."""

    unit: Unit
    attribute: Attribute | None
    derive: Callable[[Any, Aggregates, Parameters, Subject], tuple[Step, ...]]
    decisive: Callable[[Any, Aggregates, Parameters], Subject] = lambda result, aggregates, parameters: Subject(0)
    """The subject to begin with: the one that decides the figure where there is one."""


def whole_table(derive: Callable[[Any, Aggregates, Parameters], tuple[Step, ...]]) -> Derivation:
    """The derivation of a figure that no class, record or column explains by itself."""
    return Derivation(
        Unit.TABLE, None, lambda result, aggregates, parameters, subject: derive(result, aggregates, parameters)
    )


def tabulated(columns: str | Sequence[str], rows: Iterable[tuple[Cell, ...]], total: int) -> StepTable:
    """The first rows of `total`; the headings may be one text, with | between them."""
    listed_rows = tuple(islice(rows, MAX_ROWS))
    return StepTable(
        tuple(columns.split(" | ") if isinstance(columns, str) else columns), listed_rows, total - len(listed_rows)
    )


def short_label(label: str | None) -> str:
    """A cell's text within a sentence: every character visible, and cut where a cell holds a whole essay."""
    return shortened(visible(label), _MAX_LETTERS)


def class_name(aggregates: Aggregates, index: int) -> str:
    """A class by its quasi-identifiers: "birth year = 197*"."""
    labels = aggregates.classes.labels(index)
    return first_of([f"{short_label(name)} = {short_label(label)}" for name, label in labels.items()])


def first_of(parts: Sequence[str]) -> str:
    """The first few parts of a text, and how many there are more."""
    first_parts = ", ".join(parts[:_MAX_NAMED])
    n_omitted = len(parts) - _MAX_NAMED
    return first_parts if n_omitted <= 0 else text("working.and_more", named=first_parts, more=n_omitted)


def class_size(aggregates: Aggregates, index: int) -> int:
    """How many records a class holds."""
    return int(aggregates.classes.sizes[index])
