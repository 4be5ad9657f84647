"""The classes that shut a gate of P_29, with every reason."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.components.guard import require_card
from dashboard.workspace import Workspace
from metrics.privacy.p29 import P29

_AT_ONCE = 1_000


def violation_table(state: Workspace, result: P29) -> None:
    """Each violating class with its quasi-identifiers, size and reasons; all of them to download."""
    index = np.flatnonzero(result.violating)
    if not len(index):
        st.markdown("Every gate is open: no class of one record, none with l = 0, none with t above the limit.")
        return
    records = int(result.components.sizes[index].sum())
    st.markdown(f"{len(index):,} classes with {records:,} records violate; each is listed with all its reasons.")
    classes = require_card().evidence.classes
    frame = pd.DataFrame(
        [
            {**classes.labels(int(i)), "size": int(classes.sizes[i]), "reasons": "; ".join(result.reasons_of(int(i)))}
            for i in index[:_AT_ONCE]
        ]
    )
    if len(index) > _AT_ONCE:
        st.caption(f"The first {_AT_ONCE:,} are shown; the download on the classes page holds all.")
    st.dataframe(frame, hide_index=True, key="violations", alt="Violating classes with their reasons")
