"""One record or one class followed through all versions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.chart import chart_data, data_table, draw_with_data
from dashboard.components.guard import NEEDS_RECORDS
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.aggregates import require_records
from metrics.candidates.compare.record_trails import (
    Trail,
    record_trails,
    record_with_value,
    records_of_class,
    stop_of_trail,
)
from metrics.drawing.classes import class_distribution
from metrics.errors import InputError
from metrics.formatting import pluralize, printable, visible
from metrics.scoring.scorecard import Scorecard
from metrics.tables.table import Integers, Table

_RECORD, _CLASS = "a record", "a class"
_MAX_CLASSES = 200
_MAX_STOPS = 50
_NONE = ""


def follow_records(state: Workspace, cards: Mapping[str, Scorecard]) -> None:
    """Choose a record by its number or key, or a class of one version, and see where its records are in each."""
    cards = {label: card for label, card in cards.items() if label not in state.tables.server.versions}
    if state.tables.server.versions:
        st.caption(f"Records are followed through uploaded tables only. {NEEDS_RECORDS}")
    if not cards:
        return
    kind = st.segmented_control(
        "Follow", [_RECORD, _CLASS], default=_RECORD, key="follow_what", persist_state="session", required=True
    )
    selection = _choose_class(cards) if kind == _CLASS else _choose_record(state, cards)
    if selection is None:
        return
    trails = record_trails(cards, *selection)
    for label, trail in trails.items():
        st.markdown(f"- **{plain(label)}**: {plain(trail.summary())}")
    if not any(len(trail.classes) for trail in trails.values()):
        return
    rows = [row for label, trail in trails.items() for row in _stop_rows(label, cards[label], trail)]
    frame = pd.DataFrame(rows)
    data_table(frame, "Classes that contain the records followed, by version", key="follow_table")
    chart_data(frame, "followed", confidential=True)
    if any(len(trail.classes) > _MAX_STOPS for trail in trails.values()):
        st.caption(f"For each version, the {_MAX_STOPS} classes with the most of these records are listed.")
    _distributions(cards, trails)


def _choose_record(state: Workspace, cards: Mapping[str, Scorecard]) -> tuple[Table, Integers] | None:
    reference = (
        require_records(next(iter(cards.values())).aggregates)
        if state.tables.original is None
        else state.tables.original.table
    )
    if not reference.rows:
        st.info("The table has no records.", icon=":material/info:")
        return None
    keys = {card.aggregates.roles.matching.key for card in cards.values()}
    key = keys.pop() if len(keys) == 1 else ()
    if len(key) == 1:
        return _choose_record_by_key(reference, key[0])
    n_records = reference.rows
    number = int(st.session_state.get("follow_record", 1))
    if number > n_records:
        st.session_state["follow_record"] = n_records
    chosen = st.number_input(
        f"Record, by its number (1 to {n_records:,})", 1, n_records, key="follow_record", persist_state="session"
    )
    return reference, np.array([int(chosen) - 1])


def _choose_record_by_key(reference: Table, key: str) -> tuple[Table, Integers] | None:
    value = st.text_input(
        f"Record, by its value in {plain(key)}", key="follow_key", persist_state="session", autocomplete="off"
    )
    if not value:
        st.caption("Enter the key value of a record.")
        return None
    try:
        position = record_with_value(reference, key, value)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return None
    if position is None:
        st.info(f"No record of {plain(reference.name)} has this key.", icon=":material/info:")
        return None
    return reference, np.array([position])


def _choose_class(cards: Mapping[str, Scorecard]) -> tuple[Table, Integers] | None:
    labels = [label for label, card in cards.items() if card.aggregates.classes.count]
    if not labels:
        st.info("No version has a class: every record is suppressed.", icon=":material/info:")
        return None
    if st.session_state.get("follow_from") not in labels:
        st.session_state["follow_from"] = labels[0]
    left, right = st.columns([1, 2])
    label = str(left.selectbox("Class of", labels, format_func=visible, key="follow_from", persist_state="session"))
    card = cards[label]
    classes = card.aggregates.classes
    options = np.argsort(classes.sizes, kind="stable")[:_MAX_CLASSES].tolist()

    def class_label(index: int) -> str:
        """A class by its size and quasi-identifiers."""
        values = ", ".join(visible(value) for value in classes.labels(index).values())
        return f"{pluralize(int(classes.sizes[index]), 'record')}: {values}"

    if st.session_state.get("follow_class") not in options:
        st.session_state["follow_class"] = options[0]
    title = f"Class (the {_MAX_CLASSES:,} smallest)" if classes.count > _MAX_CLASSES else "Class (smallest first)"
    index = right.selectbox(title, options, format_func=class_label, key="follow_class", persist_state="session")
    return require_records(card.aggregates), records_of_class(card, int(index))


def _stop_rows(label: str, card: Scorecard, trail: Trail) -> list[dict[str, object]]:
    rows = []
    for number in range(min(len(trail.classes), _MAX_STOPS)):
        record_stop = stop_of_trail(card, trail, number)
        row: dict[str, object] = {
            "version": label,
            "records followed": record_stop.followed,
            "class size": record_stop.size,
        }
        row |= {
            f"{name} (quasi-identifier)" if name in row else name: printable(value)
            for name, value in record_stop.quasi_identifiers.items()
        }
        for name, values in record_stop.sensitive.items():
            row |= {
                f"{name}.distinct": values.distinct,
                f"{name}.normalized_entropy": values.normalized_entropy,
                f"{name}.t": values.t,
            }
        rows.append(row)
    return rows


def _distributions(cards: Mapping[str, Scorecard], trails: Mapping[str, Trail]) -> None:
    """A sensitive attribute in the class that holds most of the records followed, for each version."""
    names = list(dict.fromkeys(name for card in cards.values() for name in card.aggregates.roles.sensitive))
    if not names:
        return
    if st.session_state.get("follow_attribute", _NONE) not in [_NONE, *names]:
        st.session_state["follow_attribute"] = _NONE
    name = st.selectbox(
        "Distribution of",
        [_NONE, *names],
        format_func=lambda option: visible(option) if option else "none",
        key="follow_attribute",
        persist_state="session",
        help="The sensitive attribute whose distribution is shown, in the class with the most of these records.",
    )
    if not name:
        return
    for number, (label, trail) in enumerate(trails.items()):
        if not len(trail.classes) or name not in cards[label].aggregates.roles.sensitive:
            continue
        record_stop = stop_of_trail(cards[label], trail, 0)
        attribute = record_stop.sensitive[name]
        st.markdown(f"**{plain(label)}**")
        chart = class_distribution(
            cards[label].aggregates.histogram(name),
            record_stop.index,
            t=attribute.t,
            entropy=attribute.normalized_entropy,
        )
        draw_with_data(chart, f"followed_distribution_{number}", confidential=True)
