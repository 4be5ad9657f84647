"""Compare: which version to choose under the policy, and every version in detail."""

from collections.abc import Callable, Iterator, Sequence

import pandas as pd
import streamlit as st

from dashboard.components.chart import chart_data, chart_heading, data_table, draw_with_data
from dashboard.components.compared_versions import compared_versions
from dashboard.components.guard import require_cards
from dashboard.components.measures_table import Cell, Row, measures_table
from dashboard.navigation import REPAIR, VERDICT
from dashboard.session import choose_version, chosen_version, workspace
from dashboard.text import plain
from metrics.attacks.analyses.repeated_draws import choice_among_draws
from metrics.attacks.attribute_inference.measure import ATTRIBUTE_INFERENCE_ATTACK
from metrics.candidates.compare.comparison import Ranked, compare
from metrics.candidates.compare.parallel_chart import parallel_coordinates
from metrics.candidates.compare.summary import different_epsilon
from metrics.candidates.compare.table import comparison_table
from metrics.candidates.compare.trade_off_chart import trade_off
from metrics.drawing.size_curve import size_curves
from metrics.drawing.version_styles import version_styles
from metrics.explanations.bounds import shown_first
from metrics.explanations.changed_settings import marked_title
from metrics.explanations.checked_rows import checked_rows, title_of
from metrics.explanations.findings import said
from metrics.explanations.recommendation import Recommendation, recommend
from metrics.formatting import format_number, join_names, short_percent, visible, within_sentence
from metrics.metric import Family, FindingKind, Metric
from metrics.policy.limitable_measures import SURVIVING, change_text
from metrics.policy.policy import Status
from metrics.privacy.local_dp.measure import LOCAL_DP
from metrics.privacy.reidentification_risk.chart import risk_curve_chart
from metrics.privacy.reidentification_risk.measure import ReidentificationRisk
from metrics.scoring.catalog import BY_ID, HEADLINES, RISK
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.texts import text
from metrics.utility.analyses import ANALYSES
from pages.compare.attack_comparison import attack_comparison
from pages.compare.follow_records import follow_records
from pages.compare.linked_view import in_words, linked_view, view_frame
from pages.compare.uncertainty_view import uncertainty_view

_NONE = ""
_MAX_NAME = 60
_HEAVIEST = 10
_MISSTATED = text("comparison.bounds")
_USUAL = 5

state = workspace()
scored = require_cards()
st.title("Compare", anchor=False)
recommendation = recommend(scored, state.policy.current)
best, plane = recommendation.best, (RISK, recommendation.measure)
order = scored if best is None else [best.label, *(label for label in scored if label != best.label)]
cards = {
    label: state.attacks.with_known_singling_out(state.with_analyses(scored[label]))
    for label in compared_versions(state, order)
}
if len(cards) < 2:
    st.info("Choose at least two versions.", icon=":material/info:")
    st.stop()
comparison = compare(cards)
styles = version_styles(state.tables.labels)
sampled = [
    metric
    # k is the highest risk told otherwise, analyses have intervals of their own, and attacks take long.
    for metric in dict.fromkeys([*plane, *state.policy.limits, "p29"])
    if metric in BY_ID.keys() - {"k_anonymity", ANALYSES.id} and comparison.is_scored_for_all(metric)
]


def recommendation_section() -> None:
    """Which version to choose, and why; then the plane of risk and information with the results below it."""
    recommended = recommend(cards, state.policy.current)
    headline, *points = recommended.choice()
    st.header(plain(headline), anchor=False)
    if points:
        st.markdown("\n".join(f"- {plain(point)}" for point in points))
    best = recommended.best
    if best is not None and state.recipe_of(best.label) is None and said(best.card, FindingKind.ORDER):
        st.caption(f":material/warning: {text('decision.sort_rows')}")
    _next_steps(recommended)
    _results(recommended)


