"""The parts of the compare page: trade-off, preferences, every metric, curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.components.candidate_picker import choose_candidate, chosen_candidate
from dashboard.components.data_table import data_table
from dashboard.components.figure import draw_with_data
from dashboard.components.figure_data import figure_data
from dashboard.components.verdict_figure import verdict_figure
from dashboard.components.verdict_summary import policy_heading
from dashboard.text import plain, with_signs
from dashboard.workspace import Workspace
from metrics.candidates.compare.candidate_figures import Ranked
from metrics.candidates.compare.comparison import CandidateComparison
from metrics.candidates.compare.table import comparison_table, distinct_names
from metrics.explanations.bounds import bound_text, range_text
from metrics.explanations.decision import best_of, decision, figure_text, judged_rows
from metrics.explanations.judged_candidate import JudgedCandidate, judge_all
from metrics.figures.candidate_styles import Styles
from metrics.figures.parallel import parallel_coordinates
from metrics.figures.risk_curve import risk_curve_figure
from metrics.figures.size_curve import size_curves
from metrics.figures.trade_off import trade_off
from metrics.metric import Direction, Family, Metric
from metrics.policy.policy import Status
from metrics.privacy.reidentification_risk import ReidentificationRisk
from metrics.scoring.catalog import BY_ID, HEADLINES
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.wording import join_names, short_percent, visible, within_sentence

_NONE = ""
_NO_LIMIT = "—"
_MAX_NAME = 60
_HEAVIEST = 10
_MAX_BESIDE = 3
_MISSTATED = text("comparison.bounds")
_USUAL = 5


def recommendation_section(state: Workspace, cards: Mapping[str, Scorecard]) -> None:
    """Which candidate to choose; beside the figure, every limit with each candidate's figure."""
    judged = judge_all(cards, state.policy)
    choice, *further = decision(judged)
    st.header(plain(choice), anchor=False)
    if further:
        st.markdown(plain(" ".join(further)))
    best = best_of(judged)
    if best is not None and best.label != chosen_candidate(state):
        show = f"Show {visible(best.label)} on all pages"
        if st.button(plain(show), key="choose_best", on_click=choose_candidate, args=(best.label,), type="tertiary"):
            st.rerun()
    # Beside the figure there is room for the columns of three candidates.
    left, right = st.columns([2, 3], gap="medium") if len(judged) <= _MAX_BESIDE else (st.container(), st.container())
    with left:
        label = chosen_candidate(state)
        results = {name: one.result for name, one in judged.items()}
        verdict_figure(state, cards, label, policy_heading(results, cards[label]))
    with right:
        st.markdown(f"## Results against the policy {plain(f'“{state.policy.name}”')}")
        names = distinct_names(list(judged), ("metric and limit", "metric", "better"))
        rows = list(judged_rows(judged))
        frame = pd.DataFrame(
            [
                [
                    title if limit == _NO_LIMIT else f"{title} {with_signs(limit)}",
                    *(f"{'✓' if outcome == 'met' else '✗'} {text}" if outcome else text for text, outcome in cells),
                ]
                for title, limit, cells in rows
            ],
            columns=["metric and limit", *names],
        )
        data_table(
            frame, "Results against the policy", _cell_style, right=names, key="compare_policy", height="content"
        )
        st.caption(
            "✓ meets and ✗ fails the limit; results without a mark have no limit. The figure shades what is beyond a "
            "limit; its large mark is the current candidate."
        )
        with st.popover("Rename candidates", icon=":material/edit:"):
            for place, label in enumerate(judged):
                _rename_field(state, label, place)


def _rename_field(state: Workspace, label: str, place: int) -> None:
    key = f"rename_{place}_{label}"

    def rename() -> None:
        """Keep the name, and the choice of the candidate with it."""
        new = state.rename(label, str(st.session_state[key]).strip())
        if st.session_state.get("candidate") == label:
            st.session_state["candidate"] = new

    st.text_input(f"Name of candidate {place + 1}", value=label, max_chars=_MAX_NAME, key=key, on_change=rename)


