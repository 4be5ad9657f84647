"""Repair: the smallest change that makes a table meet the policy."""

import streamlit as st

from dashboard.components.guard import require_all_classes
from dashboard.components.limits import page_title
from dashboard.session import workspace
from pages.repair.panel import repair_panel

card = require_all_classes()
page_title("Repair")


@st.fragment
def show_repair() -> None:
    """Policy, method and result."""
    repair_panel(workspace(), card)


show_repair()