@st.fragment
def _results(recommended: Recommendation) -> None:
    """The policy's limits and what the reader adds, linked with the plane."""
    versions, measure, limits = recommended.versions, recommended.measure, state.policy.limits
    options = [metric for metric in BY_ID if metric not in limits and comparison.measured(metric)]
    warning = "".join(different_epsilon(version.card[LOCAL_DP.id].value for version in versions.values()))
    if warning and ANALYSES.id in options:
        options[options.index(ANALYSES.id)] = SURVIVING
    wanted = (measure, ANALYSES.id, SURVIVING, ATTRIBUTE_INFERENCE_ATTACK.id, "p29")
    default = [metric for metric in wanted if metric in options]
    chart = st.container(key="compare_results")
    added = st.multiselect(
        "Add metrics", options, default=default, format_func=title_of, key="compare_added", persist_state="session"
    )
    rows = list(checked_rows(versions, added))
    frame = view_frame(rows, versions, measure)
    title = f"Results against the policy “{state.policy.current.name}”"
    with chart:
        chart_heading(
            title, "compare_results", lambda: frame[["version", "metric", "limit", "result"]], [RISK, measure]
        )
        drawing = linked_view(frame, measure, styles, limits.get(RISK))
        st.altair_chart(drawing, width="stretch", key="compare_results_chart", alt=in_words(title, frame))
        if "p29" in added and any(version.card["p29"].value == 0 for version in versions.values()):
            st.caption(text("p29.beside_limits"))
        if warning:
            st.caption(plain(warning))
        if choice := choice_among_draws({label: version.card.aggregates for label, version in versions.items()}):
            st.warning(plain(choice), icon=":material/warning:")


def _next_steps(recommended: Recommendation) -> None:
    """Show the version to choose on all pages, make the repair that keeps more, or rename versions."""
    best, offer, current = recommended.best, recommended.offer, chosen_version(state)
    with st.container(horizontal=True, vertical_alignment="center"):
        is_ranked = all(version.kept(recommended.measure) is not None for version in recommended.meeting)
        if best is not None and best.label != current and is_ranked:
            show = f"Show {plain(best.label)} on all pages"
            if st.button(show, key="choose_best", on_click=choose_version, args=(best.label,), type="tertiary"):
                st.rerun()
        if offer is not None:
            repair = f"Repair {plain(offer.label)}"
            if st.button(repair, key="repair_offer", on_click=choose_version, args=(offer.label,), type="tertiary"):
                st.switch_page(REPAIR.page())
        with st.popover("Rename versions", icon=":material/edit:", type="tertiary"):
            for index, label in enumerate(recommended.versions):
                _rename_field(label, index)


def _rename_field(label: str, index: int) -> None:
    key = f"rename_{index}_{label}"

    def rename() -> None:
        """Keep the name, and the choice of the version with it; an emptied field shows the name again."""
        new_label = state.rename(label, str(st.session_state[key]).strip())
        if new_label == label:
            st.session_state[key] = label
        if st.session_state.get("candidate") == label:
            st.session_state["candidate"] = new_label

    st.text_input(f"Name of version {index + 1}", value=label, max_chars=_MAX_NAME, key=key, on_change=rename)


@st.fragment
def show_details() -> None:
    """Every metric, folded; and one view at a time, once it is chosen."""
    with st.expander("All metrics", key="every_metric"):
        every_metric_section()
    views: dict[str, Callable[[], None]] = {
        "Your weights": preferences_section,
        "Any two metrics": two_metrics_section,
        "Class sizes and risk": curves_section,
        "Attacks": lambda: attack_comparison(state, cards, styles),
        "Uncertainty": lambda: uncertainty_view(state, cards, sampled, plane, styles),
        "Follow a record or a class": lambda: follow_records(state, cards),
    }
    st.header("Details", anchor=False)
    view = st.segmented_control(
        "View", list(views), key="compare_view", label_visibility="collapsed", persist_state="session"
    )
    if view is not None:
        views[str(view)]()


