"""Analyses: which results of the original can still be obtained from each version."""

from collections.abc import Mapping
from contextlib import suppress

import pandas as pd
import streamlit as st

from dashboard.components.chart import chart_heading, data_table
from dashboard.components.guard import require_card, stop_without_original
from dashboard.components.limits import page_title
from dashboard.session import chosen_version, workspace
from dashboard.text import plain
from metrics.config.analyses import Analysis, Crosstab, Mean
from metrics.drawing.version_styles import short_names, version_styles
from metrics.errors import InputError, Unavailable
from metrics.estimates.estimate import AnalysisResult
from metrics.formatting import format_number, visible
from metrics.scoring.scorecard import Scorecard
from metrics.texts import text
from metrics.utility.analyses import ANALYSES, answer
from metrics.utility.count_queries.queries import Answer
from pages.analyses.cells import cells_chart, cells_frame, cells_in_words
from pages.analyses.editor import edit_analyses
from pages.analyses.forest import MOST_ESTIMATES, estimates_frame, forest_chart, in_words, most_changed

state = workspace()
card = require_card()
label = chosen_version(state)
saved = state.policy.parameters.analyses


def show_analyses() -> None:
    """The finding, what each version keeps of each analysis, and one analysis in full."""
    page_title("Analyses")
    if card.aggregates.original is None:
        stop_without_original(text("analyses.without_original"))
    st.markdown(plain(state.with_analyses(card)[ANALYSES.id].summary()))
    analyses = state.analyses.of(card.aggregates, saved)
    cards = cards_in_memory()
    if analyses:
        overview(analyses, cards)
        one_analysis(analyses, cards)
    edit_analyses(state, card, analyses, is_saved=bool(saved))


def cards_in_memory() -> dict[str, Scorecard]:
    """The versions in memory; what is wrong with one, the page Data says."""
    cards = {label: card}
    for other in state.tables.versions:
        with suppress(InputError):
            cards[other] = state.card(other)
    return {name: cards[name] for name in state.tables.labels if name in cards}


def result_of(version: Scorecard, analysis: Analysis) -> AnalysisResult | Answer | str:
    """What is left of an analysis on a version, or why the original does not support it."""
    try:
        return answer(version.aggregates, analysis)
    except Unavailable as reason:
        return str(reason)


def overview(analyses: Mapping[str, Analysis], cards: Mapping[str, Scorecard]) -> None:
    """How many results of each analysis survive on each version; a row shows its analysis below."""
    names = short_names(cards)
    rows = [
        {"analysis": name} | {names[version]: _in_short(result_of(cards[version], analysis)) for version in cards}
        for name, analysis in analyses.items()
    ]
    data_table(
        pd.DataFrame(rows),
        text("analyses.overview"),
        right=[names[version] for version in cards],
        key="analyses_table",
        on_select=lambda: _choose(list(analyses)),
        selection_mode="single-row",
    )
    st.caption(text("analyses.overview"))


def _in_short(found: AnalysisResult | Answer | str) -> str:
    if isinstance(found, Answer):
        shown = _counted(found)
        return text("analyses.counted", true=shown["true"], estimate=shown["estimate"], bounds=shown["bounds"])
    return f"{found.survivors} of {found.most}" if isinstance(found, AnalysisResult) else "—"


def _choose(names: list[str]) -> None:
    rows = st.session_state["analyses_table"]["selection"]["rows"]
    if rows:
        st.session_state["chosen_analysis"] = names[rows[0]]


def one_analysis(analyses: Mapping[str, Analysis], cards: Mapping[str, Scorecard]) -> None:
    """One analysis in full: what the chosen version keeps, and every estimate in every version."""
    if st.session_state.get("chosen_analysis") not in analyses:
        st.session_state["chosen_analysis"] = next(iter(analyses))
    name = str(
        st.selectbox("Analysis", list(analyses), format_func=visible, key="chosen_analysis", persist_state="session")
    )
    analysis, found = analyses[name], result_of(card, analyses[name])
    if isinstance(found, str):
        st.info(plain(text("analyses.not_supported", reason=found)), icon=":material/info:")
        return
    if isinstance(found, Answer):
        answers(analysis, cards)
        return
    results = {
        version: result
        for version, other in cards.items()
        if isinstance(result := result_of(other, analysis), AnalysisResult)
    }
    is_crosstab = isinstance(analysis, Crosstab)
    frame = estimates_frame(results, share=is_crosstab)
    chart_heading(
        found.summary().removesuffix("."),
        "analysis",
        lambda: frame.drop(columns=["in_words", "difference"]),
        [ANALYSES.id],
    )
    st.caption(plain(_records(found)))
    if is_crosstab:
        cells = cells_frame(found)
        drawing = cells_chart(cells, short_names(cards)[label])
        with st.container(key="analysis_chart"):
            st.altair_chart(drawing, key="analysis_cells", alt=cells_in_words(name, cells))
        return
    drawn = most_changed(frame)
    if len(drawn) < len(frame):
        st.caption(text("analyses.most_changed", drawn=MOST_ESTIMATES, estimates=frame["estimate"].nunique()))
    drawing = forest_chart(drawn, version_styles(state.tables.labels), _unit(analysis))
    with st.container(key="analysis_chart"):
        st.altair_chart(drawing, width="stretch", key="analysis_estimates", alt=in_words(name, drawn))


def answers(analysis: Analysis, cards: Mapping[str, Scorecard]) -> None:
    """What each version says of a count: what a recipient expects, and the bounds."""
    found = {version: result_of(other, analysis) for version, other in cards.items()}
    rows = [{"version": version, **_counted(one)} for version, one in found.items() if isinstance(one, Answer)]
    data_table(pd.DataFrame(rows), "Count by version", right=["true", "estimate", "bounds"])


def _counted(found: Answer) -> dict[str, str]:
    bounds = f"{format_number(found.smallest)} to {format_number(found.largest)}"
    return {"true": format_number(found.true), "estimate": format_number(found.estimate), "bounds": bounds}


def _records(found: AnalysisResult) -> str:
    return text(
        "analyses.records",
        used=found.rows_released,
        left_out=found.left_out_released,
        original=found.rows_original,
        value=found.value,
    )


def _unit(analysis: Analysis) -> str:
    if isinstance(analysis, Mean):
        return text("analyses.units.mean", number=analysis.number)
    return text("analyses.units.regression")


show_analyses()
