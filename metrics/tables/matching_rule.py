"""How records of two tables are matched: by position or by a key, and how records that do not match are treated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from metrics.errors import InputError
from metrics.formatting import join_names, pluralize


class Duplicates(StrEnum):
    """How records with a repeated key are treated."""

    REFUSE = "refuse"
    """No records are matched until the user decides."""
    FIRST = "first"
    """The first record of a key is compared; repeats in either table are excluded."""
    LEAVE_OUT = "leave_out"
    """No record with such a key is compared, in either table."""


class Unmatched(StrEnum):
    """How anonymized records whose key the original lacks, and records without a key, are treated."""

    REFUSE = "refuse"
    """No records are matched until the user decides."""
    LEAVE_OUT = "leave_out"
    """They are not compared."""


Choice = TypeVar("Choice", Duplicates, Unmatched)


@dataclass(frozen=True)
class MatchingRule:
    """How records of two tables are matched; `from_settings` checks its input.

    Parameters
    ----------
    key : tuple of str
        The columns that together identify a record in both tables; empty to match by position.
    duplicates : Duplicates
        How records with a repeated key are treated.
    unmatched : Unmatched
        How anonymized records whose key the original lacks, and records without a key, are treated.
    """

    key: tuple[str, ...] = ()
    duplicates: Duplicates = Duplicates.REFUSE
    unmatched: Unmatched = Unmatched.REFUSE

    @staticmethod
    def from_settings(key: str | Sequence[str] | None, duplicates: str, unmatched: str, file: str) -> MatchingRule:
        """The rule as users write it in a file.

        Parameters
        ----------
        key : str or sequence of str or None
            The key column or columns; None to match by position.
        duplicates : {"refuse", "first", "leave_out"}
            How records with a repeated key are treated.
        unmatched : {"refuse", "leave_out"}
            How records without a match are treated.
        file : str
            Name of the file, for messages.

        Returns
        -------
        MatchingRule
            The checked rule.

        Raises
        ------
        InputError
            If a choice is unknown, a column is named twice, or a choice is about keys and there is none.
        """
        names = () if key is None else (key,) if isinstance(key, str) else key
        columns = tuple(str(column).strip() for column in names)
        repeated_name = next((column for column in columns if columns.count(column) > 1), None)
        if repeated_name is not None:
            raise InputError("the key names the column twice", remedy="name it once", file=file, column=repeated_name)
        rule = MatchingRule(
            columns,
            _chosen(Duplicates, "duplicates", duplicates, file),
            _chosen(Unmatched, "unmatched", unmatched, file),
        )
        if rule.remedies and not columns:
            raise InputError(
                f"{join_names(rule.remedies)} {'needs' if len(rule.remedies) == 1 else 'need'} a key, but none is set",
                remedy="set the key column, or remove the setting",
                file=file,
            )
        return rule

    @property
    def remedies(self) -> list[str]:
        """The names of the settings that exclude records from the comparison."""
        settings = (("duplicates", self.duplicates, Duplicates.REFUSE), ("unmatched", self.unmatched, Unmatched.REFUSE))
        return [name for name, choice, default in settings if choice != default]

    def summary(self) -> str:
        """The phrase that follows "matched". Column names are not escaped."""
        if not self.key:
            return "by position"
        return f"by the column {self.key[0]}" if len(self.key) == 1 else f"by the columns {join_names(self.key)}"


def _chosen(kind: type[Choice], name: str, choice: str, file: str) -> Choice:
    if choice not in list(kind):
        raise InputError(f'"{name}" has an unknown value', remedy=f"use {join_names(list(kind), 'or')}", file=file)
    return kind(choice)


@dataclass(frozen=True)
class Tally:
    """How many records of two tables are compared, and how many are not."""

    matched: int
    """Anonymized records with a matching original."""
    deleted: int
    """Original records without a match, which count as suppressed."""
    original_left_out: int = 0
    anonymized_left_out: int = 0

    @property
    def partial(self) -> bool:
        """Whether records of either table are excluded from the comparison."""
        return bool(self.original_left_out or self.anonymized_left_out)

    @property
    def left_out(self) -> str | None:
        """Which records the comparison excludes, as a sentence; None if it excludes none."""
        sides = ((self.original_left_out, "original"), (self.anonymized_left_out, "anonymized"))
        parts = [pluralize(number, f"{table} record") for number, table in sides if number]
        verb = "is" if self.original_left_out + self.anonymized_left_out == 1 else "are"
        return f"{join_names(parts)} {verb} excluded from the utility metrics." if parts else None

    def summary(self, rule: MatchingRule) -> str:
        """How records are matched, without cells of a table. Column names are not escaped."""
        without = pluralize(self.deleted, "original record has", "original records have")
        sentence = f"Records are matched {rule.summary()}{f'; {without} no match' if self.deleted else ''}."
        return sentence if self.left_out is None else f"{sentence} {self.left_out}"
