"""The reading plan of a file: proposed, shown, changed, saved, and then followed strictly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from metrics.errors import InputError
from metrics.formatting import pluralize

TEXT, PARQUET, EXCEL, SPSS, STATA, SAS, MEMORY = "csv", "parquet", "excel", "spss", "stata", "sas", "memory"
KINDS = (TEXT, PARQUET, EXCEL, SPSS, STATA, SAS, MEMORY)
_MAX_DELIMITER = 10
MAX_LINES = 1_000_000_000
"""Largest number of lines before, in or after a table."""


@dataclass(frozen=True)
class ReadPlan:
    """Everything that determines how a file is read.

    Reading the same file by equal plans gives the same table, in memory and in every engine.

    Parameters
    ----------
    kind : str
        One of `KINDS`; "csv" means delimited text of any delimiter.
    encoding : str, optional
        Python's name of a text file's encoding, such as "utf-8", "utf-16", "cp1252"; None for other kinds.
    compression : str, optional
        "gzip" or None.
    delimiter : str, optional
        The character between cells; "" for a table of one column; None for other kinds than text.
    quote : str
        The character around cells; "" for none.
    escape : str
        A backslash if it escapes the next character, else "".
    skip_lines : int
        Lines of the file, or rows of the sheet, before the header.
    header_lines : int
        Lines that together name the columns; 0 if none does.
    footer_lines : int
        Lines after the last record, blank ones not counted.
    blank_lines : {"nothing", "cells"}
        What an empty line is in a table of one column: nothing, or a record with an empty cell.
    decimal : {".", ","}
        Decimal separator; cells stay text either way.
    missing : tuple of str
        Texts that represent a missing value.
    sheet : str, optional
        The sheet of a workbook.
    names : tuple of str, optional
        Names of all columns in the order of the file; None for those of the header.
    omitted_columns : tuple of int
        Positions of skipped columns, counted from 1.
    value_labels : bool
        Whether cells of an SPSS or Stata file are value labels (True) or the codes behind them.
    """

    kind: str
    encoding: str | None = None
    compression: str | None = None
    delimiter: str | None = None
    quote: str = '"'
    escape: str = ""
    skip_lines: int = 0
    header_lines: int = 1
    footer_lines: int = 0
    blank_lines: str = "nothing"
    decimal: str = "."
    missing: tuple[str, ...] = ()
    sheet: str | None = None
    names: tuple[str, ...] | None = None
    omitted_columns: tuple[int, ...] = ()
    value_labels: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The plan as a JSON object, without fields that have their default."""
        plain = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        defaults = {field.name: field.default for field in fields(self)}
        return {key: value for key, value in plain.items() if value != _as_json(defaults[key])}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], file: str | None = None) -> ReadPlan:
        """The plan that `to_dict` wrote.

        Parameters
        ----------
        values : mapping of str to object
            Fields by name.
        file : str, optional
            Name of the file, for messages.

        Returns
        -------
        ReadPlan
            The checked plan.

        Raises
        ------
        InputError
            If a field is unknown or has the wrong type, or a value is out of range.
        """
        field_names = {field.name for field in fields(cls)}
        unknown = [str(key) for key in values if key not in field_names]
        if unknown or values.get("kind") not in KINDS:
            raise InputError(
                f'the reading plan has no field "{unknown[0]}"'
                if unknown
                else "the reading plan does not name the kind of file",
                remedy=f"use {', '.join(sorted(field_names))}" if unknown else f"set kind to one of {', '.join(KINDS)}",
                file=file,
            )
        for key, value in values.items():
            if not _fits(key, value):
                raise InputError(f"{key} of the reading plan has the wrong type", remedy="correct it", file=file)
        field_values: dict[str, Any] = {
            k: tuple(value) if isinstance(value, list) else value for k, value in values.items()
        }
        plan = cls(**field_values)
        plan.check(file)
        return plan

    def check(self, file: str | None = None) -> None:
        """Raise InputError if a value is out of range.

        Parameters
        ----------
        file : str, optional
            Name of the file, for messages.
        """
        counts = (self.skip_lines, self.header_lines, self.footer_lines)
        delimiter, quote = self.delimiter or "", self.quote
        faults = (
            (
                len(delimiter) > _MAX_DELIMITER or any(character in delimiter for character in "\r\n\0"),
                f"the delimiter must be 1 to {_MAX_DELIMITER} characters other than line ends",
                "choose another delimiter",
            ),
            (
                len(quote) > 1 or not quote.isascii() or quote in ("\r", "\n", "\0"),
                "the quote must be one ASCII character",
                "choose another quote",
            ),
            (bool(quote) and quote in delimiter, "delimiter and quote are the same", "choose another delimiter"),
            (
                self.decimal not in (".", ","),
                "the decimal separator is neither a point nor a comma",
                'choose "." or ","',
            ),
            (
                self.blank_lines not in ("cells", "nothing"),
                "blank_lines is neither cells nor nothing",
                "choose one of the two",
            ),
            (
                self.escape not in ("", "\\"),
                "the escape character is neither a backslash nor empty",
                'choose "\\" or ""',
            ),
            (
                not all(isinstance(count, int) and 0 <= count <= MAX_LINES for count in counts),
                "a number of lines is out of range",
                f"choose 0 to {MAX_LINES:,}",
            ),
        )
        for is_wrong, problem, remedy in faults:
            if is_wrong:
                raise InputError(problem, remedy=remedy, file=file)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Parts of the file that the plan skips, one phrase each; empty if every line and column is read."""
        parts = [
            f"{pluralize(self.skip_lines, 'line')} before the header" if self.skip_lines else "",
            f"{pluralize(self.footer_lines, 'line')} after the records" if self.footer_lines else "",
            f"{_columns(self.omitted_columns)}" if self.omitted_columns else "",
        ]
        return tuple(part for part in parts if part)


def _fits(field: str, value: object) -> bool:
    """Whether a JSON value has the type of a field."""
    if field in ("skip_lines", "header_lines", "footer_lines"):
        return isinstance(value, int) and not isinstance(value, bool)
    if field == "value_labels":
        return isinstance(value, bool)
    if field in ("missing", "names", "omitted_columns"):
        item_type = int if field == "omitted_columns" else str
        return isinstance(value, list | tuple) and all(type(item) is item_type for item in value)
    return isinstance(value, str)


def _columns(positions: Sequence[int]) -> str:
    return ("column " if len(positions) == 1 else "columns ") + ", ".join(map(str, positions))


def _as_json(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
