"""The parts of the compare page: trade-off, preferences, every metric, curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from dashboard.components.data_table import data_table
from dashboard.components.figure import draw_with_data
from dashboard.components.figure_data import figure_data
from dashboard.session import controlled
from dashboard.text import plain
from dashboard.workspace import Workspace
from metrics.candidates.compare import Comparison
from metrics.candidates.compare_command import comparison_table, distinct_names
from metrics.candidates.compare_told import HEADLINES, verdict
from metrics.catalog import BY_ID
from metrics.figures.candidate_styles import Styles
from metrics.figures.parallel import parallel_coordinates
from metrics.figures.risk_curve import risk_curve_figure
from metrics.figures.size_curve import size_curves
from metrics.figures.trade_off import trade_off
from metrics.privacy.reidentification_risk import ReidentificationRisk
from metrics.scorecard import Scorecard, shown
from metrics.specification import Direction, Family, Metric
from metrics.wording import listed, visible

_NONE = ""
_MOST_CHOSEN = 12
_HEAVIEST = 10
_USUAL = 5


def verdict_and_trade_off(comparison: Comparison, styles: Styles) -> None:
    """The verdict, the few numbers behind it, and two metrics against each other with the pickers beside."""
    chosen = _chosen_metrics()
    for sentence in verdict(comparison, chosen):
        st.markdown(plain(sentence))
    dominated = comparison.dominated([one for one in chosen if comparison.measured(one)])
    places = st.columns(3)
    places[0].metric("Candidates", f"{len(comparison.labels):,}")
    places[1].metric("Dominated candidates", f"{len(dominated):,}", help="As good in no metric chosen, worse in some.")
    told = sum(comparison.tells_apart(spec.id) for spec in comparison.metrics)
    places[2].metric("Metrics that tell them apart", f"{told:,}", help=f"Of {len(comparison.metrics):,}.")
    left, right = st.columns([1, 2])
    with left:
        x = _metric_picker("Across", "compare_x", comparison.most_telling(Family.PRIVACY))
        y = _metric_picker("Upwards", "compare_y", comparison.most_telling(Family.UTILITY))
        size = _metric_picker("Size of the marks", "compare_size", _NONE, none="all alike")
        if size:
            st.caption(f"The larger a mark, the better the candidate by {BY_ID[size].title}.")
        st.multiselect(
            "Metrics that count",
            list(BY_ID),
            default=list(HEADLINES),
            format_func=_title,
            key="compare_metrics",
            persist_state="session",
            max_selections=_MOST_CHOSEN,
            help="The verdict speaks of these: who is best, and who is dominated.",
        )
    with right:
        draw_with_data(trade_off(comparison, x, y, size or None, styles), "trade_off")


def preferences(comparison: Comparison, styles: Styles) -> None:
    """A weight for each metric chosen, the ranking by them, and all of them at a glance."""
    chosen = [one for one in _chosen_metrics() if comparison.measured(one)]
    if not chosen:
        st.caption("No metric chosen above has a figure.")
        return
    left, right = st.columns([1, 2])
    with left:
        weights = {
            one: st.slider(_title(one), 0, _HEAVIEST, _USUAL, key=f"prefer_{one}", persist_state="session")
            for one in chosen
        }
    ranked = comparison.rank(weights)
    first = [visible(one.label) for one in ranked if one.place == 1]
    with right:
        if len(first) == len(ranked):
            st.markdown("By these weights all candidates are equal.")
        else:
            verb = "is" if len(first) == 1 else "are"
            st.markdown(f"By these weights {plain(listed(first))} {verb} first, with {ranked[0].score:.3f} of 1.")
        draw_with_data(parallel_coordinates(comparison, chosen, styles), "parallel_coordinates")
    rows = [
        {
            "place": one.place,
            "candidate": one.label,
            "score": one.score,
            **{_title(identifier): part for identifier, part in one.parts.items()},
        }
        for one in ranked
    ]
    data_table(pd.DataFrame(rows), "The candidates by preference", key="compare_ranking")
    st.caption(
        "The score is the mean of the metrics by their weights, each from 0 for the worst of these candidates to 1 for "
        "the best; a metric without a figure counts as 0. So another candidate can change the order."
    )


def every_metric(comparison: Comparison) -> None:
    """All metrics, a column per candidate, the best marked; beside a baseline what changed."""
    labels = list(comparison.labels)
    options = [_NONE, *labels]
    if st.session_state.get("compare_baseline", _NONE) not in options:
        st.session_state["compare_baseline"] = _NONE
    baseline = st.selectbox(
        "Changes against",
        options,
        format_func=lambda option: visible(option) if option else "nothing: figures alone",
        key="compare_baseline",
        persist_state="session",
    )
    st.caption("★ marks the best of those that differ; — stands where there is no figure.")
    columns: list[tuple[str, list[str]]] = [("metric", [spec.title for spec in comparison.metrics])]
    for label, name in zip(labels, distinct_names(labels, ("metric", "better")), strict=True):
        cells = [_cell(comparison, label, str(baseline), spec.id) for spec in comparison.metrics]
        columns.append((name, cells))
    columns.append(("better", [str(spec.direction).removesuffix(" is better") for spec in comparison.metrics]))
    frame = pd.DataFrame([list(row) for row in zip(*(cells for _, cells in columns), strict=True)], dtype="str")
    frame.columns = pd.Index([name for name, _ in columns])
    data_table(frame, "Every metric by candidate", key="compare_table", height="content")
    figure_data(lambda: comparison_table(comparison), "comparison")
    reasons = [line for spec in comparison.metrics for line in _reasons(comparison, spec)]
    if reasons:
        with st.expander("Why some have no figure"):
            st.markdown("\n".join(f"- {line}" for line in reasons))


def _reasons(comparison: Comparison, spec: Metric) -> list[str]:
    """Why candidates have no figure by a metric, as Markdown; once where it is the same for all."""
    told = {label: of[spec.id].unavailable for label, of in comparison.answers.items() if of[spec.id].unavailable}
    if len(told) == len(comparison.labels) and len(set(told.values())) == 1:
        return [f"{spec.title}: {plain(next(iter(told.values())))}"]
    return [f"{spec.title}, {plain(label)}: {plain(reason)}" for label, reason in told.items()]


def curves(state: Workspace, cards: Mapping[str, Scorecard], styles: Styles) -> None:
    """Class sizes and risks of all candidates, one over the other."""

    def set_limit() -> None:
        """Keep the limit in the workspace."""
        state.k_limit = int(st.session_state["k_limit"])

    limit = state.k_limit
    st.slider(
        "Smallest class size wanted (k)", 1, 100, value=limit, key=controlled("k_limit", limit), on_change=set_limit
    )
    left, right = st.columns(2)
    with left:
        held = {label: card.evidence for label, card in cards.items() if not card.evidence.divided}
        if held:
            sizes = {label: evidence.classes.sizes for label, evidence in held.items()}
            draw_with_data(size_curves(sizes, limit, styles), "size_curves")
    risks = {
        label: result
        for label, card in cards.items()
        if isinstance(result := card["reidentification_risk"].result, ReidentificationRisk)
    }
    with right:
        if risks:
            threshold = state.parameters.reidentification_risk.threshold
            draw_with_data(risk_curve_figure(risks, threshold, styles), "risk_curves")


def _cell(comparison: Comparison, label: str, baseline: str, metric_id: str) -> str:
    figure = shown(comparison.value(label, metric_id))
    text = f"{figure} ★" if label in comparison.best(metric_id) else figure
    change = comparison.change(label, baseline, metric_id) if baseline and label != baseline else None
    if change is None:
        return text
    if change.better is None:
        return f"{text} (same)"
    judged = "better" if change.better else "worse"
    if BY_ID[metric_id].direction is Direction.TRUE:
        return f"{text} ({judged})"
    sign = "+" if change.difference > 0 else "−"
    return f"{text} ({sign}{shown(abs(change.difference))}, {judged})"


def _chosen_metrics() -> Sequence[str]:
    """The metrics that count; the widget that chooses them stands below what they decide."""
    chosen: Sequence[str] = st.session_state.get("compare_metrics", HEADLINES)
    return [identifier for identifier in BY_ID if identifier in chosen]


def _metric_picker(label: str, key: str, default: str, none: str | None = None) -> str:
    options = [*([] if none is None else [_NONE]), *BY_ID]
    chosen = st.selectbox(
        label,
        options,
        index=options.index(default),
        format_func=lambda option: _title(option) if option else str(none),
        key=key,
        persist_state="session",
    )
    return str(chosen)


def _title(metric_id: str) -> str:
    return BY_ID[metric_id].title
