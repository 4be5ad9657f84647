"""Tables as notebooks show them: HTML in which no text of a table takes effect and every character can be seen."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from itertools import islice
from math import inf, isfinite
from typing import Final

from metrics.formatting import format_number, pluralize, visible

MAX_ROWS: Final = 20
"""Maximum rows shown; the number of further rows is given below the table."""

Cell = str | float | None


def cell_text(cell: Cell) -> str:
    """A cell for reading: numbers rounded, a missing one named, invisible characters visible."""
    if isinstance(cell, float) and not isfinite(cell):
        return "∞" if cell == inf else "—"
    return format_number(cell) if isinstance(cell, bool | int | float) else visible(cell)


def html_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[Cell]], total: int | None = None) -> str:
    """A table of at most MAX_ROWS rows; where there are `total` of them, the caption's count, it says what is left.

    All texts are escaped. Without a header the first column names what stands beside it.
    """
    table_rows = [_row("td", map(cell_text, row)) for row in (rows if total is None else islice(rows, MAX_ROWS))]
    n_omitted = 0 if total is None else total - len(table_rows)
    more_row = (
        f'<tr><td colspan="{len(header)}">and {pluralize(n_omitted, "row")} more</td></tr>' if n_omitted > 0 else ""
    )
    title = html.escape(visible(caption))
    head = _row("th", map(visible, header)) if header else ""
    return f"<table><caption>{title}</caption>{head}{''.join(table_rows)}{more_row}</table>"


def _row(tag: str, texts: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(text)}</{tag}>' for text in texts)}</tr>"