def every_metric_section() -> None:
    """All metrics and counts, a column per version, the best marked; beside a baseline what changed."""
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
    st.caption(
        "★ best value, if the versions differ; — not available. "
        + text("comparison.analyses") * comparison.measured(ANALYSES.id)
        + _MISSTATED * comparison.has_misstated
    )
    rows = [
        Row(
            marked_title(spec.shown.title, spec.id, next(iter(cards.values())).parameters),
            "",
            spec.shown.direction,
            [_cell(label, str(baseline), spec.id) for label in labels],
        )
        for spec in comparison.metrics
        if comparison.measured(spec.id)
    ]
    measures_table(labels, [*rows, *_record_rows()], "All metrics by version", "compare_table", tall=True)
    chart_data(lambda: comparison_table(comparison), "comparison")
    _why_unavailable()


def _cell(label: str, baseline: str, metric_id: str) -> Cell:
    card = cards[label]
    shown = shown_first(card[metric_id], short_percent, perturbed=bool(perturbed_columns_of(card.aggregates)))
    if label in comparison.best(metric_id):
        shown = f"{shown} ★"
    if card[metric_id].unavailable == text("unavailable.on_demand"):
        return Cell(shown, "not computed")
    if not card[metric_id].is_reliable:
        return Cell(shown, "too few trials")
    if not baseline or label == baseline:
        return Cell(shown)
    return Cell(shown, _change(label, baseline, metric_id))


def _change(label: str, baseline: str, metric_id: str) -> str:
    """The change of a value against the baseline's, in a few words; "" where either has none."""
    change = comparison.change(label, baseline, metric_id)
    if change is None:
        return ""
    if change.better is None or not comparison.is_of_one_attribute(metric_id):
        return "same" if cards[label][metric_id].shown_text() == cards[baseline][metric_id].shown_text() else ""
    found = state.uncertainty.found(cards, sampled)
    if found is not None and metric_id in found.metrics and not found.is_clear(label, baseline, metric_id):
        return text("uncertainty.no_clear_difference")
    verdict = "better" if change.better else "worse"
    value, baseline_value = comparison.value(label, metric_id), comparison.value(baseline, metric_id)
    difference = "" if BY_ID[metric_id].known_quantity else change_text(metric_id, value, baseline_value)
    return f"{difference}, {verdict}" if difference else verdict


def _why_unavailable() -> None:
    reasons = [line for spec in comparison.metrics for line in _reasons(spec)]
    if reasons:
        with st.expander("Why some values are not available"):
            st.markdown("\n".join(f"- {line}" for line in reasons))
            if text("unavailable.on_demand") in " ".join(reasons):
                st.page_link(
                    VERDICT.page(), label="Compute slow metrics on the Verdict page", icon=":material/arrow_forward:"
                )


def _record_rows() -> Iterator[Row]:
    """Records of each version, how many are suppressed in it or removed from the original, and its classes."""
    counts: dict[str, list[int | None]] = {
        "Records": [card.aggregates.anonymized.rows for card in cards.values()],
        "Records suppressed": [card.aggregates.class_sizes.suppressed for card in cards.values()],
        "Records removed": [card.aggregates.comparison.removed for card in cards.values()],
        "Equivalence classes": [card.class_count for card in cards.values()],
    }
    for title, numbers in counts.items():
        yield Row(title, "", None, [Cell(format_number(number)) for number in numbers])


def _reasons(spec: Metric) -> list[str]:
    """Why versions have no value by a metric, as Markdown; once where it is the same for all."""
    reasons = {
        label: answers[spec.id].unavailable
        for label, answers in comparison.answers.items()
        if answers[spec.id].unavailable
    }
    if len(reasons) == len(comparison.labels) and len(set(reasons.values())) == 1:
        return [f"{spec.title}: {plain(next(iter(reasons.values())))}"]
    return [f"{spec.title}, {plain(label)}: {plain(reason)}" for label, reason in reasons.items()]


