"""Which delimiter and quote divide every record of a text equally: a count, and the lines that differ."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

from metrics.errors import InputError
from metrics.formatting import pluralize
from metrics.reading.proposal import Row
from metrics.tables.read_plan import ReadPlan

SEPARATOR = "\x1f"
"""Stands for a delimiter of several characters and, where there is no delimiter, for none: text does not contain it."""
USUAL, UNUSUAL = ("\t", ";", "|", ",", "^", SEPARATOR), ("~", ":", " ")
"""Delimiters that may have titles above and notes below their records, and those that must divide every line."""
_LONG_DELIMITERS = ("~|~", ",\t")
_MAX_AROUND = 40
"""Largest number of lines before and after the records that do not divide as they do."""
_SHARE = 0.8
_MIN_QUOTES = 10
"""Fewer quotes that do not fit are taken as damage rather than text."""

csv.field_size_limit((1 << 31) - 1)


@dataclass(frozen=True)
class Division:
    """A text divided into records that are not blank."""

    delimiter: str
    quote: str
    escape: str
    rows: list[Row]
    fault: str = ""
    """Why the record after the last one cannot be divided; empty where all are."""
    fault_line: int = 0

    @cached_property
    def width(self) -> int:
        """The number of cells that most records have."""
        widths = Counter(len(row.cells) for row in self.rows)
        return max(widths, key=lambda width: (widths[width], width), default=0)

    @cached_property
    def even_rows(self) -> list[Row]:
        """The records of the usual width."""
        return [row for row in self.rows if len(row.cells) == self.width]

    @cached_property
    def uneven_rows(self) -> list[Row]:
        """Records of another width between the others."""
        first, last = (self.even_rows[index].line if self.even_rows else 0 for index in (0, -1))
        return [row for row in self.rows if len(row.cells) != self.width and first < row.line < last]

    @property
    def outer_rows(self) -> int:
        """Records of another width before and after the others."""
        return len(self.rows) - len(self.even_rows) - len(self.uneven_rows)


def csv_rows(lines: Iterable[str], delimiter: str, quote: str, escape: str) -> Any:
    """A strict reader of the standard library: text after a closing quote, or an open quote, raises csv.Error."""
    return csv.reader(
        lines,
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        escapechar=escape or None,
        strict=True,
    )


@dataclass(frozen=True)
class Sample:
    """The beginning of a text, or all of it."""

    text: str
    complete: bool = True
    first: int = 1
    """The number of its first line."""

    def divide(self, delimiter: str, quote: str, escape: str = "") -> Division:
        """The records of the text, without the last one if the text may continue."""
        separator = delimiter if len(delimiter) == 1 else SEPARATOR
        text = self.text.replace(delimiter, separator) if delimiter else self.text
        rows, fault, line = self._rows(csv_rows(io.StringIO(text, newline=""), separator, quote, escape), quote)
        if separator != delimiter:
            rows = [Row(row.line, [cell.replace(separator, delimiter) for cell in row.cells]) for row in rows]
        if quote and quote in text and not fault:
            faulty_row = next((row for row in rows if _blank_before_quote(row, quote)), None)
            fault, line = ("blanks precede an opening quote", faulty_row.line) if faulty_row else ("", line)
        return Division(delimiter, quote, escape, rows, fault, line)

    def _rows(self, reader: Any, quote: str) -> tuple[list[Row], str, int]:
        """The rows, why the one after them cannot be read, and its line."""
        rows: list[Row] = []
        line = self.first
        try:
            for cells in reader:
                if cells:
                    rows.append(Row(line, cells))
                line = reader.line_num + self.first
        except csv.Error as error:
            incomplete = not self.complete and "unexpected end" in str(error)
            return rows, "" if incomplete else quote_fault(error, quote), line
        if not self.complete and len(rows) > 1:
            rows.pop()
        return rows, "", line


def quote_fault(error: csv.Error, quote: str) -> str:
    """Say what is wrong with the quotes of a record, by the reader's error."""
    if "unexpected end" in str(error):
        return f"a quote ({quote}) opens in or below this line and is never closed"
    return f"text follows a closing quote ({quote})"