def _cell_style(cell: Any) -> str:
    if str(cell).startswith("✗"):
        return "background-color: rgba(213, 94, 0, 0.22)"
    return "background-color: rgba(0, 114, 178, 0.16)" if str(cell).startswith("✓") else ""


def two_metrics_section(state: Workspace, comparison: CandidateComparison, styles: Styles) -> None:
    """Two metrics against each other with the pickers beside."""
    left, right = st.columns([1, 2])
    with left:
        x = _metric_picker("X axis", "compare_x", comparison.first_differing(Family.PRIVACY, state.policy.limits))
        y = _metric_picker("Y axis", "compare_y", comparison.first_differing(Family.UTILITY, state.policy.limits))
        size = _metric_picker("Size of the marks", "compare_size", _NONE, none="all equal")
        if size:
            st.caption(f"Larger marks: better {within_sentence(BY_ID[size].title)}.")
    with right:
        draw_with_data(trade_off(comparison, x, y, size or None, styles), "trade_off")


def preferences_section(
    state: Workspace, cards: Mapping[str, Scorecard], comparison: CandidateComparison, styles: Styles
) -> None:
    """A weight for each family of metrics, the ranking by them, and the metrics that count at a glance."""
    chosen = [one for one in (*HEADLINES, "profitability") if comparison.measured(one)]
    families = {family: [one for one in chosen if BY_ID[one].family is family] for family in Family}
    left, right = st.columns([1, 2])
    weights: dict[str, float] = {}
    with left:
        for family, members in families.items():
            if members:
                titles = join_names([within_sentence(BY_ID[one].title) for one in members])
                weight = st.slider(
                    str(family).capitalize(),
                    0,
                    _HEAVIEST,
                    _USUAL,
                    key=f"prefer_{family}",
                    persist_state="session",
                    help=f"How much these metrics count, 0 to {_HEAVIEST}; the weight is shared equally by {titles}.",
                )
                weights |= dict.fromkeys(members, weight / len(members))
    judged = judge_all(cards, state.policy)
    # First those that meet the policy: a weight makes no other candidate fit for release.
    ranked = sorted(comparison.rank(weights), key=lambda one: judged[one.label].status is Status.FAILS)
    with left:
        _ranking(ranked, judged)
    with right:
        draw_with_data(parallel_coordinates(comparison, chosen, styles), "parallel_coordinates")


def _ranking(ranked: Sequence[Ranked], judged: Mapping[str, JudgedCandidate]) -> None:
    """The candidates by preference, and which of them fail the policy."""
    meeting = [one for one in ranked if judged[one.label].status is not Status.FAILS]
    best = meeting or list(ranked)
    places = {one.label: 1 + sum(other.place < one.place for other in best) for one in best}
    first = [visible(label) for label, place in places.items() if place == 1]
    among = " of those that meet the policy" if 0 < len(meeting) < len(ranked) else ""
    if len({one.place for one in ranked}) == 1:
        st.markdown("All candidates score equally with these weights.")
    else:
        st.markdown(f"**Best match{among}: {plain(join_names(first))}** ({100 * best[0].score:.0f} of 100)")
    rows = [
        {
            "place": str(places.get(one.label, "—")),
            "candidate": one.label,
            "score": round(100 * one.score),
            "policy": str(judged[one.label].status),
        }
        for one in ranked
    ]
    data_table(pd.DataFrame(rows), "The candidates by preference", key="compare_ranking", height="content")
    st.caption(text("comparison.preference"))


