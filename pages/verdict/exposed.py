"""The people whom the table exposes, in groups, with what is typical of each; a group opens its worst class."""

from html import escape

import streamlit as st

from dashboard.navigation import CLASSES
from dashboard.session import chosen_version, open_class
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.explanations.exposed_groups import ExposedGroup, exposed_groups
from metrics.explanations.findings import said
from metrics.formatting import short_percent, shortened, visible
from metrics.metric import FindingKind
from metrics.policy.class_limits import class_limits
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_NAME = 24
"""Letters of a column's name before its value, which must not be what is cut off."""


def exposed_people(state: Workspace, card: Scorecard) -> None:
    """The groups, each a button that opens its worst class on the page of classes, above what is typical of it."""
    table = card.classes
    with st.container(key="groups", gap="xxsmall"):
        labels = said(card, FindingKind.LABELS)
        if labels:
            st.caption(plain(labels))
        for number, group in enumerate(exposed_groups(card, class_limits(state.policy.current))):
            if st.button(plain(group.finding), key=f"group_{number}", type="tertiary", help="Open the worst class"):
                open_class(chosen_version(state), group.worst)
                st.switch_page(CLASSES.page())
            st.html(f'<div class="typical">{_typical(group)}</div>')
        if table.all_classes is not None:
            st.caption(text("exposed.listed", classes=len(table), all=table.all_classes))


def _typical(group: ExposedGroup) -> str:
    """A bar per value: its share of the group, with a tick at its share of all records."""
    return "".join(
        f'<span title="{escape(visible(value.column))}: {escape(visible(value.label))}">'
        f"{escape(shortened(visible(value.column), _NAME))} {escape(visible(value.label))}</span>"
        f'<i class="metric-bar" aria-hidden="true"><i class="fill" style="width: {100 * value.share:.0f}%"></i>'
        f'<i class="other" style="left: {100 * value.overall:.0f}%"></i></i>'
        f'<b>{short_percent(value.share)}</b><small title="of all records">all: {short_percent(value.overall)}</small>'
        for value in group.typical
    )
