"""The classes that fail a condition of P_29, with every reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.components.figure_data import figure_data
from metrics.privacy.p29 import P29
from metrics.scoring.class_table import ClassTable

_AT_ONCE = 1_000
_EXCESS, _CONSTANT = "t above the limit by", "attributes with one value"


def violation_table(classes: ClassTable, result: P29) -> None:
    """Each failing class with its quasi-identifiers, size, reasons and measures; all of them to download."""
    index = np.flatnonzero(result.violating)
    table = replace(classes, violations=result)
    st.header("Failing classes", anchor=False)
    frame: pd.DataFrame = table.to_arrow(index[:_AT_ONCE]).to_pandas()
    frame = frame.rename(columns={name: f"{name} (quasi-identifier)" for name in (_EXCESS, _CONSTANT)})
    place = len(table.classes.columns) + 1
    frame.insert(place, "reasons", frame.pop("reasons"))
    frame.insert(place + 1, _EXCESS, result.excess[index[:_AT_ONCE]])
    frame.insert(place + 2, _CONSTANT, result.constant_attributes[index[:_AT_ONCE]])
    if len(index) > _AT_ONCE:
        st.caption(f"The first {_AT_ONCE:,} are shown; the download contains all.")
    data_table(frame, "Failing classes with their reasons", key="violations")
    figure_data(lambda: table.to_arrow(index), "violating_classes", "Failing classes as CSV", confidential=True)
