"""Equivalence classes: every class with its measures, down to the distributions within it."""

import streamlit as st

from dashboard.components.class_browser import class_browser, class_detail
from dashboard.components.figure import draw_with_data
from dashboard.components.fragments import numbers_first
from dashboard.components.guard import require_all_classes
from dashboard.components.in_sight import drawn_in_sight
from dashboard.components.repair_panel import repair_panel
from dashboard.session import controlled, workspace
from metrics.figures.class_tree import class_tree
from metrics.figures.classes import class_size_distribution
from metrics.wording import visible

BROWSE, REPAIR = "classes_browse", "classes_repair"
card = require_all_classes()
classes = card.evidence.classes
state = workspace()
st.title("Equivalence classes")
if not classes.count:
    st.info("There is no class: every record is suppressed.", icon=":material/info:")
    st.stop()


@st.fragment(key=BROWSE)
def browse() -> None:
    """Sizes, the table, and the class that was clicked."""
    limit = state.k_limit
    small = classes.sizes < limit
    st.markdown(
        f"{int(small.sum()):,} of {classes.count:,} classes hold fewer than {limit} records: "
        f"{int(classes.sizes[small].sum()):,} records in all."
    )
    numbers_first()

    def set_limit() -> None:
        """Keep the limit in the workspace."""
        state.k_limit = int(st.session_state["k_limit"])
        st.rerun([BROWSE, REPAIR])

    st.slider(
        "Smallest class size wanted (k)", 1, 100, value=limit, key=controlled("k_limit", limit), on_change=set_limit
    )
    draw_with_data(class_size_distribution(classes.sizes, limit), "class_sizes")
    chosen = class_browser(card)
    if chosen is not None:
        class_detail(card, chosen)


@st.fragment(key=REPAIR)
def repair() -> None:
    """What would make the table meet that limit, and others."""
    repair_panel(state, card.evidence)


browse()
repair()


def tree() -> None:
    """The quasi-identifiers as a tree, in the order chosen."""
    names = list(classes.quasi_identifiers)
    first = st.selectbox("Begin the tree with", names, key="tree_first", format_func=visible, persist_state="session")
    levels = [first, *(name for name in names if name != first)] if first in names else names
    draw_with_data(class_tree(classes, levels), "class_tree")


st.header("By quasi-identifier")
drawn_in_sight(tree, "classes_tree", height=600)
