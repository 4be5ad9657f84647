"""The classes that fail a condition of P_29, with every reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.components.figure_data import figure_data
from metrics.formatting import class_in_short
from metrics.privacy.p29 import P29
from metrics.scoring.class_table import ClassTable

_AT_ONCE = 1_000


def violation_table(classes: ClassTable, result: P29) -> None:
    """Each failing class with its size, values and reasons; all of them to download, with every measure."""
    index = np.flatnonzero(result.violating)
    table = replace(classes, violations=result)
    st.header("Failing classes", anchor=False)
    shown_classes = index[:_AT_ONCE]
    frame = pd.DataFrame(
        {
            "size": table.classes.sizes[shown_classes],
            "class": [
                class_in_short(table.classes.labels(class_index).values()) for class_index in shown_classes.tolist()
            ],
            "reasons": result.reason_texts(shown_classes).to_pylist(),
            "t above the limit by": result.excess[shown_classes],
            "attributes with one value": result.constant_attributes[shown_classes],
        }
    )
    if len(index) > _AT_ONCE:
        st.caption(f"The first {_AT_ONCE:,} are shown; the download contains all.")
    data_table(frame, "Failing classes with their reasons", key="violations")
    figure_data(lambda: table.to_arrow(index), "violating_classes", "Failing classes as CSV", confidential=True)
