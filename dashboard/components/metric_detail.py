"""One metric in full: value, limit, definition, parameters and working, in a dialog over the page."""

from __future__ import annotations

import streamlit as st

from dashboard.components.policy_panel import limit_field, limit_summary
from dashboard.components.working import draw_working
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.scoring.scorecard import Scorecard, format_number
from metrics.wording import join_names


def metric_detail(state: Workspace, card: Scorecard, metric_id: str) -> None:
    """Open the dialog of one metric."""
    spec = card[metric_id].metric

    @st.dialog(plain(spec.title), width="large")
    def detail() -> None:
        score = card[metric_id]
        left, right = st.columns([3, 1], vertical_alignment="bottom")
        with left:
            st.markdown(f"**{plain(format_number(score.value))}** · {plain(score.summary())}")
            st.caption(plain(f"Limit: {limit_summary(state, metric_id)}. Range: {spec.range}; {spec.direction}."))
        with right:
            limit_field(state, metric_id, f"detail_limit_{metric_id}")
        st.subheader("Definition", anchor=False)
        st.latex(spec.formula)
        st.markdown(f"{spec.meaning} {spec.good}")
        st.caption(plain(spec.reference if spec.doi is None else f"{spec.reference}, doi {spec.doi}"))
        parameters = _parameters(card, spec.settings)
        if parameters:
            st.markdown(f"**Parameters:** {plain(join_names(parameters))}")
        with st.expander("Working", key="detail_working", on_change="rerun", icon=":material/calculate:") as working:
            if working.open:
                draw_working(card, metric_id, key="detail")

    detail()


def _parameters(card: Scorecard, groups: tuple[str, ...]) -> list[str]:
    """Each parameter that the metric uses, with its value."""
    given = card.parameters.to_dict()
    return [
        f"{name.replace('_', ' ')} = {value if value not in ('', {}, (), None) else 'automatic'}"
        for group in groups
        for name, value in given.get(group, {}).items()
    ]
