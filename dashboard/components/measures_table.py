"""A compact table of values: a row per metric, a narrow column per version, so that several fit a telephone."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

import streamlit as st

from dashboard.text import with_symbols
from metrics.drawing.version_styles import breakable, short_names
from metrics.explanations.checked_rows import checked_rows
from metrics.explanations.checked_version import CheckedVersion
from metrics.formatting import visible
from metrics.metric import Direction

_MAX_NAME = 40
_NO_LIMIT = "—"
_WIDTH, _WIDEST = 3.7, 8.0
"""Of the narrowest column that a name needs, in rem, and of the widest; the first is twice as wide as the narrowest."""
_LETTER, _PADDING = 0.45, 0.6
"""Width of a letter of a name, and of what surrounds the name, in rem."""
_ARROWS = {Direction.HIGHER: "higher", Direction.LOWER: "lower"}


class Cell(NamedTuple):
    """A value, a remark below it, and how it stands against a limit: "meets", "fails" or neither."""

    value: str
    remark: str = ""
    mark: str = ""


class Row(NamedTuple):
    """What is measured, the limit on it, whether higher is better, and a cell per column."""

    title: str
    limit: str
    direction: Direction | None
    cells: Sequence[Cell]


def measures_table(
    names: Sequence[str],
    rows: Iterable[Row],
    label: str,
    key: str,
    *,
    first: str = "metric",
    tall: bool = False,
    failing: Container[str] = (),
) -> None:
    """Show the rows under the names, those `failing` the policy marked; `label` is the accessible name.

    A table that is `tall` scrolls in itself.
    """
    parts = {name: breakable(short, _MAX_NAME) for name, short in short_names(names).items()}
    marks = {name: " ✗" if name in failing else "" for name in names}
    head = "".join(
        f'<th scope="col" title="{escape(visible(name))}">{"<wbr>".join(map(escape, parts[name]))}{marks[name]}</th>'
        for name in names
    )
    body = "".join(_row(row) for row in rows)
    longest = max(len(part) for name in names for part in parts[name])
    width = _WIDTH * 2 + len(names) * min(max(_WIDTH, _LETTER * longest + _PADDING), _WIDEST)
    with st.container(key=key):
        st.html(
            f'<div class="figures{" tall" if tall else ""}" role="region" tabindex="0" aria-label="{escape(label)}">'
            f'<table style="--width: {width:g}rem; --versions: {len(names)}">'
            f'<thead><tr><th scope="col">{first}</th>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>"
        )


def results_table(checked: Mapping[str, CheckedVersion], key: str) -> None:
    """Show every limit of the policy and the usual values, with those of each version."""
    rows = [
        Row(title, with_symbols(limit).strip(_NO_LIMIT), None, [_checked_cell(*cell) for cell in cells])
        for title, limit, cells in checked_rows(checked)
    ]
    measures_table(list(checked), rows, "Results against the policy", key)


def _checked_cell(value: str, outcome: str) -> Cell:
    if not outcome:
        return Cell(value)
    return Cell(f"✓ {value}", mark="meets") if outcome == "met" else Cell(f"✗ {value}", mark="fails")


def _row(row: Row) -> str:
    arrow = "" if row.direction is None else f' class="{_ARROWS.get(row.direction, "")}"'
    limit = re.sub("([≥≤]) ", "\\1\u00a0", escape(row.limit))
    limit = f" <span>{limit}</span>" if limit else ""
    cells = "".join(f'<td class="{cell.mark}">{escape(cell.value)}{_small(cell.remark)}</td>' for cell in row.cells)
    return f'<tr><th scope="row"{arrow}>{escape(row.title)}{limit}</th>{cells}</tr>'


def _small(remark: str) -> str:
    return f"<small>{escape(remark)}</small>" if remark else ""
