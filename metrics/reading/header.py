"""The beginning of a table: titles above its header, the header's lines, and columns without a name.

Rows come from lines of text or from a sheet; what is in doubt becomes a question.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence

from metrics.formatting import pluralize
from metrics.reading.footer import is_number, numbered_span, row_number, without_footer
from metrics.reading.proposal import LONGEST, Answer, Draft, Row, lines_answer
from metrics.tables.dictionary_codes import BLANKS

_LETTER = re.compile(r"[^\W\d_]")
_RULE = "-=_+ "
_MISSING = frozenset(["", "na", "nan", "n/a", "null", "none", "-", "?", "*", "."])
_TYPES = re.compile(
    "int(eger)?|str(ing)?|float|double|num(ber|eric)|text|(var)?char|date(time)?|bool(ean)?|factor|object|category|code"
    "|years|kg|cm|%|id",
    re.IGNORECASE,
)
"""Types and units, as some programs write them below the names."""
_COMPARED, _SHARE, _MAX_WORDS = 200, 0.9, 3
_MIN_HEADER_LINES = 3
"""Fewer rows before a numbering are not taken as titles or header lines."""


def propose_layout(rows: list[Row], width: int, draft: Draft, *, complete: bool) -> None:
    """Ask about the header's lines, those after the records, and columns without name and cells.

    `rows` are those that are not blank, from the header on; `complete`: they reach the end of the file.
    """
    if "footer_lines" not in draft.chosen_fields and complete:
        rows = without_footer(rows, width, draft)
    if "header_lines" not in draft.chosen_fields:
        _ask_header(rows, width, draft)
    lines = draft.plan.header_lines
    if rows and lines and not draft.chosen_fields & {"names", "omitted_columns"}:
        _unnamed_columns(rows[0], [row.cells for row in rows[lines:] if len(row.cells) == width], width, draft)


def without_titles(rows: list[Row], width: int, draft: Draft) -> list[Row]:
    """Drop the rows above the header, which become a question."""
    if "skip_lines" in draft.chosen_fields or not rows:
        return rows
    start = next((index for index, row in enumerate(rows) if len(row.cells) == width), 0)
    # A first row that lacks one cell, or has some more that are empty, is the header.
    first_is_header = start == 1 and (width - 1 == len(rows[0].cells) > 1 or _last_filled(rows[0].cells) == width)
    if first_is_header and "header_lines" not in draft.chosen_fields:
        start = 0
    while start + 2 < len(rows) and width > 2 and len(rows[start].filled) <= 1 != len(rows[start + 1].filled):
        start += 1
    skip_lines = rows[start].line - 1
    draft.change(skip_lines=skip_lines)
    if start:
        phrase = "the first line precedes it" if skip_lines == 1 else f"the first {skip_lines:,} lines precede it"
        draft.add_question(
            "titles",
            f"Does the table begin in line {skip_lines + 1}?",
            lines_answer(f"Yes, {phrase}", "skip_lines", skip_lines, rows[start:][:1]),
            lines_answer("No, it begins in the first line", "skip_lines", 0, rows[:1]),
        )
    return rows[start:]


def ask_blank_lines(draft: Draft, lines: str) -> None:
    """Ask what blank lines, or rows of a sheet, between the records of one column are."""
    answers = [
        Answer("Nothing: they are left out", {"blank_lines": "nothing"}, "--blank-lines nothing"),
        Answer("Records with an empty cell", {"blank_lines": "cells"}, "--blank-lines cells"),
    ]
    # Writers of text quote an empty cell of one column; spreadsheets leave it empty.
    ordered = answers if lines == "lines" else reversed(answers)
    draft.add_question("blank_lines", f"What are the blank {lines} between the records?", *ordered)


def _last_filled(cells: Sequence[str]) -> int:
    """The number of cells up to the last one that is not blank."""
    return next((length for length in range(len(cells), 0, -1) if cells[length - 1].strip(BLANKS)), 0)


def _ask_header(rows: Sequence[Row], width: int, draft: Draft) -> None:
    """Ask how many rows name the columns, where it is in doubt."""
    if len(rows) < 2:
        return
    body = [row for row in rows[1 : 1 + _COMPARED] if len(row.cells) == width]
    like_names, like_records = header_likeness(rows[0], body)
    start, _ = numbered_span(rows[:_COMPARED])
    if start >= _MIN_HEADER_LINES:
        line_counts, text = (start, 1), f"Do the first {start} lines together name the columns?"
    elif width == 1 and _has_sentence(rows[0]):
        line_counts, text = (1, 0), "Does the first line name the column?"
    elif len(rows[0].cells) == len(rows[1].cells) == width and _is_second_header(rows[0], rows[1], body[1:]):
        line_counts, text = (
            (1, 2) if _has_sentence(rows[1]) else (2, 1),
            "Do the first two lines together name the columns?",
        )
    elif not like_records:
        return
    elif like_names:
        line_counts, text = (1, 0), "Is the first line a header?"
    else:
        line_counts, text = (0, 1), "Is the first line a header?"
    labels = {0: "No line names the columns: the first line is a record", 1: "The first line names the columns"}
    answers = [
        lines_answer(labels.get(n, f"The first {n} lines name the columns"), "header_lines", n, rows[: max(n, 1)])
        for n in line_counts
    ]
    draft.add_question("header", text, *answers)


def _has_sentence(row: Row) -> bool:
    return any(len(cell[:1000].split()) > _MAX_WORDS for cell in row.filled)


def header_likeness(first: Row, body: Sequence[Row]) -> tuple[bool, bool]:
    """Whether the first row differs from the others as names do, and whether it is like them."""
    header_cells = {column: cell.strip(BLANKS) for column, cell in enumerate(first.cells) if not _is_missing(cell)}
    columns = _columns(body, header_cells)
    numeric_columns = {column for column in header_cells if _are_numbers(columns[column])}
    number_columns = [
        column for column in header_cells if column in numeric_columns and is_number(header_cells[column])
    ]
    like_names = any(_is_name(header_cells[column]) for column in numeric_columns)
    repeated = any(header_cells[column] in columns[column] for column in header_cells if column not in numeric_columns)
    if repeated or like_names or not number_columns:
        return like_names, repeated
    return _counts_up(first, number_columns), not _are_years(first, number_columns) or _are_years(
        body[0], number_columns
    )


def _counts_up(row: Row, columns: Sequence[int]) -> bool:
    """Whether at least three numbers count from 0, as names of numbered columns do."""
    return len(columns) > 2 and [row_number(row.cells[column]) for column in columns] == list(range(len(columns)))


def _columns(body: Sequence[Row], columns: Iterable[int]) -> dict[int, list[str]]:
    """The cells below the header that are not missing, by column."""
    cells_below = {
        column: [row.cells[column].strip(BLANKS) for row in body if column < len(row.cells)] for column in columns
    }
    return {column: [cell for cell in cells if not _is_missing(cell)] for column, cells in cells_below.items()}


def _are_numbers(cells: Sequence[str]) -> bool:
    return bool(cells) and sum(map(is_number, cells)) >= _SHARE * len(cells)


def _is_name(cell: str) -> bool:
    """Whether a cell has a letter and is neither a number nor a marker of a missing value."""
    return bool(_LETTER.search(cell[:LONGEST])) and not is_number(cell) and not _is_missing(cell)


def _is_missing(cell: str) -> bool:
    return cell.strip(BLANKS)[:10].lower() in _MISSING


def _are_years(row: Row, columns: Sequence[int]) -> bool:
    """Whether numbers in the first row are names: years in their order."""
    years = [row_number(row.cells[column]) or 0 for column in columns]
    return len(years) > 1 and min(years) >= 1800 and max(years) <= 2100 and years == sorted(set(years))


def _is_second_header(first: Row, second: Row, body: Sequence[Row]) -> bool:
    """Whether the second row is part of the header: the names again, a rule, units or types, or names of numbers."""
    names, second_cells = [[cell.strip(BLANKS) for cell in row.cells] for row in (first, second)]
    is_rule = bool(second.filled) and all(len(cell) > 1 and not cell.strip(_RULE) for cell in second.filled)
    repeats_names = names == second_cells and not any(map(is_number, names))
    if repeats_names or is_rule or all(map(_TYPES.fullmatch, second_cells)):
        return True
    numeric_columns = [
        column for column, cells in _columns(body, range(len(second_cells))).items() if _are_numbers(cells)
    ]
    return len(body) > 1 and bool(numeric_columns) and all(_is_name(second_cells[column]) for column in numeric_columns)


def _unnamed_columns(header: Row, records: Sequence[Sequence[str]], width: int, draft: Draft) -> None:
    """Columns at the end without name and cells, and headers one cell short of their records."""
    if _last_filled(header.cells) >= width:
        return
    n_used = max(map(_last_filled, records), default=0)
    n_kept = max(_last_filled(header.cells), n_used)
    if len(header.cells) == width - 1 and records:
        _ask_short(header, records, n_used, draft)
    elif 0 < n_kept < width:
        draft.change(omitted_columns=tuple(range(n_kept + 1, width + 1)))
        draft.notes.append(f"{pluralize(width - n_kept, 'column')} at the end without name and cells left out")


def _ask_short(header: Row, records: Sequence[Sequence[str]], n_used: int, draft: Draft) -> None:
    """Ask which column has no name where the header is one cell short."""
    names = [cell.strip(BLANKS) for cell in header.cells]
    width = len(names) + 1
    last_unnamed = [*names, f"column {width}"]

    def named(label: str, column_names: list[str], *omitted: int) -> Answer:
        options = ["--names", *column_names] + ["--omit-columns"] * bool(omitted) + list(map(str, omitted))
        changes = {"names": tuple(column_names), "omitted_columns": omitted}
        return Answer(label, changes, shlex.join(options), (str(Row(0, column_names[: width - len(omitted)])),))

    answers = [
        named("The first column has row names and no name of its own", ["column 1", *names]),
        named("The last column has no name", last_unnamed),
    ]
    if n_used < width:
        answers = [
            named("Every record ends with a delimiter: the last column is left out", last_unnamed, width),
            *answers,
        ]
    changes = {"skip_lines": header.line, "header_lines": 0, "names": None, "omitted_columns": ()}
    label = "The first line does not name the columns: it is left out"
    no_header = Answer(label, changes, f"--skip-lines {header.line} --header-lines 0")
    draft.add_question(
        "names", "The header has one field fewer than the records: which column has no name?", *answers, no_header
    )