def _blank_before_quote(row: Row, quote: str) -> bool:
    return any(cell[:1] == " " and cell.strip()[:1] == quote == cell.strip()[-1:] for cell in row.cells)


def dialects(name: str, sample: Sample, plan: ReadPlan, chosen_fields: frozenset[str]) -> list[Division]:
    """The best division by the chosen fields, then those equally plausible. Raises InputError if none is consistent."""
    divisions, consistent = _try_delimiters(sample, plan, chosen_fields)
    if consistent:
        ranking = _most_plausible_divisions(
            [division for division in consistent if division.delimiter != " "] or consistent, sample.text
        )
        if ranking[0].delimiter == " " and "delimiter" not in chosen_fields:
            _refuse_aligned(name, sample.divide("", plan.quote, plan.escape))
        return ranking if "quote" in chosen_fields else ranking + _without_quotes(ranking[0], sample)
    if "delimiter" not in chosen_fields and not any(map(_has_several_columns, divisions)):
        single_column = sample.divide("", plan.quote, plan.escape)
        if not single_column.fault:
            _refuse_aligned(name, single_column)
            return [single_column]
        divisions.append(single_column)
    unquoted = [] if "quote" in chosen_fields else _with_quotes_as_text(divisions, sample)
    if not unquoted:
        raise _indivisible(name, divisions)
    return unquoted


def _with_quotes_as_text(divisions: Sequence[Division], sample: Sample) -> list[Division]:
    """The first division that is consistent if its quotes are text, then the one with quotes, with its faulty line."""
    for division in divisions:
        many_quotes = sample.text.count(division.quote) >= _MIN_QUOTES
        if many_quotes and (division.fault or division.uneven_rows) and (unquoted := _unquoted(division, sample)):
            return [*unquoted, division]
    return []


def _try_delimiters(
    sample: Sample, plan: ReadPlan, chosen_fields: frozenset[str]
) -> tuple[list[Division], list[Division]]:
    """The divisions by each possible delimiter, and the consistent ones; rare delimiters if no common one is."""
    text, delimiter_chosen = sample.text, "delimiter" in chosen_fields
    divisions: list[Division] = []
    for delimiters in (
        [[plan.delimiter or ""]] if delimiter_chosen else [_usual_delimiters(text), _unusual_delimiters(text)]
    ):
        candidates = [
            _double_delimiter(division, sample, delimiter_chosen)
            for division in _divisions(sample, delimiters, plan, chosen_fields)
        ]
        divisions += candidates
        if consistent := [division for division in candidates if _is_consistent(division, text, delimiter_chosen)]:
            return divisions, consistent
    return divisions, []


def _double_delimiter(division: Division, sample: Sample, delimiter_chosen: bool) -> Division:
    """The division by two of the delimiters where every second cell is empty."""
    if (
        delimiter_chosen
        or len(division.delimiter) > 1
        or division.fault
        or division.width < 3
        or any(any(row.cells[1::2]) for row in division.even_rows)
    ):
        return division
    return sample.divide(2 * division.delimiter, division.quote, division.escape)


def _refuse_aligned(name: str, division: Division) -> None:
    """Raise InputError where runs of blanks divide every line, taken as one cell, into equally many cells."""
    widths = {len(row.cells[0].split()) for row in division.rows}
    if len(widths) == 1 and min(widths) > 2 and 2 * sum("  " in str(row) for row in division.rows) > len(division.rows):
        raise InputError("blanks align the cells", remedy="save the table with one delimiter between cells", file=name)


def _usual_delimiters(text: str) -> list[str]:
    """The common delimiters of a text; where each one is part of a longer one, that."""
    delimiters = []
    for character in filter(text.__contains__, USUAL):
        longer = [
            delimiter
            for delimiter in _LONG_DELIMITERS
            if character in delimiter and text.count(character) == text.count(delimiter)
        ]
        delimiters.append(longer[0] if longer else character)
    return delimiters


def _unusual_delimiters(text: str) -> list[str]:
    """The rare delimiters of a text; common ones and a blank where these precede quotes."""
    return [
        *filter(text.__contains__, UNUSUAL),
        *(delimiter + " " for delimiter in _usual_delimiters(text) if delimiter + ' "' in text),
    ]


