"""How a value comes about, drawn step by step for the class, record or column that the reader picks."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from dashboard.components.chart import data_table
from dashboard.components.fragments import computing
from dashboard.session import fragment
from dashboard.text import plain
from metrics.config.parameters import Parameters
from metrics.errors import Unavailable
from metrics.formatting import pluralize
from metrics.scoring.scorecard import Scorecard
from metrics.scoring.working import (
    Step,
    StepTable,
    Subject,
    Unit,
    Working,
    decisive_subject,
    derivation,
    rescored,
    subject_columns,
    subject_count,
    subject_name,
    working,
)
from metrics.working.latex import BEGIN, END, ROW

_LISTED = 200
_BY_NUMBER = -1
_TALL = re.compile(r"\\frac|\\sum")


def show_working(
    card: Scorecard, metric_id: str, parameters: Parameters | None = None, *, label: str = "Show the working"
) -> None:
    """An expander with the metric's working, derived only while it is open.

    `parameters` are those of controls beside it, where they have moved since the card was scored.
    """

    def draw_expander() -> None:
        expander = st.expander(label, key=f"working_{metric_id}", on_change="rerun", icon=":material/calculate:")
        if expander.open:
            with expander:
                draw_working(card if parameters is None else rescored(card, metric_id, parameters), metric_id)

    fragment(draw_expander, busy=computing())()


def draw_working(card: Scorecard, metric_id: str, key: str = "working") -> None:
    """The picker of the class, record or column, and the steps for it; or why there is no value to derive."""
    if card[metric_id].unavailable is not None:
        st.caption(f"There is no value to derive: {plain(card[metric_id].unavailable)}.")
        return
    try:
        for number, step in enumerate(_picked_working(card, metric_id, f"{key}_{metric_id}").steps, 1):
            draw_step(step, f"{number}. ")
    except Unavailable as reason:
        st.caption(f"There is nothing to derive: {plain(str(reason))}.")


def draw_step(step: Step, number: str = "") -> None:
    """One step with its number, title, sentence, formula and table."""
    st.markdown(f"**{plain(number + step.title)}**  \n{plain(step.sentence)}")
    if step.formula is not None:
        st.latex(_formula_with_room(step.formula), width="content")
    if step.table is not None:
        _draw_table(step.table, step.title)


def _formula_with_room(formula: str) -> str:
    """The formula with room above a tall first line and below a tall last one, which Streamlit would cut off."""
    rows = formula.removeprefix(BEGIN).removesuffix(END).split(ROW)
    if _TALL.search(rows[0]):
        rows[0] = r"\rule{0em}{1.7em}" + rows[0]
    if _TALL.search(rows[-1]):
        rows[-1] = r"\rule[-1em]{0em}{1em}" + rows[-1]
    return BEGIN + ROW.join(rows) + END if formula.startswith(BEGIN) else rows[0]


def _draw_table(table: StepTable, title: str) -> None:
    frame = pd.DataFrame(table.rows, columns=pd.Index(table.columns))
    data_table(frame, title, width="content")
    if table.left_out:
        st.caption(f"{pluralize(table.left_out, 'more row is', 'more rows are')} not listed.")


def _picked_working(card: Scorecard, metric_id: str, key: str) -> Working:
    """The working for what is picked; at first, for what decides the value."""
    start = decisive_subject(card, metric_id)
    count, columns = subject_count(card, metric_id), list(subject_columns(card, metric_id))
    if derivation(metric_id).unit is Unit.TABLE:
        return working(card, metric_id, Subject(0, _pick_column(columns, start.column, key)))
    controls = st.columns([3, 2], vertical_alignment="bottom")
    pick_record = _pick_number if derivation(metric_id).unit is Unit.RECORD else _pick_class
    with controls[0]:
        index = pick_record(card, metric_id, start.index, count, key)
    with controls[-1]:
        return working(card, metric_id, Subject(index, _pick_column(columns, start.column, key)))


def _pick_column(columns: list[str], start: str, key: str) -> str:
    if len(columns) == 1:
        return columns[0]
    _drop_unless(f"{key}_column", columns)
    return str(st.selectbox("Column", columns, columns.index(start), key=f"{key}_column"))


def _pick_class(card: Scorecard, metric_id: str, start: int, count: int, key: str) -> int:
    options = list(range(min(count, _LISTED)))
    if count > _LISTED:
        options.append(_BY_NUMBER)
    _drop_unless(f"{key}_class", options)
    chosen = st.selectbox(
        "Class",
        options,
        options.index(start if start < _LISTED else _BY_NUMBER),
        format_func=lambda i: "another class, by its number" if i < 0 else subject_name(card, metric_id, i),
        key=f"{key}_class",
    )
    return _pick_number(card, metric_id, start, count, key) if chosen == _BY_NUMBER else int(chosen or 0)


def _pick_number(card: Scorecard, metric_id: str, start: int, count: int, key: str) -> int:
    unit = derivation(metric_id).unit
    state_key = f"{key}_number"
    # A table with fewer records may have taken the place of the one it was chosen in.
    if not 1 <= int(st.session_state.get(state_key) or 1) <= count:
        del st.session_state[state_key]
    number = st.number_input(f"{unit.capitalize()} (1 to {count:,})", 1, count, start + 1, key=state_key)
    if unit is Unit.CLASS or card.aggregates.matched_records is not card.aggregates:
        st.caption(plain(subject_name(card, metric_id, int(number) - 1)))
    return int(number) - 1


def _drop_unless(key: str, options: list[int] | list[str]) -> None:
    if key in st.session_state and st.session_state[key] not in options:
        del st.session_state[key]
