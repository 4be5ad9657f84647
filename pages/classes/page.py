"""Equivalence classes: which fail a limit, down to the distributions within one."""

import streamlit as st

from dashboard.components.chart import draw_with_data
from dashboard.components.fragments import metrics_above_charts
from dashboard.components.guard import require_all_classes
from dashboard.components.limits import slider_label, what_if_buttons, what_if_title
from dashboard.session import bound, workspace
from dashboard.text import plain
from metrics.drawing.class_tree import NARROW, class_tree
from metrics.drawing.classes import class_size_distribution
from metrics.explanations.findings import said
from metrics.formatting import visible
from metrics.metric import FindingKind
from metrics.texts import text
from pages.classes.browser import class_browser

card = require_all_classes()
classes = card.aggregates.classes
state = workspace()
what_if_title(state, "Equivalence classes", "k_anonymity")
policy = state.policy.what_if("k_anonymity").current
labels = said(card, FindingKind.LABELS)
if labels:
    st.caption(plain(labels))
if not classes.count:
    st.info("There are no equivalence classes: every record is suppressed.", icon=":material/info:")
    st.stop()
_SIZES, _TREE = "By size", "By quasi-identifier"


@st.fragment
def show_class_browser() -> None:
    """The map, the table, and the selected class."""
    class_browser(card, policy)


def show_all_classes() -> None:
    """All classes in one chart. No fragment: Streamlit may lose what a page sends to one that is then asked to run."""
    st.header("All classes", anchor=False)
    view = st.segmented_control(
        "View",
        [_SIZES, _TREE],
        default=_SIZES,
        key="classes_view",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    if view == _TREE:
        show_tree()
    else:
        show_sizes()


def show_sizes() -> None:
    """How many classes have which size, and the limit on it that the page tries."""
    limit = state.policy.what_if("k_anonymity").k_limit

    def try_limit(limit: int) -> None:
        """Show on the whole page what the limit makes of the classes."""
        state.policy.try_limit("k_anonymity", limit if limit > 1 else None)

    left, right = st.columns([1, 3], gap="medium")
    with left:
        st.slider(
            slider_label(state, "smallest class (k)", "k_anonymity"),
            1,
            max(100, limit),
            value=limit,
            help=text("k_anonymity.limit_help"),
            **bound("k_limit", limit, try_limit),
        )
        what_if_buttons(state, "k_anonymity")
    with right:
        metrics_above_charts()
        draw_with_data(class_size_distribution(classes.sizes, limit), "class_sizes", ["k_anonymity"])


def show_tree() -> None:
    """The quasi-identifiers as a tree, in the order chosen."""
    names = list(classes.quasi_identifiers)
    first_column = st.selectbox("First split", names, key="tree_first", format_func=visible, persist_state="session")
    levels = [first_column, *(name for name in names if name != first_column)] if first_column in names else names
    draw_with_data(class_tree(classes, levels), "class_tree", confidential=True)
    st.caption(f"Values below {NARROW:.0%} are drawn together. Columns that do not fit are not shown.")


show_class_browser()
show_all_classes()
