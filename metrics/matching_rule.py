"""How records of two tables are matched: by position or by a key, and what becomes of those that cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from metrics.errors import InputError
from metrics.wording import counted, listed


class Duplicates(StrEnum):
    """What becomes of records whose key occurs more than once in their table."""

    REFUSE = "refuse"
    """No records are matched: the user has to decide first."""
    FIRST = "first"
    """The first record of a key is compared; its repeats are left out, in either table."""
    LEAVE_OUT = "leave_out"
    """No record with such a key is compared, in either table."""


class Unmatched(StrEnum):
    """What becomes of anonymized records whose key the original lacks, and of records without a key."""

    REFUSE = "refuse"
    """No records are matched: the user has to decide first."""
    LEAVE_OUT = "leave_out"
    """They are not compared."""


Choice = TypeVar("Choice", Duplicates, Unmatched)


@dataclass(frozen=True)
class MatchingRule:
    """How records are matched. `of` checks what it is given."""

    key: tuple[str, ...] = ()
    """The columns that together name a record in both tables; none matches by position."""
    duplicates: Duplicates = Duplicates.REFUSE
    unmatched: Unmatched = Unmatched.REFUSE

    @staticmethod
    def of(key: str | Sequence[str] | None, duplicates: str, unmatched: str, file: str) -> MatchingRule:
        """The rule as users write it in a file of that name.

        Raises InputError where a choice is unknown, a column is named twice, or a choice is about keys and there is
        none.
        """
        given = () if key is None else (key,) if isinstance(key, str) else key
        columns = tuple(str(column).strip() for column in given)
        twice = next((column for column in columns if columns.count(column) > 1), None)
        if twice is not None:
            raise InputError("the key names the column twice", remedy="name it once", file=file, column=twice)
        rule = MatchingRule(
            columns,
            _chosen(Duplicates, "duplicates", duplicates, file),
            _chosen(Unmatched, "unmatched", unmatched, file),
        )
        if rule.remedies and not columns:
            raise InputError(
                f"{listed(rule.remedies)} {'says' if len(rule.remedies) == 1 else 'say'} what becomes of records by "
                "their key, and no key is named",
                remedy="name its column as key, or leave that out",
                file=file,
            )
        return rule

    @property
    def remedies(self) -> list[str]:
        """The choices, by name, that leave records out of the comparison."""
        chosen = (("duplicates", self.duplicates, Duplicates.REFUSE), ("unmatched", self.unmatched, Unmatched.REFUSE))
        return [name for name, choice, default in chosen if choice != default]

    def in_words(self) -> str:
        """As it goes on after "matched". Names of columns are not escaped."""
        if not self.key:
            return "by position"
        return f"by the column {self.key[0]}" if len(self.key) == 1 else f"by the columns {listed(self.key)}"


def _chosen(kind: type[Choice], name: str, choice: str, file: str) -> Choice:
    if choice not in list(kind):
        raise InputError(
            f'"{name}" is none of the choices that there are', remedy=f"use {listed(list(kind), 'or')}", file=file
        )
    return kind(choice)


@dataclass(frozen=True)
class Tally:
    """How many records of two tables are compared, and how many are not."""

    matched: int
    """Anonymized records beside their original."""
    deleted: int
    """Original records without a counterpart, which count as suppressed."""
    original_left_out: int = 0
    anonymized_left_out: int = 0

    @property
    def partial(self) -> bool:
        """Whether records of either table are left out of the comparison."""
        return bool(self.original_left_out or self.anonymized_left_out)

    @property
    def left_out(self) -> str | None:
        """What the comparison leaves out, in a sentence; None where that is nothing."""
        sides = ((self.original_left_out, "original"), (self.anonymized_left_out, "anonymized"))
        parts = [counted(number, f"{which} record") for number, which in sides if number]
        verb = "is" if self.original_left_out + self.anonymized_left_out == 1 else "are"
        return f"{listed(parts)} {verb} left out of the measures of loss." if parts else None

    def in_words(self, rule: MatchingRule) -> str:
        """Sentences without a cell of a table. Names of columns are not escaped."""
        without = counted(self.deleted, "original record has", "original records have")
        sentence = f"Records are matched {rule.in_words()}{f'; {without} no counterpart' if self.deleted else ''}."
        return sentence if self.left_out is None else f"{sentence} {self.left_out}"