def every_metric_section(comparison: CandidateComparison) -> None:
    """All metrics, a column per candidate, the best marked; beside a baseline what changed."""
    labels = list(comparison.labels)
    options = [_NONE, *labels]
    if st.session_state.get("compare_baseline", _NONE) not in options:
        st.session_state["compare_baseline"] = _NONE
    baseline = st.selectbox(
        "Compare with",
        options,
        format_func=lambda option: visible(option) if option else "no baseline",
        key="compare_baseline",
        persist_state="session",
        width=360,
    )
    st.caption("★ best value, if the candidates differ; — not available. " + _MISSTATED * comparison.has_misstated)
    measured = [spec for spec in comparison.metrics if comparison.measured(spec.id)]
    columns: list[tuple[str, list[str]]] = [("metric", [spec.title for spec in measured])]
    for label, name in zip(labels, distinct_names(labels, ("metric", "better")), strict=True):
        cells = [_cell(comparison, label, str(baseline), spec.id) for spec in measured]
        columns.append((name, cells))
    columns.append(("better", [str(spec.direction).removesuffix(" is better") for spec in measured]))
    frame = pd.DataFrame([list(row) for row in zip(*(cells for _, cells in columns), strict=True)], dtype="str")
    frame.columns = pd.Index([name for name, _ in columns])
    data_table(frame, "Every metric by candidate", right=frame.columns[1:-1], rows=14, key="compare_table")
    figure_data(lambda: comparison_table(comparison), "comparison")
    _why_unavailable(comparison)


def _why_unavailable(comparison: CandidateComparison) -> None:
    reasons = [line for spec in comparison.metrics for line in _reasons(comparison, spec)]
    if reasons:
        with st.expander("Why some values are not available"):
            st.markdown("\n".join(f"- {line}" for line in reasons))


def record_counts_section(cards: Mapping[str, Scorecard]) -> None:
    """Records of each candidate, and how many are suppressed in it or removed from the original."""
    rows = [
        {
            "candidate": label,
            "records": card.aggregates.anonymized.rows,
            "suppressed": card.aggregates.class_sizes.suppressed,
            "removed": card.aggregates.comparison.removed,
            "equivalence classes": card.class_count,
        }
        for label, card in cards.items()
    ]
    data_table(pd.DataFrame(rows), "Records by candidate", key="compare_records", height="content")


def _reasons(comparison: CandidateComparison, spec: Metric) -> list[str]:
    """Why candidates have no figure by a metric, as Markdown; once where it is the same for all."""
    reasons = {
        label: answers[spec.id].unavailable
        for label, answers in comparison.answers.items()
        if answers[spec.id].unavailable
    }
    if len(reasons) == len(comparison.labels) and len(set(reasons.values())) == 1:
        return [f"{spec.title}: {plain(next(iter(reasons.values())))}"]
    return [f"{spec.title}, {plain(label)}: {plain(reason)}" for label, reason in reasons.items()]


def curves_section(state: Workspace, cards: Mapping[str, Scorecard], styles: Styles) -> None:
    """Class sizes and risks of all candidates, one over the other."""
    limit = state.k_limit
    left, right = st.columns(2)
    with left:
        held = {label: card.aggregates for label, card in cards.items() if not card.aggregates.is_partitioned}
        if held:
            sizes = {label: aggregates.classes.sizes for label, aggregates in held.items()}
            draw_with_data(size_curves(sizes, limit, styles), "size_curves", ["k_anonymity"])
    risks = {
        label: result
        for label, card in cards.items()
        if isinstance(result := card["reidentification_risk"].result, ReidentificationRisk)
    }
    with right:
        if risks:
            threshold = state.parameters.reidentification_risk.threshold
            draw_with_data(risk_curve_figure(risks, threshold, styles), "risk_curves", ["reidentification_risk"])


def _cell(comparison: CandidateComparison, label: str, baseline: str, metric_id: str) -> str:
    figure = figure_text(metric_id, comparison.value(label, metric_id), short_percent)
    answer = comparison.answers[label][metric_id]
    if answer.strongest is not None:
        figure = range_text(figure, answer.strongest)
    elif answer.misstated and answer.value is not None:
        figure = bound_text(figure, BY_ID[metric_id].direction)
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
    difference = figure_text(metric_id, abs(change.difference), short_percent).replace("%", " pp")
    return f"{text} ({sign}{difference}, {judged})"


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