def _divisions(
    sample: Sample, delimiters: Iterable[str], plan: ReadPlan, chosen_fields: frozenset[str]
) -> Iterator[Division]:
    """The divisions by each delimiter, quote and escape; a backslash only where one precedes delimiter or quote."""
    quotes = [plan.quote] if "quote" in chosen_fields else ['"', "'"] if "'" in sample.text else ['"']
    for escape in [plan.escape] if "escape" in chosen_fields else ["", "\\"]:
        for quote, delimiter in product(quotes, delimiters):
            occurs = any(character and escape + character in sample.text for character in (delimiter, quote))
            if occurs or not escape or "escape" in chosen_fields:
                yield sample.divide(delimiter, quote, escape)


def _is_consistent(division: Division, text: str, delimiter_chosen: bool) -> bool:
    """Whether a delimiter divides the records equally, with few other lines around them."""
    if division.fault or not division.rows or division.uneven_rows:
        return False
    apostrophes = division.quote == "'" and not _quotes_enclose_cells(division, text)
    return delimiter_chosen or (
        division.width > 1 and not apostrophes and division.outer_rows <= min(_MAX_AROUND, len(division.rows) - 1)
    )


def _has_several_columns(division: Division) -> bool:
    """Whether a delimiter divides a line, or a rare one most lines equally: then the table is not one column."""
    if division.delimiter not in UNUSUAL:
        return any(len(row.cells) > 1 for row in division.rows)
    return division.width > 1 and len(division.even_rows) >= _SHARE * len(division.rows)


def _most_plausible_divisions(divisions: list[Division], text: str) -> list[Division]:
    """The most plausible division, then those that are equally plausible and give other cells."""

    def implausibility(division: Division) -> bool:
        """Whether apostrophes are quotes although they enclose no cell, or are not although nothing else quotes."""
        apostrophes = '"' not in text and _quotes_enclose_cells(replace(division, quote="'"), text)
        return (division.quote == "'") != apostrophes

    best = min(divisions, key=lambda division: (division.outer_rows > 0, implausibility(division), -division.width))
    best_cells = [row.cells for row in best.rows]
    return [best] + [
        division
        for division in divisions
        if bool(division.outer_rows) == bool(best.outer_rows)
        and (division.quote == best.quote or _quotes_enclose_cells(division, text))
        and [row.cells for row in division.rows] != best_cells
    ]


def _quotes_enclose_cells(division: Division, text: str) -> bool:
    """Whether the quote is on both sides of cells."""
    separator, quote = division.delimiter or "\n", division.quote
    is_closed = any(quote + following in text for following in (separator, "\n", "\r"))
    return bool(quote) and is_closed and (separator + quote in text or "\n" + quote in text or text.startswith(quote))


def _without_quotes(division: Division, sample: Sample) -> list[Division]:
    """The division by lines alone, where quotes enclose line ends and the lines divide equally as well."""
    may_hold_lines = division.escape or division.quote in sample.text
    spans_lines = may_hold_lines and any("\n" in cell or "\r" in cell for row in division.rows for cell in row.cells)
    return [plain for plain in _unquoted(division, sample) if plain.width == division.width] if spans_lines else []


def _unquoted(division: Division, sample: Sample) -> list[Division]:
    """The division in which quotes are text, if it divides every line equally."""
    unquoted = sample.divide(division.delimiter, "", division.escape)
    return [unquoted] if unquoted.width > 1 and not unquoted.uneven_rows and not unquoted.outer_rows else []


def _indivisible(name: str, divisions: list[Division]) -> InputError:
    """The error of the division that is closest to consistent."""
    division = max(
        divisions,
        key=lambda candidate: (
            not candidate.fault,
            sum(len(row.cells) == candidate.width > 1 for row in candidate.rows),
            candidate.width,
        ),
    )
    problem, line = "no delimiter divides all lines of the file into the same number of cells", None
    if division.fault:
        problem, line = division.fault, division.fault_line
    elif division.uneven_rows:
        row = division.uneven_rows[0]
        problem, line = f"the record has {pluralize(len(row.cells), 'field')}, most others {division.width:,}", row.line
    remedy = "correct the line, or choose the delimiter and quote that the file uses"
    return InputError(problem, remedy=remedy, file=name, row=line)
