"""The classes that fail a condition of P_29, with every reason."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table, first_rows
from dashboard.components.figure_data import figure_data
from metrics.formatting import class_in_short, pluralize
from metrics.privacy.p29 import P29
from metrics.scoring.class_table import ClassTable
from metrics.texts import text

_WIDTHS = {"class": 260, "reasons": 310}
_ONE_LINE = {"class": 40, "reasons": 48}
"""How many letters fit in these widths."""
_WRAPPED_PX = 57
"""The height of a row from which Streamlit wraps."""


def violation_table(classes: ClassTable, result: P29) -> None:
    """Each failing class with its size, values and reasons, the most serious first; all to download."""
    index = result.most_serious_first()
    table = replace(classes, violations=result)
    st.header(f"{pluralize(len(index), 'failing class', 'failing classes')}, by reasons, then distance", anchor=False)
    st.caption(text("p29.own_l"))
    shown_classes = first_rows(index)
    frame = pd.DataFrame(
        {
            "size": table.classes.sizes[shown_classes],
            "class": [
                class_in_short(table.classes.labels(class_index).values()) for class_index in shown_classes.tolist()
            ],
            "reasons": result.reason_texts(shown_classes).to_pylist(),
        }
    )
    wraps = any(frame[name].str.len().median() > letters for name, letters in _ONE_LINE.items())
    data_table(
        frame,
        "Failing classes with their reasons",
        key="violations",
        widths=_WIDTHS,
        row_height=_WRAPPED_PX if wraps else None,
    )
    figure_data(lambda: table.to_arrow(index), "violating_classes", "Failing classes as CSV", confidential=True)
