"""One metric in full: value, limit, definition, parameters and working, in a dialog over the page."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.components.policy_panel import limit_field, limit_summary
from dashboard.components.working import draw_working
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.config.parameters import CellReading, Parameters
from metrics.config.setting_texts import setting_label
from metrics.explanations.bounds import as_bound
from metrics.explanations.changed_settings import marked_title
from metrics.formatting import exact_number, format_number, visible
from metrics.metric import Metric
from metrics.policy.limitable_measures import LIMITABLE_MEASURES
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text

_READINGS = {CellReading.VALUE: "only itself", CellReading.WILDCARD: "any value"}


def metric_detail(state: Workspace, card: Scorecard, metric_id: str) -> None:
    """Open the dialog of one metric."""
    spec = card[metric_id].metric

    @st.dialog(plain(marked_title(spec.title, spec.id, card.parameters)), width="large")
    def detail() -> None:
        score = card[metric_id]
        left, right = st.columns([3, 1], vertical_alignment="bottom")
        with left:
            figure = as_bound(score, LIMITABLE_MEASURES[metric_id].measure_text(score.figure))
            st.markdown(f"**{plain(figure)}** · {plain(score.summary())}")
            st.caption(
                plain(f"Limit: {limit_summary(state.policy.limits, metric_id)}. Range: {spec.range}; {spec.direction}.")
            )
            if score.attack is not None and score.attack.highest_success is not None:
                st.caption(text("attack.range"))
        with right:
            limit_field(state, metric_id, f"detail_limit_{metric_id}")
        st.subheader("Definition", anchor=False)
        st.latex(spec.formula)
        st.markdown(f"{spec.meaning} {spec.good} {spec.notes}")
        st.caption(plain(spec.reference))
        parameters = parameter_labels(card.parameters, spec)
        if parameters:
            st.markdown(f"**Parameters:** {plain('; '.join(parameters))}")
        with st.expander("Working", key="detail_working", on_change="rerun", icon=":material/calculate:") as working:
            if working.open:
                draw_working(card, metric_id, key="detail")

    detail()


def parameter_labels(parameters: Parameters, spec: Metric) -> list[str]:
    """Each parameter that a metric uses, by its label, with its value."""
    values = parameters.to_dict()
    return [
        f"{setting_label(f'{group}.{name}')}: {_cell_text(value)}"
        for group in spec.settings
        for name, value in values.get(group, {}).items()
    ]


def _cell_text(value: object) -> str:
    """A parameter's value in words; an empty one leaves the choice to the metric."""
    if isinstance(value, CellReading):
        return _READINGS[value]
    if isinstance(value, Mapping):
        value = tuple(f"{visible(name)} {item}" for name, item in value.items())
    if isinstance(value, tuple):
        value = ", ".join(map(visible, value))
    if isinstance(value, str):
        return visible(value) if value else "automatic"
    if isinstance(value, bool):
        return format_number(value)
    return exact_number(value) if isinstance(value, float) else str(value)