def two_metrics_section() -> None:
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


def preferences_section() -> None:
    """A weight for each family of metrics, the ranking by them, and the metrics that count at a glance."""
    metrics = [metric for metric in (*HEADLINES, "profitability") if comparison.measured(metric)]
    families = {
        family: members
        for family in Family
        if (members := [metric for metric in metrics if BY_ID[metric].family is family])
    }
    left, right = st.columns([1, 2])
    weights: dict[str, float] = {}
    with left:
        for family, members in families.items():
            scored = [metric for metric in members if comparison.is_scored(metric)]
            titles = join_names([within_sentence(BY_ID[metric].title) for metric in scored or members])
            name = str(family).capitalize()
            if scored:
                weight = st.slider(
                    name,
                    0,
                    _HEAVIEST,
                    _USUAL,
                    key=f"prefer_{family}",
                    persist_state="session",
                    help=f"Weight of this group; its metrics share it equally: {titles}.",
                )
                weights |= dict.fromkeys(scored, weight / len(scored))
            else:
                st.caption(plain(text("comparison.not_scored", family=name, metrics=titles)))
    recommended = recommend(cards, state.policy.current)
    checked = recommended.versions
    # First those that meet the policy: a weight makes no other version fit for release.
    ranked = sorted(comparison.rank(weights), key=lambda version: checked[version.label].status is Status.FAILS)
    with left:
        _ranking(ranked, recommended)
    with right:
        draw_with_data(parallel_coordinates(comparison, metrics, styles), "parallel_coordinates")


def _ranking(ranked: Sequence[Ranked], recommended: Recommendation) -> None:
    """The versions by preference, and which of them fail the policy."""
    checked, best = recommended.versions, recommended.best
    meeting = [version for version in ranked if checked[version.label].status is not Status.FAILS]
    eligible = meeting or list(ranked)
    ranks = {version.label: 1 + sum(other.place < version.place for other in eligible) for version in eligible}
    best_labels = [visible(label) for label, rank in ranks.items() if rank == 1]
    qualifier = " of those that meet the policy" if 0 < len(meeting) < len(ranked) else ""
    if len({version.place for version in ranked}) == 1:
        st.markdown("All versions score equally with these weights.")
    else:
        st.markdown(
            f"**Best match{qualifier}: {plain(join_names(best_labels))}** ({100 * eligible[0].score:.0f} of 100)"
        )
        if best is not None and best.kept(recommended.measure) is not None and ranks[best.label] > 1:
            st.markdown(plain(text("comparison.other_recommended", recommended=best.label)))
    rows = [
        {
            "place": str(ranks.get(version.label, "—")),
            "version": version.label,
            "score": round(100 * version.score),
            "policy": str(checked[version.label].status),
        }
        for version in ranked
    ]
    data_table(pd.DataFrame(rows), "The versions by preference", key="compare_ranking", height="content")
    st.caption(text("comparison.preference"))


def curves_section() -> None:
    """Class sizes and risks of all versions, one over the other."""
    limit = state.policy.k_limit
    left, right = st.columns(2)
    with left:
        in_memory = {label: card.aggregates for label, card in cards.items() if not card.aggregates.is_partitioned}
        if in_memory:
            sizes = {label: aggregates.classes.sizes for label, aggregates in in_memory.items()}
            draw_with_data(size_curves(sizes, limit, styles), "size_curves", ["k_anonymity"])
    risks = {
        label: result
        for label, card in cards.items()
        if isinstance(result := card["reidentification_risk"].result, ReidentificationRisk)
    }
    with right:
        if risks:
            threshold = state.policy.parameters.reidentification_risk.threshold
            draw_with_data(risk_curve_chart(risks, threshold, styles), "risk_curves", ["reidentification_risk"])


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


recommendation_section()
show_details()
