"""A compact table of figures: a row per metric, a narrow column per candidate, so that several fit a telephone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

import streamlit as st

from dashboard.text import with_symbols
from metrics.explanations.judged_candidate import JudgedCandidate
from metrics.explanations.judged_rows import judged_rows
from metrics.figures.theme import shortened
from metrics.formatting import visible
from metrics.metric import Direction

_MAX_NAME = 40
_NO_LIMIT = "—"
_WIDTH = 3.7
"""Of the narrowest column, in rem; the first is twice as wide."""
_ARROWS = {Direction.HIGHER: "higher", Direction.LOWER: "lower"}


class Cell(NamedTuple):
    """A figure, a remark below it, and how it stands against a limit: "meets", "fails" or neither."""

    figure: str
    remark: str = ""
    mark: str = ""


class Row(NamedTuple):
    """What is measured, the limit on it, whether higher is better, and a cell per column."""

    title: str
    limit: str
    direction: Direction | None
    cells: Sequence[Cell]


def figures_table(names: Sequence[str], rows: Iterable[Row], label: str, key: str, *, tall: bool = False) -> None:
    """Show the rows under the names; `label` is the accessible name. One that is `tall` scrolls in itself."""
    head = "".join(f'<th scope="col">{_breakable(name)}</th>' for name in names)
    body = "".join(_row(row) for row in rows)
    width = _WIDTH * (2 + len(names))
    with st.container(key=key):
        st.html(
            f'<div class="figures{" tall" if tall else ""}" role="region" tabindex="0" aria-label="{escape(label)}">'
            f'<table style="min-width: {width:g}rem"><thead><tr><th scope="col">metric</th>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>"
        )


def results_table(judged: Mapping[str, JudgedCandidate], key: str) -> None:
    """Show every limit of the policy and the usual figures, with those of each candidate."""
    rows = [
        Row(title, with_symbols(limit).strip(_NO_LIMIT), None, [_judged_cell(*cell) for cell in cells])
        for title, limit, cells in judged_rows(judged)
    ]
    figures_table(list(judged), rows, "Results against the policy", key)


def _judged_cell(figure: str, outcome: str) -> Cell:
    if not outcome:
        return Cell(figure)
    return Cell(f"✓ {figure}", mark="meets") if outcome == "met" else Cell(f"✗ {figure}", mark="fails")


def _row(row: Row) -> str:
    arrow = "" if row.direction is None else f' class="{_ARROWS.get(row.direction, "")}"'
    limit = f" <span>{escape(row.limit)}</span>" if row.limit else ""
    cells = "".join(f'<td class="{cell.mark}">{escape(cell.figure)}{_small(cell.remark)}</td>' for cell in row.cells)
    return f'<tr><th scope="row"{arrow}>{escape(row.title)}{limit}</th>{cells}</tr>'


def _small(remark: str) -> str:
    return f"<small>{escape(remark)}</small>" if remark else ""


def _breakable(name: str) -> str:
    """A name that may go on in another line after a mark between its words."""
    parts = re.split(r"(?<=[_.-])", shortened(visible(name), _MAX_NAME))
    return "<wbr>".join(escape(part) for part in parts)
