"""The end of a table's records: notes, totals and further tables below them become a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from metrics.reading.proposal import LONGEST, Draft, Row, lines_answer
from metrics.tables.encoding import BLANKS

_NUMBER = re.compile(r"[+-]?[\d ,.']*\d[.,]?([eE][+-]?\d+)?%?", re.ASCII)
_TOTAL = re.compile(r"\W*(grand total|sub-?total|totals?|sums?)\b", re.IGNORECASE)
_MIN_NUMBERED = 5


def without_footer(rows: list[Row], width: int, draft: Draft) -> list[Row]:
    """The rows without those after the last record, which become a question."""
    last = len(rows)
    while last > 1 and len(rows[last - 1].cells) != width:
        last -= 1
    last = min(last, 1 + numbered_span(rows[1:last])[1])
    while last > 1 and rows[last - 1].cells == ["\x1a"]:
        last -= 1
    records = rows[1:last]
    while last > 2 and (not rows[last - 1].filled or _is_the_total(rows[last - 1], records)):
        last -= 1
    if last < len(rows):
        number, line = sum(map(_physical_lines, rows[last:])), rows[last].line
        what = "line is not a record" if number == 1 else f"{number:,} lines are not records"
        draft.add_question(
            "footer",
            f"Do the records end before line {line}?",
            lines_answer(f"Yes, the last {what}", "footer_lines", number, rows[last:]),
            lines_answer("No, every line is a record", "footer_lines", 0),
        )
    return rows[:last]


def _physical_lines(row: Row) -> int:
    """Lines of the file that a row stands on, blank ones within its cells left out."""
    return sum(map(bool, re.split("\r\n|\r|\n", "|".join(row.cells)))) or 1


def is_number(cell: str) -> bool:
    """Whether a cell is a number in any usual notation."""
    text = cell.strip(BLANKS)
    return len(text) <= LONGEST and bool(_NUMBER.fullmatch(text))


def row_number(cell: str) -> int | None:
    """A cell that consists of digits, as a number."""
    text = cell.strip(BLANKS)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def numbered_span(rows: Sequence[Row]) -> tuple[int, int]:
    """The places of the first row that its first cell numbers and of the text after the last; all rows without any."""
    numbers = [row_number(row.cells[0]) for row in rows]
    start = next((place for place, number in enumerate(numbers) if number is not None), 0)
    end = next((place for place in range(start, len(rows)) if numbers[place] is None), len(rows))
    if not _counts_up(numbers) and not _counts_up(numbers[start:end]):
        return 0, len(rows)
    return start, end if end < len(rows) and rows[end].cells[0].strip(BLANKS)[:1].isalpha() else len(rows)


def _counts_up(numbers: Sequence[int | None]) -> bool:
    known = [number for number in numbers if number is not None]
    return len(known) >= _MIN_NUMBERED and {after - before for before, after in pairwise(known)} == {1}


def _is_the_total(row: Row, records: Sequence[Row]) -> bool:
    """Whether a row is called a total, and no other one of the records is."""
    return _is_called_total(row) and sum(map(_is_called_total, records)) == 1


def _is_called_total(row: Row) -> bool:
    return bool(_TOTAL.match(next((cell for cell in row.cells if cell.strip(BLANKS)), "")[:LONGEST]))


def second_table(rows: Sequence[Row]) -> int | None:
    """Find where another table in a sheet seems to begin: the header again, or words after numbers and an empty row."""
    for place in range(2, len(rows)):
        row, above = rows[place], rows[1:place]
        if len(row.filled) > 1 and (row.cells == rows[0].cells or _heads_another(row, above)):
            return place
    return None


def _heads_another(row: Row, above: Sequence[Row]) -> bool:
    if row.line == above[-1].line + 1 or any(map(is_number, row.filled)):
        return False
    columns = zip(row.cells, *(one.cells for one in above), strict=False)
    return any(cell and all(map(is_number, cells)) for cell, *cells in columns)
