"""The beginning of a table: titles above its header, the header's lines, and columns without a name.

Rows come from lines of text or from a sheet; what is in doubt becomes a question.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence

from metrics.reading.footer import is_number, numbered_span, row_number, without_footer
from metrics.reading.proposal import LONGEST, Answer, Draft, Row, lines_answer
from metrics.tables.encoding import BLANKS
from metrics.wording import pluralize

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
    start = next((place for place, row in enumerate(rows) if len(row.cells) == width), 0)
    # A first row that lacks one cell, or has some more that are empty, is the header.
    header = start == 1 and (width - 1 == len(rows[0].cells) > 1 or _last_filled(rows[0].cells) == width)
    if header and "header_lines" not in draft.chosen_fields:
        start = 0
    while start + 2 < len(rows) and width > 2 and len(rows[start].filled) <= 1 != len(rows[start + 1].filled):
        start += 1
    line = rows[start].line - 1
    draft.change(skip_lines=line)
    if start:
        above = "the first line precedes it" if line == 1 else f"the first {line:,} lines precede it"
        draft.add_question(
            "titles",
            f"Does the table begin in line {line + 1}?",
            lines_answer(f"Yes, {above}", "skip_lines", line, rows[start:][:1]),
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
    return next((place for place in range(len(cells), 0, -1) if cells[place - 1].strip(BLANKS)), 0)


def _ask_header(rows: Sequence[Row], width: int, draft: Draft) -> None:
    """Ask how many rows name the columns, where it is in doubt."""
    if len(rows) < 2:
        return
    body = [row for row in rows[1 : 1 + _COMPARED] if len(row.cells) == width]
    like_names, like_records = likeness(rows[0], body)
    first, _ = numbered_span(rows[:_COMPARED])
    if first >= _MIN_HEADER_LINES:
        numbers, text = (first, 1), f"Do the first {first} lines together name the columns?"
    elif width == 1 and _has_sentence(rows[0]):
        numbers, text = (1, 0), "Does the first line name the column?"
    elif len(rows[0].cells) == len(rows[1].cells) == width and _is_second_header(rows[0], rows[1], body[1:]):
        numbers, text = (
            (1, 2) if _has_sentence(rows[1]) else (2, 1),
            "Do the first two lines together name the columns?",
        )
    elif not like_records:
        return
    elif like_names:
        numbers, text = (1, 0), "Is the first line a header?"
    else:
        numbers, text = (0, 1), "Is the first line a header?"
    labels = {0: "No line names the columns: the first line is a record", 1: "The first line names the columns"}
    answers = [
        lines_answer(labels.get(n, f"The first {n} lines name the columns"), "header_lines", n, rows[: max(n, 1)])
        for n in numbers
    ]
    draft.add_question("header", text, *answers)


def _has_sentence(row: Row) -> bool:
    return any(len(cell[:1000].split()) > _MAX_WORDS for cell in row.filled)


def likeness(first: Row, body: Sequence[Row]) -> tuple[bool, bool]:
    """Whether the first row differs from the others as names do, and whether it is like them."""
    above = {place: cell.strip(BLANKS) for place, cell in enumerate(first.cells) if not _is_missing(cell)}
    columns = _columns(body, above)
    numeric = {place for place in above if _are_numbers(columns[place])}
    numbers = [place for place in above if place in numeric and is_number(above[place])]
    like_names = any(_is_name(above[place]) for place in numeric)
    repeated = any(above[place] in columns[place] for place in above if place not in numeric)
    if repeated or like_names or not numbers:
        return like_names, repeated
    return _counts_up(first, numbers), not _are_years(first, numbers) or _are_years(body[0], numbers)


def _counts_up(row: Row, places: Sequence[int]) -> bool:
    """Whether at least three numbers count from 0, as names of numbered columns do."""
    return len(places) > 2 and [row_number(row.cells[place]) for place in places] == list(range(len(places)))


def _columns(body: Sequence[Row], places: Iterable[int]) -> dict[int, list[str]]:
    """The cells below the header that are not missing, by column."""
    below = {place: [row.cells[place].strip(BLANKS) for row in body if place < len(row.cells)] for place in places}
    return {place: [cell for cell in cells if not _is_missing(cell)] for place, cells in below.items()}


def _are_numbers(cells: Sequence[str]) -> bool:
    return bool(cells) and sum(map(is_number, cells)) >= _SHARE * len(cells)


def _is_name(cell: str) -> bool:
    """Whether a cell has a letter and is neither a number nor a marker of a missing value."""
    return bool(_LETTER.search(cell[:LONGEST])) and not is_number(cell) and not _is_missing(cell)


def _is_missing(cell: str) -> bool:
    return cell.strip(BLANKS)[:10].lower() in _MISSING


def _are_years(row: Row, places: Sequence[int]) -> bool:
    """Whether numbers in the first row are names: years in their order."""
    years = [row_number(row.cells[place]) or 0 for place in places]
    return len(years) > 1 and min(years) >= 1800 and max(years) <= 2100 and years == sorted(set(years))


def _is_second_header(first: Row, second: Row, body: Sequence[Row]) -> bool:
    """Whether the second row is part of the header: the names again, a rule, units or types, or names of numbers."""
    names, below = [[cell.strip(BLANKS) for cell in row.cells] for row in (first, second)]
    rule = bool(second.filled) and all(len(cell) > 1 and not cell.strip(_RULE) for cell in second.filled)
    again = names == below and not any(map(is_number, names))
    if again or rule or all(map(_TYPES.fullmatch, below)):
        return True
    numeric = [place for place, cells in _columns(body, range(len(below))).items() if _are_numbers(cells)]
    return len(body) > 1 and bool(numeric) and all(_is_name(below[place]) for place in numeric)


def _unnamed_columns(header: Row, records: Sequence[Sequence[str]], width: int, draft: Draft) -> None:
    """Columns at the end without name and cells, and headers one cell short of their records."""
    if _last_filled(header.cells) >= width:
        return
    used = max(map(_last_filled, records), default=0)
    ends = max(_last_filled(header.cells), used)
    if len(header.cells) == width - 1 and records:
        _ask_short(header, records, used, draft)
    elif 0 < ends < width:
        draft.change(omitted_columns=tuple(range(ends + 1, width + 1)))
        draft.notes.append(f"{pluralize(width - ends, 'column')} at the end without name and cells left out")


def _ask_short(header: Row, records: Sequence[Sequence[str]], used: int, draft: Draft) -> None:
    """Ask which column has no name where the header is one cell short."""
    names = [cell.strip(BLANKS) for cell in header.cells]
    width = len(names) + 1
    last = [*names, f"column {width}"]

    def named(label: str, given: list[str], *omitted: int) -> Answer:
        options = ["--names", *given] + ["--omit-columns"] * bool(omitted) + list(map(str, omitted))
        changes = {"names": tuple(given), "omitted_columns": omitted}
        return Answer(label, changes, shlex.join(options), (str(Row(0, given[: width - len(omitted)])),))

    answers = [
        named("The first column has row names and no name of its own", ["column 1", *names]),
        named("The last column has no name", last),
    ]
    if used < width:
        answers = [named("Every record ends with a delimiter: the last column is left out", last, width), *answers]
    changes = {"skip_lines": header.line, "header_lines": 0, "names": None, "omitted_columns": ()}
    label = "The first line does not name the columns: it is left out"
    none = Answer(label, changes, f"--skip-lines {header.line} --header-lines 0")
    draft.add_question(
        "names", "The header has one field fewer than the records: which column has no name?", *answers, none
    )
