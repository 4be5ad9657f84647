"""Analyses: which results of the original can still be obtained from each version."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.components.chart import chart_heading
from dashboard.components.guard import require_card, stop_without_original
from dashboard.components.limits import page_title
from dashboard.session import chosen_version, workspace
from dashboard.state.analyses_state import analyses_of
from dashboard.text import plain
from metrics.config.analyses import Count, Crosstab, Estimated
from metrics.drawing.version_styles import short_names, version_styles
from metrics.estimates.result import AnalysisResult, outcome_terms
from metrics.explanations.findings import said
from metrics.explanations.suppression import left_out, removed_groups
from metrics.formatting import join_names, visible
from metrics.metric import FindingKind
from metrics.policy.policy import Status
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.utility.analyses import ANALYSES, Analyses
from pages.analyses.cells import cells_chart, cells_frame, cells_in_words
from pages.analyses.counts import counts_table
from pages.analyses.editor import edit_analyses
from pages.analyses.forest import MOST_ESTIMATES, all_in_words, estimates_frame, forest_chart, most_changed, with_merged
from pages.analyses.outcomes import extents_table, fates_table, method, rests_on

state = workspace()
card = require_card()
label = chosen_version(state)
saved = state.policy.parameters.analyses


def show_analyses() -> None:
    """The finding, what each version keeps of each analysis, one analysis in full, and counts."""
    page_title("Analyses")
    if card.aggregates.original is None:
        stop_without_original(text("analyses.without_original"))
    st.markdown(plain(state.with_analyses(card)[ANALYSES.id].summary()))
    every = analyses_of(card.aggregates, saved)
    cards, _ = state.cards()  # the page Data says what is wrong with one
    scores = {version: state.with_analyses(other)[ANALYSES.id].result for version, other in cards.items()}
    found = {version: result for version, result in scores.items() if isinstance(result, Analyses)}
    analyses = {name: analysis for name, analysis in every.items() if not isinstance(analysis, Count)}
    if label in found:
        results = {version: each.results for version, each in found.items()}
        of_results = {version: cards[version] for version in results}
        check = state.policy.current.check
        failing = [version for version, of in of_results.items() if check(of).status is Status.FAILS]
        extents_table(analyses, results, failing)
        every_result = (result for of_version in results.values() for result in of_version.values())
        st.caption("  \n".join([*outcome_terms(every_result), text("analyses.colours")]))
        _cautions(of_results, failing)
        one_analysis(analyses, found[label].unsupported, results)
    counts_table({name: count for name, count in every.items() if isinstance(count, Count)}, cards)
    edit_analyses(state, card, every, is_saved=bool(saved))


def _cautions(cards: Mapping[str, Scorecard], failing: Sequence[str]) -> None:
    """Which versions may not be released, and what biases the results of each."""
    names = short_names(cards)
    if failing:
        versions = join_names([names[version] for version in failing])
        st.caption(plain(text("analyses.not_for_release", versions=versions, number=len(failing))))
    for version, of_version in cards.items():
        false, others = said(of_version, FindingKind.FALSE_INTERVALS), said(of_version, FindingKind.PERTURBED)
        others = " ".join(filter(None, [others, of_version.aggregates.whole.memoize(removed_groups)]))
        if false:
            st.warning(plain(f"{names[version]}: {text('analyses.wrong', found=false)}"), icon=":material/warning:")
        if others:
            st.caption(plain(f"{names[version]}: {others}"))


def one_analysis(
    analyses: Mapping[str, Estimated], unsupported: Mapping[str, str], found: Mapping[str, Mapping[str, AnalysisResult]]
) -> None:
    """One analysis in full: what the chosen version keeps, and every estimate in every version."""
    wanted = [st.session_state.pop("added_analysis", None), st.session_state.get("chosen_analysis"), *analyses]
    st.session_state["chosen_analysis"] = next(each for each in wanted if each in analyses)
    name = str(
        st.selectbox("Analysis", list(analyses), format_func=visible, key="chosen_analysis", persist_state="session")
    )
    if name in unsupported:
        st.info(plain(text("analyses.not_supported", reason=unsupported[name])), icon=":material/info:")
        return
    analysis, results = analyses[name], {version: each[name] for version, each in found.items() if name in each}
    frame = estimates_frame(analysis, results)
    data = frame.drop(columns=["in_words", "difference", "table", "is_coefficient"])
    # The cells are of one version at a time, which a control below chooses.
    shown = str(st.session_state.get(f"cells_{label}") or label) if isinstance(analysis, Crosstab) else label
    title = f"{short_names(results)[shown]}: {results[shown].finding.removesuffix('.')}"
    chart_heading(title, "analysis", lambda: data, [ANALYSES.id])
    st.caption(plain(method(analysis, results)))
    rests_on(results, {version: left_out(state.aggregates(version), analysis) for version in results})
    with st.expander(text("analyses.kept.every")):
        fates_table(results)
    if isinstance(analysis, Crosstab):
        cell_maps(name, analysis, results)
        return
    drawn = with_merged(most_changed(frame), results)
    if drawn["estimate"].nunique() < frame["estimate"].nunique():
        st.caption(text("analyses.most_changed", drawn=MOST_ESTIMATES, estimates=frame["estimate"].nunique()))
    if any(estimate.is_merged for result in results.values() for estimate in result.estimates):
        st.caption(text("analyses.about_merged"))
    drawing = forest_chart(drawn, version_styles(state.tables.labels))
    with st.container(key="analysis_chart"):
        st.altair_chart(drawing, width="stretch", key="analysis_estimates", alt=all_in_words(name, drawn))


def cell_maps(name: str, analysis: Crosstab, results: Mapping[str, AnalysisResult]) -> None:
    """The cells of the original, those of one version, and how far they differ."""
    names = short_names(results)
    version = label
    with st.container(key="analysis_maps"):
        if len(names) > 1:
            key = f"cells_{label}"  # another version of the page begins with itself
            shown = st.segmented_control("Version", [*names], default=label, format_func=names.__getitem__, key=key)
            version = str(shown or label)
        told, aggregates = cells_in_words(name, cells_frame(results[version])), state.aggregates(version)
        wanted = st.session_state.get("chosen_cell")
        owns = [(own.name, own.estimate.name) for own in results[version].originals if own.estimate is not None]
        first = next((visible(cell) for own, cell in owns if wanted in (visible(own), visible(cell))), "")
        for key, stacked in (("analysis_chart", False), ("analysis_chart_stacked", True)):  # of which a style shows one
            drawing = aggregates.whole.memoize(cells_chart, analysis, names[version], stacked, first)
            with st.container(key=key):
                _one_map(drawing, f"{key}_{name}_{version}", told)


@st.fragment
def _one_map(drawing: Any, key: str, told: str) -> None:
    """The chart of one version, whose chosen cell is chosen in the next, too."""
    shown = st.altair_chart(drawing, key=key, alt=told, on_select="rerun", selection_mode="chosen")
    for cell in shown.selection["chosen"]:
        st.session_state["chosen_cell"] = cell["estimate"]


show_analyses()
