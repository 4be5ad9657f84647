"""The end of a table's records: notes, totals and further tables below them become a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from metrics.reading.proposal import LONGEST, Draft, Row, lines_answer
from metrics.tables.dictionary_codes import BLANKS

_NUMBER = re.compile(r"[+-]?[\d ,.']*\d[.,]?([eE][+-]?\d+)?%?", re.ASCII)
_TOTAL = re.compile(r"\W*(grand total|sub-?total|totals?|sums?)\b", re.IGNORECASE)
_MIN_NUMBERED = 5


def without_footer(rows: list[Row], width: int, draft: Draft) -> list[Row]:
    """The rows without those after the last record, which become a question."""
    end = len(rows)
    while end > 1 and len(rows[end - 1].cells) != width:
        end -= 1
    end = min(end, 1 + numbered_span(rows[1:end])[1])
    while end > 1 and rows[end - 1].cells == ["\x1a"]:
        end -= 1
    records = rows[1:end]
    while end > 2 and (not rows[end - 1].filled or _is_the_total(rows[end - 1], records)):
        end -= 1
    if end < len(rows):
        n_lines, line = sum(map(_physical_lines, rows[end:])), rows[end].line
        phrase = "line is not a record" if n_lines == 1 else f"{n_lines:,} lines are not records"
        draft.add_question(
            "footer",
            f"Do the records end before line {line}?",
            lines_answer(f"Yes, the last {phrase}", "footer_lines", n_lines, rows[end:]),
            lines_answer("No, every line is a record", "footer_lines", 0),
        )
    return rows[:end]


def _physical_lines(row: Row) -> int:
    """Lines of the file that a row takes up, blank ones within its cells left out."""
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
    """The indices of the first numbered row and of the text after the last one; all rows where none is numbered."""
    numbers = [row_number(row.cells[0]) for row in rows]
    start = next((index for index, number in enumerate(numbers) if number is not None), 0)
    end = next((index for index in range(start, len(rows)) if numbers[index] is None), len(rows))
    if not _counts_up(numbers) and not _counts_up(numbers[start:end]):
        return 0, len(rows)
    return start, end if end < len(rows) and rows[end].cells[0].strip(BLANKS)[:1].isalpha() else len(rows)


def _counts_up(numbers: Sequence[int | None]) -> bool:
    row_numbers = [number for number in numbers if number is not None]
    return len(row_numbers) >= _MIN_NUMBERED and {after - before for before, after in pairwise(row_numbers)} == {1}


def _is_the_total(row: Row, records: Sequence[Row]) -> bool:
    """Whether a row is called a total, and no other one of the records is."""
    return _is_called_total(row) and sum(map(_is_called_total, records)) == 1


def _is_called_total(row: Row) -> bool:
    return bool(_TOTAL.match(next((cell for cell in row.cells if cell.strip(BLANKS)), "")[:LONGEST]))


def second_table(rows: Sequence[Row]) -> int | None:
    """Find where another table in a sheet seems to begin: the header again, or words after numbers and an empty row."""
    for index in range(2, len(rows)):
        row, rows_above = rows[index], rows[1:index]
        if len(row.filled) > 1 and (row.cells == rows[0].cells or _heads_another(row, rows_above)):
            return index
    return None


def _heads_another(row: Row, rows_above: Sequence[Row]) -> bool:
    if row.line == rows_above[-1].line + 1 or any(map(is_number, row.filled)):
        return False
    columns = zip(row.cells, *(row_above.cells for row_above in rows_above), strict=False)
    return any(cell and all(map(is_number, cells)) for cell, *cells in columns)
